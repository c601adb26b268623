//! What a pipeline wants to know of one document: its structure, its links inside the tree, the comments that allow findings,
//! and names for findings that survive a shift of lines.

pub mod baseline;
pub mod fingerprint;
pub mod generators;
pub mod page;
pub mod results;
pub mod sites;
pub mod slugs;
pub mod structure;
pub mod suppression;

use crate::finding::Finding;

/// What became of a finding.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(tag = "state", content = "reason", rename_all = "lowercase")]
pub enum State {
    /// It counts.
    New,
    /// The baseline has it.
    Known,
    /// A comment in the document allows it, for this reason.
    Suppressed(String),
}

/// A finding of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// What was found.
    pub finding: Finding,
    /// What became of it.
    pub state: State,
    /// Its name that survives a shift of lines; unique in its file.
    pub fingerprint: String,
}

/// `findings` as they are, all of them new: for runs without suppressions and baseline.
pub fn items<'a>(findings: &[Finding], text_of: impl Fn(&Finding) -> Option<&'a str>) -> Vec<Item> {
    let mut names = fingerprint::Fingerprints::default();
    let item = |finding: &Finding| Item {
        fingerprint: names.compute(finding, text_of(finding).unwrap_or_default()),
        finding: finding.clone(),
        state: State::New,
    };
    findings.iter().map(item).collect()
}
