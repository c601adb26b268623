//! What a gate found, for programs: `cited/gate/1`.

use serde::{Deserialize, Serialize};

use super::coverage::Uncovered;
use super::data::Table;
use cited_core::finding::Code;
use cited_core::verdict::Passage;
use cited_report::findings::Located;

/// The version of the report's shape.
pub const SCHEMA: &str = "cited/gate/1";

/// Whether an artifact is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Everything was verified.
    Accepted,
    /// Something was not.
    Rejected,
    /// Something was not, after three rounds of rework.
    Disputed,
}

/// Everything that a gate found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Report {
    /// `cited/gate/1`.
    pub schema: String,
    /// Whether the artifact is taken, all or nothing.
    pub verdict: Verdict,
    /// The ledger, when there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ledger: Option<LedgerReport>,
    /// The claim manifest, when there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub manifest: Option<super::manifest::ManifestReport>,
    /// Everything that was evaluated, the ledger and the claims of a manifest among it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub criteria: Option<super::criteria::CriteriaReport>,
    /// What was wrong, with places.
    pub findings: Vec<Located>,
}

/// What became of a ledger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct LedgerReport {
    /// The file.
    pub path: String,
    /// SHA-256 of the file, in hexadecimal; `None` when it is missing.
    pub sha256: Option<String>,
    /// Every claim, in the order of the ledger.
    pub claims: Vec<ClaimReport>,
    /// What the summary says and no claim speaks for.
    pub uncovered: Vec<Uncovered>,
    /// The data that values were recomputed from.
    pub data: Vec<DataFile>,
    /// Counts.
    pub stats: LedgerStats,
}

/// Counts of a ledger.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct LedgerStats {
    /// Claims.
    pub claims: usize,
    /// Claims that were verified.
    pub verified: usize,
    /// Quantities and quotations of the summary that need a claim.
    pub required: usize,
    /// Those that have one.
    pub covered: usize,
}

/// What became of one claim.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ClaimReport {
    /// Its name.
    pub id: String,
    /// The words of the summary that it speaks for.
    pub statement: String,
    /// Whether it was verified; nothing else passes.
    pub verified: bool,
    /// Why not.
    pub reasons: Vec<String>,
    /// What is worth a look, and is no reason against it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The value, for a claim of a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<NumberReport>,
    /// The words, for a claim of a quotation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub citation: Option<CitationReport>,
}

/// A claimed value beside the recomputed one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct NumberReport {
    /// The name of the metric.
    pub metric: String,
    /// The metric as declared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub definition: Option<String>,
    /// Where it was declared: the ledger, or a file of the caller.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declared_in: Option<String>,
    /// What the ledger says.
    pub claimed: f64,
    /// What the data says.
    pub recomputed: Option<f64>,
    /// Claimed less recomputed.
    pub difference: Option<f64>,
    /// What the difference may be, as a part of the recomputed value.
    pub tolerance: f64,
    /// What the difference may be.
    pub allowed: Option<f64>,
    /// The columns that it read, with the rows that their tables have.
    pub reads: Vec<ReadReport>,
}

/// What a query read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ReadReport {
    /// The table.
    pub table: String,
    /// Its columns.
    pub columns: Vec<String>,
    /// The rows that it has.
    pub rows: u64,
    /// The file of the table.
    pub file: String,
}

/// A quotation and where it was found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct CitationReport {
    /// The words.
    pub quote: String,
    /// The name of the source.
    pub source_id: String,
    /// Where the source is.
    pub source: Option<String>,
    /// The words there, pinned.
    pub passage: Option<Passage>,
    /// What there is to tell, and in which words.
    #[serde(skip)]
    pub fault: Option<(Code, String)>,
}

/// A data file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct DataFile {
    /// The file.
    pub path: String,
    /// SHA-256 of it, in hexadecimal.
    pub sha256: String,
    /// Its tables.
    pub tables: Vec<Table>,
    /// What else it holds and was not loaded, such as views.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<String>,
}

/// Whether a text is what a gate has written: a report in any format, or the log of its events.
pub fn is_own_output(text: &str) -> bool {
    let start: String = text.chars().filter(|c| !c.is_whitespace()).take(2048).collect();
    let own = format!("{{\"schema\":\"{SCHEMA}\"");
    let marks = ["\"driver\":{\"name\":\"cited\"", "<testsuitesname=\"cited\""];
    let is_log = start.starts_with("{\"seq\":") && start.contains("\"event\":");
    if is_log || start.starts_with(&own) || marks.iter().any(|mark| start.contains(mark)) {
        return true;
    }
    let verdict = text.lines().rfind(|line| !line.trim().is_empty());
    let verdict = verdict.is_some_and(|line| matches!(line.trim(), "ACCEPTED" | "REJECTED" | "DISPUTED"));
    let is_told = || [" claims verified", " criteria passed"].iter().any(|told| text.contains(told));
    text.starts_with("## cited: ") || verdict && is_told()
}
