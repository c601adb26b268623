//! The text right before and behind a marker, and the signs that count there.

use cited_text::script::is_cjk;

/// Bytes that are looked at on each side of a citation.
const NEIGHBOURHOOD: usize = 160;

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

/// Whether a sentence begins behind white space, in writing without spaces at once; in quotation marks or not.
pub(super) fn begins_a_sentence(text: &str) -> bool {
    let next = text.trim_start().trim_start_matches(['"', '“', '„', '«', '‘', '「', '『']).chars().next();
    next.is_some_and(|next| is_cjk(next) || next.is_uppercase() && text.starts_with(char::is_whitespace))
}

/// Commas and semicolons, in every script that has its own: what parts the members of a citation, and citations that are one.
pub(crate) fn parts_members(c: char) -> bool {
    matches!(c, ',' | ';' | '，' | '；' | '、' | '،' | '؛')
}
