//! What stands in a citation by keys (Pandoc's manual, *Citation syntax*): keys with words before and behind them, and how these words stand
//! beside numbers.

use super::author_year;
use super::label::Label;
use super::locator::{self, LONGEST, Located, each_located};
use super::members::Member;
use crate::pattern::Pattern;

/// The citations in a bracket, parted by semicolons; none when there is no key, or brackets in it have one.
pub(crate) fn keyed(inner: &str) -> Option<Vec<Located<'_>>> {
    if inner.contains("[@") || inner.contains("[-@") {
        return None;
    }
    let mut braces = 0usize;
    let parts = inner.split(|c: char| {
        match c {
            '{' => braces += 1,
            '}' => braces = braces.saturating_sub(1),
            _ => {}
        }
        c == ';' && braces == 0
    });
    // What has no key of its own belongs to the work before it, or to the first one: `[@a; and elsewhere]`.
    let mut keyed: Vec<(usize, usize, Label, usize)> = Vec::new();
    let (mut from, mut at) = (0, 0);
    for part in parts {
        let end = at + part.len();
        if let Some((sign, label, behind)) = key_in(part) {
            keyed.push((from, at + sign, label, at + behind));
        }
        at = end + 1;
        from = if keyed.is_empty() { from } else { at };
    }
    let ends: Vec<usize> = keyed.iter().skip(1).map(|(from, ..)| from - 1).chain([inner.len()]).collect();
    let parts = keyed.into_iter().zip(ends).map(|((from, sign, label, behind), end)| Located {
        written: inner[from..end].trim(),
        // The sign that suppresses the author is no word.
        lead: inner[from..sign].trim_start().trim_end_matches('-'),
        members: vec![Member::One(label)],
        // A sign without a name says nothing: `[@a, p. 12; @]`.
        tail: inner[behind..end].trim_end_matches([' ', ';', '@']),
    });
    Some(parts.collect()).filter(|parts: &Vec<Located<'_>>| !parts.is_empty())
}

/// The first key in a part of a citation: where its sign stands, its label, and where it ends.
fn key_in(part: &str) -> Option<(usize, Label, usize)> {
    // Words may stand before the key, and a space or minus does: an address of mail has a name there.
    let mut signs = part.match_indices('@').map(|(at, _)| at);
    let sign = signs.find(|at| part[..*at].ends_with([' ', '-', '\u{a0}', '\n']) || *at == 0)?;
    let (key, length) = key_of(&part[sign + 1..]);
    Some((sign, key_label(key)?, sign + 1 + length))
}

/// A key: in braces, `{a key}`; a bare one has letters, digits and lines, and other signs inside of it (Pandoc's manual, *Citation syntax*).
static KEY: Pattern = Pattern::new(r"^(?:\{([^}]*)\}|([\w:.#$%&\-+?<>~/]*\w))");

/// The key that a text begins with, and the length of what it is written in.
pub(super) fn key_of(text: &str) -> (&str, usize) {
    let Some(found) = KEY.captures(text) else { return ("", 0) };
    (found.get(1).or(found.get(2)).map_or("", |key| key.as_str()), found[0].len())
}

/// The label of a bibliography key: a name even when it is all digits. `@tbl:ports` names a part of the document.
pub fn key_label(key: &str) -> Option<Label> {
    if key.split_once([':', '-']).is_some_and(|(kind, _)| locator::WORDS.has("crossref", kind)) {
        return None;
    }
    match Label::parse(key.trim_end_matches(['.', ':', '?', '!']))? {
        Label::Number(number) => Some(Label::Name(number.to_string().into())),
        label @ Label::Name(_) => Some(label),
    }
}

/// The inside of a citation by keys, as if it were all in brackets: *@smith [p. 33] found* as `@smith, p. 33`.
fn inside(written: &str) -> Option<String> {
    let narrative = written.starts_with('@').then(|| written.replacen(" [", ", ", 1).trim_end_matches(']').to_owned());
    let inner = || written.strip_prefix('[')?.strip_suffix(']').filter(|inner| inner.contains('@'));
    narrative.or_else(|| Some(inner()?.to_owned()))
}

/// The citations in a bracket of Pandoc's, each as its author wrote it, with its label.
pub fn parts(written: &str) -> Vec<(Label, String)> {
    let inner = inside(written).unwrap_or_default();
    let label = |part: Located<'_>| match part.members.into_iter().next()? {
        Member::One(label) => Some((label, part.written.to_owned())),
        Member::Range(..) => None,
    };
    keyed(&inner).unwrap_or_default().into_iter().filter_map(label).collect()
}

/// Labels as a citation has them: a key with what its author wrote beside it.
pub fn labels_in(written: &str, labels: &[Label]) -> Vec<String> {
    let parts = parts(written);
    let of_key = |label: &Label| parts.iter().find(|(own, _)| own == label).map(|(_, part)| part.clone());
    labels.iter().map(|label| of_key(label).unwrap_or_else(|| label.to_string())).collect()
}

/// The words before and behind each label of a citation: of keys in Pandoc's writing, of numbers with locators, of authors and years.
fn words_beside(written: &str) -> Option<Vec<(String, String)>> {
    let (keys, bracket) = (inside(written), written.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')));
    let located = match &keys {
        Some(inner) => keyed(inner)?,
        None => match bracket.and_then(each_located) {
            Some(located) => located,
            None => return author_year::words_beside(written),
        },
    };
    let is_one = |part: &Located<'_>| matches!(part.members.as_slice(), [Member::One(_)]);
    let beside = |part: &Located<'_>| is_one(part).then(|| (part.lead.to_owned(), part.tail.to_owned()));
    located.iter().map(beside).collect()
}

/// Whether a citation by keys, or by author and year, has words beside them that cannot stand beside numbers.
pub fn loses_words(written: &str) -> bool {
    let Some(parts) = words_beside(written) else { return false };
    let has_words = parts.iter().any(|(lead, tail)| !lead.is_empty() || tail.contains(char::is_alphanumeric));
    let any: Vec<Option<u32>> = (1..).take(parts.len()).map(Some).collect();
    has_words && numbered(written, &any).is_none()
}

/// A citation by keys, by numbers, or by author and year, with other numbers in their place, its words kept: `[see @a, p. 3; -@b{ii}]` as
/// `[see 1, p. 3; 2, p. ii]`. Each has a number, or none where it goes. `None` where it would not be read as a citation of these numbers.
pub(crate) fn numbered(written: &str, numbers: &[Option<u32>]) -> Option<String> {
    let parts = words_beside(written)?;
    let has_words = parts.iter().any(|(lead, tail)| !lead.is_empty() || !tail.trim().is_empty());
    if parts.len() != numbers.len() || !has_words {
        return None;
    }
    let kept = parts.iter().zip(numbers).filter_map(|(part, number)| Some((part, (*number)?)));
    let kept: Vec<String> =
        kept.map(|((lead, tail), number)| format!("{lead}{number}{}", behind_a_number(tail))).collect();
    let inner = kept.join("; ").replace('\n', " ");
    let read = each_located(&inner).filter(|_| inner.len() <= LONGEST && !inner.contains(['[', ']', '@']))?;
    let numbers: Vec<Member> = numbers.iter().flatten().map(|number| Member::One(Label::Number(*number))).collect();
    let members: Vec<Member> = read.into_iter().flat_map(|part| part.members).collect();
    (members == numbers).then(|| format!("[{inner}]"))
}

/// What stands behind a key in Pandoc's writing, as it stands behind a number: braces say that what is in them is a locator, and numbers
/// without a word are of pages.
fn behind_a_number(tail: &str) -> String {
    let tail = tail.trim_end();
    let words = tail.strip_prefix(',').map_or(tail, str::trim_start);
    let (place, rest) = match words.strip_prefix('{').and_then(|inner| inner.split_once('}')) {
        Some((place, rest)) => (place.trim_matches([' ', ',']), rest),
        None if words.len() < tail.len() => (words, ""),
        None => return tail.to_owned(),
    };
    // The number of a page: digits, Roman numbers, one letter.
    let is_page = |page: &str| {
        let page = page.trim_matches(['(', ')']);
        page.starts_with(|c: char| c.is_ascii_digit())
            || page.chars().all(|c| matches!(c, 'i' | 'v' | 'x' | 'l'))
            || page.chars().count() == 1 && page.chars().all(char::is_alphabetic)
    };
    let is_pages = place.split([' ', ',', '-', '–']).filter(|page| !page.is_empty()).all(is_page);
    let pages = if place.contains([',', '-', '–', ' ']) { "pp. " } else { "p. " };
    match place {
        "" => rest.to_owned(),
        _ if is_pages => format!(", {pages}{place}{rest}"),
        _ => format!(", {place}{rest}"),
    }
}
