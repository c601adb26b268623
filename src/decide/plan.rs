//! What the rewriting of a draft needs to know.

use crate::citation::Citations;
use crate::claim::Claim;
use crate::markdown::Document;
use crate::source::{Registry, SourceId};

/// How the brief cites, as the user asks for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Style {
    /// `[1]`, `[2, 5]`.
    #[default]
    Numeric,
    /// As the draft does: footnotes stay footnotes, links stay links.
    Keep,
}

/// What the rewriting needs to know.
#[derive(Clone, Copy)]
pub struct Plan<'a> {
    /// The draft.
    pub document: &'a Document,
    /// Its citations.
    pub citations: &'a Citations,
    /// Its claims.
    pub claims: &'a [Claim],
    /// For each marker, the sources that its targets mean, each once.
    pub resolved: &'a [Vec<SourceId>],
    /// How citations are written.
    pub style: Style,
    /// The sources, for the forms that carry their address.
    pub registry: &'a Registry,
}
