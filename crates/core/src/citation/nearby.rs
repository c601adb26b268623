//! The text right before and behind a marker, and the signs that count there.

/// Bytes that are looked at on each side of a citation.
const NEIGHBOURHOOD: usize = 160;

pub(super) fn near_end(text: &str) -> &str {
    let mut at = text.len().saturating_sub(NEIGHBOURHOOD);
    while !text.is_char_boundary(at) {
        at += 1;
    }
    &text[at..]
}

pub(super) fn near_start(text: &str) -> &str {
    let mut at = text.len().min(NEIGHBOURHOOD);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    &text[..at]
}

pub(super) fn is_stop(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '。' | '！' | '？' | '…' | '．' | '｡' | '؟' | '۔' | '।')
}

/// Commas and semicolons, in every script that has its own: what parts the members of a citation, and citations that are one.
pub(crate) fn parts_members(c: char) -> bool {
    matches!(c, ',' | ';' | '，' | '；' | '、' | '،' | '؛')
}
