//! What a pipeline wants to know of one document: its structure, its links inside the tree, the comments that allow findings,
//! and names for findings that survive a shift of lines.

/// A pattern that is part of the program; the tests use each.
macro_rules! pattern {
    ($name:ident, $pattern:literal) => {
        static $name: LazyLock<Regex> = LazyLock::new(|| Regex::new($pattern).expect("the pattern is well formed"));
    };
}

pub mod asked;
pub mod baseline;
pub mod fingerprint;
pub mod footnotes;
pub mod generators;
pub mod page;
pub mod sites;
pub mod slugs;
pub mod structure;
pub mod suppression;
pub mod tags;
pub mod targets;

use crate::finding::{Code, Finding};

/// How deep a check looks. Each level holds those before it.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Depth {
    /// What the document alone shows.
    Structure,
    /// Whether its sources and links are there.
    Sources,
    /// Whether the sources say it.
    Support,
}

/// The findings that the document alone shows.
const OF_STRUCTURE: &[Code] = &[
    Code::OrphanCitation,
    Code::OrphanSource,
    Code::DuplicateSource,
    Code::DuplicateLabel,
    Code::UnresolvableMarker,
    Code::NumberingGap,
    Code::NumberingOrder,
    Code::BadRange,
    Code::NoAddress,
    Code::UndefinedFootnote,
    Code::MissingTarget,
    Code::MissingAnchor,
    Code::UndefinedReference,
    Code::SuppressionWithoutReason,
    Code::UnknownSuppression,
    Code::UnusedSuppression,
];

/// The findings that asking the sources shows.
const OF_SOURCES: &[Code] = &[
    Code::DeadSource,
    Code::ArchivedSource,
    Code::MovedSource,
    Code::UncheckedSource,
    Code::RefusedAddress,
    Code::RedirectsElsewhere,
    Code::OffTopic,
    Code::IdentityMismatch,
    Code::RetractedSource,
    Code::CorrectedSource,
    Code::ReferenceDiffers,
    Code::WorkNotFound,
    Code::PublishedElsewhere,
    Code::VenueUnconfirmed,
    Code::DetailDiffers,
    Code::IndexUnasked,
    Code::DeadLink,
    Code::UncheckedLink,
    Code::MovedLink,
    Code::MissingFragment,
];

impl Depth {
    /// The depth that a finding of this kind needs.
    pub fn of(code: Code) -> Depth {
        if OF_STRUCTURE.contains(&code) {
            Depth::Structure
        } else if OF_SOURCES.contains(&code) {
            Depth::Sources
        } else {
            Depth::Support
        }
    }
}

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
        fingerprint: names.of(finding, text_of(finding).unwrap_or_default()),
        finding: finding.clone(),
        state: State::New,
    };
    findings.iter().map(item).collect()
}
