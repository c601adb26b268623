//! The further addresses of an entry: those of a copy, of something beside the work, of another work.

use std::sync::LazyLock;

use super::shown::{FoundAddress, SEPARATORS, Shown};
use super::title::is_empty_text;
use crate::address::identity::{Key, is_archived, key_of};
use cited_text::lexicon::table;

const TABLE: &str = include_str!("data/address_words.tsv");

static COPY: LazyLock<Vec<&'static str>> = LazyLock::new(|| table::words(TABLE, "copy").collect());
static BESIDE: LazyLock<Vec<&'static str>> = LazyLock::new(|| table::words(TABLE, "beside").collect());

/// What was taken out of an entry.
#[derive(Debug, Default)]
pub(super) struct Further {
    /// Addresses of the same work: *(PDF: https://…; archived: https://…)*.
    pub(super) copies: Vec<String>,
    /// Addresses of other works: *; GWEC, https://…*.
    pub(super) works: Vec<String>,
}

/// What a further address is.
enum Kind {
    Copy,
    /// Another thing, *code: https://…*, which is no address of the source.
    Beside,
    Work,
}

/// Takes the further addresses out of what an entry shows, with the words that say what they are. What is left are its title
/// and its own address.
pub(super) fn taken_from(shown: &mut Shown) -> Further {
    let mut further = Further::default();
    // Names of works may be found before what stands in front of them: then nothing says what is further.
    let in_order = shown.found.windows(2).all(|pair| pair[0].at.end <= pair[1].at.start);
    let Some(first) = shown.found.first().filter(|_| in_order).cloned() else { return further };
    let all = std::mem::take(&mut shown.found);
    let key = key_of(&first.address);
    let mut left = String::with_capacity(shown.text.len());
    // Where the last address ends, and what of the text is left up to where.
    let (mut end, mut done) = (first.at.start, 0);
    for (i, mut found) in all.into_iter().enumerate() {
        let kind = if i == 0 { None } else { kind_of(&shown.text, (&first, &key), end, &found) };
        match kind {
            None => {
                left.push_str(&shown.text[done..found.at.start]);
                let at = left.len();
                left.push_str(&shown.text[found.at.clone()]);
                (end, done) = (found.at.end, found.at.end);
                found.at = at..left.len();
                shown.found.push(found);
                continue;
            }
            Some(Kind::Copy) => further.copies.push(found.address),
            Some(Kind::Beside) => {}
            Some(Kind::Work) => further.works.push(found.address),
        }
        left.push_str(&shown.text[done..end]);
        (end, done) = (found.at.end, found.at.end);
    }
    left.push_str(&shown.text[done..]);
    shown.text = left;
    further
}

/// Words between two addresses of which the second is a copy, whatever they are.
const MOST_WORDS: usize = 6;

/// What the address `found` of an entry is, behind another one that ends at `end`; none for what may be its own.
fn kind_of(text: &str, (first, key): (&FoundAddress, &Key), end: usize, found: &FoundAddress) -> Option<Kind> {
    let gap = text.get(end..found.at.start)?;
    let words = naming(gap);
    if found.titled {
        let name = naming(&text[found.at.clone()]);
        return if !(words.is_empty() || is_named(&COPY, &words) || is_named(&BESIDE, &words)) {
            None
        } else if is_named(&BESIDE, &name) {
            Some(Kind::Beside)
        } else if is_named(&COPY, &name) || is_empty_text(&name) {
            Some(Kind::Copy)
        } else {
            // Two titles that a sign parts: `[IEA](…); [GWEC](…)`.
            (first.titled && words.is_empty() && gap.contains([';', '；'])).then_some(Kind::Work)
        };
    }
    let same = || *key == key_of(&found.address);
    if is_archived(&found.address) && words.split(' ').count() <= MOST_WORDS && same() {
        return Some(Kind::Copy);
    }
    // `… — URL` at the end is how a title and its address are written, even of a title that ends with an address; behind `… — URL` it is
    // another address.
    let before = text[..first.at.start].trim_end();
    if gap.trim_end().ends_with('—') && !gap.contains('(') && text[found.at.end..].trim().is_empty() {
        return (before.ends_with('—') && words.is_empty()).then_some(Kind::Copy);
    }
    // In brackets behind title and address stands another address of the same, whatever the words that lead to it.
    let in_brackets = || {
        (before.ends_with('.') || before.ends_with(SEPARATORS))
            && gap.trim_start().starts_with(['(', '[', '（'])
            && !gap.contains([')', ']', '）'])
            && words.split(' ').count() <= MOST_WORDS
    };
    if is_named(&BESIDE, &words) {
        Some(Kind::Beside)
    } else if is_named(&COPY, &words) || in_brackets() {
        Some(Kind::Copy)
    } else {
        let parted = gap.trim_start_matches([')', '）', '>', '.', ' ']).starts_with([';', '；']);
        // Before the first address stands its title, as before this one.
        let titled = |before: &str| before.contains(char::is_alphabetic);
        (parted && titled(&words) && titled(&text[..first.at.start])).then_some(Kind::Work)
    }
}

fn is_named(names: &[&str], words: &str) -> bool {
    !words.is_empty() && names.contains(&words)
}

/// Words without the signs round them, in small letters.
fn naming(words: &str) -> String {
    let round =
        |c: char| SEPARATORS.contains(&c) || matches!(c, '(' | ')' | '（' | '）' | '[' | ']' | '<' | '>' | '.' | '。');
    words.trim_matches(round).split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}
