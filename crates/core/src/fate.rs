//! What became of a published work.

use serde::{Deserialize, Serialize};

/// What became of a work; as text in words for readers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema, strum::Display)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "lowercase")]
pub enum Fate {
    /// It was retracted.
    Retracted,
    /// It was withdrawn.
    Withdrawn,
    /// Its publisher says that there is doubt about it.
    #[strum(to_string = "under an expression of concern")]
    Doubted,
    /// A correction of it was published.
    Corrected,
}
