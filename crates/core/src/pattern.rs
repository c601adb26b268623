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
    made: Option<fn() -> String>,
    built: OnceLock<Regex>,
}

impl Pattern {
    /// The pattern that a text writes.
    pub const fn new(text: &'static str) -> Pattern {
        Pattern { text, made: None, built: OnceLock::new() }
    }

    /// The pattern that a text writes which is put together when it is first used, such as one of the words of a table.
    pub const fn made(text: fn() -> String) -> Pattern {
        Pattern { text: "", made: Some(text), built: OnceLock::new() }
    }
}

impl Deref for Pattern {
    type Target = Regex;

    fn deref(&self) -> &Regex {
        self.built.get_or_init(|| build(&self.made.map_or_else(|| self.text.to_owned(), |made| made())))
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

/// The part of a pattern that is any one of these words, the longest that fits.
pub fn any_of(words: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let mut words: Vec<String> = words.into_iter().map(|word| regex::escape(word.as_ref())).collect();
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    words.join("|")
}
