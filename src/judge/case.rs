//! A claim on a page, as the checks of its values need it, and when two values are of one kind.

use std::borrow::Cow;
use std::cell::OnceCell;

use super::once::{Keyed, Once};
use crate::evidence::Evidence;
use crate::evidence::search::{Lookup, SourceIndex, Window};
use crate::lexicon::Languages;
use crate::quantity::{Agreement, Bound, Measure, Quantity, compare};
use crate::text::Span;
use crate::text::words::{Word, words};

/// A claim on a page, as the quantity checks need it.
pub struct Case<'c, 'i, 'a> {
    /// The claim's text.
    pub claim: &'c str,
    /// Its words, in order.
    pub words: &'c [Word],
    /// The languages that it may be in.
    pub languages: Languages,
    /// Its quantities.
    pub quantities: &'c [Quantity],
    /// The page.
    pub index: &'i SourceIndex<'a>,
    /// The page as a reader sees it.
    pub(super) evidence: &'i Evidence,
    /// What the page says whatever the claim.
    pub(super) once: &'i Once,
    /// The claim's words on the page.
    pub lookup: &'c Lookup<'i, 'a>,
    /// The passages that have most of them, best first.
    pub windows: &'c [Window],
    /// Whether the page was read whole, in the language of the claim.
    pub complete: bool,
    /// The part of the claim's words that the best passage has.
    pub best: f64,
    /// Where the page has a quotation of the claim.
    pub(super) quoted: Option<Span>,
    /// For each quantity of the claim the places of those of the page that can agree with it: several checks ask for them.
    pub(super) agreeing: Vec<OnceCell<Vec<u32>>>,
}

impl<'i> Case<'_, 'i, '_> {
    /// Whether a value of the page is one of the claim's.
    pub(super) fn has_value(&self, value: &Quantity) -> bool {
        self.quantities.iter().any(|own| compare(own, value) >= Agreement::Compatible)
    }

    /// The values of the page that can agree with one of the claim's: see [`SourceIndex::agreeing`].
    pub(super) fn agreeing(&self, q: &Quantity) -> impl Iterator<Item = &'i Quantity> {
        let (index, all) = (self.index, self.index.quantities());
        let known = self.quantities.iter().position(|own| own == q).and_then(|at| self.agreeing.get(at));
        let places = known.map_or_else(
            || Cow::Owned(index.places_agreeing(q)),
            |known| Cow::Borrowed(known.get_or_init(|| index.places_agreeing(q)).as_slice()),
        );
        (0..places.len()).filter_map(move |at| all.get(places[at] as usize))
    }

    /// The key of what a value of the page counts, as [`counted`] reads it.
    pub(super) fn counted(&self, value: &Quantity) -> Option<u64> {
        let (text, all) = (self.index.text(), self.index.quantities());
        let keys = self.once.counted.get_or_init(|| all.iter().map(|value| counted(text, value)).collect());
        let at = all.partition_point(|other| other.span.start < value.span.start);
        match all.get(at) {
            Some(other) if other == value => keys[at],
            _ => counted(text, value),
        }
    }

    /// The values of the page that may be of one kind with the claim's, in their order: all of which [`same_kind`] says so.
    pub(super) fn kin(&self, q: &Quantity) -> impl Iterator<Item = &'i Quantity> + use<'i> {
        let (all, once) = (self.index.quantities(), self.once);
        let kinds = once.kinds.get_or_init(|| Keyed::new(all.iter().map(|q| kind(q, || self.counted(q)))));
        let own = kind(q, || counted(self.claim, q));
        own.into_iter().flat_map(move |own| kinds.of(own, all))
    }

    /// Where some figures stand on the page; of a long page only where a number begins.
    pub(super) fn figures(&self, figures: &str) -> Vec<usize> {
        let (text, figures) = (self.index.text().as_bytes(), figures.as_bytes());
        if !is_long(self.index) {
            return memchr::memmem::find_iter(text, figures).collect();
        }
        let numbers = self.once.numbers.get_or_init(|| numbers(text));
        let head = &figures[..figures.len().min(LONGEST_FIGURES)];
        let begin = |at: usize| &text[at..(at + head.len()).min(text.len())];
        let from = numbers.partition_point(|at| begin(*at) < head);
        let alike = numbers[from..].iter().copied().take_while(|at| begin(*at) == head);
        alike.filter(|at| text[*at..].starts_with(figures)).collect()
    }

    /// The sentence of the best passage that has most of the claim's words.
    pub(super) fn best_sentence(&self) -> Option<usize> {
        let window = self.windows.first()?;
        let recall = |sentence: &usize| self.lookup.recall(*sentence, *sentence);
        (window.first..=window.last).max_by(|a, b| recall(a).total_cmp(&recall(b)))
    }

    /// The sentences of the best passages and those beside `sentence`, without it; some may come more than once.
    pub(super) fn near_sentences(&self, sentence: usize) -> impl Iterator<Item = usize> + '_ {
        let last = self.index.len().saturating_sub(1);
        let best = self.windows.iter().flat_map(|window| window.first..=window.last);
        let beside = sentence.saturating_sub(1)..=(sentence + 1).min(last);
        best.chain(beside).filter(move |other| *other != sentence)
    }
}

/// A page with fewer sentences is sooner read as a whole for each claim than sorted for all of them.
const LONG: usize = 300;

/// Whether a page is worth being sorted for many claims.
pub(super) fn is_long(index: &SourceIndex<'_>) -> bool {
    index.len() >= LONG
}

/// Numbers are sorted by so many figures.
const LONGEST_FIGURES: usize = 24;

/// Where numbers begin, sorted by what stands there.
fn numbers(text: &[u8]) -> Vec<usize> {
    let begins = |at: &usize| text[*at].is_ascii_digit() && !(*at > 0 && text[*at - 1].is_ascii_digit());
    let mut all: Vec<usize> = (0..text.len()).filter(begins).collect();
    let figures = |at: usize| &text[at..(at + LONGEST_FIGURES).min(text.len())];
    all.sort_by(|a, b| figures(*a).cmp(figures(*b)));
    all
}

/// A cheap test that a page's value can agree at all, before the full comparison.
pub(super) fn may_agree(q: &Quantity, other: &Quantity) -> bool {
    if other.is_label() {
        return false;
    }
    // What is given for different units converts: *250 l/s* are *15 m³/min*.
    let plain =
        |q: &Quantity| q.upper.is_none() && q.alternative.is_none() && q.per.is_none() && q.bound == Bound::Exact;
    if !plain(q) || !plain(other) || q.is_temporal() || other.is_temporal() {
        return true;
    }
    let near = |a: f64, b: f64| (a.abs() - b.abs()).abs() <= 0.3 * a.abs().max(b.abs()) + q.tolerance + other.tolerance;
    near(q.value, other.value)
        || (q.raw - other.raw).abs() < f64::EPSILON
        || near(q.value * 100.0, other.value)
        || near(q.value, other.value * 100.0)
}

/// The key of the content word that a quantity counts: the first within a few words after it.
pub(super) fn counted(text: &str, q: &Quantity) -> Option<u64> {
    const REACH: usize = 3;
    const BYTES: usize = 60;
    let start = q.counted?.start;
    let rest = &text[start..text.floor_char_boundary(start + BYTES)];
    let rest = &rest[..rest.find([',', ';', '.', '\n', '(']).unwrap_or(rest.len())];
    words(rest).take(REACH).find(|word| !word.stop && !word.number).map(|word| word.key)
}

/// A key of the kind of a quantity: what [`same_kind`] takes for one kind has one key.
fn kind(q: &Quantity, counted: impl FnOnce() -> Option<u64>) -> Option<u64> {
    match q.measure {
        Measure::Label => None,
        // What nothing is told of has the least key.
        Measure::Count => Some(counted().unwrap_or_default()),
        Measure::Date(date) => {
            let parts = [date.year.is_some(), date.month.is_some(), date.day.is_some()];
            Some(parts.into_iter().fold(1, |key, part| key << 1 | u64::from(part)))
        }
        Measure::Physical(dimension) => Some(FIRST_DIMENSION + dimension as u64),
        Measure::Percent => Some(1),
        Measure::Points => Some(2),
        Measure::Multiple => Some(3),
        Measure::Money(_) => Some(4),
        Measure::Time => Some(5),
        Measure::Version(..) => Some(6),
        Measure::Ordinal => Some(7),
        Measure::Ratio => Some(16),
    }
}

/// The key of the first kind that is measured in units.
const FIRST_DIMENSION: u64 = 32;

/// Whether a value of the page has the measure of the claim's.
pub(super) fn same_kind(case: &Case<'_, '_, '_>, q: &Quantity, other: &Quantity) -> bool {
    if other.spelled && other.value < 2.0 {
        return false;
    }
    match (q.measure, other.measure) {
        (Measure::Count, Measure::Count) => match (counted(case.claim, q), case.counted(other)) {
            (Some(a), Some(b)) => a == b,
            (None, None) => !other.spelled,
            _ => false,
        },
        (Measure::Date(a), Measure::Date(b)) => {
            a.year.is_some() == b.year.is_some()
                && a.month.is_some() == b.month.is_some()
                && a.day.is_some() == b.day.is_some()
        }
        (Measure::Version(..), Measure::Version(..)) | (Measure::Money(_), Measure::Money(_)) => true,
        (a, b) => a == b,
    }
}
