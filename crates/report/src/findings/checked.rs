//! The result of a check or a run for programs: one JSON object.

use serde::{Deserialize, Serialize};

use super::Located;
use super::stream::{Counts, Incomplete, Stream};
use crate::record::{Record, RunVerdict};
use crate::words::Tone;
use cited_core::check::results::{RequestedAddress, Tally};
use cited_core::check::{Item, State};
use cited_core::finding::Depth;

/// The version of the report's shape.
pub const SCHEMA: &str = "cited/check/1";

/// Everything that a check found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Report {
    /// `cited/check/1`.
    pub schema: String,
    /// How it ended.
    pub verdict: Verdict,
    /// The verdict of the run, of a verified draft.
    pub run_verdict: Option<RunVerdict>,
    /// Why its brief was not written, where it was not.
    pub not_written: Option<String>,
    /// How deep it looked.
    pub depth: Depth,
    /// Every address that was asked, document by document.
    #[serde(default)]
    pub links: Vec<RequestedLink>,
    /// The links of all documents, counted.
    #[serde(default)]
    pub link_stats: Tally,
    /// The documents that were checked, in order.
    pub documents: Vec<String>,
    /// What was found, document by document, in order of place.
    pub findings: Vec<CheckedFinding>,
    /// What could not be checked.
    pub incomplete: Vec<Incomplete>,
    /// Counts.
    pub stats: Counts,
}

/// An address that was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RequestedLink {
    /// The document.
    pub file: String,
    /// What was asked and what came of it.
    #[serde(flatten)]
    pub asked: RequestedAddress,
}

/// How a check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Nothing new at or over what `--fail-on` says.
    Pass,
    /// Something new at or over it.
    Fail,
    /// Nothing of the sort, as far as it could be checked.
    Incomplete,
}

/// A finding with what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct CheckedFinding {
    /// The finding and its place.
    #[serde(flatten)]
    pub located: Located,
    /// What names it in its file when lines shift.
    pub fingerprint: String,
    /// What became of it, and why it is allowed where it is.
    #[serde(flatten)]
    pub state: State,
}

impl Verdict {
    /// The verdict of a run.
    pub fn from_stream(stream: &Stream) -> Verdict {
        match (stream.falls_short(), stream.incomplete.is_empty()) {
            (true, _) => Verdict::Fail,
            (false, false) => Verdict::Incomplete,
            (false, true) => Verdict::Pass,
        }
    }

    /// It in words, and how good it is.
    pub(crate) fn shown(self) -> (String, Tone) {
        let (words, tone) = match self {
            Verdict::Pass => ("PASSED", Tone::Good),
            Verdict::Fail => ("FAILED", Tone::Bad),
            Verdict::Incomplete => ("CHECKING COULD NOT BE COMPLETED", Tone::Doubtful),
        };
        (words.to_owned(), tone)
    }
}

/// The report of a check, or of the run of a record.
pub fn report(stream: &Stream, record: Option<&Record>) -> Report {
    let told = |(item, located): (&Item, Located)| CheckedFinding {
        located,
        fingerprint: item.fingerprint.clone(),
        state: item.state.clone(),
    };
    let files = stream.documents.iter().map(|document| (&document.document.path, &document.asked));
    let links = files.clone().flat_map(|(file, asked)| asked.iter().map(move |asked| (file, asked)));
    Report {
        schema: SCHEMA.to_owned(),
        verdict: Verdict::from_stream(stream),
        run_verdict: record.map(|record| record.verdict),
        not_written: record.and_then(|record| record.not_written.clone()),
        depth: stream.depth,
        links: links.map(|(file, asked)| RequestedLink { file: file.clone(), asked: asked.clone() }).collect(),
        link_stats: stream.links(),
        documents: files.map(|(file, _)| file.clone()).collect(),
        findings: stream.located().map(told).collect(),
        incomplete: stream.incomplete.clone(),
        stats: stream.counts(),
    }
}
