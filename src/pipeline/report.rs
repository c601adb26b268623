//! Last stage: record and findings of a run, and whether its brief should be written.

mod findings;
mod links;
mod record;
mod withheld;
mod works;

pub use self::works::of_look;

use std::collections::HashMap;
use std::sync::Arc;

use super::compose::Written;
use super::decided::Decided;
use super::judge::Judged;
use cited_core::decide::{Action, Edit};
use cited_core::finding::{self, Finding};
use cited_core::outcome::Kept;
use cited_core::source::SourceId;
use cited_report::Record;
use cited_report::provenance::{Origin, provenance};
use cited_report::record::RunVerdict;

/// What a run gives.
#[derive(Debug, Clone)]
pub struct Run {
    /// The verdict.
    pub verdict: RunVerdict,
    /// The brief.
    pub brief: Arc<str>,
    /// The record, with the edits that made the brief from the draft.
    pub record: Record,
    /// What the side-car says beyond the record.
    pub origin: Origin,
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

    /// The provenance side-car, Markdown.
    pub fn provenance(&self) -> String {
        provenance(&self.record, &self.origin)
    }

    /// What was worth telling, in order of place.
    pub fn findings(&self) -> &[Finding] {
        &self.record.findings
    }
}

/// Reports what was decided and written. `kept` is what became of having sources kept by an archive.
pub(super) fn report(mut judged: Judged, written: Written, kept: &HashMap<SourceId, Kept>) -> Run {
    let Written { rewrite, edits, brief } = written;
    let failures = failures(&judged);
    let decided = Decided::new(&judged, &rewrite);
    let mut sources = decided.sources();
    for (source, id) in sources.iter_mut().zip(decided.rewrite.numbering.sources()) {
        source.kept = kept.get(id).cloned();
    }
    let findings = decided.findings(&sources, true);
    let (findings, links, _) = decided.asked.beside_sources(findings).into_parts();
    // The words of the claims go on into the record: those of a large document are held once.
    let claims = std::mem::take(&mut judged.asked.read.claims);
    let decided = Decided::new(&judged, &rewrite);
    let mut record = Record { links, ..decided.record(claims, sources, edits, findings, &brief) };
    let strict = decided.read.options.policy.strict && record.verdict == RunVerdict::PassWithNotes;
    finding::agree_with_exit(&mut record.findings, strict);
    let withheld = withheld::withheld(&decided, &record);
    let options = &decided.read.options;
    let (plan, date) = (options.plan.clone(), options.now.to_zoned(jiff::tz::TimeZone::UTC).date());
    let origin = Origin { plan, judged: options.support, date };
    Run { verdict: record.verdict, brief, record, origin, blocked: judged.asked.blocked, failures, withheld }
}

/// The claims for which the policy says to fail.
fn failures(judged: &Judged) -> Vec<String> {
    let (claims, decisions) = (&judged.asked.read.claims, &judged.assessment.decisions);
    let failed = claims.iter().zip(decisions).filter(|(_, decision)| decision.action == Action::Fail);
    failed.map(|(claim, decision)| format!("“{}” — {}", claim.text, decision.reason)).collect()
}
