//! Values that follow from those of a page by arithmetic: what a writer worked out is not missing.
//!
//! A difference, a sum, a rate of growth, a share, an age: each is asked for only where the claim says which, or where the value has so many
//! figures that it is hardly met by chance; from values that stand near each other in the best passages; at the claim's own precision. It
//! proves nothing: such a claim is weak, and whoever reads it is told which values it may come from.

use std::cell::OnceCell;
use std::ops::RangeInclusive;

use super::case::Case;
use super::cues::{self, Class};
use crate::evidence::search::Window;
use cited_text::quantity::{Agreement, Bound, Dimension, Measure, Quantity, compare, trailing_unit};

/// So many passages, the best ones, are read for values that the claim's may come from.
const PASSAGES: usize = 3;
/// A passage with more values than this is a table: some two of them give any number.
const MOST_VALUES: usize = 16;
/// A value from which on sums, differences and parts are hardly met by chance, though no word says what was done.
const TELLING: f64 = 100.0;
/// … when half a unit in its last place is at most this part of it (*2.8 million*, and not *4 million*) …
const PRECISE: f64 = 0.02;
/// … or what is worked out differs from it by this part at most.
const EXACTLY: f64 = 0.005;
/// A bound is kept by a value that is away from it by this part at most: *more than 60%* by 64%.
const REACH: f64 = 0.15;
/// *About* is kept by a value that is away by half a unit in the last place that is not 0, and by this part at most: *about 250* by 253.
const ROUGHLY: f64 = 0.03;
/// What is so many years old or ago is told from a year that the page does not name.
const NOW: RangeInclusive<f64> = 1990.0..=2040.0;
/// Percentage points, when they are not written out.
const POINTS: [&str; 5] = ["point", "punkt", "punto", "пункт", "点"];
/// Seconds of a year, of 365.25 days.
const YEAR: f64 = 365.25 * 86_400.0;
/// An amount without a currency, beside one that has one, is an amount of money from here on: *€1,250 million, up from 1.1 billion*.
const AMOUNT: f64 = 1e6;

/// A value of the page and the sentence that it stands in.
#[derive(Clone, Copy)]
struct PageValue<'q> {
    quantity: &'q Quantity,
    sentence: usize,
}

impl PageValue<'_> {
    fn value(&self) -> f64 {
        self.quantity.value.abs()
    }
}

/// A value of the claim that may have been worked out, and what its words say of how.
pub(super) struct ClaimValue<'c> {
    case: &'c Case<'c>,
    q: &'c Quantity,
    /// Whether it has so many figures that chance hardly meets it.
    telling: bool,
    /// Whether it is a difference of percentages.
    points: bool,
    words: OnceCell<u64>,
}

/// Whether a value is one of the claim's, or of another reading of it, at its precision.
pub(super) fn is_met(q: &Quantity, value: f64) -> bool {
    [Some(q.value), q.alternative].into_iter().flatten().any(|own| values_that_are(q, own).contains(&value))
}

/// The values that are one of the claim's, read as this one.
fn values_that_are(q: &Quantity, value: f64) -> RangeInclusive<f64> {
    let value = value.abs();
    // What is round is the number as it is written, in whatever unit.
    let round = || {
        let unit = (q.value / q.raw).abs();
        let unit = if unit.is_finite() { unit } else { 1.0 };
        trailing_unit(value / unit) / 2.0 * unit
    };
    let spare = match q.bound {
        Bound::AtLeast => return value..=value * (1.0 + REACH),
        Bound::AtMost => return value / (1.0 + REACH)..=value,
        Bound::Exact => q.tolerance.max(0.0),
        Bound::About => q.tolerance.max((ROUGHLY * value).min(round())),
    };
    value - spare..=value + spare
}

/// What a value of the claim may have been worked out from, as a writer is told; none where the page has nothing that gives it.
pub(super) fn working(case: &Case<'_>, q: &Quantity) -> Option<String> {
    if q.upper.is_some() || matches!(q.measure, Measure::Version(..) | Measure::Time) {
        return None;
    }
    let claimed = ClaimValue::new(case, q);
    let last = case.source.index.len().saturating_sub(1);
    let beside = |window: &Window| window.first.saturating_sub(1)..=(window.last + 1).min(last);
    let mut passages: Vec<_> = case.windows.iter().take(PASSAGES).map(beside).collect();
    if passages.is_empty() {
        // None of the claim's words is there, as where *Wohnungsbau* stands for *Wohnungen gebaut*.
        passages.push(0..=last);
    }
    passages.into_iter().find_map(|sentences| {
        let given = claimed.collect_values(sentences)?;
        let mut two = pairs(&given).flat_map(|[one, other]| [[one, other], [other, one]]);
        let mut two = || two.find(|[one, other]| claimed.is_of_two(one, other));
        // The values of a sentence that are of one kind.
        let beside =
            |one: &PageValue<'_>, other: &PageValue<'_>| other.sentence == one.sentence && are_of_one_kind(one, other);
        let mut sentences =
            given.iter().map(|one| given.iter().filter(|other| beside(one, other)).copied().collect::<Vec<_>>());
        let many = || sentences.find(|all| claimed.is_of_all(all));
        claimed.age(&given).or_else(|| two().map(Vec::from)).or_else(many).map(|from| claimed.reason(&from))
    })
}

impl<'c> ClaimValue<'c> {
    pub(super) fn new(case: &'c Case<'c>, q: &'c Quantity) -> Self {
        let telling = q.raw.abs() >= TELLING || q.raw.fract() != 0.0;
        ClaimValue { case, q, telling, points: is_of_points(case.claim.text, q), words: OnceCell::new() }
    }

    /// The values of some neighbouring sentences; where they are too many, of the one that has most of the claim.
    fn collect_values(&self, sentences: RangeInclusive<usize>) -> Option<Vec<PageValue<'c>>> {
        // A value that the claim has itself is none that another one of it comes from.
        let is_own = |given: &PageValue<'_>| {
            compare(self.q, given.quantity) == Agreement::Same && given.quantity.measure == self.q.measure
        };
        let of = |sentences: RangeInclusive<usize>| -> Vec<PageValue<'c>> {
            let all = sentences.flat_map(|sentence| {
                let values = self.case.source.index.quantities_of(sentence, sentence).iter();
                values.map(move |quantity| PageValue { quantity, sentence })
            });
            let free = all.filter(|given| !given.quantity.is_label() && !is_own(given));
            free.take(MOST_VALUES + 1).collect()
        };
        let all = of(sentences.clone());
        if all.len() <= MOST_VALUES {
            return Some(all);
        }
        let recall = |sentence: &usize| self.case.lookup.recall(*sentence, *sentence);
        let fullest = sentences.max_by(|a, b| recall(a).total_cmp(&recall(b)))?;
        Some(of(fullest..=fullest)).filter(|given| given.len() <= MOST_VALUES)
    }

    /// Whether the claim has a word of this class.
    pub(super) fn says(&self, class: Class) -> bool {
        let all = || self.case.claim.words.iter().fold(0, |all, word| all | cues::classes_of(word));
        self.words.get_or_init(all) & class as u64 != 0
    }

    /// Whether the claim says that something is more or less than something else.
    fn compares(&self) -> bool {
        let compares = [Class::Up, Class::Down, Class::Differing].into_iter().any(|class| self.says(class));
        compares || self.is_a_difference() || cues::moves_in_a_phrase(self.case.claim.text)
    }

    /// Whether the claim says that its value was added up.
    fn adds_up(&self) -> bool {
        self.says(Class::Together) || cues::says(self.case.claim.text, "sum")
    }

    /// Whether the claim says that its value is a part of something.
    fn is_shared(&self) -> bool {
        self.says(Class::Of) || self.says(Class::Share)
    }

    /// Whether a value is the claim's at its precision.
    fn is(&self, value: f64) -> bool {
        is_met(self.q, value)
    }

    /// Whether a value is the claim's, of many that could be, and chance hardly made it so.
    fn is_hardly_by_chance(&self, value: f64) -> bool {
        let q = self.q.value.abs();
        let precise = self.q.tolerance <= PRECISE * q || (value - q).abs() <= EXACTLY * q;
        self.telling && precise && self.is(value)
    }

    /// What a writer is told: the value, and those of the page that it may come from, the first ones first.
    fn reason(&self, from: &[PageValue<'_>]) -> String {
        let written = |given: &PageValue<'_>| given.quantity.span.slice(self.case.source.index.text()).trim();
        let from = from.iter().map(written).collect::<Vec<_>>().join(", ");
        format!("the source has numbers that give {}: {from}", self.q.span.slice(self.case.claim.text).trim())
    }

    /// Whether two values of the page, near each other and in this order, give the claim's: by a change or a share in per cent, by so many points,
    /// as a sum, a difference or a mean, or as a part of an amount or what that was before it changed.
    fn is_of_two(&self, a: &PageValue<'_>, b: &PageValue<'_>) -> bool {
        let (one, other, near) = (a.value(), b.value(), a.sentence.abs_diff(b.sentence));
        let rises = one > 0.0 && one <= other && near <= 2 && are_of_one_kind(a, b);
        let (up, down) = (self.says(Class::Up), self.says(Class::Down));
        let changed = || {
            (up || !down) && self.is((other / one - 1.0) * 100.0)
                || (down || !up) && self.is((1.0 - one / other) * 100.0)
        };
        let part = || one < other && self.is(one / other * 100.0) && self.is_shared();
        // *38%, two points more than a year earlier*.
        let by_points =
            || near <= 1 && is_share(a) && other > 0.0 && is_of_points(self.case.source.index.text(), b.quantity);
        self.q.measure == Measure::Percent
            && (rises && (changed() && self.compares() || part())
                || by_points() && (self.is(one - other) || self.is(one + other)))
            || !self.q.is_temporal() && self.is_its_kind(a) && self.is_of_amounts((a, b), near)
    }

    /// The same where the first is an amount of the kind of the claim's value.
    fn is_of_amounts(&self, (a, b): (&PageValue<'_>, &PageValue<'_>), near: usize) -> bool {
        let (one, other) = (a.value(), b.value());
        let (difference, sum) = ((one - other).abs(), one + other);
        // *48 cents, up 6 cents*: what it was before.
        let changed = || near == 0 && (self.is_a_change(a) || self.is_a_change(b));
        let added = || {
            self.is(difference) && (self.is_a_difference() || changed())
                || self.is(sum) && (self.adds_up() || changed())
                || self.is_hardly_by_chance(difference)
                || self.is_hardly_by_chance(sum)
                || self.says(Class::Mean) && self.is(f64::midpoint(one, other))
        };
        let part = other / 100.0;
        let [more, less] = [1.0 + part, 1.0 - part];
        let changes = [one / part, one * more, one / more, one * less, one / less];
        let by_part = || {
            self.is_hardly_by_chance(one * part)
                || near == 0 && changes.into_iter().any(|value| self.is_hardly_by_chance(value))
        };
        (near <= 1 || self.is_a_difference()) && self.is_its_kind(b) && added()
            || near <= 2 && is_share(b) && part < 1.0 && by_part()
    }

    /// Whether a value of the page is of the kind that the claim's is worked out from.
    fn is_its_kind(&self, one: &PageValue<'_>) -> bool {
        if self.points { is_share(one) } else { is_amount(one.quantity) && alike(one.quantity, self.q) }
    }

    /// Whether the values of a sentence, which are of one kind, give the claim's: as the share of the first of those that it can be, as their sum
    /// or their mean.
    fn is_of_all(&self, all: &[PageValue<'_>]) -> bool {
        let sum: f64 = all.iter().map(PageValue::value).sum();
        let of_its_kind = || !self.q.is_temporal() && all.len() > 2 && self.is_its_kind(&all[0]);
        let percent = self.q.measure == Measure::Percent && all.len() > 1 && self.is_shared();
        percent && all.iter().any(|one| self.is(one.value() / sum * 100.0))
            || of_its_kind()
                && (self.is(sum) && self.adds_up()
                    || self.is_hardly_by_chance(sum)
                    || self.says(Class::Mean) && self.is(sum / all.len() as f64))
    }

    /// Whether a value of the page says by how much something else changed or differs: *up 6 cents*, *118,000 fewer*.
    fn is_a_change(&self, given: &PageValue<'_>) -> bool {
        let words = self.case.source.index.words_of(given.sentence, given.sentence);
        let q = given.quantity;
        let before = words.iter().rev().filter(|word| word.span.end <= q.span.start).take(2);
        let behind = words.iter().filter(|word| word.span.start >= q.span.end).take(2);
        before.into_iter().any(|word| cues::has(word, Class::Change) || cues::moves(word))
            || behind.into_iter().any(cues::is(Class::Differing))
            || cues::moves_right_behind(q.span.after(self.case.source.index.text()))
    }

    /// Whether the claim's value says how far two others are apart: *by 25 votes*, *150 more*.
    pub(super) fn is_a_difference(&self) -> bool {
        let before = self.case.claim.words.iter().rev().filter(|word| word.span.end <= self.q.span.start).take(3);
        let behind = self.case.claim.words.iter().filter(|word| word.span.start >= self.q.span.end).take(4);
        before.into_iter().any(cues::is(Class::Change))
            || behind.into_iter().any(|word| cues::has(word, Class::Differing) || cues::has(word, Class::Than))
            || self.points
            || self.telling && (self.says(Class::Up) || self.says(Class::Down))
            || self.says(Class::Gap)
    }

    /// A number of years between two years, or between one and now, as a span of time or as somebody's age.
    fn age<'q>(&self, given: &[PageValue<'q>]) -> Option<Vec<PageValue<'q>>> {
        let years = self.q.value / YEAR;
        let is_whole = (years - years.round()).abs() < 0.01 * years.max(0.01) && years.round() >= 1.0;
        let span = self.q.measure == Measure::Physical(Dimension::Duration) && is_whole;
        let age = (span || self.q.measure == Measure::Count) && self.says(Class::Age);
        if !span && !age {
            return None;
        }
        let years: Vec<(PageValue<'q>, i32)> = given.iter().flat_map(years_of).collect();
        let now = |(_, from): &&(PageValue<'q>, i32)| NOW.contains(&(f64::from(*from) + self.q.raw));
        if let Some((one, _)) =
            years.iter().find(now).filter(|_| span && (self.says(Class::Age) || self.says(Class::Ago)))
        {
            return Some(vec![*one]);
        }
        let gives = |[(_, from), (_, to)]: &[(PageValue<'q>, i32); 2]| {
            let between = f64::from(from.abs_diff(*to)) - self.q.raw;
            // Before the birthday of the year one is a year younger.
            between.abs() < 1e-9 || age && (between - 1.0).abs() < 1e-9
        };
        pairs(&years).find(gives).map(|two| two.map(|(value, _)| value).into())
    }
}

/// Each two of some values, in their order.
pub(super) fn pairs<T: Copy>(all: &[T]) -> impl Iterator<Item = [T; 2]> {
    all.iter().enumerate().flat_map(|(at, one)| all[at + 1..].iter().map(|other| [*one, *other]))
}

/// Whether two values are amounts of one kind.
fn are_of_one_kind(one: &PageValue<'_>, other: &PageValue<'_>) -> bool {
    is_amount(one.quantity) && is_amount(other.quantity) && alike(one.quantity, other.quantity)
}

fn is_share(value: &PageValue<'_>) -> bool {
    value.quantity.measure == Measure::Percent
}

/// The years that a value names.
fn years_of<'q>(given: &PageValue<'q>) -> impl Iterator<Item = (PageValue<'q>, i32)> + use<'q> {
    let given = *given;
    let first = given.quantity.year();
    let last = given.quantity.upper.filter(|_| first.is_some()).map(|upper| upper as i32);
    [first, last].into_iter().flatten().map(move |year| (given, year))
}

/// Whether a value is an amount that can be added to others.
fn is_amount(q: &Quantity) -> bool {
    let is_kind = q.has_unit() && q.measure != Measure::Points;
    q.upper.is_none() && (is_kind || matches!(q.measure, Measure::Count | Measure::Multiple))
}

/// Whether two amounts are of one kind.
fn alike(a: &Quantity, b: &Quantity) -> bool {
    let bare = |q: &Quantity| q.measure == Measure::Count && q.value >= AMOUNT;
    let money = |q: &Quantity| matches!(q.measure, Measure::Money(_));
    let degrees = |q: &Quantity| matches!(q.measure, Measure::Physical(Dimension::Temperature | Dimension::Degrees));
    a.measure == b.measure || money(a) && bare(b) || bare(a) && money(b) || degrees(a) && degrees(b)
}

/// Whether a value is a difference of percentages: *7.4 points*.
fn is_of_points(claim: &str, q: &Quantity) -> bool {
    let counted = || q.counted.map(|counted| counted.slice(claim).to_lowercase());
    q.measure == Measure::Points
        || q.measure == Measure::Count && counted().is_some_and(|word| POINTS.iter().any(|form| word.starts_with(form)))
}
