//! A record as an input: what is needed to write cited prose from it, and what is wrong with it.
//!
//! The shape is that of structured claim-source mapping: `verifications` with `claim_id`, `claim_text`, `verified`,
//! `confidence`, `sources_reconciled` and `notes`. Whatever else a record of cited holds is used when it is there.

use std::borrow::Cow;
use std::collections::HashSet;

use serde::Deserialize;

use crate::record::ConflictingClaims;
use cited_core::address::identity::key_of;
use cited_core::claim::ClaimKind;
use cited_core::decide::Action;
use cited_core::outcome::ArchiveCopy;
use cited_core::verdict::Standing;
use cited_text::Span;

/// The version of the shape.
pub const SCHEMA: &str = "cited/mapping/1";

/// Claims with the words of sources that support them.
#[derive(Debug, Clone, PartialEq, Deserialize, schemars::JsonSchema)]
pub struct Mapping {
    /// `cited/mapping/1`; may be left out. A record of cited says `cited/record/1`.
    #[schemars(extend("enum" = [SCHEMA, crate::record::SCHEMA]))]
    pub schema: Option<String>,
    /// One entry a claim, in the order of the text.
    pub verifications: Vec<MappedClaim>,
    /// What is known of the sources beyond their addresses.
    #[serde(default)]
    pub sources: Vec<MappedSource>,
    /// Claims whose sources do not say the same, in pairs.
    #[serde(default)]
    pub conflicts: Vec<ConflictingClaims>,
}

/// A claim.
#[derive(Debug, Clone, PartialEq, Deserialize, schemars::JsonSchema)]
#[schemars(extend("required" = ["claim_id", "claim_text", "verified"]))]
#[schemars(extend("if" = {"properties": {"verified": {"const": true}}}))]
#[schemars(extend("then" = {"required": ["confidence", "notes", "sources_reconciled"], "properties": {
    "confidence": {"type": "number"}, "notes": {"type": "string"}, "sources_reconciled": {"minItems": 1}}}))]
pub struct MappedClaim {
    /// Its name, unique in the record.
    #[serde(default)]
    pub claim_id: String,
    /// Its words, without citations.
    #[serde(default)]
    pub claim_text: String,
    /// Whether a passage was read that supports it.
    pub verified: bool,
    /// How sure that is, 0 to 1; null for a claim that was not judged. A verified claim needs it.
    pub confidence: Option<f64>,
    /// What each source says about it. A verified claim needs one that supports it.
    #[serde(default)]
    pub sources_reconciled: Vec<MappedReconciled>,
    /// What a reader should know; for a claim that could not be confirmed, why. A verified claim needs it, if only empty.
    pub notes: Option<String>,
    /// For a cell of a table, its row and column.
    pub context: Option<String>,
    /// What kind of statement it is.
    pub kind: Option<ClaimKind>,
    /// What was done with it.
    pub action: Option<Action>,
    /// Its bytes in the draft; claims that touch are written as one paragraph.
    pub span: Option<Span>,
}

/// What one source says about one claim.
#[derive(Debug, Clone, PartialEq, Deserialize, schemars::JsonSchema)]
#[schemars(extend("required" = ["source_url", "source_passage"]))]
pub struct MappedReconciled {
    /// The quantity or quotation in question, as this source has it. What supports a verified claim needs it, if only empty.
    pub stat: Option<String>,
    /// The address of the source.
    #[serde(default)]
    pub source_url: String,
    /// Its own words.
    #[serde(default)]
    pub source_passage: String,
    /// When it was published.
    pub publication_date: Option<String>,
    /// Around the passage, or why the verdict is what it is. What supports a verified claim needs it, if only empty.
    pub context: Option<String>,
    /// The verdict; without one the source supports the claim.
    pub verdict: Option<Standing>,
    /// Where the passage stands in the text of the source, in bytes.
    pub offsets: Option<Span>,
    /// SHA-256 of that text.
    pub text_sha256: Option<String>,
}

/// A source.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, schemars::JsonSchema)]
pub struct MappedSource {
    /// Its title.
    #[serde(default)]
    pub title: String,
    /// Its address; empty when it has none.
    #[serde(default)]
    pub url: String,
    /// Its other addresses.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// The copy that stands in for it.
    pub archive: Option<ArchiveCopy>,
}

impl MappedClaim {
    /// Its words, after those of its row and column.
    pub(super) fn whole(&self) -> Cow<'_, str> {
        match &self.context {
            Some(context) => format!("{context}: {}", self.claim_text).into(),
            None => self.claim_text.as_str().into(),
        }
    }
}

impl MappedSource {
    /// All that it answers at.
    pub(super) fn addresses(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.url).chain(&self.aliases).chain(self.archive.iter().map(|copy| &copy.url))
    }
}

impl MappedReconciled {
    /// Whether it is given as support for its claim.
    pub fn supports(&self) -> bool {
        matches!(self.verdict, None | Some(Standing::Supported))
    }

    /// Whether it is given as words against its claim.
    pub(super) fn opposes(&self) -> bool {
        self.verdict == Some(Standing::Contradicted) && !self.source_passage.trim().is_empty()
    }
}

/// Reads a record.
///
/// # Errors
/// When `text` is no JSON of this shape; says why and where.
pub fn read(text: &str) -> Result<Mapping, String> {
    cited_core::shape::read_text(text)
}

/// Everything that keeps a record from being written as prose: what is missing and what contradicts itself. Empty for a
/// sound record.
pub fn faults(mapping: &Mapping) -> Vec<String> {
    let mut faults = Vec::new();
    if let Some(schema) = mapping.schema.as_deref().filter(|schema| ![SCHEMA, crate::record::SCHEMA].contains(schema)) {
        faults.push(format!("its schema is `{schema}`, which is not known here"));
    }
    if mapping.verifications.is_empty() {
        faults.push("it holds no claim".to_owned());
    }
    let listed: HashSet<_> = mapping.sources.iter().flat_map(MappedSource::addresses).map(|at| key_of(at)).collect();
    let mut ids = HashSet::new();
    for (i, claim) in mapping.verifications.iter().enumerate() {
        let (unnamed, known) = (claim.claim_id.trim().is_empty(), !ids.insert(&claim.claim_id));
        let name = if unnamed { format!("claim {}", i + 1) } else { claim.claim_id.clone() };
        let mut fault = |what: &str| faults.push(format!("{name}: {what}"));
        let (verified, supported) = (claim.verified, claim.sources_reconciled.iter().any(MappedReconciled::supports));
        let is_share = |confidence| (0.0..=1.0).contains(&confidence);
        for (is, what) in [
            (unnamed, "it has no claim_id"),
            (known && !unnamed, "another claim has the same claim_id"),
            (claim.claim_text.trim().is_empty(), "it has no claim_text"),
            (!claim.confidence.is_none_or(is_share), "its confidence is not between 0 and 1"),
            (verified && claim.confidence.is_none(), "it is verified, and has no confidence"),
            (verified && claim.notes.is_none(), "it is verified, and has no notes"),
            (verified && claim.action.is_some_and(Action::removes), "it is verified, and it was removed"),
            (verified && !supported, "it is verified, and no source supports it"),
        ] {
            is.then(|| fault(what));
        }
        for (s, source) in claim.sources_reconciled.iter().enumerate() {
            let needed = source.supports() || source.opposes();
            let lacks = verified && source.supports() && (source.stat.is_none() || source.context.is_none());
            let is_web = url::Url::parse(&source.source_url)
                .is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
            let is_listed = || mapping.sources.is_empty() || listed.contains(&key_of(&source.source_url));
            let is_its_passage = |offsets: Span| offsets.len() == source.source_passage.len();
            for (is, what) in [
                (needed && source.source_passage.trim().is_empty(), "it has no source_passage"),
                (lacks, "it supports a verified claim, and has no stat or no context"),
                (needed && !is_web, "it has no source_url, or one that is not of the web"),
                (needed && is_web && !is_listed(), "its source_url is none of the record's sources"),
                (!source.offsets.is_none_or(is_its_passage), "its offsets are not those of its passage"),
            ] {
                is.then(|| fault(&format!("source {}: {what}", s + 1)));
            }
        }
    }
    faults
}
