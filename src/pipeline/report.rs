//! Last stage: record and findings of a run, and whether its brief should be written.

mod findings;

pub use self::findings::of_look;

use std::collections::HashMap;
use std::sync::Arc;

use super::ask::Asked;
use super::compose::Written;
use super::judge::Judged;
use super::options::Options;
use super::read::Read;
use cited_core::citation::each_once;
use cited_core::claim::{ClaimId, ClaimKind};
use cited_core::decide::hanging::hanging;
use cited_core::decide::{Action, Decision};
use cited_core::finding::{self, Code};
use cited_core::outcome::{Kept, Outcome};
use cited_core::page::sha256_hex;
use cited_core::rule::Rule;
use cited_core::source::SourceId;
use cited_core::verdict::{CheckKind, CheckResult, Standing, Verdict};
use cited_report::provenance::{Origin, Plan, provenance};
use cited_report::record::{
    ConflictingClaims, Draft, ReconciledSource, Record, RunVerdict, SCHEMA, SourceRecord, Stats, Verification,
};
use cited_report::wording::counted;
use cited_text::Span;
use cited_text::lines::LineIndex;
use cited_text::quantity::{Quantity, quantities};
use cited_text::quotation::quotations;

/// With a finding of these kinds a run is no plain PASS.
const TELLING: [Code; 4] =
    [Code::UnresolvableMarker, Code::ListWithoutCitations, Code::IdentityMismatch, Code::NumbersKept];

/// Fewer claims have no half.
const FEWEST: usize = 3;

/// Of fewer that need a source half may go when each removal is proven: a single page that is gone may take most of a short note with it.
const FEWEST_PROVEN: usize = 7;

/// What a run gives.
#[derive(Debug, Clone)]
pub struct Run {
    /// The brief.
    pub brief: Arc<str>,
    /// The record: the verdict, what was worth telling in order of place, and the edits that made the brief from the draft.
    pub record: Record,
    /// Why checking could not be completed, when it could not: the verdict is BLOCKED.
    pub blocked: Option<String>,
    /// Why the brief should not be written unless somebody asks for it: it would lose its whole source list, or half of its claims.
    pub withheld: Option<String>,
}

impl Run {
    /// The provenance side-car, Markdown, with the plan that the research followed.
    pub fn provenance(&self, options: &Options, plan: Option<Plan>) -> String {
        let date = options.now.to_zoned(jiff::tz::TimeZone::UTC).date();
        provenance(&self.record, &Origin { plan, judged: options.support, date })
    }
}

/// Reports what was decided and written: the edits and the brief. `kept` is what became of having sources kept by an archive.
pub(super) fn report(judged: &Judged, (edits, brief): Written, kept: &HashMap<SourceId, Kept>) -> Run {
    let Judged { asked: Asked { read, blocked, .. }, decisions, .. } = judged;
    let fails = decisions.iter().any(|decision| decision.action == Action::Fail);
    let (findings, links, _) = judged.asked.beside_sources(judged.findings(true)).into_parts();
    let sources = judged.sources().into_iter();
    let sources: Vec<SourceRecord> =
        sources.map(|(id, source)| SourceRecord { kept: kept.get(&id).cloned(), ..source }).collect();
    let lines = LineIndex::new(read.document.text());
    let hangs = hanging(&read.document, &read.claims, decisions).into_iter().enumerate();
    let verified = |(i, hangs)| Verification { hangs, ..judged.verification(i, &lines) };
    let verifications: Vec<Verification> = hangs.map(verified).collect();
    let stats = Stats {
        claims: verifications.len(),
        verified: verifications.iter().filter(|v| v.verified).count(),
        removed: decisions.iter().filter(|d| d.action.removes()).count(),
        noted: decisions.iter().filter(|d| !d.action.removes() && !d.notes.is_empty()).count(),
        anchored: decisions.iter().filter(|d| d.action == Action::Cite).count(),
        sources: sources.len(),
        cited: sources.iter().filter(|source| source.number.is_some()).count(),
        dead: sources.iter().filter(|source| source.outcome.is_proven_dead()).count(),
        unknown: sources.iter().filter(|s| s.outcome.is_unknown() && s.rule != Rule::Unasked.as_str()).count(),
        conflicts: judged.standing_conflicts().count(),
    };
    let draft = Draft {
        path: read.draft.path.clone(),
        research: read.research.iter().map(|file| file.path.clone()).collect(),
        options: Vec::new(),
        text: Arc::clone(&read.draft.text),
    };
    let conflicts = judged.standing_conflicts().map(|(a, b, conflict)| ConflictingClaims {
        claims: [a.min(b), a.max(b)].map(|i| ClaimId(i as u32).to_string()),
        difference: conflict.difference.clone(),
    });
    let mut record = Record {
        schema: SCHEMA.to_owned(),
        verdict: RunVerdict::Blocked,
        not_written: fails.then(|| "a claim fell under a policy of fail".to_owned()),
        brief_sha256: sha256_hex(brief.as_bytes()),
        draft,
        verifications,
        sources,
        links,
        edits,
        findings,
        conflicts: conflicts.collect(),
        judge: None,
        stats,
    };
    if blocked.is_none() {
        record.verdict = if is_noted(read, &record) { RunVerdict::PassWithNotes } else { RunVerdict::Pass };
    }
    let strict = read.options.policy.strict && record.verdict == RunVerdict::PassWithNotes;
    finding::agree_with_exit(&mut record.findings, strict);
    let withheld = withheld(judged, &record);
    Run { brief, record, blocked: blocked.clone(), withheld }
}

/// Whether a run that was not blocked has something that keeps it from a plain PASS.
fn is_noted(read: &Read, Record { stats, verifications, sources, findings, .. }: &Record) -> bool {
    // With `--strict` every claim counts.
    let strict = read.options.policy.strict;
    let counts = |kind: ClaimKind| kind.must_have_source() || strict && kind.is_factual();
    let is_open = |claim: &Verification| counts(claim.kind) && !claim.action.removes() && !claim.verified;
    // What nobody read, or nobody confirmed, is no pass: also where the run itself gave the source.
    let unproven = read.options.support && verifications.iter().any(is_open)
        || stats.verified == 0 && verifications.iter().any(|claim| claim.kind.is_factual());
    // A brief that lost all its sources to an earlier run.
    let emptied = sources.is_empty() && !read.citations.own_sections.is_empty();
    let is_doubtful = |source: &SourceRecord| {
        source.outcome.is_unknown()
            || source.rule == Rule::OffTopic.as_str()
            || source.work.as_ref().is_some_and(|look| look.is_warning())
    };
    // A citation that leads nowhere is settled where its claim got another one in its place: not beside one that leads somewhere.
    let orphans = findings.iter().filter(|finding| finding.code == Code::OrphanCitation);
    let orphans: Vec<Span> = orphans.filter_map(|finding| finding.span).collect();
    let settles = |claim: &Verification| {
        let targets: usize = read.citations.markers_in(claim.span).iter().map(|marker| marker.targets.len()).sum();
        claim.action == Action::Recite && targets <= orphans.iter().filter(|at| claim.span.contains(**at)).count()
    };
    let is_settled = |at: &Span| verifications.iter().any(|claim| claim.span.overlaps(*at) && settles(claim));
    unproven
        || emptied
        || stats.removed + stats.noted + stats.conflicts > 0
        || !orphans.iter().all(is_settled)
        || findings.iter().any(|finding| TELLING.contains(&finding.code))
        || sources.iter().any(|source| source.number.is_some() && is_doubtful(source))
}

impl Judged {
    fn verification(&self, i: usize, lines: &LineIndex) -> Verification {
        let read = &self.asked.read;
        let (claim, decision, stands_on) = (&read.claims[i], &self.decisions[i], &read.sources[i]);
        // A citation in another place speaks only for what must have a source.
        let inherited = stands_on.inherited.iter().filter(|_| claim.kind.must_have_source());
        let cited = stands_on.cited.iter().chain(&stands_on.anchored);
        let standing_on = each_once(cited.chain(inherited).chain(&decision.sources).copied());
        // What of it can be held against a source word by word: its first quotation, else its first measured number.
        let quotation = quotations(&claim.text).into_iter().find(|one| !one.is_empty()).map(|one| one.span);
        let number = || quantities(&claim.text).into_iter().find(Quantity::is_measured).map(|one| one.span);
        let stat = quotation.or_else(number).map(|span| span.slice(&claim.text)).unwrap_or_default();
        let reconciled = standing_on.iter().map(|source| self.reconciled(i, stat, *source));
        let reconciled: Vec<ReconciledSource> = reconciled.collect();
        let proves = |said: &ReconciledSource| said.verdict == Standing::Supported && !said.source_passage.is_empty();
        let verified = reconciled.iter().any(proves) && !decision.action.removes();
        let mut notes: Vec<String> = if decision.action.removes() { vec![decision.reason.clone()] } else { Vec::new() };
        notes.extend(decision.all_notes().map(ToString::to_string));
        notes.extend(self.disagreements(i));
        if notes.is_empty() && !verified && claim.kind.must_have_source() && read.options.support {
            notes.push("no passage was found that supports it".to_owned());
        }
        let binding = self.bindings.get(i);
        let decided = binding.and_then(|binding| read.options.review.on(binding, true));
        let review = decided.filter(|decided| decided.allows(decision.action));
        Verification {
            claim_id: ClaimId(i as u32).to_string(),
            hangs: None,
            binding: binding.cloned(),
            review: review.map(|decided| decided.reviewed.clone()),
            claim_text: claim.text.clone(),
            context: claim.context.as_ref().map(ToString::to_string),
            verified,
            confidence: reconciled.iter().filter_map(|source| source.confidence).reduce(f64::max),
            notes: notes.join("; "),
            kind: claim.kind,
            action: decision.action,
            span: claim.span,
            line: lines.line(claim.span.start),
            sources_reconciled: reconciled,
        }
    }

    fn reconciled(&self, i: usize, stat: &str, source: SourceId) -> ReconciledSource {
        let read = &self.asked.read;
        let answer = self.asked.answer(source);
        let page = answer.page.as_ref();
        let source_url = read.registry.get(source).address.clone().unwrap_or_default();
        let verdict = self.verdicts.get(&(i, source)).cloned();
        let unjudged = || match answer.outcome {
            Outcome::Live | Outcome::Moved | Outcome::Archived => "support was not judged".to_owned(),
            // What has no address says so itself.
            _ if source_url.is_empty() => answer.reason.clone(),
            _ => format!("{}: {}", answer.in_words(), answer.reason),
        };
        let verdict = verdict.unwrap_or_else(|| Verdict::unchecked(unjudged()));
        let Verdict { standing, confidence, checks, passage, derivation, check, reason, .. } = verdict;
        // What differs is told as the source has it.
        let own = checks.iter().find_map(|check| match &check.result {
            CheckResult::Differs { found, .. } if check.kind == CheckKind::Quantity => Some(found),
            _ => None,
        });
        ReconciledSource {
            stat: own.filter(|own| !own.is_empty()).map_or_else(|| stat.to_owned(), String::clone),
            source_url,
            publication_date: page.and_then(|page| page.published).map(|day| day.to_string()),
            context: reason,
            verdict: standing,
            confidence: (standing != Standing::Unchecked).then_some(confidence),
            checks: checks.iter().map(|check| check.kind).collect(),
            results: checks,
            derivation,
            check,
            around: self.around.get(&(i, source)).cloned().unwrap_or_default(),
            text_sha256: page.map(|page| page.text_sha256.clone()),
            offsets: passage.as_ref().map(|passage| passage.offsets),
            source_passage: passage.map(|passage| passage.text).unwrap_or_default(),
            fetched_at: Some(answer.fetched_at),
            rating: read.rating_for(source, &read.claims[i].text).cloned(),
        }
    }
}

/// The guard over a whole document: a run that would take its source list or half of its claims away has most likely not understood it.
/// Each removal has its reason. Together they say something else: that a list, or a form of citation, could not be connected with the
/// text, or that the research files are those of another draft. A person looks first; `--force` writes the brief.
///
/// Why a brief should not be written unasked, in words; none when there is nothing to fear. Computed after the record, which has the
/// claims.
fn withheld(judged: &Judged, record: &Record) -> Option<String> {
    let Judged { asked: Asked { read, .. }, decisions, rewrite, .. } = judged;
    let path = &read.draft.path;
    let line = |at: Span| LineIndex::new(read.document.text()).line(at.start);
    let listed = read.first_list().map(|(place, entries)| (line(place), entries));
    if let Some((line, entries)) = listed.filter(|_| read.looks_cited()) {
        let entries = counted(entries, "source");
        return Some(format!(
            "{path}:{line}:1: the draft lists {entries} and cites none of them in a form that cited knows; write citations as [1], [^1], \
             ¹, [S1], (Author, 2024) or links, or name research files with -r FILE; `cited show {path}` tells what was recognised"
        ));
    }
    if record.verdict == RunVerdict::Blocked {
        return None;
    }
    // A marked claim stays, and its citations go from the list as those of a removed one do.
    let goes = |decision: &&Decision| decision.action.removes() || decision.action == Action::Mark;
    let is_emptied = rewrite.numbering.sources().is_empty()
        && decisions.iter().filter(goes).any(|decision| decision.shortfall.is_some());
    if let Some((line, entries)) = listed.filter(|_| read.unconnected.is_none() && is_emptied) {
        return Some(format!("{path}:{line}:1: the source list has {} and would have none", counted(entries, "entry")));
    }
    let count = |counts: fn(&Verification) -> bool| {
        let counted = record.verifications.iter().filter(|claim| counts(claim));
        counted.fold((0, 0), |(all, gone), claim| (all + 1, gone + usize::from(claim.action.removes())))
    };
    // What cites a source stands on one, whatever its kind; what leans on a claim that goes is not counted beside it.
    let (needing, lost) = count(|claim| claim.kind.must_have_source() || !claim.sources_reconciled.is_empty());
    let states =
        |claim: &Verification| !matches!(claim.kind, ClaimKind::Heading | ClaimKind::Todo | ClaimKind::Chatter);
    let half = |(all, gone): (usize, usize), fewest: usize| all >= fewest && gone * 2 >= all;
    // Whether a removal rests on nothing that pages are or say.
    let is_unproven = |decision: &Decision| {
        let codes = [Code::OrphanCitation, Code::Unanchored, Code::FakeCertainty];
        decision.action.removes() && decision.shortfall.is_some_and(|code| codes.contains(&code))
    };
    let is_lost = if decisions.iter().any(is_unproven) {
        half(count(states), FEWEST) || half((needing, lost), FEWEST + usize::from(lost < needing))
    } else {
        half((needing, lost), FEWEST_PROVEN)
    };
    is_lost.then(|| format!("{path}: {lost} of {needing} claims that need a source would go"))
}
