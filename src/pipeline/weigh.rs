//! Judge and decide: what each source says about each claim that stands on it, and what becomes of the claim.

mod soften;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use memchr::memmem::Finder;

use super::Options;
use super::ask::Answers;
use super::gather::{Gathered, Lists};
use super::quality;
use crate::citation::{MarkerId, bare_address};
use crate::claim::{self, Anchoring, Claim, ClaimKind, Place, leans};
use crate::decide::policy::{Case, NamedFile, Standpoint};
use crate::decide::{self, Decision, Softenings, UNVERIFIED, without_mark};
use crate::fetch::{Fetched, Page, Supports};
use crate::judge::conflict::{self, Conflict, Said, Within};
use crate::judge::outside::Open;
use crate::judge::retracted::Retraction;
use crate::judge::verdict::{CheckKind, CheckResult};
use crate::judge::{self, ClaimText, SourceText, Verdict, artifact, made_up};
use crate::markdown::{Document, InlineKind};
use crate::quantity::{Habit, Quantity, agree, quantities};
use crate::shares;
use crate::source::SourceId;
use crate::source::research::without_label;
use crate::text::Span;
use crate::text::quotation::{FEWEST_WORDS, QuotedSource, quotations};
use crate::text::words::words;

/// Looks for the mark of an earlier run.
static UNVERIFIED_FINDER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(UNVERIFIED));

/// The verdicts of a run, by claim and source.
pub(super) type Verdicts = BTreeMap<(usize, SourceId), Verdict>;

/// Whether a text supports one of `claims`: chooses among the copies of an archive.
pub(super) fn supports_any<'c>(claims: &'c [&'c str]) -> Supports<'c> {
    Arc::new(|text| {
        let source = SourceText::new(text, "");
        claims.iter().any(|claim| {
            let verdict = judge::judge(&ClaimText::new(claim, ClaimKind::Plain), &source, &judge::Settings::default());
            verdict.standing == judge::Standing::Supported
        })
    })
}

/// What weighing gives.
pub(super) struct Weighed {
    pub(super) verdicts: Verdicts,
    pub(super) decisions: Vec<Decision>,
    pub(super) conflicts: Vec<(usize, usize, Conflict)>,
    /// What a judge proposes for claims that say more than their sources.
    pub(super) softenings: Softenings,
    /// The sources that say of themselves that they were retracted or withdrawn.
    pub(super) retracted: HashMap<SourceId, Retraction>,
}

impl Weighed {
    /// Takes softer sentences back that were to be written, and says why. Says whether there were any.
    pub(super) fn unsoften(&mut self, why: &'static str, which: impl Fn(usize) -> bool) -> bool {
        let mut any = false;
        for (i, softening) in self.softenings.iter_mut().filter(|(i, softening)| softening.written && which(**i)) {
            softening.turn(&mut self.decisions[*i]);
            softening.why_not = Some(why);
            any = true;
        }
        any
    }

    /// The conflicts between claims that both stay.
    pub(super) fn standing_conflicts(&self) -> impl Iterator<Item = (usize, usize, &Conflict)> {
        let stands = |i: &usize| !self.decisions[*i].action.removes();
        self.conflicts.iter().filter(move |(a, b, _)| stands(a) && stands(b)).map(|(a, b, conflict)| (*a, *b, conflict))
    }

    /// For each claim that stays, with which others that stay it disagrees, and what may explain it.
    pub(super) fn disagreements(&self, claims: &[Claim]) -> HashMap<usize, Vec<String>> {
        let mut of_claim: HashMap<usize, Vec<String>> = HashMap::new();
        for (a, b, conflict) in self.standing_conflicts() {
            for (one, other) in [(a, b), (b, a)] {
                let note = format!("disagrees with “{}”: {}", self.words(other, &claims[other]), conflict.difference);
                of_claim.entry(one).or_default().push(note);
            }
        }
        of_claim
    }

    /// The words of a claim as the brief has them.
    pub(super) fn words<'a>(&'a self, i: usize, claim: &'a Claim) -> &'a str {
        let written = self.softenings.get(&i).filter(|softening| softening.written);
        written.and_then(|softening| softening.sentence.as_deref()).unwrap_or(&claim.text)
    }
}

/// The sources that bear on a claim, before anything was asked.
#[derive(Debug, Clone, Default)]
pub(super) struct Bearing {
    /// Cited by its own markers.
    pub(super) cited: Box<[SourceId]>,
    /// Given by research notes, for a claim that cites nothing of its own.
    pub(super) anchored: Box<[SourceId]>,
    /// Cited by markers that speak for it from another place.
    pub(super) inherited: Box<[SourceId]>,
}

impl Bearing {
    /// All of them; one that bears in two ways comes twice.
    fn all(&self) -> impl Iterator<Item = SourceId> + '_ {
        self.cited.iter().chain(&self.anchored).chain(&self.inherited).copied()
    }
}

/// What each claim stands on.
pub(super) fn bearings(gathered: &Gathered, anchors: &HashMap<usize, Anchoring>) -> Vec<Bearing> {
    let threads = shares::threads_for(gathered.document.text().len());
    shares::each_run(gathered.claims.len(), threads, |run| bearings_of(gathered, run, anchors))
        .into_iter()
        .reduce(|mut all, mut run| {
            all.append(&mut run);
            all
        })
        .unwrap_or_default()
}

/// The same of the claims at these positions.
fn bearings_of(gathered: &Gathered, run: Range<usize>, anchors: &HashMap<usize, Anchoring>) -> Vec<Bearing> {
    let of = |markers: &[MarkerId]| {
        let mut sources = Vec::new();
        for marker in markers {
            for source in &gathered.resolved[marker.0 as usize] {
                if !sources.contains(source) {
                    sources.push(*source);
                }
            }
        }
        sources.into_boxed_slice()
    };
    // What stands over a list or beside a row speaks for many claims, one behind the other.
    let mut last: (&[MarkerId], Box<[SourceId]>) = (&[], Box::default());
    let mut bearings = Vec::with_capacity(if run.start == 0 { gathered.claims.len() } else { run.len() });
    for i in run {
        let claim = &gathered.claims[i];
        if last.0 != claim.inherited {
            last = (&claim.inherited, of(&claim.inherited));
        }
        let anchored = anchors.get(&i).into_iter().flat_map(|anchor| &anchor.sources);
        bearings.push(Bearing {
            cited: of(&claim.markers),
            inherited: last.1.clone(),
            anchored: anchored.map(|source| gathered.registry.resolve(*source)).collect(),
        });
    }
    bearings
}

/// Gives each claim of a draft that lists sources and cites none of them the listed source whose page says it. Where every entry is the source
/// of a claim, the draft is one with citations from here on; otherwise the list stays as it is, and no number is written beside it.
pub(super) fn connect(gathered: &mut Gathered, bearings: &mut [Bearing], answers: &Answers, options: &Options) {
    /// Pairs of claims and pages that are judged; where there are more, the list stays unconnected.
    const MOST_JUDGED: usize = 40_000;
    let Lists::Unconnected { looks_cited, .. } = &gathered.lists else { return };
    let mut listed: Vec<SourceId> = gathered.listed.iter().flatten().map(|id| gathered.registry.resolve(*id)).collect();
    listed.sort_unstable();
    listed.dedup();
    if !options.support || *looks_cited || listed.len() * gathered.claims.len() > MOST_JUDGED {
        return;
    }
    let options = Options { model: None, judge: None, ..options.clone() };
    let habit = Habit::of(gathered.document.text());
    let (judged, pages) = (&Judged::All, HashMap::new());
    let (made_up, measured) = (made_up_in(answers, &options), HashMap::new());
    let (made_up, verdicts, scraps) = (&made_up, Verdicts::new(), HashSet::new());
    let mut bench = Bench {
        gathered,
        habit,
        answers,
        judged,
        options: &options,
        pages,
        made_up,
        measured,
        verdicts,
        ruled: Verdicts::new(),
        scraps,
    };
    for (i, (claim, bearing)) in gathered.claims.iter().zip(bearings.iter_mut()).enumerate() {
        if !claim.kind.is_factual() || claim.place == Place::Figure || !bearing.cited.is_empty() {
            continue;
        }
        listed.iter().for_each(|source| bench.judge(i, claim, *source));
        let saying = listed.iter().filter(|source| {
            bench.verdicts.get(&(i, **source)).is_some_and(|verdict| verdict.standing == judge::Standing::Supported)
        });
        bearing.anchored = saying.copied().collect();
    }
    drop(bench);
    if listed.iter().all(|source| bearings.iter().any(|bearing| bearing.anchored.contains(source))) {
        gathered.lists = Lists::Cited;
    }
}

/// Which pairs of a claim and a source are judged, where support is judged at all.
pub(super) enum Judged<'a> {
    /// Every one.
    All,
    /// What nobody judged yet, in the reading of a brief.
    New(&'a dyn Fn(&Claim, SourceId) -> bool),
}

/// Judges every claim by the pages that bear on it and decides what becomes of it.
pub(super) fn weigh(
    gathered: &Gathered,
    bearings: &[Bearing],
    answers: &Answers,
    links: &HashMap<String, bool>,
    judged: &Judged<'_>,
    options: &Options,
) -> Weighed {
    let habit = Habit::of(gathered.document.text());
    let (pages, measured) = (HashMap::new(), HashMap::new());
    let made_up = &made_up_in(answers, options);
    let (verdicts, scraps) = (Verdicts::new(), HashSet::new());
    let mut bench = Bench {
        gathered,
        habit,
        answers,
        judged,
        options,
        pages,
        made_up,
        measured,
        verdicts,
        ruled: Verdicts::new(),
        scraps,
    };
    let mut better: HashMap<usize, SourceId> = HashMap::new();
    if options.support {
        bench.ask_ahead(bearings);
        for (i, (claim, bearing)) in gathered.claims.iter().zip(bearings).enumerate() {
            for source in bearing.all() {
                bench.judge(i, claim, source);
            }
            better.extend(bench.better_source(i, claim, bearing).map(|source| (i, source)));
        }
    }
    let conflicts = bench.conflicts(bearings);
    let decider = Decider { gathered, answers, options, links, verdicts: &bench.verdicts, better: &better };
    let threads = shares::threads_for(gathered.document.text().len());
    let mut runs = shares::each_run(bearings.len(), threads, |run| {
        // The first run takes in the others.
        let mut decisions = Vec::with_capacity(if run.start == 0 { bearings.len() } else { run.len() });
        decisions.extend(run.map(|i| decider.decide(i, &gathered.claims[i], &bearings[i])));
        decisions
    })
    .into_iter();
    let mut decisions = runs.next().unwrap_or_default();
    runs.for_each(|mut run| decisions.append(&mut run));
    decide::protect(&gathered.document, &gathered.claims, &mut decisions);
    if matches!(gathered.lists, Lists::Unconnected { .. }) {
        let entries = gathered.citations.lists.iter().flat_map(|list| &list.entries);
        let entries = entries.map(|entry| entry.span).collect();
        decide::protect_entries(&gathered.document, &gathered.claims, &entries, &mut decisions);
        // A number would point at nothing: the list stays without any.
        let anchored = decisions.iter_mut().filter(|decision| decision.action == decide::Action::Cite);
        anchored.for_each(decide::Decision::keep_uncited);
    }
    let softenings = bench.softenings(bearings, &mut decisions);
    let retracted = quality::retracted(gathered, answers);
    quality::note(gathered, bearings, &retracted, options.policy, &mut decisions);
    Weighed { verdicts: bench.verdicts, decisions, conflicts, softenings, retracted }
}

/// The parts of a page whose data were made up by its own words, and the page's text with blanks in their places.
struct MadeUp {
    parts: Vec<Span>,
    measured: String,
}

fn made_up_in(answers: &Answers, options: &Options) -> HashMap<SourceId, MadeUp> {
    if !options.support || options.policy.allow_synthetic {
        return HashMap::new();
    }
    let readable = answers.iter().filter(|(_, answer)| answer.outcome.is_readable());
    let pages = readable.filter_map(|(id, answer)| Some((*id, answer.page.as_ref()?)));
    let parts = pages.map(|(id, page)| (id, page, made_up::parts(&page.text)));
    let with_parts = parts.filter(|(_, _, parts)| !parts.is_empty());
    with_parts.map(|(id, page, parts)| (id, MadeUp { measured: blanked(&page.text, &parts), parts })).collect()
}

/// A text with blanks in the place of these parts: what stands around them keeps its place.
fn blanked(text: &str, parts: &[Span]) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut done = 0;
    for part in parts {
        kept.push_str(&text[done..part.start]);
        kept.extend(part.of(text).bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
        done = part.end;
    }
    kept.push_str(&text[done..]);
    kept
}

/// A claim's text without marks and labels: *[VERIFIED]* is a remark of the author's, and no word that a page could have.
fn bare(text: &str) -> String {
    let text = without_mark(text);
    let bare = text.contains('[').then(|| without_label(&text)).filter(|(_, label)| label.is_some());
    bare.map_or_else(|| text.to_string(), |(bare, _)| bare)
}

/// Whether a page has next to no text.
fn is_scrap(page: &SourceText<'_>) -> bool {
    /// Pages of fewer words are.
    const SCRAP: usize = 12;
    page.index.text().split_whitespace().count() < SCRAP
}

struct Bench<'a> {
    gathered: &'a Gathered,
    /// How the draft writes decimals.
    habit: Habit,
    answers: &'a Answers,
    judged: &'a Judged<'a>,
    options: &'a Options,
    /// Pages made ready for judging, once each.
    pages: HashMap<SourceId, Arc<SourceText<'a>>>,
    /// What of them is made up by their own words …
    made_up: &'a HashMap<SourceId, MadeUp>,
    /// … and the pages without that, made ready where a claim needs it.
    measured: HashMap<SourceId, Arc<SourceText<'a>>>,
    verdicts: Verdicts,
    /// What rules and model say of pairs that the judge was asked about ahead.
    ruled: Verdicts,
    /// What failed a hard check by a page of next to no text.
    scraps: HashSet<(usize, SourceId)>,
}

impl<'a> Bench<'a> {
    fn page(&mut self, source: SourceId) -> Option<Arc<SourceText<'a>>> {
        let answers: &'a Answers = self.answers;
        let page = answers.get(&source)?.page.as_ref()?;
        let gathered = self.gathered;
        let prepared =
            self.pages.entry(source).or_insert_with(|| prepared(gathered, source, page, &page.text, page.complete));
        Some(prepared.clone())
    }

    /// The page without what it calls made up. What it then lacks proves nothing.
    fn measured(&mut self, source: SourceId) -> Option<Arc<SourceText<'a>>> {
        let answers: &'a Answers = self.answers;
        let page = answers.get(&source)?.page.as_ref()?;
        let made_up: &'a MadeUp = self.made_up.get(&source)?;
        let gathered = self.gathered;
        let text = &made_up.measured;
        Some(self.measured.entry(source).or_insert_with(|| prepared(gathered, source, page, text, false)).clone())
    }

    /// Takes back what a verdict rests on when the page itself says that it was made up: it neither supports nor contradicts a claim that
    /// does not say so, too. What the rest of the page says stands.
    fn without_made_up(&mut self, claim: &Claim, source: SourceId, verdict: Verdict) -> Verdict {
        let Some(made_up) = self.made_up.get(&source) else { return verdict };
        let rests = |passage: Span| made_up.parts.iter().any(|part| part.overlaps(passage));
        let is_of_it = verdict.passage.as_ref().is_some_and(|passage| rests(passage.offsets));
        if !is_of_it || made_up::is_of_made_up(&claim.text_in_context()) {
            return verdict;
        }
        if let Some(page) = self.measured(source) {
            let rest = self.verdict(&claim.text_in_context(), claim.kind, &page, &judge::Settings::default());
            let stands = rest.passage.as_ref().is_some_and(|passage| !rests(passage.offsets));
            if stands && (rest.standing == judge::Standing::Supported || rest.hard) {
                return rest;
            }
        }
        let reason = "only in a part of the page that calls its data made up".to_owned();
        Verdict { standing: judge::Standing::Unverifiable, hard: false, confidence: 0.0, reason, ..verdict }
    }

    fn judge(&mut self, i: usize, claim: &Claim, source: SourceId) {
        if self.verdicts.contains_key(&(i, source)) {
            return;
        }
        if !self.is_judged(claim, source) {
            return;
        }
        if let Some(page) = self.page(source) {
            let (text, settings) = (bare(&claim.text_in_context()), judge::Settings::default());
            let ruled = self.ruled.remove(&(i, source));
            let ruled = ruled.unwrap_or_else(|| self.by_rules(&text, claim.kind, &page, &settings));
            let mut verdict = self.revised(&text, ruled, &page, &settings);
            verdict = self.without_made_up(claim, source, verdict);
            // What a page about something else lacks proves nothing: it may be the wrong page.
            let off_topic = self.answers.get(&source).is_some_and(|answer| answer.is_off_topic());
            if off_topic && verdict.standing != judge::Standing::Supported {
                verdict.standing = judge::Standing::Unverifiable;
                verdict.hard = false;
                "the page is about something else".clone_into(&mut verdict.reason);
            }
            // Nor what next to no text lacks that has nothing of the claim: the page may not have been there when it was read.
            if verdict.hard
                && verdict.standing == judge::Standing::Unverifiable
                && verdict.passage.is_none()
                && is_scrap(&page)
            {
                verdict.hard = false;
                self.scraps.insert((i, source));
            }
            self.verdicts.insert((i, source), verdict);
        }
    }

    /// What a page says about a text, with the model and the judge that the user lends.
    fn verdict(&self, text: &str, kind: ClaimKind, page: &SourceText<'_>, settings: &judge::Settings) -> Verdict {
        let text = &bare(text);
        self.revised(text, self.by_rules(text, kind, page, settings), page, settings)
    }

    /// The same of a bare text, by rules and the model alone.
    fn by_rules(&self, text: &str, kind: ClaimKind, page: &SourceText<'_>, settings: &judge::Settings) -> Verdict {
        let model = self.options.model.as_deref();
        judge::judge_with(&ClaimText::new(text, kind).written_by(self.habit), page, settings, model)
    }

    fn revised(&self, text: &str, verdict: Verdict, page: &SourceText<'_>, settings: &judge::Settings) -> Verdict {
        match &self.options.judge {
            Some(panel) => panel.revise(text, verdict, page, settings),
            None => verdict,
        }
    }

    /// Whether a claim is judged by a source at all.
    fn is_judged(&self, claim: &Claim, source: SourceId) -> bool {
        let readable = self.answers.get(&source).is_some_and(|answer| answer.outcome.is_readable());
        let states = claim.kind.is_factual() || claim.kind == ClaimKind::Hedged;
        let wanted = match self.judged {
            Judged::New(is_new) => is_new(claim, source),
            Judged::All => true,
        };
        readable && states && wanted
    }

    /// Asks the judge of the user's about all pairs, several at once.
    fn ask_ahead(&mut self, bearings: &[Bearing]) {
        let Some(panel) = self.options.judge.clone() else { return };
        let gathered = self.gathered;
        let mut open: Vec<(String, (usize, SourceId), Arc<SourceText<'a>>)> = Vec::new();
        for (i, (claim, bearing)) in gathered.claims.iter().zip(bearings).enumerate() {
            for source in bearing.all() {
                if self.ruled.contains_key(&(i, source)) || !self.is_judged(claim, source) {
                    continue;
                }
                let Some(page) = self.page(source) else { continue };
                let text = bare(&claim.text_in_context());
                let ruled = self.by_rules(&text, claim.kind, &page, &judge::Settings::default());
                self.ruled.insert((i, source), ruled);
                open.push((text, (i, source), page));
            }
        }
        let asked = open
            .iter()
            .filter_map(|(claim, pair, source)| Some(Open { claim, verdict: self.ruled.get(pair)?, source }));
        panel.ask_ahead(&asked.collect::<Vec<_>>());
    }

    /// A listed source that is not cited and says it, when nothing that is cited does.
    fn better_source(&mut self, i: usize, claim: &Claim, bearing: &Bearing) -> Option<SourceId> {
        let cited = &bearing.cited;
        if cited.is_empty() {
            return None;
        }
        // Only when every cited source is gone or was found wanting by a hard check is another one looked for.
        let wanting = |source: &SourceId| match self.answers.get(source) {
            Some(answer) if answer.outcome.is_proven_dead() => true,
            Some(answer) if answer.outcome.is_readable() => self
                .verdicts
                .get(&(i, *source))
                .is_some_and(|verdict| verdict.hard && verdict.standing != judge::Standing::Supported),
            _ => false,
        };
        // That a page of next to no text lacks it takes nothing from the claim; but where another source says it word for word, that is the one.
        let is_scrap = |source: &SourceId| self.scraps.contains(&(i, *source));
        let whole = cited.iter().any(is_scrap);
        let wanting = |source: &SourceId| wanting(source) || is_scrap(source);
        if !cited.iter().all(wanting) {
            return None;
        }
        // Only a number or a quotation that is found carries a claim to a source that it does not cite.
        let claimed: Vec<Quantity> = quantities(&claim.text).into_iter().filter(Quantity::is_measured).collect();
        let quoted: Vec<&str> = quotations(&claim.text)
            .into_iter()
            .filter(|quotation| quotation.words >= FEWEST_WORDS)
            .map(|quotation| quotation.inner.of(&claim.text))
            .collect();
        if claimed.is_empty() && quoted.is_empty() {
            return None;
        }
        let mut others: Vec<SourceId> = self.gathered.listed.iter().flatten().copied().collect();
        others.sort_unstable();
        others.dedup();
        others.retain(|source| !cited.contains(source));
        let mut best: Option<(f64, SourceId)> = None;
        for source in others {
            let Some(page) = self.page(source) else { continue };
            let held = page.index.quantities();
            let numbers = || claimed.iter().all(|claimed| held.iter().any(|held| agree(claimed, held)));
            let words = || {
                let source = QuotedSource::new(page.index.text(), page.index.folded());
                quoted.iter().any(|quotation| source.holds(quotation))
            };
            if !(!claimed.is_empty() && numbers() || words()) {
                continue;
            }
            self.judge(i, claim, source);
            let Some(verdict) = self.verdicts.get(&(i, source)) else { continue };
            let says =
                verdict.hard && verdict.standing == judge::Standing::Supported || has_all_of_it(&claim.text, verdict);
            // What *board E* says is not what *the report of board D* says.
            let carries = says
                && (!whole || is_word_for_word(&claim.text, verdict))
                && !judge::speaks_for_another(&claim.text, &page);
            if carries && best.is_none_or(|(confidence, _)| verdict.confidence > confidence) {
                best = Some((verdict.confidence, source));
            }
            if !carries {
                self.verdicts.remove(&(i, source));
            }
        }
        best.map(|(_, source)| source)
    }

    /// Pairs of claims whose sources disagree about the same quantity.
    fn conflicts(&self, bearings: &[Bearing]) -> Vec<(usize, usize, Conflict)> {
        if !self.options.support || matches!(self.judged, Judged::New(_)) {
            return Vec::new();
        }
        let carried: Vec<(usize, Said<'_>)> = self
            .gathered
            .claims
            .iter()
            .enumerate()
            .filter(|(i, claim)| {
                claim.kind.must_have_source() && (!bearings[*i].cited.is_empty() || !bearings[*i].anchored.is_empty())
            })
            .map(|(i, claim)| (i, said(&self.gathered.document, claim)))
            .collect();
        let said: Vec<Said<'_>> = carried.iter().map(|(_, said)| *said).collect();
        conflict::conflicts(&said)
            .into_iter()
            .map(|(a, b, conflict)| (carried[a].0, carried[b].0, conflict))
            .filter(|(a, b, _)| !same_sources(&bearings[*a], &bearings[*b]))
            .collect()
    }
}

/// A text of a page, made ready for judging by it.
fn prepared<'a>(
    gathered: &Gathered,
    source: SourceId,
    page: &'a Page,
    text: &'a str,
    complete: bool,
) -> Arc<SourceText<'a>> {
    // The words of an address say what the page is about: `…/ggreer/the_silver_searcher/releases`.
    let address = gathered.registry.get(source).address.as_deref().unwrap_or_default();
    let address = address.replace(|c: char| !c.is_alphanumeric(), " ");
    let text = SourceText::new(text, page.text_sha256.as_str()).complete(complete).about(&address);
    Arc::new(match &page.title {
        Some(title) => text.about(title),
        None => text,
    })
}

/// Whether a page that supports a claim only weakly, by its words, has all its numbers and quotations for the same thing. Beside
/// sources of which each was found wanting that is where the claim comes from.
fn has_all_of_it(claim: &str, verdict: &Verdict) -> bool {
    /// Of less sure ones nothing is known.
    const SURE: f64 = 0.4;
    let mut hard =
        verdict.checks.iter().filter(|c| matches!(c.kind, CheckKind::Quantity | CheckKind::Quotation)).peekable();
    let words_only = verdict.standing == judge::Standing::Weak && verdict.reason == judge::LIKE;
    let otherwise = verdict.checks.iter().any(|check| matches!(check.result, CheckResult::Differs { .. }));
    // The same number of another archive is another number.
    let Some(passage) = &verdict.passage else { return false };
    let there: Vec<u64> = words(&passage.text).map(|word| word.key).collect();
    let named = words(claim).filter(|word| word.capital && !word.stop).all(|word| there.contains(&word.key));
    words_only
        && named
        && !otherwise
        && verdict.confidence >= SURE
        && hard.peek().is_some()
        && hard.all(|check| check.result == CheckResult::Agrees)
}

/// Whether the words of a claim stand in the passage as they do in it.
fn is_word_for_word(claim: &str, verdict: &Verdict) -> bool {
    let claimed: Vec<u64> = words(claim).map(|word| word.key).collect();
    let there = verdict.passage.iter().flat_map(|passage| words(&passage.text)).map(|word| word.key);
    let there: Vec<u64> = there.collect();
    !claimed.is_empty() && there.windows(claimed.len()).any(|window| window == claimed)
}

/// A claim as it is held against others.
fn said<'a>(document: &Document, claim: &'a Claim) -> Said<'a> {
    let fragment = claim.place == Place::Item && !claim.text.ends_with(['.', '!', '。', '！']);
    let within = match &claim.context {
        Some(cell) => Within::Cell(cell),
        // An item of a list is named by what the list stands under.
        None if fragment => Within::Block(document.ancestors(claim.block).nth(1).unwrap_or(claim.block)),
        None if leans(&claim.text) => Within::Block(claim.block),
        None => Within::Document,
    };
    Said { text: &claim.text, within }
}

/// What a source is and says, with its verdict on a claim.
fn standpoint<'a>(
    gathered: &'a Gathered,
    answers: &'a Answers,
    source: SourceId,
    verdict: Option<&'a Verdict>,
) -> Standpoint<'a> {
    let answer = answers.get(&source).map(Arc::as_ref);
    let known = gathered.registry.get(source);
    Standpoint {
        source,
        address: known.address.as_deref().unwrap_or_else(|| known.titles.first().map_or("", String::as_str)),
        outcome: answer.map_or(crate::fetch::Outcome::Unasked, |answer| answer.outcome),
        why: answer.map_or("not asked", |answer: &Fetched| &answer.reason),
        whole: answer.and_then(|answer| answer.page.as_ref()).is_some_and(|page| page.complete),
        verdict,
    }
}

/// Decides on each claim by itself.
struct Decider<'a> {
    gathered: &'a Gathered,
    answers: &'a Answers,
    options: &'a Options,
    /// Whether the links of the prose are not proven dead.
    links: &'a HashMap<String, bool>,
    verdicts: &'a Verdicts,
    /// For claims whose own sources do not say it, by position, a listed one that does.
    better: &'a HashMap<usize, SourceId>,
}

impl Decider<'_> {
    fn standpoint(&self, i: usize, source: SourceId) -> Standpoint<'_> {
        standpoint(self.gathered, self.answers, source, self.verdicts.get(&(i, source)))
    }

    fn decide(&self, i: usize, claim: &Claim, bearing: &Bearing) -> Decision {
        let all = |sources: &[SourceId]| sources.iter().map(|source| self.standpoint(i, *source)).collect::<Vec<_>>();
        let no_citation = bearing.cited.is_empty();
        let marked = UNVERIFIED_FINDER.find(claim.text.as_bytes()).is_some();
        // What the claim names or links to itself matters only where no citation speaks for it.
        let unresolved = self.gathered.unresolved_of(claim);
        let elsewhere = !bearing.inherited.is_empty() && unresolved.is_empty() && !marked;
        let alone = no_citation && bearing.anchored.is_empty() && !elsewhere;
        let is_gone = |source: &SourceId| self.standpoint(i, *source).outcome.is_proven_dead();
        let living_caption = !bearing.inherited.iter().all(is_gone);
        let case = Case {
            cited: all(&bearing.cited),
            anchored: all(&bearing.anchored),
            inherited: all(&bearing.inherited),
            unresolved,
            miscited: self.better.get(&i).map(|source| self.standpoint(i, *source)),
            artifact: if alone { self.artifact(claim) } else { NamedFile::None },
            linked: alone && claim.kind.is_factual() && self.is_linked(claim),
            dead_clause: self.dead_clause(i, claim, bearing),
            has_notes: self.gathered.notes.iter().any(|note| !note.sources.is_empty()),
            ambiguous: self.gathered.ambiguous.contains(&i),
            marked,
            fake_certainty: match claim.kind {
                ClaimKind::Certainty if alone => judge::certainty::certainty_word(&claim.text),
                ClaimKind::Certainty if !no_citation => self.unrecorded(claim, bearing),
                _ => None,
            },
            no_provenance: claim.place == Place::Figure && self.lacks_provenance(i, claim, living_caption),
        };
        decide::policy::decide(claim, case, self.options.policy)
    }

    /// The sources of the first clause with citations of its own that only dead ones back, where others of the sentence are backed by more.
    fn dead_clause(&self, i: usize, claim: &Claim, bearing: &Bearing) -> Vec<Standpoint<'_>> {
        let is_gone = |source: &SourceId| self.standpoint(i, *source).outcome.is_proven_dead();
        let gone = bearing.cited.iter().filter(|source| is_gone(source)).count();
        if gone == 0 || gone == bearing.cited.len() {
            return Vec::new();
        }
        let clauses = claim::markers_by_clause(&self.gathered.document, &self.gathered.citations, claim);
        let sources = |markers: &Vec<MarkerId>| {
            let mut all: Vec<SourceId> = Vec::new();
            for source in markers.iter().flat_map(|marker| &self.gathered.resolved[marker.0 as usize]) {
                if !all.contains(source) {
                    all.push(*source);
                }
            }
            all
        };
        let dead = clauses.iter().map(sources).find(|sources| !sources.is_empty() && sources.iter().all(is_gone));
        dead.into_iter().flatten().map(|source| self.standpoint(i, source)).collect()
    }

    /// The word of a cited claim that says that its subject was checked, when none of the pages that it cites has such a word.
    fn unrecorded(&self, claim: &Claim, bearing: &Bearing) -> Option<String> {
        let pages: Vec<&str> = bearing
            .cited
            .iter()
            .filter_map(|source| Some(self.answers.get(source)?.page.as_ref()?.text.as_str()))
            .collect();
        let records = |page: &&str| judge::certainty::certainty_word(page).is_some();
        judge::certainty::checked_word(&claim.text).filter(|_| !pages.iter().any(records))
    }

    /// Whether a figure that stands alone says nothing of its data: its caption calls it an illustration, or it is a file
    /// beside the draft that no research file names. A picture from the web has its own address.
    ///
    /// A citation that is there speaks for it, but not for data that it says were made up, unless the source has them.
    fn lacks_provenance(&self, i: usize, claim: &Claim, living_caption: bool) -> bool {
        let document = &self.gathered.document;
        let alone = document.inlines(claim.block).iter().all(|inline| {
            matches!(inline.kind, InlineKind::Image(_) | InlineKind::SoftBreak | InlineKind::HardBreak)
                || claim.span.contains(inline.span)
        });
        if !alone || claim.text.is_empty() {
            return false;
        }
        let caption = self.gathered.claims.get(i + 1).filter(|next| next.captions && next.place != Place::Figure);
        let made_up =
            artifact::is_made_up(&claim.text) || caption.is_some_and(|caption| artifact::is_made_up(&caption.text));
        if made_up {
            let markers = caption.into_iter().flat_map(|caption| &caption.markers);
            let mut sources = markers.flat_map(|marker| &self.gathered.resolved[marker.0 as usize]);
            let holds = |source: &SourceId| {
                self.verdicts
                    .get(&(i + 1, *source))
                    .is_some_and(|verdict| verdict.standing == judge::Standing::Supported)
            };
            return !sources.any(holds);
        }
        if living_caption {
            return false;
        }
        // A logo, a photograph, a screenshot shows no data that anybody measured.
        let shows_data = claim::calls_it_a_chart(&claim.text)
            || caption.is_some_and(|caption| claim::calls_it_a_chart(&caption.text))
            || caption.is_some() && !document.links_in(claim.span).iter().all(|link| is_photograph(&link.address));
        if !shows_data || self.has_source_line(claim) {
            return false;
        }
        let local = document.links_in(claim.span).iter().filter(|link| link.image && !link.address.contains("://"));
        let unnamed = local.filter(|image| !self.gathered.notes.iter().any(|note| note.text.contains(&image.address)));
        artifact::is_synthetic(&claim.text) || unnamed.count() > 0
    }

    /// Whether a figure, or the line behind it or its caption, says where it is from: *Source: World Bank*.
    fn has_source_line(&self, figure: &Claim) -> bool {
        let document = &self.gathered.document;
        let siblings = match document.block(figure.block).parent {
            Some(parent) => document.block(parent).children.as_slice(),
            None => document.roots(),
        };
        let Ok(at) = siblings.binary_search(&figure.block) else { return false };
        // Its own paragraph, the one behind it, and the one behind its caption.
        let captioned =
            self.gathered.claims.iter().any(|claim| claim.captions && siblings.get(at + 1) == Some(&claim.block));
        let beside = &siblings[at..(at + if captioned { 3 } else { 2 }).min(siblings.len())];
        let mut lines = beside.iter().filter(|block| document.block(**block).is_leaf());
        lines.any(|block| {
            let written = document.slice(document.content_span(*block)).replace(['*', '_'], "");
            claim::names_its_source(&written)
        })
    }

    /// A file that the claim names and that holds its value, else one that could not be read.
    fn artifact(&self, claim: &Claim) -> NamedFile {
        let mut found = NamedFile::None;
        for path in artifact::named_files(&claim.text) {
            match (self.options.artifact)(&path) {
                Some(Ok(text)) if artifact::file_carries(&claim.text, &path, &text) => return NamedFile::Carries(path),
                Some(Err(why)) if found == NamedFile::None => found = NamedFile::Unread { path, why },
                _ => {}
            }
        }
        found
    }

    /// Whether the claim has a link of its own to a page that is not known to be dead.
    fn is_linked(&self, claim: &Claim) -> bool {
        let document = &self.gathered.document;
        let lives = |address: &str| self.links.get(address).copied().unwrap_or(false);
        let bare = || bare_address::bare_within(document, claim.block, claim.span).into_iter();
        document.links_in(claim.span).iter().any(|link| !link.image && lives(&link.address))
            || bare().any(|(_, address)| lives(&address))
    }
}

/// Whether an address is that of a photograph, by the format that cameras write.
fn is_photograph(address: &str) -> bool {
    let path = Path::new(address.split(['?', '#']).next().unwrap_or(address));
    let format = path.extension().and_then(|format| format.to_str()).unwrap_or_default();
    ["jpg", "jpeg", "heic"].iter().any(|camera| format.eq_ignore_ascii_case(camera))
}

fn same_sources(a: &Bearing, b: &Bearing) -> bool {
    let sources = |bearing: &Bearing| {
        let mut all: Vec<SourceId> = bearing.cited.iter().chain(&bearing.anchored).copied().collect();
        all.sort_unstable();
        all
    };
    sources(a) == sources(b)
}
