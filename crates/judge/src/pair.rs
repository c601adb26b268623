//! What the judge is asked: a claim beside a page, with everything that more than one check needs read once.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

use super::align::{self, Account, Aligned, Claim};
use super::case::Case;
use super::page::SourceText;
use super::proof::{self, Proof};
use super::quotations::{self, Quoted};
use super::settings::SkippedChecks;
use crate::evidence::scale;
use crate::evidence::search::{Lookup, Window};
use crate::evidence::{Attribution, ContextKind, speakers};
use cited_core::claim::ClaimKind;
use cited_text::Span;
use cited_text::language::{self, Spoken};
use cited_text::lexicon::Languages;
use cited_text::quantity::{Habit, Quantity, quantities, quantities_in};
use cited_text::words::{Word, words};

/// How many windows of a page are looked at for a claim.
const WINDOWS: usize = 5;
/// So many places of each value are looked at.
const PLACES: usize = 5;
/// How much of a page is looked at for its script, in characters.
const SCRIPT_SAMPLE: usize = 20_000;
/// A part of the page accounts for a claim with this part of its words by weight.
const ACCOUNTED: f64 = 0.95;
/// Several sentences together do so only in the order of the claim.
const ORDERED: f64 = 0.9;
/// … and with so little beside it, for each of the claim's words.
const ADDED: f64 = 0.3;

/// A page that is about a claim has this part of its words by weight.
const ABOUT: f64 = 0.6;

/// A claim, as it is judged.
#[derive(Debug, Clone, Copy)]
pub struct ClaimText<'a> {
    /// The text as a reader sees it, without markers.
    pub text: &'a str,
    /// What kind of statement it is.
    pub kind: ClaimKind,
    /// How its document writes decimals, where that is known.
    pub habit: Option<Habit>,
    /// What stands round it in its document: its paragraph, the headings over it.
    pub beside: &'a str,
}

impl<'a> ClaimText<'a> {
    /// A claim of this text and kind.
    pub fn new(text: &'a str, kind: ClaimKind) -> Self {
        ClaimText { text, kind, habit: None, beside: "" }
    }
}

/// A claim beside a page.
pub(super) struct Pair<'a> {
    pub(super) claim: Claim<'a>,
    pub(super) source: &'a SourceText<'a>,
    pub(super) lookup: Lookup,
    /// The passages that have most of the claim's words, best first.
    pub(super) windows: Vec<Window>,
    /// The claim beside each part of the page that may speak to it, the one with most of it first.
    pub(super) units: Vec<Aligned<'a>>,
    /// What the page has of each quotation.
    pub(super) quoted: Vec<Quoted>,
    /// Whether what the page lacks proves anything: it was read whole, in the language of the claim.
    pub(super) comparable: bool,
    /// Whether the two are in different languages, as far as can be told.
    pub(super) is_foreign: bool,
    pub(super) without: &'a SkippedChecks,
    proof: OnceCell<Proof>,
    /// Which guard objects to each part of the page that one was asked about.
    pub(super) objections: RefCell<HashMap<(usize, usize), bool>>,
}

/// Reads a claim.
fn read<'c>(claim: &ClaimText<'c>, source: &SourceText<'_>) -> Claim<'c> {
    let text = claim.text;
    let (words, languages) = words_of_claim(claim, source);
    let mut quantities = claim.habit.map_or_else(|| quantities(text), |habit| quantities_in(text, habit));
    // The value of a cell behind what names it has the unit and the magnitude that its head gives, as in a table of the page; a sentence
    // may have it as it is.
    if let Some((head, cell)) = text.rsplit_once(": ").filter(|(_, cell)| !cell.contains(char::is_alphabetic)) {
        let tables = source.evidence().tables.as_slice();
        let is_prose = |found: &Quantity| !tables.iter().any(|table| table.span.contains(found.span));
        for value in quantities.iter_mut().filter(|value| value.span.end > text.len() - cell.len()) {
            if !source.index.agreeing(value).any(is_prose) {
                *value = scale::read(text, value, &[Span::new(0, head.len())]).unwrap_or_else(|| value.clone());
            }
        }
    }
    let tokens = align::tokens(&words, &quantities);
    let (quotations, beside) = (cited_text::quotation::quotations(text), claim.beside);
    Claim { text, words, languages, quantities, quotations, tokens, beside }
}

impl<'a> Pair<'a> {
    pub(super) fn new(claim: &ClaimText<'a>, source: &'a SourceText<'a>, without: &'a SkippedChecks) -> Self {
        let claim = read(claim, source);
        let lookup = source.index.look_up(align::terms(&claim));
        let windows = lookup.windows(WINDOWS);
        // A page whose frame is in another language may say it, and proves nothing by what it lacks.
        let theirs = source.index.languages;
        let is_framed = !is_one_language(&claim, source, theirs);
        let is_said = |&Window { first, last, .. }: &Window| {
            // A short sentence counts as said in the language of the frame: its own words may say otherwise.
            let speaks = |one: Languages, other: Languages| {
                let mut words = source.index.words_of(first, last).iter();
                words.any(|word| !word.capital && word.votes.meet(one) && !word.votes.meet(other))
            };
            is_one_language(&claim, source, source.index.languages_of(first, last))
                || speaks(claim.languages, theirs) && !speaks(theirs, claim.languages)
        };
        let is_foreign = is_framed && !windows.iter().any(is_said);
        let comparable = source.complete && !is_framed;
        let units = units(&claim, source, &windows);
        let quoted = quotations::look_up(&claim, source);
        let (proof, objections) = Default::default();
        Pair { claim, source, lookup, windows, units, quoted, comparable, is_foreign, without, proof, objections }
    }

    /// The text of the page.
    pub(super) fn page(&self) -> &'a str {
        self.source.index.text()
    }

    /// The claim with the languages that it may be in.
    pub(super) fn spoken(&self) -> Spoken<'a> {
        Spoken { text: self.claim.text, languages: self.claim.languages }
    }

    /// What tables prove of the claim.
    pub(super) fn proof(&self) -> &Proof {
        self.proof.get_or_init(|| {
            if self.is_foreign || self.source.evidence().tables.is_empty() {
                return Proof::default();
            }
            proof::prove(&self.case())
        })
    }

    /// The claim as the proofs over tables read it.
    pub(super) fn case(&self) -> Case<'_> {
        Case { claim: &self.claim, source: self.source, lookup: &self.lookup, windows: &self.windows }
    }

    /// Whether a part of the page accounts for the whole claim: every value and name, and all that its words weigh but a little.
    pub(super) fn accounts_for(&self, unit: &Aligned<'_>) -> bool {
        let tokens = &self.claim.tokens;
        let told = |i: usize| !tokens[i].is_value() && !tokens[i].is_name();
        unit.covered >= ACCOUNTED
            && unit.accounts.contains(&Account::Here)
            && unit.missing().all(told)
            && (unit.first == unit.last || unit.ordered >= ORDERED && unit.added() <= ADDED)
    }

    /// Whether the page has much of the claim: one that has not may be the wrong page, and what it lacks proves nothing.
    pub(super) fn is_about(&self, tokens: impl Iterator<Item = usize>) -> bool {
        let (mut all, mut there) = (0.0, 0.0);
        for token in tokens.map(|i| &self.claim.tokens[i]) {
            let align::Token::Word(word) = token else { continue };
            all += token.weight();
            if self.source.index.has(word.key) || self.source.context.contains(&word.key) {
                there += token.weight();
            }
        }
        there >= ABOUT * all
    }

    /// To whom the claim gives what it says.
    pub(super) fn attributions(&self) -> Vec<Attribution> {
        speakers(self.claim.text, Span::new(0, self.claim.text.len()), &self.claim.words)
    }

    /// Whom the page says to speak in a part of it.
    pub(super) fn speakers_of(&self, unit: &Aligned<'_>) -> Vec<Span> {
        let told = speakers(self.page(), unit.span, unit.words).into_iter().filter_map(|said| said.name());
        let hung = self.source.evidence().unit_at(unit.span.start);
        told.chain(hung.into_iter().flat_map(|unit| unit.hangs_on(ContextKind::Speaker))).collect()
    }

    /// The sentence that a place stands in.
    pub(super) fn sentence_round(&self, place: Span) -> Span {
        let sentence = self.source.index.sentence_at(place.start);
        self.source.index.span_of(sentence, sentence)
    }

    /// The part of the page that has most of the claim.
    pub(super) fn best_span(&self) -> Option<Span> {
        self.units.first().filter(|unit| unit.covered > 0.0).map(|unit| unit.span)
    }
}

/// The claim beside each part of the page that may speak to it, best first.
fn units<'a>(claim: &Claim<'_>, source: &'a SourceText<'_>, windows: &[Window]) -> Vec<Aligned<'a>> {
    let index = &source.index;
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for window in windows {
        ranges.extend((window.first..=window.last).flat_map(|from| (from..=window.last).map(move |to| (from, to))));
    }
    for q in claim.quantities.iter().filter(|q| !q.is_label()) {
        let places = index.agreeing(q).take(PLACES).map(|other| index.sentence_at(other.span.start));
        ranges.extend(places.map(|at| (at, at)));
    }
    ranges.sort_unstable();
    ranges.dedup();
    let aligned = |range: (usize, usize)| Aligned::new(claim, index, range, &align::words_over(source, range.0));
    let mut units: Vec<Aligned<'a>> = ranges.into_iter().map(aligned).collect();
    let score = |unit: &Aligned<'_>| unit.covered + unit.ordered / 2.0 - 0.04 * (unit.last - unit.first) as f64;
    units.sort_by(|a, b| score(b).total_cmp(&score(a)).then(a.first.cmp(&b.first)));
    units
}

/// The words of a claim, and the languages that it may be in: by its own words, by its document, by the page, and by both together.
fn words_of_claim(claim: &ClaimText<'_>, source: &SourceText<'_>) -> (Vec<Word>, Languages) {
    let beside = claim.habit.map_or(Languages::ALL, Habit::languages);
    let mut mine: Vec<Word> = words(claim.text).collect();
    let mut languages = language::languages_of(claim.text, &mine, beside);
    if languages.only().is_none() {
        let page = source.index.words_of(0, source.index.len().saturating_sub(1));
        let page = source.index.languages.only().map_or_else(
            || language::languages_of_both((claim.text, &mine), (source.index.text(), page)),
            Languages::from,
        );
        languages = languages.narrowed(page);
    }
    mine.iter_mut().for_each(|word| word.spoken = languages);
    (mine, languages)
}

/// Whether a claim and a page, or a part of it in these languages, are written in one language, as far as can be told.
fn is_one_language(claim: &Claim<'_>, source: &SourceText<'_>, theirs: Languages) -> bool {
    let unspaced = |c: char| matches!(c, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}');
    let mut head = source.index.text().chars().take(SCRIPT_SAMPLE);
    if claim.text.contains(unspaced) && !head.any(unspaced) {
        return false;
    }
    let mine = language::languages_of(claim.text, &claim.words, Languages::ALL).only();
    // Short Japanese without kana looks like Chinese.
    let mine = mine.map(|mine| if mine.tag() == "zh" { Languages::of_column("zh,ja") } else { mine.into() });
    mine.is_none_or(|mine| mine.meet(theirs))
}
