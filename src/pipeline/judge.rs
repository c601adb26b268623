//! Third stage: what each source says about each claim that stands on it, and what becomes of the claim.

mod decisions;
mod judging;

use std::collections::{BTreeMap, HashMap, HashSet};

use super::ask::Asked;
use super::options::Options;
use super::read::Read;
use cited_core::claim::{Claim, ClaimPosition, kind_of};
use cited_core::decide::review::{Binder, Binding, Choice, ReviewDecision};
use cited_core::decide::{self, Action, Decision, Note, Rewrite, UNVERIFIED};
use cited_core::finding::Code;
use cited_core::outcome::Fate;
use cited_core::page::Page;
use cited_core::shares;
use cited_core::source::research::Rating;
use cited_core::source::{Source, SourceId};
use cited_core::verdict::Verdict;
use cited_judge::conflict::Conflict;
use cited_judge::outside::Tally;
use cited_judge::retracted::{Retraction, retraction, speaks_of_it};
use cited_judge::{ClaimText, SourceText};
use cited_report::record::Around;
use cited_text::quantity::Habit;
use cited_works::{Look, NoteKind};

/// Pairs of claims and pages that are judged; where there are more, the list stays unconnected.
const MOST_JUDGED: usize = 40_000;

/// The part of the shorter one's words that a claim and a finding of the notes share when they say the same.
const SAME: f64 = 0.5;

/// A claim, by its position, and a source that it is held against.
type Pair = (usize, SourceId);

/// Whether a claim is to be judged by a source of its own, where not all are: what nobody judged yet, in the reading of a brief.
type IsNew<'a> = dyn Fn(&Claim, &Source) -> bool + 'a;

/// What was asked, judged: what the pages say of the claims, and what becomes of each.
#[derive(Default)]
pub(super) struct Judged {
    pub(super) asked: Asked,
    /// How the draft writes decimals.
    habit: Option<Habit>,
    pub(super) verdicts: BTreeMap<Pair, Verdict>,
    /// What passages hang on, on their pages.
    pub(super) around: HashMap<Pair, Vec<Around>>,
    /// For claims whose own sources do not say it, by position, a listed one that does.
    better: HashMap<usize, SourceId>,
    pub(super) decisions: Vec<Decision>,
    conflicts: Vec<(usize, usize, Conflict)>,
    /// The sources that say of themselves that they were retracted or withdrawn.
    pub(super) retracted: HashMap<SourceId, Retraction>,
    /// What decisions of reviewers on each claim are bound to.
    pub(super) bindings: Vec<Binding>,
    /// The last rewriting of the draft by these decisions.
    pub(super) rewrite: Rewrite,
}

impl Judged {
    /// Nothing is judged yet.
    fn new(asked: Asked) -> Judged {
        let read = &asked.read;
        let own = || read.citations.held().outside(read.document.text());
        let habit = read.options.support.then(|| Habit::detect_in(&own()));
        Judged { asked, habit, ..Judged::default() }
    }

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

/// Judges every claim by the pages that bear on it, or only what `is_new`, and decides what becomes of it.
pub(super) fn judge(asked: Asked, is_new: Option<&IsNew<'_>>) -> Judged {
    let mut judged = Judged::new(asked);
    let read = &judged.asked.read;
    if read.options.support {
        let own = read.sources.iter().enumerate().flat_map(|(i, sources)| sources.all().map(move |source| (i, source)));
        let is_asked =
            |(i, source): &Pair| is_new.is_none_or(|is_new| is_new(&read.claims[*i], read.registry.get(*source)));
        let own = own.filter(is_asked).collect();
        judged.judge(own, &|_, _| true);
        judged.hold_against_each_other();
        judged.find_better();
        if is_new.is_none() {
            judged.conflicts = judged.find_conflicts();
        }
    }
    // A run in which the judge that was asked for failed too often was not judged.
    let tally = judged.asked.read.options.judge.as_ref().map(|panel| panel.tally()).filter(Tally::is_failed);
    let failed = tally
        .map(|tally| format!("the judge gave no usable answer to {} of {} questions", tally.failures, tally.questions));
    judged.asked.blocked = judged.asked.blocked.take().or(failed);
    let read = &judged.asked.read;
    let threads = shares::threads_for(read.document.text().len());
    let decide = |i: usize| judged.decide(i);
    let runs = shares::each_run(read.claims.len(), threads, |run| run.map(decide).collect::<Vec<_>>());
    let mut decisions: Vec<Decision> = runs.into_iter().flatten().collect();
    decide::protect(&read.document, &read.claims, &mut decisions);
    judged.hand_on(&mut decisions);
    if read.unconnected.is_some() {
        let entries = read.citations.lists.iter().flat_map(|list| &list.entries);
        let entries = entries.map(|entry| entry.span).collect();
        decide::protect_entries(&read.document, &read.claims, &entries, &mut decisions);
        // A number would point at nothing: the list stays without any.
        for decision in decisions.iter_mut().filter(|decision| decision.action == Action::Cite) {
            (decision.action, decision.sources) = (Action::Keep, Vec::new());
        }
    }
    let bindings = judged.apply_reviews(is_new.is_none(), &mut decisions);
    let retracted = retracted(&judged.asked);
    note(read, &retracted, &mut decisions);
    Judged { decisions, retracted, bindings, ..judged }
}

/// Gives each claim of a draft that lists sources and cites none of them the listed source whose page says it. Where every entry is the source
/// of a claim, the draft is one with citations from here on; otherwise the list stays as it is, and no number is written beside it.
pub(super) fn connect(mut asked: Asked) -> Asked {
    let read = &mut asked.read;
    let mut listed: Vec<SourceId> = read.listed.iter().flatten().map(|id| read.registry.resolve(*id)).collect();
    listed.sort_unstable();
    listed.dedup();
    let is_judged = read.unconnected.is_some() && read.options.support;
    if !is_judged || listed.len() * read.claims.len() > MOST_JUDGED || read.looks_cited {
        return asked;
    }
    // The rules alone say which pages connect.
    let judge = read.options.judge.take();
    let wants = |i: &usize| {
        let claim = &read.claims[*i];
        claim.kind.is_factual() && claim.position != ClaimPosition::Figure && read.sources[*i].cited.is_empty()
    };
    let wanting: Vec<usize> = (0..read.claims.len()).filter(wants).collect();
    let mut judged = Judged::new(asked);
    let pairs = wanting.iter().flat_map(|i| listed.iter().map(|source| (*i, *source)));
    judged.judge(pairs.collect(), &|_, _| true);
    for i in wanting {
        let said = listed.iter().copied().filter(|source| judged.supports(i, *source)).collect();
        judged.asked.read.sources[i].anchored = said;
    }
    let mut asked = judged.asked;
    let read = &mut asked.read;
    read.options.judge = judge;
    if listed.iter().all(|source| read.sources.iter().any(|sources| sources.anchored.contains(source))) {
        read.unconnected = None;
    }
    asked
}

impl Judged {
    /// Applies the decisions of reviewers. Gives what each claim is bound to. `strictly`: only on the evidence that was reviewed; in the reading of
    /// a brief, whose citations are others, the words of a claim are enough.
    fn apply_reviews(&self, strictly: bool, decisions: &mut [Decision]) -> Vec<Binding> {
        let read = &self.asked.read;
        let review = &read.options.review;
        if !strictly && review.is_empty() {
            return Vec::new();
        }
        let mut binder = Binder::default();
        let mut bindings = Vec::with_capacity(read.claims.len());
        for (i, ((claim, sources), decision)) in read.claims.iter().zip(&read.sources).zip(decisions).enumerate() {
            // What a source was and said of it: its address, outcome, verdict, and the words or the text that this rests on.
            let witnesses = sources.all().map(|source| {
                let (answer, verdict) = (self.asked.answer(source), self.verdicts.get(&(i, source)));
                let passage = verdict.and_then(|verdict| verdict.passage.as_ref()).map(|passage| passage.text.as_str());
                let whole = || answer.page.as_ref().map(|page| page.text_sha256.as_str());
                let address = read.registry.get(source).address.as_deref().unwrap_or_default();
                let standing = verdict.map_or("", |verdict| verdict.standing.as_str());
                [address, answer.outcome.as_str(), standing, passage.or_else(whole).unwrap_or_default()]
            });
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
}

/// The sources that were retracted or withdrawn, by their own word or that of an index of works.
fn retracted(asked: &Asked) -> HashMap<SourceId, Retraction> {
    let readable = asked.answers.iter().filter(|(_, answer)| answer.outcome.is_readable() && !answer.is_off_topic());
    let pages = readable.filter_map(|(id, answer)| Some((*id, answer.page.as_ref()?)));
    let own = pages.filter_map(|(id, page)| Some((id, retraction(page, &asked.read.registry.get(id).titles)?)));
    // What the page says itself counts first.
    let of_index = |look| notices(look).find(|notice| notice.fate != Fate::Corrected);
    asked.works.each().filter_map(|(id, look)| Some((id, of_index(look)?))).chain(own).collect()
}

/// What indexes say became of a work.
pub(super) fn notices(look: &Look) -> impl Iterator<Item = Retraction> {
    look.notes.iter().filter_map(|note| {
        let fate = match note.code {
            NoteKind::Retracted => Fate::Retracted,
            NoteKind::Withdrawn => Fate::Withdrawn,
            NoteKind::Doubted => Fate::Doubted,
            NoteKind::Corrected => Fate::Corrected,
            _ => return None,
        };
        let notice = note.notice.as_ref().map(|doi| format!("https://doi.org/{doi}"));
        let words = [note.words.clone(), note.date.clone(), notice].into_iter().flatten().collect::<Vec<_>>();
        Some(Retraction { fate, words: words.join(", "), by: note.by.clone() })
    })
}

/// Whether the author says so already, in the entry.
pub(super) fn is_told(read: &Read, source: SourceId) -> bool {
    read.registry.get(source).titles.iter().any(|title| speaks_of_it(title))
}

impl Read {
    /// What the research notes say of a source for a claim: of the finding of it that is most like the claim, else of the source.
    pub(super) fn rating_for(&self, source: SourceId, claim: &str) -> Option<&Rating> {
        let words = |text: &str| {
            let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
            words.map(str::to_lowercase).collect::<Vec<_>>()
        };
        let share = |finding: &str| {
            let (own, claimed) = (words(finding), words(claim));
            let shared = own.iter().filter(|word| claimed.contains(word)).count();
            shared as f64 / own.len().min(claimed.len()).max(1) as f64
        };
        let said = || self.ratings.iter().filter(|(id, ..)| self.registry.resolve(*id) == source);
        let alike = said().filter(|(_, finding, _)| !finding.is_empty());
        let alike = alike.map(|(_, finding, rating)| (share(finding), rating));
        let best = alike.filter(|(share, _)| *share >= SAME).max_by(|a, b| a.0.total_cmp(&b.0));
        let whole = || said().find(|(_, finding, _)| finding.is_empty()).map(|(.., rating)| rating);
        best.map(|(_, rating)| rating).or_else(whole)
    }
}

/// Notes what is known of the sources of the claims that stay.
fn note(read: &Read, retracted: &HashMap<SourceId, Retraction>, decisions: &mut [Decision]) {
    let untold: HashSet<SourceId> = retracted.keys().copied().filter(|source| !is_told(read, *source)).collect();
    if untold.is_empty() && read.ratings.is_empty() {
        return;
    }
    let staying = read.claims.iter().zip(&read.sources).zip(decisions);
    for ((claim, stands_on), decision) in staying.filter(|(_, decision)| !decision.action.removes()) {
        let own = &decision.sources;
        let sources: Vec<SourceId> = if own.is_empty() { stands_on.inherited.to_vec() } else { own.clone() };
        for source in sources.iter().filter(|source| untold.contains(source) && !speaks_of_it(&claim.text)) {
            let address = read.registry.get(*source).named().to_owned();
            let fate = retracted[source].fate;
            decision.note_once(Note::Told(None, format!("the source is {fate}: {address}")));
        }
        // A finding that nobody read is no worse for what was found on its page; but who reads the brief has to know.
        let doubts = sources.iter().filter_map(|source| read.rating_for(*source, &claim.text)?.doubt());
        if let Some(doubt) = doubts.min().filter(|_| claim.kind.is_factual()) {
            let told = format!("the research files call it {}", doubt.trim_matches(['[', ']']));
            decision.note_once(Note::Told(Some(Code::Noted), told));
        }
    }
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
    let verdict = cited_judge::judge(&ClaimText::new(claim, kind_of(claim)), source, &options.judging);
    options.revise(claim, verdict, source)
}
