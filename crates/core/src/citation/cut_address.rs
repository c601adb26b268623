//! Addresses that were copied with a space in them, mended by the form of their list: `https://wiki.example/w/Godly Cloth - God cloth`
//! among entries that are all *address - title*. Cut at the space it would be the address of another page.

use super::source_list::Entry;
use crate::markdown::Document;

/// Entries that have to have the form of the list for it to be one.
const FEWEST: usize = 3;
/// Words that may stand behind the first space of an address.
const MOST_WORDS: usize = 3;

/// What stands behind the address of an entry that begins with it.
enum TrailingText<'t> {
    /// A dash, and the title.
    Title,
    /// Words, and then a dash and the title: perhaps the rest of the address.
    Words(&'t str),
    /// Anything else.
    Other,
}

/// Mends the addresses that end at a space, where all other entries that begin with an address go on with a dash and a title.
pub(super) fn join(document: &Document, entries: &mut [Entry]) {
    let forms: Vec<Option<TrailingText<'_>>> = entries.iter().map(|entry| find_trailing(document, entry)).collect();
    let titled = forms.iter().filter(|form| matches!(form, Some(TrailingText::Title))).count();
    if titled < FEWEST || forms.iter().any(|form| matches!(form, Some(TrailingText::Other))) {
        return;
    }
    let cut = forms.iter().filter(|form| matches!(form, Some(TrailingText::Words(_)))).count();
    // Where many are of that form, it is that of the list: *address words - more words*.
    if cut * FEWEST > titled {
        return;
    }
    for (entry, form) in entries.iter_mut().zip(forms) {
        if let (Some(TrailingText::Words(words)), Some(address)) = (form, entry.addresses.first_mut()) {
            for word in words.split(' ') {
                *address += "%20";
                *address += word;
            }
            if let Some((_, title)) = entry.title.split_once(" - ") {
                entry.title = title.to_owned();
            }
        }
    }
}

/// What stands behind the address of an entry; `None` when it does not begin with one.
fn find_trailing<'d>(document: &'d Document, entry: &Entry) -> Option<TrailingText<'d>> {
    let address = entry.addresses.first()?;
    let written = document.slice(entry.span);
    let at = written.find(address.as_str())?;
    let label = &written[..at];
    if label.contains(char::is_alphabetic) || label.contains(['(', '<']) {
        return None;
    }
    let line = written[at + address.len()..].lines().next().unwrap_or_default();
    if line.starts_with(" - ") {
        return Some(TrailingText::Title);
    }
    let words = line.strip_prefix(' ').and_then(|rest| rest.split_once(" - ")).map(|(words, _)| words);
    let is_rest = |words: &&str| {
        words.split(' ').count() <= MOST_WORDS
            && words.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '_' | '.' | '%'))
    };
    Some(words.filter(is_rest).map_or(TrailingText::Other, TrailingText::Words))
}

#[cfg(test)]
mod tests {
    use crate::citation::{self, KnownLabels};
    use crate::markdown::Document;

    #[track_caller]
    fn check(entries: &str, expected: (&str, &str)) {
        let document = Document::read(format!("It is old [1][2][3][4].\n\n## Sources\n\n{entries}"));
        let citations = citation::read(&document, &KnownLabels::default());
        let last = citations.lists.first().and_then(|list| list.entries.last());
        let found = last.map(|entry| (entry.addresses[0].as_str(), entry.title.as_str()));
        assert_eq!(found, Some(expected), "{entries}");
    }

    const FORM: &str =
        "[1] https://a.example/a - One\n[2] https://b.example/b - Two\n[3] https://c.example/c - Three\n";

    #[test]
    fn the_form_of_the_list_tells_where_an_address_ends() {
        check(
            &format!("{FORM}[4] https://d.example/w/갓 클로스 - God cloth - Wiki\n"),
            ("https://d.example/w/갓%20클로스", "God cloth - Wiki"),
        );
        check(&format!("{FORM}[4] https://d.example/w/d - Four\n"), ("https://d.example/w/d", "Four"));
    }

    #[test]
    fn where_the_list_has_no_one_form_nothing_is_joined() {
        let other = "[1] https://a.example/a One\n[2] https://b.example/b - Two\n[3] https://c.example/c - Three\n";
        let document = Document::read(format!(
            "It is old [1][2][3][4].\n\n## Sources\n\n{other}[4] https://d.example/w/God cloth - Wiki\n"
        ));
        let citations = citation::read(&document, &KnownLabels::default());
        assert_eq!(citations.lists[0].entries[3].addresses[0], "https://d.example/w/God");
    }
}
