//! A text by its letters and digits alone, for quotations that differ from their source in case, marks, dashes, spaces and hyphens only.
//!
//! In its second reading what stands between the words of a page and is none of them is left out, too: the marks of notes behind words,
//! line numbers, page numbers and running heads, and who is speaking between two parts of one quotation (*“…,” he said, “…”*).

use std::collections::HashSet;

use memchr::memmem;

use crate::Span;
use crate::fold::Folded;
use crate::marks::MARKS;
use crate::script::is_cjk;

/// A number of so many figures at most is the mark of a note, a line number or a page number.
const MARK: usize = 4;
/// A running head has so many characters at most.
const HEAD: usize = 100;
/// Who is speaking is said in so many bytes at most.
const SAYING: usize = 60;

/// So many places of a quotation are looked at.
const MOST_PLACES: usize = 64;

/// The letters and digits of a text without what stands between the words of a page and is none of them.
pub fn unmarked(text: &str) -> Folded {
    let heads = running_heads(text);
    let mut words = Folded::default();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let trimmed = line.trim();
        if heads.contains(trimmed) {
            continue;
        }
        let figures = trimmed.bytes().take_while(u8::is_ascii_digit).count();
        // The number of a line, or of a page.
        let behind = &trimmed[figures..];
        let numbered = (1..=MARK).contains(&figures) && (behind.is_empty() || behind.starts_with([' ', '\t']));
        let indent = line.len() - line.trim_start().len();
        let mut from = (start + indent + if numbered { figures } else { 0 }).min(at);
        for (place, c) in text[from..at].char_indices().map(move |(place, c)| (from + place, c)) {
            // The mark of a note, or who speaks.
            let skip = if c.is_ascii_digit() { note } else { saying };
            let skipped = if place < from { 0 } else { skip(text, place, at) };
            if skipped > 0 {
                words.read(text, Span::new(from, place));
                from = place + skipped;
            }
        }
        words.read(text, Span::new(from, at));
    }
    words.letters()
}

/// Where some letters and digits stand in the original of others, whole words of it; the first place.
pub fn find(original: &str, letters: &Folded, wanted: &Folded) -> Option<Span> {
    let wanted = wanted.as_str();
    memmem::find_iter(letters.as_str().as_bytes(), wanted).take(MOST_PLACES).find_map(|at| {
        let span = letters.original(original, Span::new(at, at + wanted.len()));
        let spaced = |c: char| c.is_alphanumeric() && !is_cjk(c);
        let cut = |at: usize| original[..at].ends_with(spaced) && original[at..].starts_with(spaced);
        // A mark of a note may stand right behind the last word.
        let marked = original[span.end..].starts_with(|c: char| c.is_ascii_digit());
        (!cut(span.start) && (!cut(span.end) || marked)).then_some(span)
    })
}

/// Lines that stand on a page more than once, as running heads do.
fn running_heads(text: &str) -> HashSet<&str> {
    let mut lines = HashSet::new();
    let short = text.lines().map(str::trim).filter(|line| !line.is_empty() && line.len() <= HEAD);
    short.filter(|line| !lines.insert(*line)).collect()
}

/// The length of the mark of a note that stands right behind a word.
fn note(text: &str, at: usize, end: usize) -> usize {
    let figures = text[at..end].bytes().take_while(u8::is_ascii_digit).count();
    let behind_a_word =
        text[..at].ends_with(|c: char| c.is_alphabetic() || matches!(c, '.' | ',' | ';' | '”' | '"' | ')'));
    let number = text[..at].trim_end_matches(['.', ',']).ends_with(|c: char| c.is_ascii_digit());
    let ends = !text[at + figures..].starts_with(char::is_alphanumeric);
    if behind_a_word && !number && ends && figures < MARK { figures } else { 0 }
}

/// The length of what says who is speaking, from the mark that closes one part to the one that opens the next.
fn saying(text: &str, at: usize, end: usize) -> usize {
    let rest = &text[at..end];
    let Some(c) = rest.chars().next().filter(|c| MARKS.iter().any(|(_, closing)| closing.contains(c))) else {
        return 0;
    };
    if !text[..at].ends_with([',', '.', '!', '?', '-', '—', '–']) {
        return 0;
    }
    let behind = &rest[c.len_utf8()..];
    let near = &behind[..behind.floor_char_boundary(SAYING)];
    let Some(open) = near.find(|c: char| MARKS.iter().any(|(mark, _)| *mark == c)) else { return 0 };
    let said = &near[..open];
    let is_it = said.starts_with(' ') && said.trim_end().ends_with([',', '.', ':']) && said.trim().len() > 3;
    if is_it { c.len_utf8() + open } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::{find, unmarked};
    use crate::fold::Folded;

    #[track_caller]
    fn check(page: &str, quotation: &str, expected: bool) {
        let found = find(page, &unmarked(page), &Folded::new(quotation).letters()).is_some();
        assert_eq!(found, expected, "{quotation:?} in {page:?}");
    }

    #[test]
    fn what_stands_between_the_words_of_a_page_is_none_of_them() {
        check("It was relevant and3 sustained.", "relevant and sustained", true);
        check("It was well-\nproportioned and bright.", "well proportioned and bright", true);
        check("1 It is a waste\n2 of money and time.", "a waste of money and time", true);
        check("A waste\n\nThe Daily Head\n12\n\nof money.\n\nThe Daily Head\n", "a waste of money", true);
        check("“We will not go,” he said, “unless we must.”", "We will not go, unless we must", true);
        check("It covers 12 of 30 towns.", "It covers of towns", false);
        check("It is unsafe to go.", "safe to go", false);
    }
}
