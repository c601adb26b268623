//! A text with the path that users know it by.

use std::sync::Arc;

/// What stands for standard input and standard output where a path is named.
pub const STANDARD: &str = "-";

/// A text with the path that users know it by.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Input {
    /// The path as given; `-` for standard input.
    pub path: String,
    /// The text.
    pub text: Arc<str>,
}
