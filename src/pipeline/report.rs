//! Last stage: record and findings of a run, and whether its brief should be written.

mod codes;
mod findings;
mod record;
mod withheld;
mod works;

pub use self::works::of_look;

use std::collections::HashMap;

use super::compose::Written;
use super::decided::Decided;
use cited_core::decide::Action;
use cited_core::finding;
use cited_core::outcome::Kept;
use cited_core::source::SourceId;
use cited_report::Record;
use cited_report::record::RunVerdict;

/// What is told of a run.
pub(super) struct Report {
    /// With the findings.
    pub(super) record: Record,
    /// The claims for which the policy says to fail, in words.
    pub(super) failures: Vec<String>,
    /// Why the brief should not be written unless somebody asks for it.
    pub(super) withheld: Option<String>,
}

/// Reports what was decided and written. `kept` is what became of having sources kept by an archive.
pub(super) fn report(written: &mut Written, kept: &HashMap<SourceId, Kept>) -> Report {
    let failures = failures(written);
    let decided = decided(written);
    let sources = decided.sources_kept(kept);
    let (findings, links, _) = decided.asked.with_links(decided.findings(&sources)).into_parts();
    // The words of the claims go on into the record: those of a large document are held once.
    let claims = std::mem::take(&mut written.judged.asked.read.claims);
    let edits = std::mem::take(&mut written.edits);
    let decided = self::decided(written);
    let mut record = Record { links, ..decided.record(claims, sources, edits, findings, &written.brief) };
    let strict = decided.read.options.policy.strict && record.verdict == RunVerdict::PassWithNotes;
    finding::agree_with_exit(&mut record.findings, strict);
    let withheld = withheld::withheld(&decided, &record);
    Report { record, failures, withheld }
}

fn decided(written: &Written) -> Decided<'_> {
    let asked = &written.judged.asked;
    Decided { read: &asked.read, asked, assessment: &written.judged.assessment, rewrite: &written.rewrite }
}

/// The claims for which the policy says to fail.
fn failures(written: &Written) -> Vec<String> {
    let (claims, decisions) = (&written.judged.asked.read.claims, &written.judged.assessment.decisions);
    let failed = claims.iter().zip(decisions).filter(|(_, decision)| decision.action == Action::Fail);
    failed.map(|(claim, decision)| format!("“{}” — {}", claim.text, decision.reason)).collect()
}
