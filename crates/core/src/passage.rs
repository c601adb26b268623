//! Verbatim words of a source, pinned to the text that they were taken from.

use serde::{Deserialize, Serialize};

use cited_text::Span;

/// A verbatim slice of a source's text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Passage {
    /// The words, exactly as in the text.
    pub text: String,
    /// Where they stand in that text, in bytes.
    pub offsets: Span,
    /// SHA-256 of the whole text, in hexadecimal.
    pub text_sha256: String,
}

impl Passage {
    /// The words of `text` at `offsets`.
    pub fn pin(text: &str, text_sha256: &str, offsets: Span) -> Self {
        Passage { text: offsets.slice(text).to_owned(), offsets, text_sha256: text_sha256.to_owned() }
    }

    /// Whether the passage is still at its place in `text`.
    pub fn holds_in(&self, text: &str) -> bool {
        text.get(self.offsets.start..self.offsets.end) == Some(self.text.as_str())
    }
}
