//! The units of a page that may say what a claim says, best first: how much of the claim stands in each, and in what it hangs on.

use std::ops::RangeInclusive;

use super::quantities::{Case, may_agree};
use crate::evidence::search::MOST_TERMS;
use crate::evidence::{ContextKind, Evidence, Unit, UnitKind};
use crate::quantity::{Agreement, Quantity, compare};
use crate::text::Span;
use crate::text::words::Word;

/// So many units that have most of the claim are read with what they hang on …
const MOST_CANDIDATES: usize = 40;
/// … and so many of them are read for other forms of the claim's words.
const MOST: usize = 6;
/// A value that stands in more places tells nothing.
const MOST_PLACES: usize = 4;
/// Words of one stem share so many letters …
const STEM: usize = 4;
/// … and this part of the longer of them.
const STEM_PART: f64 = 0.55;
/// A part of a compound has so many letters.
const PART: usize = 5;

/// A unit beside a claim. Terms of the claim are bits, as in [`crate::evidence::search::Lookup`].
#[derive(Debug, Clone)]
pub(super) struct Reading {
    /// Its sentences.
    pub(super) first: usize,
    pub(super) last: usize,
    /// Its bytes.
    pub(super) span: Span,
    /// What it hangs on.
    pub(super) context: Vec<Span>,
    /// Whether it is a row of a table.
    pub(super) row: bool,
    /// The terms that stand in it …
    pub(super) own: u128,
    /// … in what it hangs on, and in the title of the page …
    pub(super) hung: u128,
    /// … in the sentence before it, when that is of the same block …
    pub(super) beside: u128,
    /// … and those of which another form stands in any of them.
    pub(super) alike: u128,
}

impl Reading {
    /// The terms that it has in any way, without the sentence before it.
    pub(super) fn all(&self) -> u128 {
        self.own | self.hung | self.alike
    }

    /// Its sentences.
    pub(super) fn sentences(&self) -> RangeInclusive<usize> {
        self.first..=self.last
    }
}

/// The best readings; `title` are the terms that the title of the page has.
pub(super) fn readings(case: &Case<'_, '_, '_>, evidence: &Evidence, title: u128) -> Vec<Reading> {
    let weigh = |mask| case.lookup.weigh(mask);
    let mut sentences: Vec<(f64, usize, u128)> =
        case.lookup.sentences().map(|(sentence, mask)| (weigh(mask), sentence, mask)).collect();
    sentences.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    sentences.truncate(MOST_CANDIDATES);
    sentences
        .extend(with_values(case).into_iter().map(|sentence| (0.0, sentence, case.lookup.mask(sentence, sentence))));
    let mut found: Vec<Reading> = Vec::new();
    for (_, sentence, mask) in sentences {
        let span = case.index.span_of(sentence, sentence);
        if found.iter().any(|other| other.span.has(span.start)) {
            continue;
        }
        found.push(read(case, evidence, (sentence, mask), title));
    }
    found.sort_by(|a, b| {
        weigh(b.own | b.hung).total_cmp(&weigh(a.own | a.hung)).then(weigh(b.own).total_cmp(&weigh(a.own)))
    });
    found.truncate(MOST);
    for reading in &mut found {
        reading.alike = alike_in(case, reading);
    }
    found.sort_by(|a, b| weigh(b.all()).total_cmp(&weigh(a.all())).then(weigh(b.own).total_cmp(&weigh(a.own))));
    found
}

/// The sentences that have a value of the claim, when they are few: other words may say the same of it.
fn with_values(case: &Case<'_, '_, '_>) -> Vec<usize> {
    let amounts: Vec<_> =
        case.quantities.iter().filter(|q| q.is_measured() && !q.is_temporal() && !q.spelled).collect();
    let places = |q: &&Quantity| -> Vec<usize> {
        let all =
            case.index.quantities().iter().filter(|other| may_agree(q, other) && compare(q, other) == Agreement::Same);
        all.take(MOST_PLACES + 1).map(|other| case.index.sentence_at(other.span.start)).collect()
    };
    amounts.into_iter().map(|q| places(&q)).filter(|places| places.len() <= MOST_PLACES).flatten().collect()
}

fn read(case: &Case<'_, '_, '_>, evidence: &Evidence, (sentence, mask): (usize, u128), title: u128) -> Reading {
    let index = case.index;
    let span = index.span_of(sentence, sentence);
    let mut reading = Reading {
        first: sentence,
        last: sentence,
        span,
        context: Vec::new(),
        row: false,
        own: mask,
        hung: title,
        beside: 0,
        alike: 0,
    };
    let Some(unit) = evidence.unit_at(span.start) else { return reading };
    reading.row = matches!(unit.kind, UnitKind::Row { .. });
    reading.context = hangs_on(case, evidence, unit);
    reading.hung |= reading.context.iter().fold(0, |all, span| all | mask_in(case, *span));
    let same_block = |other: usize| {
        let there = evidence.unit_at(index.span_of(other, other).start);
        there.is_some_and(|other| matches!(other.kind, UnitKind::Sentence | UnitKind::Item) && other.kind == unit.kind)
    };
    if let Some(before) = sentence.checked_sub(1).filter(|before| !reading.row && same_block(*before)) {
        let near = span.start - index.span_of(before, before).end <= 2;
        if near {
            reading.beside = case.lookup.mask(before, before);
        }
    }
    reading
}

/// What a unit hangs on; of the heads of columns only those whose cells have something of the claim.
fn hangs_on(case: &Case<'_, '_, '_>, evidence: &Evidence, unit: &Unit) -> Vec<Span> {
    let kept = unit.context.iter().filter(|context| context.kind != ContextKind::ColumnHead);
    let mut spans: Vec<Span> = kept.map(|context| context.span).collect();
    if let UnitKind::Row { table, row } = unit.kind
        && let Some(table) = evidence.tables().get(table)
        && let Some(cells) = table.rows.get(row).map(|row| &row.cells)
    {
        let has = |span: Span| {
            mask_in(case, span) != 0 || case.index.quantities_in(span).iter().any(|value| case.has_value(value))
        };
        let named = cells.iter().enumerate().filter(|(_, cell)| !cell.is_head && has(cell.span));
        spans.extend(named.flat_map(|(column, _)| table.column_heads(column)));
    }
    spans
}

/// The words of the page in a part of it.
pub(super) fn words_in<'i>(case: &Case<'_, 'i, '_>, span: Span) -> impl Iterator<Item = &'i Word> {
    let last = span.end.saturating_sub(1).max(span.start);
    let (first, last) = (case.index.sentence_at(span.start), case.index.sentence_at(last));
    case.index.words_of(first, last).iter().filter(move |word| span.contains(word.span))
}

/// The terms that stand in a part of the page.
pub(super) fn mask_in(case: &Case<'_, '_, '_>, span: Span) -> u128 {
    let terms = case.lookup.terms();
    let of = |word: &Word| terms.iter().take(MOST_TERMS).position(|term| term.key == word.key);
    words_in(case, span).filter_map(of).fold(0, |mask, bit| mask | 1 << bit)
}

/// The terms of which another form stands in a reading: of the same stem, or a part of a compound.
fn alike_in(case: &Case<'_, '_, '_>, reading: &Reading) -> u128 {
    let text = case.index.text();
    let missing = |bit: usize| (reading.own | reading.hung) & (1 << bit) == 0;
    let terms = case.lookup.terms().iter().take(MOST_TERMS).enumerate();
    let terms: Vec<(usize, String)> = terms
        .filter(|(bit, _)| missing(*bit))
        .map(|(bit, term)| (bit, term.span.of(case.claim).to_lowercase()))
        .collect();
    if terms.is_empty() {
        return 0;
    }
    let spans = reading.context.iter().copied().chain([reading.span]);
    let words = spans.flat_map(|span| words_in(case, span)).filter(|word| !word.stop && !word.number);
    let words: Vec<String> = words.map(|word| word.span.of(text).to_lowercase()).collect();
    let found = terms.iter().filter(|(_, term)| words.iter().any(|word| is_alike(term, word)));
    found.fold(0, |mask, (bit, _)| mask | 1 << bit)
}

/// Whether two words, in lower case, are of one stem, or one is part of the other.
pub(super) fn is_alike(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let shared = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let length = long.chars().count();
    shared >= STEM && shared as f64 >= STEM_PART * length as f64
        || short.chars().count() >= PART && (long.starts_with(short) || long.ends_with(short))
}
