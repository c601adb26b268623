//! Whether a value that stands nowhere on a page may have been worked out from what does, wherever it stands there.
//!
//! [`derived`](super::derived) tells from which values of the best passages a number comes. Here the whole page is asked, tables too, and
//! nothing is told: where the claim says that it differs, is a share or is so many times as much, and some two values near each other
//! give it, its absence proves nothing.

use std::collections::{BTreeMap, HashSet};

use super::case::{Case, is_long};
use super::cues::{self, Class};
use super::derived::Asked;
use super::given::{self, Given, may_be_operand};
use super::once::Row;
use super::{cells, scale, years};
use crate::quantity::{Agreement, Dimension, Measure, Quantity, compare};

/// Of longer pages the first values are read.
const MOST_VALUES: usize = 400;
/// Values so many sentences apart, or rows of a table, are near each other.
const NEAR: usize = 3;

/// So many cells of a row are added up.
const MOST_CELLS: usize = 24;
/// So many passages, the best ones, are read for what they leave.
const BEST: usize = 3;

/// A sentence with this part of the claim's words has to do with it.
const STATED: f64 = 0.15;
/// Of a sentence the first values are read.
const MOST_STATED: usize = 12;
/// Differences of sums are no further apart, as a part of them.
const SPARE: f64 = 1e-9;
/// What went on for longer is not told in years of a page.
const MOST_YEARS: f64 = 150.0;

/// What is done more often in a span of time is told by its sum.
const MOST_TIMES: f64 = 31.0;

/// A value of the page.
#[derive(Clone, Copy)]
struct Value {
    amount: f64,
    sentence: usize,
    /// As a part of one, when it is a percentage or a fraction.
    part: Option<f64>,
    /// Whether its sentence has anything of the claim.
    related: bool,
}

/// Whether the claim's value may come from values of the page.
pub(super) fn may_be_worked_out(case: &Case<'_, '_, '_>, q: &Quantity) -> bool {
    if q.upper.is_some() || q.is_temporal() || matches!(q.measure, Measure::Version(..)) {
        return false;
    }
    let asked = Asked::new(case, q);
    let mut factors = scale::factors(case);
    // A table has bare figures: what they are of, and how many of it, stands in its head.
    let unit = (q.value / q.raw).abs();
    let magnitudes = [1.0, 1e3, 1e6, 1e9].into_iter().filter(|magnitude| *magnitude <= q.raw.abs());
    let units = magnitudes.map(|magnitude| magnitude * unit).filter(|unit| unit.is_finite() && q.has_unit());
    factors.extend(units);
    let gives = |amount: f64| factors.iter().any(|factor| asked.is(amount.abs() * factor));
    comes_from_its_own(case, &asked, q)
        || is_the_rest(case, &asked, q)
        || comes_from_a_statement(case, &asked, q)
        || is_between_years(case, q)
        || comes_from_the_page(case, &asked, q, &factors, &gives)
}

/// Whether the claim says itself what its value comes from: *87 of the 94 (93%)*.
fn comes_from_its_own(case: &Case<'_, '_, '_>, asked: &Asked<'_, '_, '_>, q: &Quantity) -> bool {
    let there = |own: &&&Quantity| {
        own.span != q.span
            && own.upper.is_none()
            && !own.is_temporal()
            && case.agreeing(own).any(|other| compare(own, other) == Agreement::Same)
    };
    let own: Vec<f64> = case.quantities.iter().filter(|own| there(&own)).map(|own| own.value.abs()).collect();
    // *Half of the 8.6 million, or 4.3 million*: the part may be said by the claim alone.
    let parts = case.quantities.iter().filter(|own| own.span != q.span).filter_map(part_of_one);
    if parts.into_iter().any(|part| part < 1.0 && own.iter().any(|whole| asked.is(whole * part))) {
        return true;
    }
    // *One of the eight, or 12.5%*.
    if q.measure == Measure::Percent && own.iter().any(|whole| *whole > 1.0 && asked.is(100.0 / whole)) {
        return true;
    }
    pairs(&own).any(|(a, b)| {
        let share = q.measure == Measure::Percent && (asked.is(a / b * 100.0) || asked.is((b - a).abs() / a * 100.0));
        share || asked.is((a - b).abs()) || asked.is(a + b) || asked.is(a / b)
    })
}

/// Whether a percentage is what the others of a sentence with a word for it leave: *A paid 55%, B 25%, C the rest*.
fn is_the_rest(case: &Case<'_, '_, '_>, asked: &Asked<'_, '_, '_>, q: &Quantity) -> bool {
    let window = case.windows.iter().take(BEST).flat_map(|window| window.first..=window.last);
    q.measure == Measure::Percent
        && window.into_iter().any(|sentence| {
            let all = case.index.quantities_of(sentence, sentence).iter();
            let shares: f64 =
                all.filter(|other| other.measure == Measure::Percent).map(|other| other.value.abs()).sum();
            let has_rest = || case.index.words_of(sentence, sentence).iter().any(|word| cues::has(word, Class::Rest));
            shares > 0.0 && asked.is(100.0 - shares) && has_rest()
        })
}

/// Whether values of one sentence that has to do with the claim give its value, whatever the claim says of how: *20 tents with 6 beds each*,
/// *2.7 metres in 9 hours*, *13.1 of 46.8 million*, *12.6 million, 0.7 million more than in 2017*. So do one of them and a small number of
/// the claim's own (*two tickets*), its double (*there and back*), and of a percentage what is left of a hundred.
fn comes_from_a_statement(case: &Case<'_, '_, '_>, asked: &Asked<'_, '_, '_>, q: &Quantity) -> bool {
    let percent = q.measure == Measure::Percent;
    let own = case.quantities.iter().filter(|own| own.span != q.span && own.upper.is_none() && !own.is_temporal());
    let own: Vec<f64> = own.map(|own| own.raw.abs()).filter(|n| (2.0..=MOST_TIMES).contains(n)).chain([2.0]).collect();
    let gives = |value: f64| asked.is(value);
    let told = asked.says(Class::Mean) || asked.says(Class::Per) || asked.says(Class::Together);
    let stated = |sentence: &usize| told || case.lookup.recall(*sentence, *sentence) >= STATED;
    let gives_it = |sentence: usize| {
        let all = case.index.quantities_of(sentence, sentence).iter();
        let free = |other: &&Quantity| may_be_operand(other) && compare(q, other) != Agreement::Same;
        let values: Vec<&Quantity> = all.filter(free).take(MOST_STATED).collect();
        let has_changed = || {
            let words = case.index.words_of(sentence, sentence);
            words.iter().any(|word| cues::tells_a_difference(word) || cues::is_change(word) || cues::compares(word))
        };
        leaves(case, &values).into_iter().any(gives)
            || values.iter().enumerate().any(|(i, a)| {
                let amount = a.value.abs();
                let rest = percent && a.measure == Measure::Percent && gives(100.0 - amount);
                rest || own.iter().any(|n| gives(amount * n) || gives(amount / n) && *n > 2.0)
                    || values.iter().enumerate().filter(|(j, _)| i != *j).any(|(_, b)| {
                        let part = percent && given::share(a, b).is_some_and(gives);
                        let times = given::scaled(a, b).into_iter().flatten().any(gives);
                        part || times || has_changed() && given::changed(a, b).into_iter().flatten().any(gives)
                    })
            })
    };
    if is_long(case.index) {
        // The sentences that do not are passed over at once.
        let given = case.once.given.get_or_init(|| Given::read(case.index));
        let by = |n: f64| asked.ranges().flat_map(move |(low, high)| [(low / n, high / n), (low * n, high * n)]);
        let left = asked.ranges().map(|(low, high)| (100.0 - high, 100.0 - low)).filter(|_| percent);
        let amounts: Vec<(f64, f64)> = own.iter().copied().flat_map(by).chain(left).collect();
        return given.sentences(&amounts, asked.ranges()).into_iter().filter(stated).any(gives_it);
    }
    let last = case.index.len().saturating_sub(1);
    let with_words = || case.lookup.sentences(0, last).map(|(sentence, _)| sentence).filter(stated);
    if told { (0..=last).any(gives_it) } else { with_words().any(gives_it) }
}

/// What the greatest value of a sentence leaves beside others of its kind, one of them or all: *39 of the 52 aboard died*, *of 42 million the state
/// paid 28 and the town 10*.
fn leaves(case: &Case<'_, '_, '_>, values: &[&Quantity]) -> Vec<f64> {
    let Some(whole) = values.iter().max_by(|a, b| a.value.total_cmp(&b.value)) else { return Vec::new() };
    let of_kind = |other: &Quantity| other.measure == whole.measure && case.counted(other) == case.counted(whole);
    let parts = values.iter().filter(|part| part.span != whole.span && of_kind(part)).map(|part| part.value);
    let mut parts: Vec<f64> = parts.collect();
    parts.push(parts.iter().sum());
    parts.into_iter().map(|part| whole.value - part).filter(|rest| *rest > 0.0 && *rest < whole.value).collect()
}

/// Whether a number of years lies between two years of the page, of which one stands where the claim's words do: an age, or how long
/// something went on.
fn is_between_years(case: &Case<'_, '_, '_>, q: &Quantity) -> bool {
    let in_years = matches!(q.measure, Measure::Count | Measure::Physical(Dimension::Duration))
        && q.raw.fract() == 0.0
        && (1.0..=MOST_YEARS).contains(&q.raw);
    if !in_years {
        return false;
    }
    let first = || {
        let all = case.index.quantities().iter();
        let years = all.filter_map(|q| Some((years::year_of(q)?, case.index.sentence_at(q.span.start))));
        years.take(MOST_VALUES).collect()
    };
    // Each year, and whether the claim's words stand there.
    let mut years: BTreeMap<i32, bool> = BTreeMap::new();
    for (year, sentence) in case.once.years.get_or_init(first) {
        *years.entry(*year).or_default() |= case.lookup.recall(*sentence, *sentence) >= STATED;
    }
    // Before the birthday of the year one is a year younger.
    let between = q.raw as i32;
    years.iter().any(|(from, stated)| {
        let others = [between, between + 1].map(|years| from.saturating_add(years));
        others.iter().filter_map(|to| years.get(to)).any(|other| *stated || *other)
    })
}

fn comes_from_the_page(
    case: &Case<'_, '_, '_>,
    asked: &Asked<'_, '_, '_>,
    q: &Quantity,
    factors: &[f64],
    gives: &dyn Fn(f64) -> bool,
) -> bool {
    let apart = asked.is_a_difference();
    let moves = asked.says(Class::Up) || asked.says(Class::Down) || asked.says(Class::Than);
    let part_of = asked.says(Class::Of) || asked.says(Class::Share);
    let joined = asked.says(Class::Together);
    let mean = asked.says(Class::Mean) || asked.says(Class::Per);
    let percent = q.measure == Measure::Percent;
    let times = q.measure == Measure::Multiple;
    let owns = with_own_values(case, q, factors);
    let free = |other: &&Quantity| !other.is_label() && !other.is_temporal() && compare(q, other) != Agreement::Same;
    let values: Vec<Value> =
        case.index.quantities().iter().filter(free).take(MOST_VALUES).map(|other| value(case, other, &owns)).collect();
    let pair = |a: &Value, b: &Value| {
        let (low, high) = (a.amount.min(b.amount), a.amount.max(b.amount));
        if low <= 0.0 {
            return false;
        }
        let share = || part_of && asked.is(low / high * 100.0);
        let change = || moves && (asked.is((high / low - 1.0) * 100.0) || asked.is((1.0 - low / high) * 100.0));
        percent && (share() || change())
            || times && (asked.is(high / low) || asked.is(high / low - 1.0))
            || apart && gives(high - low)
            || joined && gives(high + low)
            || mean && (gives(high / low) || gives(f64::midpoint(high, low)))
            // *600 mg three times a day*
            || mean && low <= MOST_TIMES && a.sentence == b.sentence && gives(high * low)
    };
    let near = |a: &Value, b: &Value| {
        a.sentence.abs_diff(b.sentence) <= NEAR && (a.related || b.related)
            || a.related && b.related
            // *24.5 kg heavier*, of a row *Weight: 9.5 kg, 34 kg*.
            || apart && a.sentence == b.sentence
    };
    let by_its_words = percent && (part_of || moves) || times || apart || joined || mean;
    let by_words = || values.iter().enumerate().any(|(i, a)| values[i + 1..].iter().any(|b| near(a, b) && pair(a, b)));
    // A part of an amount that the page speaks of right there: *it cost 63 million. Two thirds were paid by the region*.
    let beside = |value: &Value| {
        let from = values.partition_point(|other| other.sentence + 1 < value.sentence);
        let to = values.partition_point(|other| other.sentence <= value.sentence + 1);
        &values[from..to]
    };
    let parts = || values.iter().filter_map(|value| Some((value, value.part.filter(|part| *part < 1.0)?)));
    let is_part = |(value, part): (&Value, f64)| {
        beside(value).iter().any(|whole| !std::ptr::eq(whole, value) && gives(part * whole.amount))
    };
    by_its_words && by_words() || parts().any(is_part) || is_left(case, asked, &values, factors, gives)
}

/// Whether a value is what another one leaves, by a word for it near one of the two.
fn is_left(
    case: &Case<'_, '_, '_>,
    asked: &Asked<'_, '_, '_>,
    values: &[Value],
    factors: &[f64],
    gives: &dyn Fn(f64) -> bool,
) -> bool {
    let has_rest = |value: &Value| {
        let here = value.sentence.saturating_sub(1)..=value.sentence + 1;
        here.filter(|sentence| *sentence < case.index.len())
            .any(|sentence| case.index.words_of(sentence, sentence).iter().any(|word| cues::has(word, Class::Rest)))
    };
    let mut ascending: Vec<&Value> = values.iter().collect();
    ascending.sort_unstable_by(|a, b| a.amount.total_cmp(&b.amount));
    // What is greater than a value by the claim's, in one of the figures that it may be told in.
    let greater = |value: &Value, (low, high): (f64, f64), factor: f64| {
        let (low, high) = (value.amount + low / factor, value.amount + high / factor);
        let spare = SPARE * high.abs();
        let from = ascending.partition_point(|other| other.amount < low - spare);
        ascending[from..].iter().copied().take_while(move |other| other.amount <= high + spare)
    };
    let is_left = |a: &Value, b: &Value| {
        (a.related || b.related) && gives(a.amount - b.amount) && !std::ptr::eq(a, b) && (has_rest(a) || has_rest(b))
    };
    values.iter().any(|a| {
        let ranges = asked.ranges().flat_map(|range| factors.iter().map(move |factor| (range, *factor)));
        ranges.into_iter().any(|(range, factor)| greater(a, range, factor).any(|b| is_left(a, b)))
    })
}

/// A percentage or a fraction as a part of one.
fn part_of_one(q: &Quantity) -> Option<f64> {
    match (q.measure, q.upper) {
        (Measure::Percent, None) => Some(q.value.abs() / 100.0),
        (Measure::Ratio, Some(whole)) if whole > 0.0 => Some(q.value.abs() / whole),
        _ => None,
    }
}

fn value(case: &Case<'_, '_, '_>, other: &Quantity, owns: &HashSet<usize>) -> Value {
    let sentence = case.index.sentence_at(other.span.start);
    let part = part_of_one(other);
    let amount = if other.measure == Measure::Ratio { part.unwrap_or_default() } else { other.value.abs() };
    let related = owns.contains(&sentence) || case.lookup.recall(sentence, sentence) > 0.0;
    Value { amount, sentence, part, related }
}

/// The sentences, rows of tables too, that have another value of the claim, by whatever the heads of the page say that it is multiplied.
fn with_own_values(case: &Case<'_, '_, '_>, q: &Quantity, factors: &[f64]) -> HashSet<usize> {
    let owns = case
        .quantities
        .iter()
        .filter(|own| own.span != q.span && own.is_measured() && !own.is_temporal() && !own.spelled);
    let owns: Vec<&Quantity> = owns.collect();
    let same = |other: &&Quantity| {
        owns.iter().any(|own| {
            let times = |factor: &f64| (other.value.abs() * factor - own.value.abs()).abs() <= own.tolerance;
            other.measure == Measure::Count && !other.spelled && factors.iter().any(times)
        })
    };
    let all = case.index.quantities().iter().take(MOST_VALUES).filter(same);
    all.map(|other| case.index.sentence_at(other.span.start)).collect()
}

/// Whether a value is the sum of neighbouring cells of a row whose label the claim names: the quarters that make a half.
pub(super) fn is_a_sum_in_a_row(case: &Case<'_, '_, '_>, q: &Quantity) -> bool {
    if q.measure != Measure::Count || q.spelled || q.upper.is_some() {
        return false;
    }
    let is = |sum: f64| (sum - q.value.abs()).abs() <= q.tolerance.min(1e-6 * sum.abs().max(1.0));
    let is_sum = |counts: &[f64]| {
        let counts = &counts[..counts.len().min(MOST_CELLS)];
        (0..counts.len()).any(|from| (from + 2..=counts.len()).any(|to| is(counts[from..to].iter().sum())))
    };
    rows(case).iter().any(|row| is_sum(&row.counts) && cells::names_row(case, &row.label))
}

/// The rows of the page's tables.
fn rows<'i>(case: &Case<'_, 'i, '_>) -> &'i [Row] {
    case.once.rows.get_or_init(|| {
        let mut rows: Vec<Row> = Vec::new();
        for value in case.index.quantities().iter().filter(|q| q.measure == Measure::Count && !q.spelled) {
            let Some((start, label)) = cells::row_at(case.index.text(), value.span) else { continue };
            match rows.last_mut().filter(|last| last.start == start) {
                Some(row) => row.counts.push(value.value.abs()),
                None => rows.push(Row { start, label: label.to_owned(), counts: vec![value.value.abs()] }),
            }
        }
        rows
    })
}

/// All pairs of different places, in both orders.
fn pairs(values: &[f64]) -> impl Iterator<Item = (f64, f64)> + '_ {
    let all = values.iter().enumerate();
    all.flat_map(move |(i, a)| {
        values.iter().enumerate().filter(move |(j, b)| i != *j && **b > 0.0 && *a > 0.0).map(|(_, b)| (*a, *b))
    })
}
