//! The record: for each claim, which words of which page support it, and what was done with it. JSON, versioned.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use cited_core::check::results::RequestedAddress;
use cited_core::claim::ClaimKind;
use cited_core::decide::hanging::Hang;
use cited_core::decide::review::{Binding, Reviewed};
use cited_core::decide::{Action, Edit};
use cited_core::finding::Finding;
use cited_core::input::Input;
use cited_core::outcome::{ArchiveCopy, Hop, Kept, Outcome};
use cited_core::source::Key;
use cited_core::source::research::Rating;
use cited_core::verdict::{Check, CheckKind, Derivation, Standing};
use cited_fetch::AddressOutcome;
use cited_judge::evidence::ContextKind;
use cited_judge::outside::Tally;
use cited_judge::retracted::Retraction;
use cited_text::Span;
use cited_works::Look;

/// The version of the record's shape.
pub const SCHEMA: &str = "cited/record/1";

/// The verdict of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema, strum::Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "UPPERCASE")]
pub enum RunVerdict {
    /// Nothing was removed or noted.
    Pass,
    /// Something was removed, replaced or could not be confirmed; it is all named.
    #[strum(serialize = "PASS WITH NOTES")]
    PassWithNotes,
    /// Checking could not be completed.
    Blocked,
}

/// Everything that a run found out, in one value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Record {
    /// `cited/record/1`.
    pub schema: String,
    /// The verdict of the run.
    pub verdict: RunVerdict,
    /// Why the brief was not written, when it was held back: what the record calls removed stands in the draft as it stood.
    pub not_written: Option<String>,
    /// SHA-256 of the brief: one that has another was changed since.
    pub brief_sha256: String,
    /// What was read: with the edits it gives the brief.
    pub draft: Draft,
    /// One entry a claim.
    pub verifications: Vec<Verification>,
    /// The sources, cited ones first, by number.
    pub sources: Vec<SourceRecord>,
    /// The links of the draft that are no sources of it, each with what asking it gave.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<RequestedAddress>,
    /// Every edit that made the brief from the draft.
    pub edits: Vec<Edit>,
    /// What was worth telling.
    pub findings: Vec<Finding>,
    /// Claims that stay though they do not say the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<ConflictingClaims>,
    /// What the judge of the user's was asked.
    pub judge: Option<Tally>,
    /// Counts.
    pub stats: Stats,
}

impl Record {
    /// The draft, as something that findings point into.
    pub fn input(&self) -> Input {
        Input { path: self.draft.path.clone(), text: Arc::clone(&self.draft.text) }
    }
}

/// Two claims whose sources do not say the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ConflictingClaims {
    /// The two, in the order of the text.
    pub claims: [String; 2],
    /// In what they differ, in words: `7.5% against 9%`.
    #[serde(default)]
    pub difference: String,
}

/// What a run has read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Draft {
    /// The path of the draft, as given; `-` for standard input.
    pub path: String,
    /// The paths of the research files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub research: Vec<String>,
    /// The options that a run with decisions needs again, as they were given on a command line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// The text of the draft.
    pub text: Arc<str>,
}

/// What is known of one claim. A record of another program may have as little as name, words, and whether it is verified, with what verifies it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(extend("required" = ["claim_id", "claim_text", "verified"]))]
#[schemars(extend("if" = {"properties": {"verified": {"const": true}}}))]
#[schemars(extend("then" = {"required": ["confidence", "sources_reconciled"], "properties": {
    "confidence": {"type": "number"}, "sources_reconciled": {"minItems": 1}}}))]
pub struct Verification {
    /// `c1`, `c2`, … in document order; unique in the record.
    #[serde(default)]
    pub claim_id: String,
    /// The claim's words, without markers.
    #[serde(default)]
    pub claim_text: String,
    /// For a cell of a table, its row and column.
    pub context: Option<String>,
    /// Whether a passage was read that supports it.
    pub verified: bool,
    /// Calibrated probability that the best source supports it; null when nothing was judged.
    pub confidence: Option<f64>,
    /// What each source says about it.
    #[serde(default)]
    pub sources_reconciled: Vec<ReconciledSource>,
    /// What a reader should know; for a claim that goes, why.
    #[serde(default)]
    pub notes: String,
    /// What kind of statement it is.
    #[serde(default)]
    pub kind: ClaimKind,
    /// What was done with it.
    #[serde(default)]
    pub action: Action,
    /// Its bytes in the draft; claims that touch are written as one paragraph.
    #[serde(default)]
    pub span: Span,
    /// Its line in the draft, from 1.
    #[serde(default)]
    pub line: usize,
    /// The claims that take it along when all of them go.
    pub hangs: Option<Hang>,
    /// What a reviewer's decision on it is bound to.
    pub binding: Option<Binding>,
    /// What a reviewer decided, when it was applied.
    pub review: Option<Reviewed>,
}

impl Verification {
    /// Its words, behind what names its cell if it is one.
    pub(crate) fn words(&self) -> String {
        self.context.iter().map(|cell| format!("{cell}: ")).chain([self.claim_text.clone()]).collect()
    }
}

/// What one source says about one claim.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default)]
#[schemars(extend("required" = ["source_url", "source_passage"]))]
pub struct ReconciledSource {
    /// The quantity or quotation in question; empty when the claim has none.
    pub stat: String,
    /// The address of the source.
    pub source_url: String,
    /// Its words that speak to the claim; empty when nothing was read or found.
    pub source_passage: String,
    /// When the page was published, when it says so.
    pub publication_date: Option<String>,
    /// Why the verdict is what it is.
    pub context: String,
    /// The verdict; a mapping that gives none gives the source as support.
    pub verdict: Standing,
    /// Calibrated probability of support; null when it was not judged.
    pub confidence: Option<f64>,
    /// The checks that were made.
    pub checks: Vec<CheckKind>,
    /// The same with what each gave.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<Check>,
    /// How the claim's values follow from those of the source, each of which is pinned.
    pub derivation: Option<Derivation>,
    /// The check that decided, when one did.
    pub check: Option<String>,
    /// What the passage hangs on, on its page: headings, heads of its row and column, who says it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub around: Vec<Around>,
    /// SHA-256 of the text that the passage was taken from.
    pub text_sha256: Option<String>,
    /// Where the passage stands in that text, in bytes.
    pub offsets: Option<Span>,
    /// When the page was read.
    pub fetched_at: Option<jiff::Timestamp>,
    /// What the research notes say of the source for this claim.
    pub rating: Option<Rating>,
}

impl ReconciledSource {
    /// Whether it is given as words against its claim.
    pub(crate) fn opposes(&self) -> bool {
        self.verdict == Standing::Contradicted && !self.source_passage.trim().is_empty()
    }
}

/// What a passage hangs on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Around {
    /// How.
    pub kind: ContextKind,
    /// The words of the page.
    pub text: String,
}

/// What is known of one source.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct SourceRecord {
    /// Its number in the brief; `None` when nothing cites it there.
    pub number: Option<u32>,
    /// Its best title.
    pub title: String,
    /// The address shown; empty when the entry has none.
    pub url: String,
    /// What it is compared by.
    pub key: Key,
    /// Its other addresses.
    pub aliases: Vec<String>,
    /// Where it was listed: file and label.
    pub origins: Vec<(String, String)>,
    /// What the draft's entries say of it beside title and address; the brief's list has no place for that.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub entry_notes: Vec<String>,
    /// What its page says of itself, when that is that it was retracted, withdrawn or is doubted.
    pub retracted: Option<Retraction>,
    /// What became of looking its work up in indexes, where that was done.
    pub work: Option<Box<Look>>,
    /// What asking gave.
    pub outcome: Outcome,
    /// Why, in words.
    pub reason: String,
    /// The rule that decided.
    pub rule: String,
    /// The signs that the rule rests on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub signs: Vec<String>,
    /// What became of its other addresses that were asked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<AddressOutcome>,
    /// Every request on the way.
    pub hops: Vec<Hop>,
    /// Where it has moved to, for `moved`.
    pub final_url: Option<String>,
    /// The copy that stands in for it, for `archived`.
    pub archive: Option<ArchiveCopy>,
    /// What became of having an archive keep it, when that was asked for.
    pub kept: Option<Kept>,
}

impl SourceRecord {
    /// All that it answers at.
    pub(crate) fn addresses(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.url).chain(&self.aliases).chain(self.archive.iter().map(|copy| &copy.url))
    }

    /// Whether nobody was asked for it who answered, as in a run with `--offline`.
    pub(crate) fn is_unasked(&self) -> bool {
        self.outcome == Outcome::Unasked && self.hops.iter().all(|hop| hop.status.is_none())
    }
}

/// Counts of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Stats {
    /// Claims in the draft.
    pub claims: usize,
    /// Claims that a passage was read for.
    pub verified: usize,
    /// Claims that went.
    pub removed: usize,
    /// Claims that stay and were noted.
    pub noted: usize,
    /// Claims that got a citation from the research files.
    pub anchored: usize,
    /// Sources that were known: the draft's and the research files'.
    pub sources: usize,
    /// Sources cited in the brief.
    pub cited: usize,
    /// Sources that are dead.
    pub dead: usize,
    /// Sources that could not be asked or read.
    pub unknown: usize,
    /// Pairs of sources that disagree about a quantity.
    pub conflicts: usize,
}
