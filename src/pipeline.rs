//! The run: the only place that knows the order of the stages.

use crate::decide::{Edit, Policy};
use crate::error::{Error, Result};
use crate::fetch::{Fetched, Fetcher};
use crate::finding::Finding;
use crate::render::Record;
use crate::render::record::RunVerdict;

/// A text with the path that users know it by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// The path as given; `-` for standard input.
    pub path: String,
    /// The text.
    pub text: String,
}

/// How the brief cites.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Style {
    /// `[1]`, `[2, 5]`.
    #[default]
    Numeric,
    /// As the draft does: footnotes stay footnotes, links stay links.
    Keep,
}

/// The settings of a run.
#[derive(Clone)]
pub struct Options {
    /// What is done with claims that fall short.
    pub policy: Policy,
    /// Whether the brief gets a section of notes.
    pub notes: bool,
    /// How the brief cites.
    pub style: Style,
    /// Whether a clause that ends with its own marker may go alone.
    pub clauses: bool,
    /// Whether the support of claims is judged.
    pub support: bool,
    /// How many sources are fetched at once.
    pub concurrency: usize,
    /// The time that counts as now.
    pub now: jiff::Timestamp,
    /// The text of a file that a claim names, when it is inside the tree given. `None` when there is none.
    pub artifact: std::sync::Arc<dyn Fn(&str) -> Option<String> + Send + Sync>,
}

impl std::fmt::Debug for Options {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Options").field("policy", &self.policy).field("style", &self.style).finish_non_exhaustive()
    }
}

/// What is going on, for whoever shows it.
#[derive(Debug, Clone, Copy)]
pub enum Progress<'a> {
    /// So many sources will be asked.
    Fetching(usize),
    /// One was asked.
    Fetched(&'a Fetched),
    /// So many claims will be judged.
    Judging(usize),
    /// The brief is being written.
    Writing,
}

/// What a run gives.
#[derive(Debug, Clone)]
pub struct Run {
    /// The verdict.
    pub verdict: RunVerdict,
    /// The brief.
    pub brief: String,
    /// The edits that made it from the draft.
    pub edits: Vec<Edit>,
    /// The record.
    pub record: Record,
    /// The provenance side-car, Markdown.
    pub provenance: String,
    /// What was worth telling, in order of place.
    pub findings: Vec<Finding>,
    /// The claims for which the policy asked to fail, in words; not empty means: write nothing, exit 1.
    pub failures: Vec<String>,
}

/// Runs the whole path on one draft: read, unify, claim, anchor, fetch, judge, decide, rewrite, render.
///
/// # Errors
/// When the draft has neither a source list nor research files, or when the result fails its own check.
pub async fn verify(
    _draft: &Input,
    _research: &[Input],
    _fetcher: &dyn Fetcher,
    _options: &Options,
    _progress: &(dyn Fn(Progress<'_>) + Sync),
) -> Result<Run> {
    Err(Error::defect("being built"))
}
