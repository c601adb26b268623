//! Phrases of numbers that measure nothing: *24/7*, *9/11*, *401(k)*.

use std::sync::LazyLock;

use super::number::is_han_numeral;
use crate::script::is_cjk;

/// The end of a set phrase of numbers that measures nothing: *24/7*, *9/11*, *401(k)*, 百度.
pub(super) fn set_phrase(text: &str, at: usize) -> Option<usize> {
    let rest = &text[at..];
    if rest.starts_with(is_cjk) {
        // 一百度 are degrees: words are written without a space, and only a number goes on before one.
        let counted = text[..at].ends_with(|c: char| c.is_ascii_digit() || is_han_numeral(c));
        let phrase = SET_PHRASES.iter().find(|phrase| rest.starts_with(**phrase) && !counted)?;
        return Some(at + phrase.len());
    }
    SET_PHRASES.iter().find(|phrase| rest.starts_with(**phrase)).map(|phrase| at + phrase.len()).filter(|end| {
        !text[*end..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '/')
            && !text[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | ',' | '-'))
    })
}

/// The phrases of `data/set_phrases.txt`.
static SET_PHRASES: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    include_str!("data/set_phrases.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
});
