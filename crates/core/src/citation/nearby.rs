//! The text right before and behind a marker, and the signs that count there.

use cited_text::marks::{is_mark, is_opening_mark};
use cited_text::script::is_cjk;

/// Bytes that are looked at on each side of a citation.
const NEIGHBOURHOOD: usize = 160;

/// Units and symbols that carry exponents.
pub(super) const UNITS: &[&str] = &[
    "m", "cm", "mm", "km", "nm", "µm", "μm", "dm", "ft", "in", "yd", "mi", "s", "ms", "sec", "kg", "g", "mol", "cd",
    "ha", "K", "C", "R", "Hz",
];

pub(super) fn near_end(text: &str) -> &str {
    let at = text.ceil_char_boundary(text.len().saturating_sub(NEIGHBOURHOOD));
    &text[at..]
}

pub(super) fn near_start(text: &str) -> &str {
    let at = text.floor_char_boundary(NEIGHBOURHOOD);
    &text[..at]
}

pub(super) fn is_stop(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '。' | '！' | '？' | '…' | '．' | '｡' | '؟' | '۔' | '।')
}

/// Whether a sentence begins behind white space, in writing without spaces at once; in quotation marks or other signs, or not.
pub(super) fn begins_a_sentence(text: &str) -> bool {
    let signs = |c: char| is_opening_mark(c) || matches!(c, '*' | '_' | '`' | '(' | '（');
    let next = text.trim_start().trim_start_matches(signs).chars().next();
    let opens = |next: char| next.is_numeric() || next.is_alphabetic() && !next.is_lowercase();
    next.is_some_and(|next| is_cjk(next) || opens(next) && text.starts_with(char::is_whitespace))
}

/// The word at the end of a text that `is_one` knows in lower case: one by itself, or in writing without spaces the longest of so many
/// characters.
pub(super) fn word_at_end(text: &str, unspaced: usize, is_one: impl Fn(&str) -> bool) -> Option<&str> {
    let word = text.rsplit(|c: char| !c.is_alphanumeric()).next().filter(|word| is_one(&word.to_lowercase()));
    let ends = text.char_indices().rev().take(unspaced).map(|(at, _)| &text[at..]);
    word.or_else(|| ends.filter(|end| end.starts_with(is_cjk) && is_one(end)).last())
}

/// Whether a text ends with the stop of a sentence, which may stand in quotation marks, emphasis or brackets.
pub(super) fn ends_with_a_stop(text: &str) -> bool {
    let signs = |c: char| is_mark(c) || matches!(c, '’' | '*' | '_' | '`' | ')' | '）');
    text.trim_end().trim_end_matches(signs).ends_with(is_stop)
}

/// Commas and semicolons, in every script that has its own: what parts the members of a citation, and citations that are one.
pub(crate) fn parts_members(c: char) -> bool {
    matches!(c, ',' | ';' | '，' | '；' | '、' | '،' | '؛')
}

/// Whether nothing but white space and such signs stands between two citations, which then stand where they stand together.
pub(crate) fn only_separates(gap: &str) -> bool {
    gap.chars().all(|c| c.is_whitespace() || parts_members(c))
}
