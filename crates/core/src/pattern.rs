//! Patterns that are part of the program.

use std::ops::Deref;
use std::sync::OnceLock;

use regex::Regex;

/// A fixed pattern, built when it is first used.
///
/// ```
/// static YEAR: cited_core::pattern::Pattern = cited_core::pattern::Pattern::new(r"\d{4}");
/// assert!(YEAR.is_match("in 2019"));
/// ```
#[derive(Debug)]
pub struct Pattern {
    text: &'static str,
    built: OnceLock<Regex>,
}

impl Pattern {
    /// The pattern that a text writes.
    pub const fn new(text: &'static str) -> Pattern {
        Pattern { text, built: OnceLock::new() }
    }
}

impl Deref for Pattern {
    type Target = Regex;

    fn deref(&self) -> &Regex {
        self.built.get_or_init(|| build(self.text))
    }
}

/// Builds a pattern, of which the digits are those of ASCII: others are in no number that is read here, and take most of the time that
/// building it takes.
///
/// # Panics
/// When the text is no pattern: it is to be a fixed one.
pub fn build(text: &str) -> Regex {
    Regex::new(&text.replace(r"\d", "[0-9]")).expect("the pattern is fixed")
}
