//! Holds claims against pages: what each source says about each claim that stands on it.

use std::cell::LazyCell;
use std::collections::{BTreeMap, HashMap, HashSet};

use super::others::{UnmetClaims, carries};
use crate::pipeline::ask::Asked;
use crate::pipeline::options::Options;
use crate::pipeline::read::Read;
use cited_core::citation::each_once;
use cited_core::claim::{Claim, ClaimKind, ClaimPosition, leans};
use cited_core::decide::without_mark;
use cited_core::markdown::Document;
use cited_core::page::Page;
use cited_core::passage::Passage;
use cited_core::shares;
use cited_core::source::research::without_label;
use cited_core::source::{Source, SourceId};
use cited_core::verdict::{Standing, Verdict};
use cited_judge::conflict::{self, ClaimInContext, Conflict, Within};
use cited_judge::evidence::ContextKind;
use cited_judge::{ClaimText, SourceText, made_up};
use cited_report::record::Around;
use cited_text::quantity::Habit;
use cited_text::{Span, escape};

/// The verdicts of a run, by claim and source.
pub(in crate::pipeline) type Verdicts = BTreeMap<(usize, SourceId), Verdict>;

/// Whether a claim is to be judged by a source, where not all are: what nobody judged yet, in the reading of a brief.
pub(in crate::pipeline) type IsNew<'a> = dyn Fn(&Claim, &Source) -> bool + Sync + 'a;

/// A claim's text without marks and labels: `[VERIFIED]` is a remark of the author's, and no word that a page could have.
fn bare(text: &str) -> String {
    let text = without_mark(text);
    let bare = text.contains('[').then(|| without_label(&text)).filter(|(_, label)| label.is_some());
    bare.map_or_else(|| text.to_string(), |(bare, _)| bare)
}

/// A page of fewer words has next to no text, and may not have been there when it was read: what it lacks proves nothing.
const SCRAP: usize = 12;

/// Holds claims against pages, each pair once. A page is prepared, judged by for all claims that need it, and let go.
pub(super) struct Judging<'a> {
    pub(super) asked: &'a Asked,
    pub(super) read: &'a Read,
    /// How the draft writes decimals.
    habit: Habit,
    pub(super) options: &'a Options,
    is_new: Option<&'a IsNew<'a>>,
    pub(super) verdicts: Verdicts,
    /// What the passages that were found hang on, on their pages.
    pub(super) around: HashMap<(usize, SourceId), Vec<Around>>,
    /// For claims whose own sources do not say it, by position, a listed one that does.
    pub(super) better: HashMap<usize, SourceId>,
}

/// What a page says about a claim, and what its passage hangs on.
type Ruling = ((usize, SourceId), Verdict, Vec<Around>);

impl<'a> Judging<'a> {
    /// Nothing is judged yet.
    pub(super) fn new(asked: &'a Asked, is_new: Option<&'a IsNew<'a>>, options: &'a Options) -> Self {
        let read = &asked.read;
        let own = read.citations.held().outside(read.document.text());
        Judging {
            asked,
            read,
            habit: if options.support { Habit::detect_in(&own) } else { Habit::NONE },
            options,
            is_new,
            verdicts: Verdicts::new(),
            around: HashMap::new(),
            better: HashMap::new(),
        }
    }

    /// Judges claims by sources, page by page and several pages at once, and looks which of the claims of `others` each page may say.
    pub(super) fn judge(&mut self, pairs: impl Iterator<Item = (usize, SourceId)>, others: &mut UnmetClaims<'_>) {
        let claims = &self.read.claims;
        let wanted = pairs.filter(|pair| !self.verdicts.contains_key(pair));
        let wanted = wanted.filter(|(i, source)| self.is_judged(&claims[*i], *source));
        let mut pages: BTreeMap<SourceId, Vec<usize>> =
            others.listed.iter().map(|source| (*source, Vec::new())).collect();
        for (i, source) in wanted {
            let claims = pages.entry(source).or_default();
            if claims.last() != Some(&i) {
                claims.push(i);
            }
        }
        let page = |(source, claims)| Some((source, self.asked.answer(source).page.as_ref()?, claims));
        let pages: Vec<(SourceId, &Page, Vec<usize>)> = pages.into_iter().filter_map(page).collect();
        let bytes = pages.iter().map(|(_, page, _)| page.text.len()).sum();
        let panel = self.options.judge.as_ref();
        let threads =
            panel.map_or_else(|| shares::threads_for(bytes), |panel| panel.concurrency.max(1).min(pages.len()));
        let judged = shares::run_each(pages.len(), threads, |at| {
            let (source, page, claims) = &pages[at];
            let whole = page.is_whole() && page.text.split_whitespace().nth(SCRAP - 1).is_some();
            let ready = prepared(self.read, *source, page, &page.text, whole);
            (self.consult((*source, page), claims, &ready), others.held_by(*source, &ready))
        });
        for (told, held) in judged {
            held.into_iter().for_each(|held| others.add(held));
            for (pair, verdict, around) in told {
                self.verdicts.insert(pair, verdict);
                self.around.extend((!around.is_empty()).then_some((pair, around)));
            }
        }
    }

    /// What a page says about some claims.
    fn consult(&self, (source, whole): (SourceId, &Page), claims: &[usize], page: &SourceText<'_>) -> Vec<Ruling> {
        let read = self.read;
        let made_up = LazyCell::new(|| made_up::parts(&whole.text));
        // The page without what it calls made up. What it then lacks proves nothing.
        let rest = LazyCell::new(|| blanked(&whole.text, &made_up));
        let measured = LazyCell::new(|| prepared(read, source, whole, &rest, false));
        let by_rules = |i: &usize| {
            let text = self.words_for(*i, whole);
            let ruled = self.by_rules(&text, &read.claims[*i], page);
            (*i, text, ruled)
        };
        let ruled: Vec<(usize, String, Verdict)> = claims.iter().map(by_rules).collect();
        if let Some(panel) = &self.options.judge {
            panel.ask_ahead(page, &ruled.iter().map(|(_, claim, _)| claim.as_str()).collect::<Vec<_>>());
        }
        let is_off_topic = self.asked.answer(source).is_off_topic();
        let is_of_its_twin = read.registry.is_of_its_twin(source, &whole.imprint.titles);
        let told = |(i, text, ruled): (usize, String, Verdict)| {
            let mut verdict = self.options.revise(&text, ruled, page);
            // What the page itself calls made up neither supports nor contradicts a claim that does not say so, too.
            let rests = |passage: &Passage| made_up.iter().any(|part| part.overlaps(passage.offsets));
            if !self.options.policy.allow_synthetic
                && verdict.passage.as_ref().is_some_and(rests)
                && !made_up::is_of_made_up(&read.claims[i].text_in_context())
            {
                let rest = self.options.revise(&text, self.by_rules(&text, &read.claims[i], &measured), &measured);
                let stands = rest.passage.is_some() && (rest.standing == Standing::Supported || rest.hard);
                let reason = "only in a part of the page that calls its data made up";
                verdict = if stands { rest } else { Verdict { confidence: 0.0, ..unproven(verdict, reason) } };
            }
            // The page of another work with the same identifier speaks neither for nor against.
            if is_of_its_twin {
                verdict = unproven(verdict, "the page is another work, which another entry has at the same address");
                (verdict.confidence, verdict.passage) = (0.0, None);
            }
            // What a page about something else lacks proves nothing: it may be the wrong page.
            if is_off_topic && verdict.standing != Standing::Supported {
                verdict = unproven(verdict, "the page is about something else");
            }
            let passage = verdict.passage.as_ref().filter(|_| self.is_new.is_none());
            let around = passage.map(|passage| list_contexts(page, passage.offsets)).unwrap_or_default();
            ((i, source), verdict, around)
        };
        ruled.into_iter().map(told).collect()
    }

    /// Holds what the sources of each claim say against each other.
    pub(super) fn hold_against_each_other(&mut self) {
        for (i, claim) in self.read.claims.iter().enumerate() {
            let verdicts = self.verdicts.range_mut((i, SourceId(0))..=(i, SourceId(u32::MAX)));
            conflict::hold_against_each_other(&bare(&claim.text_in_context()), verdicts.map(|(_, verdict)| verdict));
        }
    }

    /// The words of a claim that a page is asked for: without the title of the page, where that is linked behind them.
    fn words_for(&self, i: usize, page: &Page) -> String {
        let (Read { document, citations, claims, .. }, titles) = (self.read, &page.imprint.titles);
        let text = bare(&claims[i].text_in_context());
        let links = claims[i].markers.iter().filter_map(|id| citations.marker(*id).link);
        let is_title = |words: &&str| words.contains(' ') && titles.iter().any(|title| title.starts_with(words));
        let mut linked = links.map(|link| document.slice(document.link(link).text)).filter(is_title);
        let words = text.trim_end_matches(|c: char| !c.is_alphanumeric());
        let rest = linked.find_map(|title| words.strip_suffix(title)).filter(|rest| rest.trim().contains(' '));
        rest.map(|rest| [rest.trim_end(), &text[words.len()..]].concat()).unwrap_or(text)
    }

    /// What a page says about a bare text, by rules alone.
    fn by_rules(&self, text: &str, claim: &Claim, page: &SourceText<'_>) -> Verdict {
        // A heading over its paragraph may say of what it speaks.
        let document = &self.read.document;
        let before = document.neighbours(claim.block).0.last().unwrap_or(&claim.block);
        let round = document.content_span(*before).cover(document.content_span(claim.block));
        let (habit, beside) = (Some(self.habit), round.slice(document.text()));
        let claim = ClaimText { habit, beside, ..ClaimText::new(text, claim.kind) };
        cited_judge::judge(&claim, page, &self.options.judging())
    }

    /// Whether a source supports a claim.
    pub(super) fn supports(&self, i: usize, source: SourceId) -> bool {
        self.verdicts.get(&(i, source)).is_some_and(|verdict| verdict.standing == Standing::Supported)
    }

    /// Whether a claim is judged by a source at all.
    pub(super) fn is_judged(&self, claim: &Claim, source: SourceId) -> bool {
        self.asked.answer(source).outcome.is_readable()
            && states(claim)
            && self.is_new.is_none_or(|is_new| is_new(claim, self.read.registry.get(source)))
    }

    /// The claims that may need another source than their own.
    pub(super) fn collect_others(&self) -> UnmetClaims<'a> {
        let may_want = |claim: &Claim, source| self.asked.is_gone(source) || self.is_judged(claim, source);
        UnmetClaims::collect(self.asked, |claim, source| states(claim) && may_want(claim, source))
    }

    /// Finds for claims whose cited sources are all gone or were found wanting by a hard check the listed source that says it.
    pub(super) fn find_better(&mut self, others: UnmetClaims<'a>) {
        let lacks = |verdict: &Verdict| verdict.hard && verdict.standing != Standing::Supported;
        let candidates =
            others.candidates(|pair| self.asked.is_gone(pair.1) || self.verdicts.get(&pair).is_some_and(lacks));
        let pairs = candidates.iter().flat_map(|(claim, sources)| sources.iter().map(|source| (*claim, *source)));
        self.judge(pairs, &mut UnmetClaims::default());
        for (i, sources) in candidates {
            let mut best = -1.0;
            for source in sources {
                let Some(verdict) = self.verdicts.get(&(i, source)) else { continue };
                if !carries(&self.read.claims[i].text, verdict) {
                    self.verdicts.remove(&(i, source));
                    self.around.remove(&(i, source));
                } else if verdict.confidence > best {
                    best = verdict.confidence;
                    self.better.insert(i, source);
                }
            }
        }
    }

    /// Pairs of claims whose sources disagree about the same quantity.
    pub(super) fn conflicts(&self) -> Vec<(usize, usize, Conflict)> {
        if !self.options.support || self.is_new.is_some() {
            return Vec::new();
        }
        let Read { document, claims, sources, .. } = self.read;
        let is_held = |i: &usize| {
            let own = !sources[*i].cited.is_empty() || !sources[*i].anchored.is_empty();
            own && claims[*i].kind.must_have_source()
        };
        let held: Vec<usize> = (0..claims.len()).filter(is_held).collect();
        let said: Vec<ClaimInContext<'_>> = held.iter().map(|i| put_in_context(document, &claims[*i])).collect();
        let conflicts = conflict::conflicts(&said).into_iter().map(|(a, b, conflict)| (held[a], held[b], conflict));
        let own = |i: usize| sources[i].cited.iter().chain(&sources[i].anchored).collect::<HashSet<_>>();
        conflicts.filter(|(a, b, _)| own(*a) != own(*b)).collect()
    }
}

/// What a passage of a page hangs on, each once: headings from the outermost, heads of its row and column, who says it.
fn list_contexts(page: &SourceText<'_>, passage: Span) -> Vec<Around> {
    /// Characters of one of them.
    const LONGEST: usize = 160;
    let text = page.index.text();
    let evidence = page.evidence();
    let mut seen: Vec<(ContextKind, Span)> = Vec::new();
    // A passage is a sentence or a few; each is asked where it begins.
    let mut at = passage.start;
    while let Some(unit) = evidence.unit_at(at).filter(|unit| unit.span.end > at && at < passage.end) {
        let contexts = unit.context.iter().filter(|context| !passage.contains(context.span));
        seen.extend(contexts.map(|context| (context.kind, context.span)));
        let skipped = text.get(unit.span.end..).unwrap_or_default();
        at = unit.span.end + (skipped.len() - skipped.trim_start().len());
    }
    let words = |span: Span| {
        let words = escape::plain(span.slice(text));
        match words.char_indices().nth(LONGEST) {
            Some((end, _)) => format!("{}…", &words[..end]),
            None => words.into_owned(),
        }
    };
    let seen = each_once(seen).into_iter();
    seen.map(|(kind, span)| Around { kind, text: words(span) }).filter(|one| !one.text.is_empty()).collect()
}

/// Whether a claim states something that a page can say.
fn states(claim: &Claim) -> bool {
    claim.kind.is_factual() || claim.kind == ClaimKind::Hedged
}

/// A text of a page, made ready for judging by it.
fn prepared<'a>(read: &Read, source: SourceId, page: &'a Page, text: &'a str, complete: bool) -> SourceText<'a> {
    // The words of an address say what the page is about: `…/ggreer/the_silver_searcher/releases`.
    let address = read.registry.get(source).address.as_deref().unwrap_or_default();
    let words = address.replace(|c: char| !c.is_alphanumeric(), " ");
    SourceText::of_part(page, text, complete).about(&words).at(address)
}

/// A text with blanks in the place of these parts: what stands around them keeps its place.
fn blanked(text: &str, parts: &[Span]) -> String {
    let mut kept = text.as_bytes().to_vec();
    let blanks = parts.iter().flat_map(|part| part.start..part.end).filter(|at| text.as_bytes()[*at] != b'\n');
    blanks.for_each(|at| kept[at] = b' ');
    String::from_utf8(kept).unwrap_or_default()
}

/// A verdict that is none, for this reason.
fn unproven(verdict: Verdict, reason: &str) -> Verdict {
    Verdict { standing: Standing::Unverifiable, hard: false, reason: reason.to_owned(), ..verdict }
}

/// A claim as it is held against others.
fn put_in_context<'a>(document: &Document, claim: &'a Claim) -> ClaimInContext<'a> {
    let fragment = claim.position == ClaimPosition::Item && !claim.text.ends_with(['.', '!', '。', '！']);
    let within = match &claim.context {
        Some(cell) => Within::Cell(cell),
        // An item of a list is named by what the list stands under.
        None if fragment => Within::Block(document.ancestors(claim.block).nth(1).unwrap_or(claim.block)),
        None if leans(&claim.text) => Within::Block(claim.block),
        None => Within::Document,
    };
    ClaimInContext { text: &claim.text, within }
}
