//! Whether a value that stands nowhere on a page may have been worked out from what does, wherever it stands there.
//!
//! [`derived`](super::derived) tells from which values of the best passages a number comes. Here the whole page is asked, tables too, and
//! nothing is told: where the claim says that it differs, is a share or is so many times as much, and some two values near each other
//! give it, its absence proves nothing.

use super::cues::{self, Class};
use super::derived::Asked;
use super::quantities::Case;
use super::scale;
use crate::text::quantity::{Agreement, Measure, Quantity, compare};

/// Of longer pages the first values are read.
const MOST_VALUES: usize = 400;
/// Values so many sentences apart, or rows of a table, are near each other.
const NEAR: usize = 3;

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
    let factors = scale::factors(case);
    let gives = |amount: f64| factors.iter().any(|factor| asked.is(amount.abs() * factor));
    comes_from_its_own(case, &asked, q) || comes_from_the_page(case, &asked, q, &gives)
}

/// Whether the claim says itself what its value comes from: *87 of the 94 (93%)*.
fn comes_from_its_own(case: &Case<'_, '_, '_>, asked: &Asked<'_, '_, '_>, q: &Quantity) -> bool {
    let there = |own: &&&Quantity| {
        own.span != q.span
            && own.upper.is_none()
            && !own.is_temporal()
            && case.index.quantities().iter().any(|other| compare(own, other) == Agreement::Same)
    };
    let own: Vec<f64> = case.quantities.iter().filter(|own| there(&own)).map(|own| own.value.abs()).collect();
    pairs(&own).any(|(a, b)| {
        let share = q.measure == Measure::Percent && (asked.is(a / b * 100.0) || asked.is((b - a).abs() / a * 100.0));
        share || asked.is((a - b).abs()) || asked.is(a + b) || asked.is(a / b)
    })
}

fn comes_from_the_page(
    case: &Case<'_, '_, '_>,
    asked: &Asked<'_, '_, '_>,
    q: &Quantity,
    gives: &dyn Fn(f64) -> bool,
) -> bool {
    let apart = asked.is_a_difference();
    let moves = asked.says(Class::Up) || asked.says(Class::Down) || asked.says(Class::Than);
    let part_of = asked.says(Class::Of) || asked.says(Class::Share);
    let joined = asked.says(Class::Together);
    let mean = asked.says(Class::Mean) || asked.says(Class::Per);
    let percent = q.measure == Measure::Percent;
    let times = q.measure == Measure::Multiple;
    let free = |other: &&Quantity| !other.is_label() && !other.is_temporal() && compare(q, other) != Agreement::Same;
    let values: Vec<Value> =
        case.index.quantities().iter().filter(free).take(MOST_VALUES).map(|other| value(case, other)).collect();
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
        a.sentence.abs_diff(b.sentence) <= NEAR && (a.related || b.related) || a.related && b.related
    };
    let has_rest = |value: &Value| {
        let here = value.sentence.saturating_sub(1)..=value.sentence + 1;
        here.filter(|sentence| *sentence < case.index.len())
            .any(|sentence| case.index.words_of(sentence, sentence).iter().any(|word| cues::has(word, Class::Rest)))
    };
    let alike = |a: &Value, b: &Value| near(a, b) && pair(a, b);
    // A part of an amount that the page speaks of right there: *it cost 63 million. Two thirds were paid by the region*.
    let is_part = |a: &Value, b: &Value| {
        a.sentence.abs_diff(b.sentence) <= 1
            && [(a, b), (b, a)]
                .iter()
                .any(|(part, whole)| part.part.is_some_and(|part| part < 1.0 && gives(part * whole.amount)))
    };
    let left = |a: &Value, b: &Value| a.related && gives(a.amount - b.amount) && (has_rest(a) || has_rest(b));
    values
        .iter()
        .enumerate()
        .any(|(i, a)| values[i + 1..].iter().any(|b| alike(a, b) || is_part(a, b) || left(a, b) || left(b, a)))
}

fn value(case: &Case<'_, '_, '_>, other: &Quantity) -> Value {
    let sentence = case.index.sentence_at(other.span.start);
    let part = match (other.measure, other.upper) {
        (Measure::Percent, None) => Some(other.value.abs() / 100.0),
        (Measure::Ratio, Some(whole)) if whole > 0.0 => Some(other.value.abs() / whole),
        _ => None,
    };
    let amount = if other.measure == Measure::Ratio { part.unwrap_or_default() } else { other.value.abs() };
    Value { amount, sentence, part, related: case.lookup.recall(sentence, sentence) > 0.0 }
}

/// All pairs of different places, in both orders.
fn pairs(values: &[f64]) -> impl Iterator<Item = (f64, f64)> + '_ {
    let all = values.iter().enumerate();
    all.flat_map(move |(i, a)| {
        values.iter().enumerate().filter(move |(j, b)| i != *j && **b > 0.0 && *a > 0.0).map(|(_, b)| (*a, *b))
    })
}
