//! What became of a published work.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What became of a work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// It was retracted.
    Retracted,
    /// It was withdrawn.
    Withdrawn,
    /// Its publisher says that there is doubt about it.
    Doubted,
    /// A correction of it was published.
    Corrected,
}

impl fmt::Display for Fate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fate::Retracted => "retracted",
            Fate::Withdrawn => "withdrawn",
            Fate::Doubted => "under an expression of concern",
            Fate::Corrected => "corrected",
        })
    }
}
