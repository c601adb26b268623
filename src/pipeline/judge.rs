//! Third stage: what each source says about each claim that stands on it, and what becomes of the claim.

mod decisions;
mod judging;
mod others;
mod quality;

use std::collections::HashMap;

use self::judging::{IsNew, Judging, Verdicts};
use self::others::UnmetClaims;
pub(super) use self::quality::{is_told, notices};
use super::ask::Asked;
use super::options::Options;
use super::read::Lists;
use cited_core::claim::{Claim, ClaimPosition, kind_of};
use cited_core::decide::review::{Binder, Binding, Choice, ReviewDecision};
use cited_core::decide::{self, Action, Decision, Rewrite, UNVERIFIED};
use cited_core::page::Page;
use cited_core::shares;
use cited_core::source::SourceId;
use cited_core::verdict::Verdict;
use cited_judge::conflict::Conflict;
use cited_judge::outside::Tally;
use cited_judge::retracted::Retraction;
use cited_judge::{ClaimText, SourceText};
use cited_report::record::Around;

/// Pairs of claims and pages that are judged; where there are more, the list stays unconnected.
const MOST_JUDGED: usize = 40_000;

/// What was asked, judged: what the pages say of the claims, and what becomes of each.
pub(super) struct Judged {
    pub(super) asked: Asked,
    pub(super) verdicts: Verdicts,
    pub(super) decisions: Vec<Decision>,
    conflicts: Vec<(usize, usize, Conflict)>,
    /// The sources that say of themselves that they were retracted or withdrawn.
    pub(super) retracted: HashMap<SourceId, Retraction>,
    /// What passages hang on, on their pages, by claim and source.
    pub(super) around: HashMap<(usize, SourceId), Vec<Around>>,
    /// What decisions of reviewers on each claim are bound to.
    pub(super) bindings: Vec<Binding>,
    /// The last rewriting of the draft by these decisions.
    pub(super) rewrite: Rewrite,
}

impl Judged {
    /// The conflicts between claims that both stay.
    pub(super) fn standing_conflicts(&self) -> impl Iterator<Item = (usize, usize, &Conflict)> {
        let stands = |i: &usize| !self.decisions[*i].action.removes();
        self.conflicts.iter().filter(move |(a, b, _)| stands(a) && stands(b)).map(|(a, b, conflict)| (*a, *b, conflict))
    }

    /// With which others that stay a claim disagrees, when it stays itself, and what may explain it.
    pub(super) fn disagreements(&self, i: usize, claims: &[Claim]) -> Vec<String> {
        let own = self.standing_conflicts().filter(|(a, b, _)| *a == i || *b == i);
        let words = |(a, b, conflict): (usize, usize, &Conflict)| {
            let other = &claims[if a == i { b } else { a }];
            format!("disagrees with “{}”: {}", other.text, conflict.difference)
        };
        own.map(words).collect()
    }
}

/// Judges every claim by the pages that bear on it and decides what becomes of it.
pub(super) fn judge(asked: Asked) -> Judged {
    let mut judged = assess(asked, None);
    let asked = &mut judged.asked;
    // A run in which the judge that was asked for failed too often was not judged.
    let tally = asked.read.options.judge.as_ref().map(|panel| panel.tally()).filter(Tally::is_failed);
    let failed = tally
        .map(|tally| format!("the judge gave no usable answer to {} of {} questions", tally.failures, tally.questions));
    asked.blocked = asked.blocked.take().or(failed);
    judged
}

/// The same, of what is new where that is told.
pub(super) fn assess(asked: Asked, is_new: Option<&IsNew<'_>>) -> Judged {
    let read = &asked.read;
    let mut judging = Judging::new(&asked, is_new, &read.options);
    if read.options.support {
        let mut others = judging.collect_others();
        let own = read.sources.iter().enumerate().flat_map(|(i, sources)| sources.all().map(move |source| (i, source)));
        judging.judge(own, &mut others);
        judging.hold_against_each_other();
        judging.find_better(others);
    }
    let conflicts = judging.conflicts();
    let decide = |i: usize| judging.decide(i);
    let threads = shares::threads_for(read.document.text().len());
    let runs = shares::each_run(read.claims.len(), threads, |run| run.map(decide).collect::<Vec<_>>());
    let mut decisions: Vec<Decision> = runs.into_iter().flatten().collect();
    decide::protect(&read.document, &read.claims, &mut decisions);
    judging.hand_on(&mut decisions);
    if matches!(read.lists, Lists::Unconnected { .. }) {
        let entries = read.citations.lists.iter().flat_map(|list| &list.entries);
        let entries = entries.map(|entry| entry.span).collect();
        decide::protect_entries(&read.document, &read.claims, &entries, &mut decisions);
        // A number would point at nothing: the list stays without any.
        let anchored = decisions.iter_mut().filter(|decision| decision.action == Action::Cite);
        anchored.for_each(Decision::keep_uncited);
    }
    let bindings = apply_reviews(&asked, &judging.verdicts, is_new.is_none(), &mut decisions);
    let retracted = quality::retracted(&asked);
    quality::note(read, &retracted, &mut decisions);
    let Judging { verdicts, around, .. } = judging;
    Judged { asked, verdicts, decisions, conflicts, retracted, around, bindings, rewrite: Rewrite::default() }
}

/// Gives each claim of a draft that lists sources and cites none of them the listed source whose page says it. Where every entry is the source
/// of a claim, the draft is one with citations from here on; otherwise the list stays as it is, and no number is written beside it.
pub(super) fn connect(mut asked: Asked) -> Asked {
    let read = &asked.read;
    let Lists::Unconnected { looks_cited, .. } = &read.lists else { return asked };
    let mut listed: Vec<SourceId> = read.listed.iter().flatten().map(|id| read.registry.resolve(*id)).collect();
    listed.sort_unstable();
    listed.dedup();
    if !read.options.support || *looks_cited || listed.len() * read.claims.len() > MOST_JUDGED {
        return asked;
    }
    let options = Options { judge: None, ..read.options.clone() };
    let mut judging = Judging::new(&asked, None, &options);
    let wants = |i: &usize| {
        let claim = &read.claims[*i];
        claim.kind.is_factual() && claim.position != ClaimPosition::Figure && read.sources[*i].cited.is_empty()
    };
    let wanting: Vec<usize> = (0..read.claims.len()).filter(wants).collect();
    let pairs = wanting.iter().flat_map(|i| listed.iter().map(|source| (*i, *source)));
    judging.judge(pairs, &mut UnmetClaims::default());
    let said_by = |i: usize| listed.iter().filter(|source| judging.supports(i, **source)).copied().collect();
    let anchored: Vec<(usize, Box<[SourceId]>)> = wanting.iter().map(|i| (*i, said_by(*i))).collect();
    let read = &mut asked.read;
    for (i, sources) in anchored {
        read.sources[i].anchored = sources;
    }
    if listed.iter().all(|source| read.sources.iter().any(|sources| sources.anchored.contains(source))) {
        read.lists = Lists::Cited;
    }
    asked
}

/// Applies the decisions of reviewers. Gives what each claim is bound to. `strictly`: only on the evidence that was reviewed; in the reading of
/// a brief, whose citations are others, the words of a claim are enough.
fn apply_reviews(asked: &Asked, verdicts: &Verdicts, strictly: bool, decisions: &mut [Decision]) -> Vec<Binding> {
    let read = &asked.read;
    let review = &read.options.review;
    if !strictly && review.is_empty() {
        return Vec::new();
    }
    let mut binder = Binder::default();
    let mut bindings = Vec::with_capacity(read.claims.len());
    for (i, ((claim, sources), decision)) in read.claims.iter().zip(&read.sources).zip(decisions).enumerate() {
        let witnesses = sources.all().map(|source| witness(asked, verdicts, (i, source)));
        let binding = binder.bind(&claim.text_in_context(), witnesses);
        // What carries the mark already is marked.
        let is_marked =
            |decided: &ReviewDecision| decided.reviewed.decision == Choice::Mark && claim.text.contains(UNVERIFIED);
        if let Some(decided) = review.on(&binding, strictly)
            && !is_marked(decided)
        {
            let given: Vec<SourceId> = sources.cited.iter().chain(&sources.anchored).copied().collect();
            decided.apply(&given, decision);
        }
        bindings.push(binding);
    }
    bindings
}

/// What a source was and said of a claim: its address, outcome, verdict, and the words or the text that this rests on.
fn witness<'a>(asked: &'a Asked, verdicts: &'a Verdicts, pair: (usize, SourceId)) -> [&'a str; 4] {
    let answer = asked.answer(pair.1);
    let verdict = verdicts.get(&pair);
    let passage = verdict.and_then(|verdict| verdict.passage.as_ref()).map(|passage| passage.text.as_str());
    let whole = || answer.page.as_ref().map(|page| page.text_sha256.as_str());
    let address = asked.read.registry.get(pair.1).address.as_deref().unwrap_or_default();
    let standing = verdict.map_or("", |verdict| verdict.standing.as_str());
    [address, answer.outcome.as_str(), standing, passage.or_else(whole).unwrap_or_default()]
}

/// What a page says about a claim, by the rules, then the judge of `options`.
///
/// ```
/// use cited::{Options, Standing, judge_claim, read_page};
/// let page = read_page("<p>The ferry line runs 12 electric ferries.</p>", "fleet.html").unwrap();
/// let of = |claim| judge_claim(claim, &page, &Options::default());
/// assert_eq!(of("The line runs 12 electric ferries.").standing, Standing::Supported);
/// // A number that the page has otherwise removes a claim; so does no other check that is not exact.
/// let verdict = of("The ferry line runs 21 electric ferries.");
/// assert!(verdict.hard && verdict.standing == Standing::Contradicted);
/// assert_eq!(verdict.passage.unwrap().text, "The ferry line runs 12 electric ferries.");
/// ```
pub fn judge_claim(claim: &str, page: &Page, options: &Options) -> Verdict {
    judge_prepared(claim, &SourceText::of_page(page), options)
}

/// The same with a page that was made ready.
pub fn judge_prepared(claim: &str, source: &SourceText<'_>, options: &Options) -> Verdict {
    let verdict = cited_judge::judge(&ClaimText::new(claim, kind_of(claim)), source, &options.judging());
    options.revise(claim, verdict, source)
}
