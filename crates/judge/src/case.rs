//! A claim on a page, as the proofs over tables and the steps of arithmetic read it.

use super::align::Claim;
use super::page::SourceText;
use crate::evidence::search::{Lookup, Window};
use cited_text::quantity::Quantity;
use cited_text::words::words;

/// A claim on a page.
pub(super) struct Case<'a> {
    pub(super) claim: &'a Claim<'a>,
    pub(super) source: &'a SourceText<'a>,
    /// The claim's words on the page.
    pub(super) lookup: &'a Lookup,
    /// The passages that have most of them, best first.
    pub(super) windows: &'a [Window],
}

/// The key of the content word that a quantity counts: the first within a few words after it.
pub(super) fn counted(text: &str, q: &Quantity) -> Option<u64> {
    const REACH: usize = 3;
    const BYTES: usize = 60;
    let start = q.counted?.start;
    let rest = &text[start..text.floor_char_boundary(start + BYTES)];
    let rest = &rest[..rest.find([',', ';', '.', '\n', '(']).unwrap_or(rest.len())];
    words(rest).take(REACH).find(|word| !word.stop && !word.number).map(|word| word.key)
}
