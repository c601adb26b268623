//! A text with the path that users know it by.

use std::sync::Arc;

/// A text with the path that users know it by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// The path as given; `-` for standard input.
    pub path: String,
    /// The text.
    pub text: Arc<str>,
}
