//! `--fail-on` as typed, and what it means.

use clap::ValueEnum;

use cited_core::finding::{Code, Severity};

/// What makes a check fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum FailOn {
    /// Errors.
    #[default]
    Error,
    /// Warnings and errors.
    Warning,
    /// Any finding.
    Note,
    /// Nothing that is found.
    Never,
}

impl FailOn {
    /// How it is written.
    pub fn as_str(self) -> &'static str {
        self.least().map_or("never", Severity::as_str)
    }

    /// The least severity that fails.
    pub fn least(self) -> Option<Severity> {
        match self {
            FailOn::Error => Some(Severity::Error),
            FailOn::Warning => Some(Severity::Warning),
            FailOn::Note => Some(Severity::Note),
            FailOn::Never => None,
        }
    }
}

/// One word of `--fail-on`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fails {
    /// A severity, or never.
    From(FailOn),
    /// Findings of one kind.
    Code(Code),
}

impl Fails {
    /// Reads a word.
    ///
    /// # Errors
    /// When it is neither a severity nor a code; says so.
    pub fn read(text: &str) -> Result<Fails, String> {
        let severity = FailOn::from_str(text, false).map(Fails::From).ok();
        severity.or_else(|| Code::parse(text).map(Fails::Code)).ok_or_else(|| {
            "must be error, warning, note, never, or codes of findings; `cited explain` lists them".to_owned()
        })
    }
}
