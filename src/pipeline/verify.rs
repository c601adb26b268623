//! The walk of `cited verify`: all stages, from a draft to its brief and record.

use std::sync::Arc;

use super::options::{Options, Progress, Watch};
use super::{ask, compose, judge, read, report};
use crate::decide::Edit;
use crate::error::Result;
use crate::fetch::Fetcher;
use crate::finding::Finding;
use crate::input::Input;
use crate::render::Record;
use crate::render::provenance::{Origin, provenance};
use crate::render::record::RunVerdict;

/// What a run gives.
#[derive(Debug, Clone)]
pub struct Run {
    /// The verdict.
    pub verdict: RunVerdict,
    /// The brief.
    pub brief: Arc<str>,
    /// The record, with the edits that made the brief from the draft.
    pub record: Record,
    /// The provenance side-car, Markdown.
    pub provenance: String,
    /// Why checking could not be completed, when it could not: the verdict is BLOCKED.
    pub blocked: Option<String>,
    /// The claims for which the policy asked to fail, in words; not empty means: write nothing, exit 1.
    pub failures: Vec<String>,
    /// Why the brief should not be written unless somebody asks for it: it would lose its whole source list, or half of its claims.
    pub withheld: Option<String>,
}

impl Run {
    /// The edits that made the brief from the draft.
    pub fn edits(&self) -> &[Edit] {
        &self.record.edits
    }

    /// What was worth telling, in order of place.
    pub fn findings(&self) -> &[Finding] {
        &self.record.findings
    }
}

/// Runs the whole path on one draft: read, ask, judge, compose, report.
///
/// # Errors
/// When the draft has neither a source list nor research files, or when the result fails its own check.
pub async fn verify(
    draft: &Input,
    research: &[Input],
    fetcher: &dyn Fetcher,
    options: &Options,
    watch: Watch<'_>,
) -> Result<Run> {
    let read = read::read(draft, research, options);
    read.vet()?;
    let asked = judge::connect(ask::ask(read, fetcher, watch).await);
    watch(Progress::Judging(asked.read.claims.len()));
    let mut judged = judge::judge(asked);
    judged.block_without_judge();
    watch(Progress::Writing);
    let mut written = compose::compose(judged, watch)?;
    let kept = written.judged.asked.keep(written.rewrite.numbering.sources(), fetcher).await;
    watch(Progress::Reporting);
    let report::Report { record, failures, withheld } = report::report(&mut written, &kept);
    let origin = Origin {
        draft: draft.path.clone(),
        research: research.iter().map(|input| input.path.clone()).collect(),
        plan: options.plan.clone(),
        judged: options.support,
    };
    let date = options.now.to_zoned(jiff::tz::TimeZone::UTC).date();
    Ok(Run {
        verdict: record.verdict,
        provenance: provenance(&record, &origin, date),
        brief: written.brief,
        record,
        blocked: written.judged.asked.blocked,
        failures,
        withheld,
    })
}
