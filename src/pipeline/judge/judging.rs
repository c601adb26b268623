//! Holds claims against pages: what each source says about each claim that stands on it.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::assessment::Verdicts;
use super::made_up::MadeUp;
use crate::pipeline::ask::Asked;
use crate::pipeline::options::Options;
use crate::pipeline::read::{ClaimSources, Read};
use cited_core::claim::{Claim, ClaimKind, Place, leans};
use cited_core::decide::without_mark;
use cited_core::markdown::Document;
use cited_core::outcome::Fetched;
use cited_core::page::Page;
use cited_core::source::SourceId;
use cited_core::source::research::without_label;
use cited_core::verdict::Verdict;
use cited_core::verdict::{CheckKind, CheckResult};
use cited_judge::conflict::{self, Conflict, Said, Within};
use cited_judge::evidence::ContextKind;
use cited_judge::evidence::search::terms;
use cited_judge::outside::Open;
use cited_judge::{ClaimText, SourceText, made_up};
use cited_report::record::Around;
use cited_text::quantity::{Habit, Quantity, agree, quantities};
use cited_text::quotation::{FEWEST_WORDS, QuotedSource, quotations};
use cited_text::words::words;
use cited_text::{Span, escape};

/// Which pairs of a claim and a source are judged, where support is judged at all.
pub(in crate::pipeline) enum Pairs<'a> {
    /// Every one.
    All,
    /// What nobody judged yet, in the reading of a brief.
    New(&'a dyn Fn(&Claim, SourceId) -> bool),
}

/// A claim's text without marks and labels: `[VERIFIED]` is a remark of the author's, and no word that a page could have.
fn bare(text: &str) -> String {
    let text = without_mark(text);
    let bare = text.contains('[').then(|| without_label(&text)).filter(|(_, label)| label.is_some());
    bare.map_or_else(|| text.to_string(), |(bare, _)| bare)
}

/// Listed sources that a claim does not cite and is held against, once its own are found wanting.
const MOST_OTHERS: usize = 24;

/// Whether a page has next to no text.
fn is_scrap(page: &SourceText<'_>) -> bool {
    /// Pages of fewer words are.
    const SCRAP: usize = 12;
    page.index.text().split_whitespace().count() < SCRAP
}

/// Holds claims against pages, each pair once.
pub(super) struct Judging<'a> {
    pub(super) asked: &'a Asked,
    /// How the draft writes decimals.
    habit: Habit,
    pub(super) options: &'a Options,
    /// Which pairs are judged.
    pairs: &'a Pairs<'a>,
    /// Pages made ready for judging, once each.
    pages: HashMap<SourceId, Arc<SourceText<'a>>>,
    /// What of them is made up by their own words …
    made_up: &'a HashMap<SourceId, MadeUp>,
    /// … and the pages without that, made ready where a claim needs it.
    measured: HashMap<SourceId, Arc<SourceText<'a>>>,
    pub(super) verdicts: Verdicts,
    /// What the rules say of pairs that the judge was asked about ahead.
    ruled: Verdicts,
    /// What failed a hard check by a page of next to no text.
    scraps: HashSet<(usize, SourceId)>,
}

impl<'a> Judging<'a> {
    /// Nothing is judged yet. `made_up` are the parts of the pages that count for nothing.
    pub(super) fn new(
        asked: &'a Asked,
        pairs: &'a Pairs<'a>,
        made_up: &'a HashMap<SourceId, MadeUp>,
        options: &'a Options,
    ) -> Self {
        Judging {
            asked,
            habit: Habit::of(asked.read.document.text()),
            options,
            pairs,
            pages: HashMap::new(),
            made_up,
            measured: HashMap::new(),
            verdicts: Verdicts::new(),
            ruled: Verdicts::new(),
            scraps: HashSet::new(),
        }
    }

    pub(super) fn page(&mut self, source: SourceId) -> Option<Arc<SourceText<'a>>> {
        let asked: &'a Asked = self.asked;
        let page = asked.answer(source)?.page.as_ref()?;
        let prepared = self
            .pages
            .entry(source)
            .or_insert_with(|| prepared(&asked.read, source, page, &page.text, page.is_whole()));
        Some(prepared.clone())
    }

    /// The page without what it calls made up. What it then lacks proves nothing.
    fn measured(&mut self, source: SourceId) -> Option<Arc<SourceText<'a>>> {
        let asked: &'a Asked = self.asked;
        let page = asked.answer(source)?.page.as_ref()?;
        let made_up: &'a MadeUp = self.made_up.get(&source)?;
        let text = &made_up.measured;
        Some(self.measured.entry(source).or_insert_with(|| prepared(&asked.read, source, page, text, false)).clone())
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
            let rest = self.verdict(&claim.text_in_context(), claim.kind, &page);
            let stands = rest.passage.as_ref().is_some_and(|passage| !rests(passage.offsets));
            if stands && (rest.standing == cited_judge::Standing::Supported || rest.hard) {
                return rest;
            }
        }
        let reason = "only in a part of the page that calls its data made up".to_owned();
        Verdict { standing: cited_judge::Standing::Unverifiable, hard: false, confidence: 0.0, reason, ..verdict }
    }

    pub(super) fn judge(&mut self, i: usize, claim: &Claim, source: SourceId) {
        if self.verdicts.contains_key(&(i, source)) {
            return;
        }
        if !self.is_judged(claim, source) {
            return;
        }
        if let Some(page) = self.page(source) {
            let text = bare(&claim.text_in_context());
            let ruled = self.ruled.remove(&(i, source));
            let ruled = ruled.unwrap_or_else(|| self.by_rules(&text, claim.kind, &page));
            let mut verdict = self.revised(&text, ruled, &page);
            verdict = self.without_made_up(claim, source, verdict);
            // What a page about something else lacks proves nothing: it may be the wrong page.
            let off_topic = self.asked.answer(source).is_some_and(Fetched::is_off_topic);
            if off_topic && verdict.standing != cited_judge::Standing::Supported {
                verdict.standing = cited_judge::Standing::Unverifiable;
                verdict.hard = false;
                "the page is about something else".clone_into(&mut verdict.reason);
            }
            // Nor what next to no text lacks that has nothing of the claim: the page may not have been there when it was read.
            if verdict.hard
                && verdict.standing == cited_judge::Standing::Unverifiable
                && verdict.passage.is_none()
                && is_scrap(&page)
            {
                verdict.hard = false;
                self.scraps.insert((i, source));
            }
            self.verdicts.insert((i, source), verdict);
        }
    }

    /// Where each source of a claim says a part of it, each lacks the others.
    pub(super) fn share_out(&mut self, i: usize, claim: &Claim) {
        let verdicts = self.verdicts.range_mut((i, SourceId(0))..=(i, SourceId(u32::MAX)));
        conflict::hold_against_each_other(&bare(&claim.text_in_context()), verdicts.map(|(_, verdict)| verdict));
    }

    /// What a page says about a text, with the judge that the user lends.
    fn verdict(&self, text: &str, kind: ClaimKind, page: &SourceText<'_>) -> Verdict {
        let text = &bare(text);
        self.revised(text, self.by_rules(text, kind, page), page)
    }

    /// The same of a bare text, by rules alone.
    fn by_rules(&self, text: &str, kind: ClaimKind, page: &SourceText<'_>) -> Verdict {
        cited_judge::judge(&ClaimText::new(text, kind).written_by(self.habit), page, &self.options.judging())
    }

    fn revised(&self, text: &str, verdict: Verdict, page: &SourceText<'_>) -> Verdict {
        match &self.options.judge {
            Some(panel) => panel.revise(text, verdict, page, &self.options.judging()),
            None => verdict,
        }
    }

    /// Whether a claim is judged by a source at all.
    fn is_judged(&self, claim: &Claim, source: SourceId) -> bool {
        let readable = self.asked.answer(source).is_some_and(|answer| answer.outcome.is_readable());
        let states = claim.kind.is_factual() || claim.kind == ClaimKind::Hedged;
        let wanted = match self.pairs {
            Pairs::New(is_new) => is_new(claim, source),
            Pairs::All => true,
        };
        readable && states && wanted
    }

    /// Asks the judge of the user's about all pairs, several at once.
    pub(super) fn ask_ahead(&mut self) {
        let Some(panel) = self.options.judge.clone() else { return };
        let read = &self.asked.read;
        let mut open: Vec<(String, (usize, SourceId), Arc<SourceText<'a>>)> = Vec::new();
        for (i, (claim, sources)) in read.claims.iter().zip(&read.sources).enumerate() {
            for source in sources.all() {
                if self.ruled.contains_key(&(i, source)) || !self.is_judged(claim, source) {
                    continue;
                }
                let Some(page) = self.page(source) else { continue };
                let text = bare(&claim.text_in_context());
                let ruled = self.by_rules(&text, claim.kind, &page);
                self.ruled.insert((i, source), ruled);
                open.push((text, (i, source), page));
            }
        }
        let asked = open.iter().map(|(claim, _, source)| Open { claim, source });
        panel.ask_ahead(&asked.collect::<Vec<_>>());
    }

    /// A listed source that is not cited and says it, when nothing that is cited does: asked of a bounded number, lest the time grow with claims
    /// times sources.
    pub(super) fn better_source(&mut self, i: usize, claim: &Claim, sources: &ClaimSources) -> Option<SourceId> {
        let cited = &sources.cited;
        if cited.is_empty() {
            return None;
        }
        // Only when every cited source is gone or was found wanting by a hard check is another one looked for.
        let wanting = |source: &SourceId| match self.asked.answer(*source) {
            Some(answer) if answer.outcome.is_proven_dead() => true,
            Some(answer) if answer.outcome.is_readable() => self
                .verdicts
                .get(&(i, *source))
                .is_some_and(|verdict| verdict.hard && verdict.standing != cited_judge::Standing::Supported),
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
        let mut others: Vec<SourceId> = self.asked.read.listed.iter().flatten().copied().collect();
        others.sort_unstable();
        others.dedup();
        // A page about something else is no better source: cited for one claim more, it would be judged as another page.
        let is_off_topic = |source: &SourceId| self.asked.answer(*source).is_some_and(Fetched::is_off_topic);
        others.retain(|source| !cited.contains(source) && !is_off_topic(source));
        let terms = terms(&claim.text);
        let mut holding: Vec<(Reverse<usize>, SourceId, Arc<SourceText<'a>>)> = Vec::new();
        for source in others {
            let Some(page) = self.page(source) else { continue };
            let held = page.index.quantities();
            let numbers = || claimed.iter().all(|claimed| held.iter().any(|held| agree(claimed, held)));
            let words = || {
                let source = QuotedSource::new(page.index.text(), page.index.folded());
                quoted.iter().any(|quotation| source.holds(quotation))
            };
            if !claimed.is_empty() && numbers() || words() {
                let shared = terms.iter().filter(|term| page.index.has(term.key)).count();
                holding.push((Reverse(shared), source, page));
            }
        }
        // Where a list has hundreds of pages with its number, the ones that have most of its words are asked.
        holding.sort_by_key(|(shared, source, _)| (*shared, *source));
        holding.truncate(MOST_OTHERS);
        holding.sort_by_key(|(_, source, _)| *source);
        let mut best: Option<(f64, SourceId)> = None;
        for (_, source, _) in holding {
            self.judge(i, claim, source);
            let Some(verdict) = self.verdicts.get(&(i, source)) else { continue };
            let says = verdict.hard && verdict.standing == cited_judge::Standing::Supported
                || has_all_of_it(&claim.text, verdict);
            let carries = says && (!whole || is_word_for_word(&claim.text, verdict));
            if carries && best.is_none_or(|(confidence, _)| verdict.confidence > confidence) {
                best = Some((verdict.confidence, source));
            }
            if !carries {
                self.verdicts.remove(&(i, source));
            }
        }
        best.map(|(_, source)| source)
    }

    /// What the passages that were found hang on, on their pages.
    pub(super) fn around(&self) -> HashMap<(usize, SourceId), Vec<Around>> {
        if matches!(self.pairs, Pairs::New(_)) {
            return HashMap::new();
        }
        let of = |(pair, verdict): (&(usize, SourceId), &Verdict)| {
            let passage = verdict.passage.as_ref()?.offsets;
            let page = self.pages.get(&pair.1)?;
            let around = around(page, passage);
            (!around.is_empty()).then_some((*pair, around))
        };
        self.verdicts.iter().filter_map(of).collect()
    }

    /// Pairs of claims whose sources disagree about the same quantity.
    pub(super) fn conflicts(&self) -> Vec<(usize, usize, Conflict)> {
        let sources = &self.asked.read.sources;
        if !self.options.support || matches!(self.pairs, Pairs::New(_)) {
            return Vec::new();
        }
        let carried: Vec<(usize, Said<'_>)> = self
            .asked
            .read
            .claims
            .iter()
            .enumerate()
            .filter(|(i, claim)| {
                claim.kind.must_have_source() && (!sources[*i].cited.is_empty() || !sources[*i].anchored.is_empty())
            })
            .map(|(i, claim)| (i, said(&self.asked.read.document, claim)))
            .collect();
        let said: Vec<Said<'_>> = carried.iter().map(|(_, said)| *said).collect();
        conflict::conflicts(&said)
            .into_iter()
            .map(|(a, b, conflict)| (carried[a].0, carried[b].0, conflict))
            .filter(|(a, b, _)| !same_sources(&sources[*a], &sources[*b]))
            .collect()
    }
}

/// What a passage of a page hangs on, each once: headings from the outermost, heads of its row and column, who says it.
fn around(page: &SourceText<'_>, passage: Span) -> Vec<Around> {
    /// Characters of one of them.
    const LONGEST: usize = 160;
    let text = page.index.text();
    let evidence = page.evidence();
    let mut seen: Vec<(ContextKind, Span)> = Vec::new();
    // A passage is a sentence or a few; each is asked where it begins.
    let mut at = passage.start;
    while let Some(unit) = evidence.unit_at(at).filter(|unit| unit.span.end > at) {
        for context in &unit.context {
            if !seen.contains(&(context.kind, context.span)) && !passage.contains(context.span) {
                seen.push((context.kind, context.span));
            }
        }
        let skipped = text.get(unit.span.end..).unwrap_or_default();
        at = unit.span.end + (skipped.len() - skipped.trim_start().len());
        if at >= passage.end {
            break;
        }
    }
    let words = |span: Span| {
        let words = escape::plain(span.of(text));
        match words.char_indices().nth(LONGEST) {
            Some((end, _)) => format!("{}…", &words[..end]),
            None => words.into_owned(),
        }
    };
    seen.into_iter().map(|(kind, span)| Around { kind, text: words(span) }).filter(|one| !one.text.is_empty()).collect()
}

/// A text of a page, made ready for judging by it.
fn prepared<'a>(read: &Read, source: SourceId, page: &'a Page, text: &'a str, complete: bool) -> Arc<SourceText<'a>> {
    // The words of an address say what the page is about: `…/ggreer/the_silver_searcher/releases`.
    let address = read.registry.get(source).address.as_deref().unwrap_or_default();
    let words = address.replace(|c: char| !c.is_alphanumeric(), " ");
    Arc::new(SourceText::of_part(page, text, complete).about(&words).at(address))
}

/// Whether a page that supports a claim only weakly, by its words, has all its numbers and quotations for the same thing. Beside
/// sources of which each was found wanting that is where the claim comes from.
fn has_all_of_it(claim: &str, verdict: &Verdict) -> bool {
    /// Of less sure ones nothing is known.
    const SURE: f64 = 0.4;
    let mut hard =
        verdict.checks.iter().filter(|c| matches!(c.kind, CheckKind::Quantity | CheckKind::Quotation)).peekable();
    let words_only = verdict.standing == cited_judge::Standing::Weak && verdict.check.is_none();
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

fn same_sources(a: &ClaimSources, b: &ClaimSources) -> bool {
    let sources = |sources: &ClaimSources| {
        let mut all: Vec<SourceId> = sources.cited.iter().chain(&sources.anchored).copied().collect();
        all.sort_unstable();
        all
    };
    sources(a) == sources(b)
}
