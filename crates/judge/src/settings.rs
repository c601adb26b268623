//! How a claim is judged, as the user set it.

use std::collections::BTreeSet;

/// The checks that are not asked, by their names.
pub type SkippedChecks = BTreeSet<&'static str>;

/// How a claim is judged.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// From this confidence on a claim is supported, by a check or by the word of an outside judge.
    pub supported: f64,
    /// From here on a claim is weakly supported; below, it is unverifiable.
    pub weak: f64,
    /// Checks that the user turned off.
    pub without: SkippedChecks,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { supported: 0.6, weak: 0.3, without: SkippedChecks::new() }
    }
}
