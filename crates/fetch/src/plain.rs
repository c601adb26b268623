//! Text made plain: one normal form for everything that passages are cut from.

use cited_text::escape::is_unsafe;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// Spaces that part the thousands of a number: no-break, narrow, thin, figure and six-per-em space.
fn is_unbroken(c: char) -> bool {
    matches!(c, '\u{a0}' | '\u{202f}' | '\u{2009}' | '\u{2007}' | '\u{2006}')
}

/// Makes a plain space of one that was kept for a figure to follow, and none did.
fn settle(out: &mut String, next: Option<char>) {
    if out.ends_with(is_unbroken) && !next.is_some_and(|c| c.is_ascii_digit()) {
        out.pop();
        out.push(' ');
    }
}

/// Appends text with its white space collapsed: runs become one space, nothing at the start of a line. A space that does not break
/// a line stays what it is between two figures, where it parts the thousands of a number and not two numbers.
pub fn push_collapsed(out: &mut String, text: &str) {
    for c in text.chars() {
        if c.is_whitespace() {
            settle(out, Some(c));
            if is_unbroken(c) && out.ends_with(|c: char| c.is_ascii_digit()) {
                out.push(c);
            } else if !out.ends_with([' ', '\n', '\t']) && !out.is_empty() {
                out.push(' ');
            }
        } else if !is_unsafe(c) && !matches!(c, '\u{ad}' | '\u{fff9}'..='\u{fffb}') {
            // Controls, soft hyphens, zero-width and tag characters have no place in a text. Zero-width joiners stay: scripts and emoji need them.
            settle(out, Some(c));
            out.push(c);
        }
    }
}

/// Normalises a text that has lines: NFC, no noise, spaces collapsed inside lines, at most one empty line between
/// paragraphs, none at the ends. With `rows` the tabs are kept that part the cells of a row.
pub fn normalise(text: &str, rows: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut empty = 0;
    for line in text.lines() {
        let start = out.len();
        if start > 0 {
            out.push('\n');
        }
        for (number, cell) in line.split(|c| rows && c == '\t').enumerate() {
            if number > 0 {
                out.push('\t');
            }
            push_collapsed(&mut out, cell);
            settle(&mut out, None);
            let written = out.trim_end_matches(' ').len();
            out.truncate(written);
        }
        let written = out.get(start..).is_some_and(|line| !line.trim().is_empty());
        if written {
            while out.ends_with([' ', '\t']) {
                out.pop();
            }
            if empty > 0 && start > 0 {
                out.insert(start, '\n');
            }
            empty = 0;
        } else {
            out.truncate(start);
            empty += 1;
        }
    }
    composed(out)
}

/// The text in NFC.
pub fn composed(text: String) -> String {
    if text.is_ascii() || is_nfc_quick(text.chars()) == IsNormalized::Yes { text } else { text.nfc().collect() }
}

/// A title or name on one line, at most `limit` bytes, without noise; `None` when nothing is left.
pub fn one_line(text: &str, limit: usize) -> Option<String> {
    let mut out = String::new();
    push_collapsed(&mut out, text);
    let mut out = composed(out.trim().to_owned());
    out.truncate(out.floor_char_boundary(limit));
    (!out.is_empty()).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::{normalise, one_line};

    #[test]
    fn lines_are_collapsed_and_paragraphs_kept() {
        assert_eq!(normalise("  a \t b\u{a0}c \r\n\r\n\n\n d\u{ad}e\u{202e}f\n\n", false), "a b c\n\ndef");
        assert_eq!(normalise("e\u{301}t\u{e9}", false), "\u{e9}t\u{e9}");
        assert_eq!(normalise("", false), "");
    }

    #[test]
    fn the_thousands_of_a_number_keep_the_space_that_parts_them() {
        for (text, expected) in [
            ("12\u{a0}345 people", "12\u{a0}345 people"),
            ("1\u{202f}234\u{2009}567", "1\u{202f}234\u{2009}567"),
            ("12\u{a0}% of 3\u{a0} 4", "12 % of 3 4"),
            ("5\u{a0}km, a\u{a0}12", "5 km, a 12"),
            ("at 5\u{a0}", "at 5"),
        ] {
            assert_eq!(normalise(text, false), expected, "{text:?}");
            let mut out = String::new();
            super::push_collapsed(&mut out, text);
            assert_eq!(out.trim_end(), expected, "{text:?}");
            let mut pieces = String::new();
            text.chars().for_each(|c| super::push_collapsed(&mut pieces, c.encode_utf8(&mut [0; 4])));
            assert_eq!(pieces.trim_end(), expected, "{text:?} in pieces");
        }
    }

    #[test]
    fn a_title_is_one_line() {
        assert_eq!(one_line(" A\n\u{1b}[31m title ", 100).as_deref(), Some("A [31m title"));
        assert_eq!(one_line("ab\u{61c}cd\u{200f}", 100).as_deref(), Some("abcd"));
        assert_eq!(one_line("ééé", 5).as_deref(), Some("éé"));
        assert_eq!(one_line(" \u{200b} ", 5), None);
    }
}
