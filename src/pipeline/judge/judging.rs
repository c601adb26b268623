//! Holds claims against pages: what each source says about each claim that stands on it, and which other source of the draft and of the notes
//! says what a claim says whose own sources do not.

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::{Judged, MOST_JUDGED, Pair};
use crate::pipeline::read::Read;
use cited_core::citation::each_once;
use cited_core::claim::{Claim, ClaimKind, ClaimPosition, labelled, leans};
use cited_core::decide::without_mark;
use cited_core::page::Page;
use cited_core::shares;
use cited_core::source::SourceId;
use cited_core::source::research::without_label;
use cited_core::verdict::Passage;
use cited_core::verdict::{Standing, Verdict};
use cited_judge::conflict::{self, ClaimInContext, Conflict, Within};
use cited_judge::evidence::ContextKind;
use cited_judge::evidence::search::terms;
use cited_judge::{ClaimText, SourceText, made_up};
use cited_report::record::Around;
use cited_report::wording::cut;
use cited_text::quantity::{Quantity, agree, quantities};
use cited_text::quotation::quotations;
use cited_text::words::words;
use cited_text::{Span, escape};

/// So many listed sources at least are looked through for what a claim says whose own are found wanting.
const MOST_OTHERS: usize = 64;

/// A claim's text without marks and labels: `[VERIFIED]` is a remark of the author's, and no word that a page could have.
fn bare(text: &str) -> String {
    let text = without_mark(text);
    let bare = text.contains('[').then(|| without_label(&text)).filter(|(_, label)| label.is_some());
    bare.map_or_else(|| text.to_string(), |(bare, _)| bare)
}

/// A sentence of more words than these is found again by chance nowhere.
const FEWEST_WORDS: usize = 4;

/// A page of fewer words has next to no text, and may not have been there when it was read: what it lacks proves nothing.
const SCRAP: usize = 12;

impl Judged {
    /// Judges claims by sources, page by page and several pages at once; by a page only the claims that it `may` be asked about.
    pub(super) fn judge(&mut self, pairs: Vec<Pair>, may: &(dyn Fn(usize, &SourceText<'_>) -> bool + Sync)) {
        let read = &self.asked.read;
        let mut pages: BTreeMap<SourceId, BTreeSet<usize>> = BTreeMap::new();
        let is_wanted = |pair: &Pair| {
            let (claim, answer) = (&read.claims[pair.0], self.asked.answer(pair.1));
            answer.outcome.is_readable() && states(claim) && !self.verdicts.contains_key(pair)
        };
        for (i, source) in pairs.into_iter().filter(is_wanted) {
            pages.entry(source).or_default().insert(i);
        }
        let page = |(source, claims)| Some((source, self.asked.answer(source).page.as_ref()?, claims));
        let pages: Vec<(SourceId, &Page, BTreeSet<usize>)> = pages.into_iter().filter_map(page).collect();
        let bytes = pages.iter().map(|(_, page, _)| page.text.len()).sum();
        let panel = read.options.judge.as_ref();
        let threads =
            panel.map_or_else(|| shares::threads_for(bytes), |panel| panel.concurrency.max(1).min(pages.len()));
        let judged = shares::run_each(pages.len(), threads, |at| {
            let &(source, whole, ref claims) = &pages[at];
            let is_whole = whole.is_whole() && whole.text.split_whitespace().nth(SCRAP - 1).is_some();
            let page = &prepared(read, source, whole, &whole.text, is_whole);
            let made_up = LazyCell::new(|| made_up::parts(&whole.text));
            // The page without what it calls made up. What it then lacks proves nothing.
            let rest = LazyCell::new(|| {
                let mut kept = whole.text.as_bytes().to_vec();
                // What stands around these parts keeps its place.
                let blanks = made_up.iter().flat_map(|part| part.start..part.end);
                blanks.filter(|at| whole.text.as_bytes()[*at] != b'\n').for_each(|at| kept[at] = b' ');
                String::from_utf8(kept).unwrap_or_default()
            });
            let measured = LazyCell::new(|| prepared(read, source, whole, &rest, false));
            let by_rules = |i: &usize| {
                let text = self.words_for(*i, whole);
                let ruled = self.by_rules(&text, &read.claims[*i], page);
                (*i, text, ruled)
            };
            let ruled: Vec<(usize, String, Verdict)> = claims.iter().filter(|i| may(**i, page)).map(by_rules).collect();
            if let Some(panel) = &read.options.judge {
                panel.ask_ahead(page, &ruled.iter().map(|(_, claim, _)| claim.as_str()).collect::<Vec<_>>());
            }
            let is_off_topic = self.asked.answer(source).is_off_topic();
            let is_of_its_twin = read.registry.is_of_its_twin(source, &whole.imprint.titles);
            let told = |(i, text, ruled): (usize, String, Verdict)| {
                let mut verdict = read.options.revise(&text, ruled, page);
                // What the page itself calls made up neither supports nor contradicts a claim that does not say so, too.
                let rests = |passage: &Passage| made_up.iter().any(|part| part.overlaps(passage.offsets));
                if !read.options.policy.allow_synthetic
                    && verdict.passage.as_ref().is_some_and(rests)
                    && !made_up::is_of_made_up(&read.claims[i].text_in_context())
                {
                    let rest = read.options.revise(&text, self.by_rules(&text, &read.claims[i], &measured), &measured);
                    let stands = rest.passage.is_some() && (rest.standing == Standing::Supported || rest.hard);
                    let reason = "only in a part of the page that calls its data made up";
                    verdict = if stands { rest } else { unproven(verdict, reason) };
                }
                // The page of another work with the same identifier speaks neither for nor against.
                if is_of_its_twin {
                    let reason = "the page is another work, which another entry has at the same address";
                    verdict = Verdict { passage: None, ..unproven(verdict, reason) };
                }
                // What a page about something else lacks proves nothing: it may be the wrong page.
                if is_off_topic && verdict.standing != Standing::Supported {
                    verdict = unproven(verdict, "the page is about something else");
                }
                let passage = verdict.passage.as_ref();
                let around = passage.map(|passage| list_contexts(page, passage.offsets)).unwrap_or_default();
                ((i, source), verdict, around)
            };
            ruled.into_iter().map(told).collect::<Vec<_>>()
        });
        for (pair, verdict, around) in judged.into_iter().flatten() {
            self.verdicts.insert(pair, verdict);
            self.around.extend((!around.is_empty()).then_some((pair, around)));
        }
    }

    /// Holds what the sources of each claim say against each other.
    pub(super) fn hold_against_each_other(&mut self) {
        for (i, claim) in self.asked.read.claims.iter().enumerate() {
            let verdicts = self.verdicts.range_mut((i, SourceId(0))..=(i, SourceId(usize::MAX)));
            conflict::hold_against_each_other(&bare(&claim.text_in_context()), verdicts.map(|(_, verdict)| verdict));
        }
    }

    /// The words of a claim that a page is asked for: without the title of the page, where that is linked behind them.
    fn words_for(&self, i: usize, page: &Page) -> String {
        let (Read { document, citations, claims, .. }, titles) = (&self.asked.read, &page.imprint.titles);
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
        let Read { document, options, .. } = &self.asked.read;
        let before = document.neighbours(claim.block).0.last().unwrap_or(&claim.block);
        let round = document.content_span(*before).cover(document.content_span(claim.block));
        let beside = round.slice(document.text());
        let claim = ClaimText { habit: self.habit, beside, ..ClaimText::new(text, claim.kind) };
        cited_judge::judge(&claim, page, &options.judging)
    }

    /// Whether a source supports a claim.
    pub(super) fn supports(&self, i: usize, source: SourceId) -> bool {
        self.verdicts.get(&(i, source)).is_some_and(|verdict| verdict.standing == Standing::Supported)
    }

    /// Finds for claims whose cited sources are all gone or were found wanting by a hard check the listed source that says it.
    pub(super) fn find_better(&mut self) {
        let (asked, read) = (&self.asked, &self.asked.read);
        let is_hard = |verdict: &Verdict| verdict.hard && verdict.standing != Standing::Supported;
        let lacks = |pair: Pair| asked.is_gone(pair.1) || self.verdicts.get(&pair).is_some_and(is_hard);
        let is_wanting = |i: &usize| {
            let cited = read.sources[*i].stands_on();
            states(&read.claims[*i]) && !cited.is_empty() && cited.iter().all(|source| lacks((*i, *source)))
        };
        // What another page must have to be asked: the rarest word of the claim, and its numbers.
        let sought = |i: usize| {
            let text = read.claims[i].text.as_str();
            let rarest = terms(text).into_iter().rev().max_by(|a, b| a.weight.total_cmp(&b.weight))?.key;
            let numbers: Vec<Quantity> = quantities(text).into_iter().filter(Quantity::is_measured).collect();
            Some((i, (rarest, numbers)))
        };
        let wanting: BTreeMap<usize, (u64, Vec<Quantity>)> =
            (0..read.claims.len()).filter(is_wanting).filter_map(sought).collect();
        // A page about something else is no better source: cited for one claim more, it would be judged as another page.
        let may_say = |source: &SourceId| !asked.answer(*source).is_off_topic();
        let of_claims = read.sources.iter().flat_map(|sources| sources.all().chain(sources.noted.iter().copied()));
        let listed: BTreeSet<SourceId> =
            read.listed.iter().flatten().copied().chain(of_claims).filter(may_say).collect();
        // A bound on the work, by which the same pages are asked in every run.
        let pages = (MOST_JUDGED / wanting.len().max(1)).max(MOST_OTHERS);
        let others = wanting.keys().flat_map(|i| listed.iter().take(pages).map(|source| (*i, *source)));
        let others: Vec<Pair> = others.filter(|(i, source)| !read.sources[*i].stands_on().contains(source)).collect();
        self.judge(others.clone(), &|i, page| {
            let (rarest, numbers) = &wanting[&i];
            let has = |claimed: &Quantity| page.index.agreeing(claimed).any(|held| agree(claimed, held));
            page.index.has(*rarest) && numbers.iter().all(has)
        });
        for pair @ (i, source) in others {
            let Some(verdict) = self.verdicts.get(&pair) else { continue };
            let sure = |source: &SourceId| self.verdicts[&(i, *source)].confidence;
            // Words alone may be about something else, where nobody cites them, unless the sentence stands there as it is.
            let text = self.asked.read.claims[i].text.as_str();
            let sentence = labelled(text).map_or(text, |(_, sentence)| sentence).trim_end_matches(['.', '。']);
            let stands = || self.asked.answer(source).page.as_ref().is_some_and(|page| page.text.contains(sentence));
            let has_no_number = wanting[&i].1.is_empty();
            let is_told = || has_no_number && words(text).nth(FEWEST_WORDS).is_some() && stands();
            // The table of another page has other rows: the greatest of those proves nothing of a claim without number and quotation.
            let carries = verdict.hard && !(has_no_number && quotations(text).is_empty()) || is_told();
            if verdict.standing != Standing::Supported || !carries {
                if !self.asked.read.sources[i].all().any(|own| own == source) {
                    self.verdicts.remove(&pair);
                    self.around.remove(&pair);
                }
            } else if self.better.get(&i).is_none_or(|best| verdict.confidence > sure(best)) {
                self.better.insert(i, source);
            }
        }
    }

    /// Pairs of claims whose sources disagree about the same quantity.
    pub(super) fn find_conflicts(&self) -> Vec<(usize, usize, Conflict)> {
        let Read { document, claims, sources, .. } = &self.asked.read;
        let own = |i: usize| sources[i].cited.iter().chain(&sources[i].anchored).collect::<HashSet<_>>();
        let is_held = |i: &usize| claims[*i].kind.must_have_source() && !own(*i).is_empty();
        let held: Vec<usize> = (0..claims.len()).filter(is_held).collect();
        let in_context = |i: &usize| {
            let claim = &claims[*i];
            let fragment = claim.position == ClaimPosition::Item && !claim.text.ends_with(['.', '!', '。', '！']);
            let within = match &claim.context {
                Some(cell) => Within::Cell(cell),
                // An item of a list is named by what the list stands under.
                None if fragment => Within::Block(document.ancestors(claim.block).nth(1).unwrap_or(claim.block)),
                None if leans(&claim.text) => Within::Block(claim.block),
                None => Within::Document,
            };
            ClaimInContext { text: &claim.text, within }
        };
        let said: Vec<ClaimInContext<'_>> = held.iter().map(in_context).collect();
        let conflicts = conflict::conflicts(&said).into_iter().map(|(a, b, conflict)| (held[a], held[b], conflict));
        conflicts.filter(|(a, b, _)| own(*a) != own(*b)).collect()
    }
}

/// What a passage of a page hangs on, each once: headings from the outermost, heads of its row and column, who says it.
fn list_contexts(page: &SourceText<'_>, passage: Span) -> Vec<Around> {
    /// Columns of one of them.
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
    let words = |span: Span| cut(&escape::plain(span.slice(text)), LONGEST);
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

/// A verdict that is none, for this reason.
fn unproven(verdict: Verdict, reason: &str) -> Verdict {
    let (standing, reason) = (Standing::Unverifiable, reason.to_owned());
    Verdict { standing, hard: false, confidence: 0.0, reason, ..verdict }
}
