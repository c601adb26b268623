//! One registry of sources: entries of all files, merged by identity.

use serde::{Deserialize, Serialize};

use super::identity::Key;

/// Number of a source in its registry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceId(pub u32);

/// Where a source was listed: a file, as given by the user, and the label it has there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Origin {
    /// The file.
    pub file: String,
    /// The label in that file; empty where the list has none.
    pub label: String,
}

/// One thing in the world that can be cited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// What it is compared by.
    pub key: Key,
    /// The address to show: the best of those that the authors wrote. `None` for an entry without one.
    pub address: Option<String>,
    /// All other addresses, as written.
    pub aliases: Vec<String>,
    /// The titles that entries give it, the best first.
    pub titles: Vec<String>,
    /// Verbatim words of it that research files hold. They anchor; they never support.
    pub excerpts: Vec<String>,
    /// Every place where it was listed.
    pub origins: Vec<Origin>,
    /// When an author looked at it.
    pub accessed: Option<jiff::civil::Date>,
}
