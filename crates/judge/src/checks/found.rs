//! What a check is, and what it finds.

use crate::pair::Pair;
use crate::proof::Shown;
use cited_core::verdict::CheckKind;
use cited_text::Span;

/// What a check that finds something says of the claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strength {
    /// The source says it.
    Supports,
    /// The source says something else, and that is proof: the claim goes.
    Contradicts,
    /// The source denies it, as far as a reader of words can tell: the claim is marked.
    Denies,
    /// What the claim rests on is not there: it is marked.
    Lacks,
    /// Part of the claim has no counterpart.
    Weakens,
}

/// A check.
pub struct Check {
    /// Its name, as the record and `cited.toml` have it.
    pub id: &'static str,
    /// What it says where it finds something.
    pub strength: Strength,
    /// The kind of check that the record gives it as.
    pub kind: CheckKind,
    /// The share of its verdicts that were right on labelled text.
    pub right: f64,
    /// What it asks, with examples both ways, which are its test. Markdown.
    pub page: &'static str,
    /// What looks for it on the whole page; a guard has none, and is asked whether it objects to a part of the page that accounts for the claim.
    pub(crate) look: Option<fn(&Pair<'_>) -> Option<Found>>,
}

impl Check {
    /// The share of its verdicts that were wrong.
    pub(crate) fn wrong(&self) -> f64 {
        ((1.0 - self.right) * 100.0).round() / 100.0
    }
}

/// What a check found.
#[derive(Debug, Clone, Default)]
pub(crate) struct Found {
    /// Where on the page.
    pub(crate) span: Option<Span>,
    /// For a person.
    pub(crate) reason: String,
    /// The claim's words, …
    pub(crate) claimed: String,
    /// … and those of the page in their place; empty where there are none.
    pub(crate) on_page: String,
    /// How a value follows from others.
    pub(crate) shown: Option<Shown>,
}

/// Words of a claim and of a page that do not go together; empty where one side has none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Clash {
    pub(crate) claimed: String,
    pub(crate) found: String,
}

impl Clash {
    pub(crate) fn new(claimed: impl Into<String>, found: impl Into<String>) -> Self {
        Clash { claimed: claimed.into(), found: found.into() }
    }

    /// For a person: what the source does not say, and what it says.
    pub(crate) fn reason(&self) -> String {
        match (self.claimed.is_empty(), self.found.is_empty()) {
            (false, false) => format!("the source does not say “{}”; it says “{}”", self.claimed, self.found),
            (false, true) => format!("the source does not say “{}”", self.claimed),
            _ => format!("the source says “{}”, which the claim leaves out", self.found),
        }
    }
}
