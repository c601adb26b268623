//! A text by its letters and digits alone, for quotations that differ from their source in case, marks, dashes, spaces and hyphens only.
//!
//! In its second reading what stands between the words of a page and is none of them is left out, too: the marks of notes behind words,
//! line numbers, page numbers and running heads, and who is speaking between two parts of one quotation (*“…,” he said, “…”*).

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;

use crate::Span;
use crate::marks::MARKS;

/// A number of so many figures at most is the mark of a note, a line number or a page number.
const MARK: usize = 4;
/// A running head has so many characters at most.
const HEAD: usize = 100;
/// Who is speaking is said in so many bytes at most.
const SAYING: usize = 60;

/// A text by its letters and digits alone, with where they stand.
#[derive(Debug, Clone, Default)]
pub struct Bare {
    text: String,
    /// For each byte the offset in the original.
    starts: Vec<u32>,
}

impl Bare {
    /// All letters and digits of a text. Texts over 4 GiB are cut.
    pub fn new(text: &str) -> Self {
        let mut bare = Bare { text: String::with_capacity(text.len()), starts: Vec::with_capacity(text.len()) };
        bare.push(text, 0);
        bare
    }

    /// The same without what stands between the words of a page and is none of them.
    pub fn without_marks(text: &str) -> Self {
        let heads = running_heads(text);
        let mut bare = Bare { text: String::with_capacity(text.len()), starts: Vec::with_capacity(text.len()) };
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let start = at;
            at += line.len();
            let trimmed = line.trim();
            if heads.contains_key(trimmed) {
                continue;
            }
            let indent = line.len() - line.trim_start().len();
            let figures = trimmed.bytes().take_while(u8::is_ascii_digit).count();
            // The number of a line, or of a page.
            let behind = &trimmed[figures..];
            let numbered = (1..=MARK).contains(&figures) && (behind.is_empty() || behind.starts_with([' ', '\t']));
            let from = start + indent + if numbered { figures } else { 0 };
            bare.push_unmarked(text, Span::new(from.min(at), at));
        }
        bare
    }

    /// A part of a text without note marks and without who speaks.
    fn push_unmarked(&mut self, text: &str, part: Span) {
        let mut from = part.start;
        for (at, c) in part.slice(text).char_indices().map(|(at, c)| (part.start + at, c)) {
            let skip = if c.is_ascii_digit() { note } else { saying };
            let skipped = if at < from { 0 } else { skip(text, at, part.end) };
            if skipped > 0 {
                self.push(&text[from..at], from);
                from = at + skipped;
            }
        }
        self.push(&text[from.min(part.end)..part.end], from);
    }

    fn push(&mut self, part: &str, start: usize) {
        for (at, c) in part.char_indices() {
            let Ok(place) = u32::try_from(start + at) else { break };
            if c.is_ascii_alphanumeric() {
                self.text.push(c.to_ascii_lowercase());
            } else if !c.is_ascii() {
                let plain = c.nfkc().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase);
                self.text.extend(plain);
            }
            self.starts.resize(self.text.len(), place);
        }
    }

    /// The letters and digits.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Where some letters and digits stand in the original, whole words of it; the first place.
    pub fn find(&self, original: &str, wanted: &str) -> Option<Span> {
        let finder = memchr::memmem::Finder::new(wanted.as_bytes());
        finder.find_iter(self.text.as_bytes()).take(64).find_map(|at| {
            let start = *self.starts.get(at)? as usize;
            let last = *self.starts.get(at + wanted.len() - 1)? as usize;
            let end = last + original[last..].chars().next().map_or(1, char::len_utf8);
            let spaced = |c: char| c.is_alphanumeric() && !crate::script::is_cjk(c);
            let cut = |at: usize| original[..at].ends_with(spaced) && original[at..].starts_with(spaced);
            // A mark of a note may stand right behind the last word.
            let marked = original[end..].starts_with(|c: char| c.is_ascii_digit());
            (!cut(start) && (!cut(end) || marked)).then(|| Span::new(start, end))
        })
    }
}

/// Lines that stand on a page more than once, as running heads do.
fn running_heads(text: &str) -> HashMap<&str, usize> {
    let mut lines: HashMap<&str, usize> = HashMap::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && line.len() <= HEAD) {
        *lines.entry(line).or_default() += 1;
    }
    lines.retain(|_, times| *times > 1);
    lines
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
    use super::Bare;

    #[track_caller]
    fn check(page: &str, quotation: &str, expected: bool) {
        let wanted = Bare::new(quotation);
        let found = Bare::without_marks(page).find(page, wanted.as_str()).is_some();
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
