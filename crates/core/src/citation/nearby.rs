//! The text right before and behind a marker, and the signs that count there.

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

/// Commas and semicolons, in every script that has its own: what parts the members of a citation, and citations that are one.
pub(crate) fn parts_members(c: char) -> bool {
    matches!(c, ',' | ';' | '，' | '；' | '、' | '،' | '؛')
}
