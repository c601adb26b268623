//! What kind of statement a claim is, and whether it must have a source.

use serde::{Deserialize, Serialize};

/// The kind of a claim: first those that must have a source, then the other that states a fact.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum ClaimKind {
    /// Holds a measured number, percentage, amount, date or version.
    Quantitative,
    /// Holds words of somebody else.
    Quotation,
    /// Says who says it.
    Attribution,
    /// Compares: comparative, superlative, benchmark, improvement.
    Comparison,
    /// Says that something was verified, confirmed, proven.
    Certainty,
    /// Any other statement of fact.
    #[default]
    Plain,
    /// *May*, *might*, *could*.
    Hedged,
    /// *In our view*.
    Opinion,
    /// Asks.
    Question,
    /// Tells the reader to do something.
    Instruction,
    /// A heading.
    Heading,
    /// Leads from one thing to the next: *Three causes recur:*
    Transition,
    /// Work that is left to do.
    Todo,
    /// The agent's own talk: *I'll research …*
    Chatter,
}

impl ClaimKind {
    /// Whether a claim of this kind must have a source.
    pub fn must_have_source(self) -> bool {
        self <= ClaimKind::Certainty
    }

    /// Whether the claim states a fact at all.
    pub fn is_factual(self) -> bool {
        self <= ClaimKind::Plain
    }
}
