//! `--fail-on`: what makes a check fail.

use super::values::level;
use cited_core::finding::{Code, Severity};

/// One word of `--fail-on`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fails {
    /// Nothing that is found.
    Never,
    /// Findings of this severity and of graver ones.
    From(Severity),
    /// Findings of one kind.
    Code(Code),
}

impl Fails {
    /// Reads a word.
    ///
    /// # Errors
    /// When it is neither a severity nor a code; says so.
    pub fn read(text: &str) -> Result<Fails, String> {
        let severity = || level(text).map(Fails::From);
        let read = if text == "never" { Some(Fails::Never) } else { severity() };
        read.or_else(|| Code::parse(text).map(Fails::Code)).ok_or_else(|| {
            "must be error, warning, note, never, or codes of findings; `cited explain` lists them".to_owned()
        })
    }
}
