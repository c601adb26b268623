//! The run: the only place that knows the order of the stages.

mod ask;
mod check;
mod codes;
mod compose;
mod gather;
mod guard;
mod links;
mod quality;
mod report;
mod settle;
mod weigh;

use std::collections::HashMap;
use std::sync::Arc;

pub use check::{Checked, check};
pub(crate) use gather::whole;

use crate::claim::{self, ClaimKind, Place};
pub use crate::decide::Style;
use crate::decide::{Action, Edit, Policy};
use crate::error::{Error, Result};
use crate::fetch::{Fetched, Fetcher, Outcome};
use crate::finding::{self, Finding};
use crate::judge::meaning::EntailmentModel;
use crate::judge::outside::Panel;
use crate::render::provenance::Origin;
use crate::render::record::RunVerdict;
use crate::render::{self, Record};
use crate::source::SourceId;

/// A text with the path that users know it by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// The path as given; `-` for standard input.
    pub path: String,
    /// The text.
    pub text: Arc<str>,
}

/// Gives the text of a file by the path that a claim names.
pub type ReadArtifact = Arc<dyn Fn(&str) -> Option<std::result::Result<String, String>> + Send + Sync>;

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
    /// A judge of the user's, asked about what no hard check decided.
    pub judge: Option<Arc<Panel>>,
    /// Whether a softer sentence that the judge proposes takes the place of a claim. Otherwise it is only shown.
    pub soften: bool,
    /// An entailment model, asked about what no hard check decided, before the judge is.
    pub model: Option<Arc<dyn EntailmentModel>>,
    /// How many sources are fetched at once.
    pub concurrency: usize,
    /// The time that counts as now.
    pub now: jiff::Timestamp,
    /// The text of a file that a claim names, when it is inside the tree given. `None` when there is none; in words why not when it
    /// is there and cannot be read.
    pub artifact: ReadArtifact,
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
    /// The brief is read again and compared with what was meant.
    Checking,
    /// Findings, record and side-car are being written.
    Reporting,
}

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

/// Runs the whole path on one draft: read, unify, claim, anchor, fetch, judge, decide, rewrite, render.
///
/// # Errors
/// When the draft has neither a source list nor research files, or when the result fails its own check.
pub async fn verify(
    draft: &Input,
    research: &[Input],
    fetcher: &dyn Fetcher,
    options: &Options,
    progress: &(dyn Fn(Progress<'_>) + Sync),
) -> Result<Run> {
    let mut gathered = gather::gather(draft, research, options.clauses)?;
    let anchors = anchor(&mut gathered);
    let mut bearings = weigh::bearings(&gathered, &anchors);
    let wanted = wanted(&gathered, &bearings);
    let mut answers = ask::ask(&gathered, &wanted, fetcher, options, progress).await;
    drop(wanted);
    let asked = links::ask(&gathered, &answers, fetcher, options).await;
    if ask::merge(&mut gathered, &mut answers) {
        bearings = weigh::bearings(&gathered, &anchors);
    }
    weigh::connect(&mut gathered, &mut bearings, &answers, options);

    progress(Progress::Judging(gathered.claims.len()));
    let living: HashMap<String, bool> =
        asked.iter().map(|(address, link)| (address.clone(), !link.outcome.is_proven_dead())).collect();
    let mut weighed = weigh::weigh(&gathered, &bearings, &answers, &living, &weigh::Judged::All, options);

    progress(Progress::Writing);
    let dead_links = links::dead(&gathered, &asked);
    let blocked = blocked(fetcher, &answers);
    let composer = compose::Composer {
        gathered: &gathered,
        bearings: &bearings,
        answers: &answers,
        living: &living,
        dead_links: &dead_links,
        blocked: blocked.as_deref(),
        draft,
        research,
        options,
        progress,
    };
    let compose::Composed { rewrite, edits, brief } = composer.settled(&mut weighed).map_err(Error::defect)?;
    let kept = ask::keep(&answers, rewrite.numbering.sources(), fetcher).await;
    let outcomes = report::Outcomes {
        gathered: &gathered,
        bearings: &bearings,
        answers: &answers,
        weighed: &weighed,
        rewrite: &rewrite,
        dead_links: &dead_links,
        blocked: blocked.as_deref(),
        judged: options.support,
        min_quality: options.policy.min_quality,
    };
    let sources = outcomes.sources_kept(&kept);
    progress(Progress::Reporting);
    let findings = outcomes.findings(&sources);
    let failures = failures(&gathered, &weighed);
    // The words of the claims go on into the record: those of a large document are held once.
    let claims = std::mem::take(&mut gathered.claims);
    let outcomes = report::Outcomes {
        gathered: &gathered,
        bearings: &bearings,
        answers: &answers,
        weighed: &weighed,
        rewrite: &rewrite,
        dead_links: &dead_links,
        blocked: blocked.as_deref(),
        judged: options.support,
        min_quality: options.policy.min_quality,
    };
    let mut record = outcomes.record(claims, sources, edits, findings, &brief);
    let strict = options.policy.strict && record.verdict == RunVerdict::PassWithNotes;
    finding::agree_with_exit(&mut record.findings, strict);
    let origin = Origin {
        draft: draft.path.clone(),
        research: research.iter().map(|input| input.path.clone()).collect(),
        plan: None,
        judged: options.support,
    };
    let withheld = guard::withheld(&draft.path, &gathered, &weighed, &rewrite, &record);
    let date = options.now.to_zoned(jiff::tz::TimeZone::UTC).date();
    Ok(Run {
        verdict: record.verdict,
        provenance: render::provenance::provenance(&record, &origin, date),
        brief,
        record,
        blocked,
        failures,
        withheld,
    })
}

/// Matches claims that cite nothing that means something to the notes of the research files. By position of the claim.
fn anchor(gathered: &mut gather::Gathered) -> HashMap<usize, claim::Anchoring> {
    let wants = |claim: &claim::Claim| {
        let cites = claim.markers.iter().any(|marker| !gathered.resolved[marker.0 as usize].is_empty());
        let unresolved = claim.markers.iter().any(|marker| !gathered.unresolved[marker.0 as usize].is_empty());
        // What needs no source is anchored only to a note that says the same word for word; see `claim::anchor`.
        let says_something = !matches!(claim.place, Place::Heading | Place::Figure)
            && !matches!(claim.kind, ClaimKind::Chatter | ClaimKind::Todo | ClaimKind::Heading);
        !cites && claim.inherited.is_empty() && (says_something || unresolved)
    };
    let wanting: Vec<usize> =
        (0..gathered.claims.len()).filter(|i| !gathered.notes.is_empty() && wants(&gathered.claims[*i])).collect();
    let claims: Vec<&claim::Claim> = wanting.iter().map(|i| &gathered.claims[*i]).collect();
    let (found, findings) = claim::anchor(&claims, &gathered.notes);
    let open = |i: &usize| findings.iter().any(|finding| finding.span == Some(gathered.claims[*i].span));
    let ambiguous = wanting.iter().copied().filter(open).collect();
    gathered.ambiguous = ambiguous;
    let anchors = wanting.into_iter().zip(found).filter_map(|(i, anchoring)| Some((i, anchoring?))).collect();
    gathered.findings.extend(findings);
    anchors
}

/// The sources to ask, each with the claims that stand on it: all that the draft lists, and those that notes give.
fn wanted<'g>(gathered: &'g gather::Gathered, bearings: &[weigh::Bearing]) -> Vec<(SourceId, Vec<&'g str>)> {
    let mut claims: HashMap<SourceId, Vec<&str>> = HashMap::new();
    let mut order: Vec<SourceId> = Vec::new();
    let mut want = |source: SourceId, claim: Option<&'g str>| {
        let claims = claims.entry(source).or_insert_with(|| {
            order.push(source);
            Vec::new()
        });
        claims.extend(claim);
    };
    for (claim, bearing) in gathered.claims.iter().zip(bearings) {
        for source in bearing.cited.iter().chain(&bearing.anchored).chain(&bearing.inherited) {
            want(*source, Some(&claim.text));
        }
    }
    for source in gathered.listed.iter().flatten().chain(gathered.resolved.iter().flatten()) {
        want(*source, None);
    }
    order.into_iter().map(|source| (source, claims.remove(&source).unwrap_or_default())).collect()
}

/// Why checking could not be completed, when it could not.
fn blocked(fetcher: &dyn Fetcher, answers: &ask::Answers) -> Option<String> {
    if let Some(fault) = fetcher.fault() {
        return Some(fault);
    }
    let nobody_asked = !answers.is_empty() && answers.values().all(|answer| answer.outcome == Outcome::Unasked);
    let has_addresses = answers.values().any(|answer| !answer.address.is_empty());
    (nobody_asked && has_addresses).then(|| "no source could be asked".to_owned())
}

/// The claims for which the policy says to fail.
fn failures(gathered: &gather::Gathered, weighed: &weigh::Weighed) -> Vec<String> {
    let failed = gathered.claims.iter().zip(&weighed.decisions).filter(|(_, decision)| decision.action == Action::Fail);
    failed.map(|(claim, decision)| format!("“{}” — {}", claim.text, decision.reason)).collect()
}
