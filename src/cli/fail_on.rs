//! `--fail-on` as typed.

use clap::ValueEnum;

/// What makes a check fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
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
