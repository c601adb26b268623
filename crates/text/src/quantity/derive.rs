//! Values that follow from other values by a step of arithmetic: sums, differences, shares, ratios, changes in per cent.
//!
//! Nothing is guessed here: who asks names the step and the operands. Currencies are never converted, and values of different kinds are
//! never mixed.

// Values that were written alike are compared as they were read.
#![allow(clippy::float_cmp)]

use super::{Agreement, Bound, Date, Dimension, Measure, Quantity, compare};

/// How a value follows from others.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    /// It is the operand, in another unit or rounded.
    Same,
    /// All operands together.
    Sum,
    /// How far two operands are apart.
    Difference,
    /// The first operand as a part of the second, in per cent.
    Share,
    /// How much the second operand is more or less than the first, in per cent of the first.
    Change,
    /// How many times as much as the second operand the first is.
    Ratio,
    /// The first operand for each of the second.
    Quotient,
    /// The first operand as many times as the second says.
    Product,
    /// The mean of the operands.
    Mean,
    /// The years between two dates.
    Years,
    /// The operand is the greatest of its row or column.
    Greatest,
    /// The operand is the least of its row or column.
    Least,
}

/// The value that follows from operands by a step; none where the operands do not go together.
///
/// ```
/// use cited_text::quantity::{Step, follow, quantities};
/// let read = quantities("It has 1,056 cars and 987 lorries.");
/// let sum = follow(Step::Sum, &[&read[0], &read[1]]).unwrap();
/// assert_eq!(sum.value, 2043.0);
/// ```
pub fn follow(step: Step, operands: &[&Quantity]) -> Option<Quantity> {
    let first = *operands.first()?;
    let alike = |other: &Quantity| alike(first, other);
    let plain =
        |measure: Measure, value: f64| Quantity { role: first.role, ..Quantity::exact(first.span, measure, value) };
    // In the unit of the first operand.
    let of_kind = |value: f64| {
        let unit = if first.raw == 0.0 { 1.0 } else { (first.value / first.raw).abs() };
        Quantity {
            raw: if unit.is_finite() && unit > 0.0 { value / unit } else { value },
            ..plain(first.measure, value)
        }
    };
    let two = || match operands {
        [a, b] if alike(b) => Some((a.value, b.value)),
        _ => None,
    };
    match step {
        Step::Same | Step::Greatest | Step::Least => Some(first.clone()),
        Step::Sum | Step::Mean => {
            if operands.len() < 2
                || !operands.iter().all(|other| alike(other))
                || matches!(first.measure, Measure::Date(_))
            {
                return None;
            }
            let sum: f64 = operands.iter().map(|q| q.value).sum();
            Some(of_kind(if step == Step::Sum { sum } else { sum / operands.len() as f64 }))
        }
        Step::Difference => {
            let (a, b) = two()?;
            // Temperatures are read from absolute zero: what lies between two is told in degrees.
            let found = of_kind((a - b).abs());
            Some(if first.measure == Measure::Percent { Quantity { measure: Measure::Points, ..found } } else { found })
        }
        Step::Share => {
            two().filter(|(a, b)| *b > 0.0 && *a >= 0.0 && a <= b).map(|(a, b)| plain(Measure::Percent, a / b * 100.0))
        }
        Step::Change => two()
            .filter(|(a, b)| *a > 0.0 && *b >= 0.0)
            .map(|(a, b)| plain(Measure::Percent, ((b - a) / a * 100.0).abs())),
        Step::Ratio => two().filter(|(a, b)| *b > 0.0 && a > b).map(|(a, b)| plain(Measure::Multiple, a / b)),
        Step::Quotient => match operands {
            [a, b] if b.raw > 1.0 && is_number(b) => Some(of_kind(a.value / b.raw)),
            _ => None,
        },
        Step::Product => match operands {
            [a, b] if b.measure == Measure::Percent => Some(of_kind(a.value * b.value / 100.0)),
            [a, b] if is_number(b) => Some(of_kind(a.value * b.raw)),
            _ => None,
        },
        Step::Years => match operands {
            [a, b] => {
                let years = f64::from((year_of(a)? - year_of(b)?).abs());
                let value = years * YEAR;
                Some(Quantity {
                    raw: years,
                    tolerance: YEAR / 2.0,
                    ..plain(Measure::Physical(Dimension::Duration), value)
                })
            }
            _ => None,
        },
    }
}

/// Seconds of a year, of 365.25 days.
const YEAR: f64 = 365.25 * 86_400.0;

fn year_of(q: &Quantity) -> Option<i32> {
    match q.measure {
        Measure::Date(Date { year, .. }) if q.upper.is_none() => year,
        Measure::Count if q.raw.fract() == 0.0 && (1000.0..2200.0).contains(&q.raw) => Some(q.raw as i32),
        _ => None,
    }
}

/// Whether a value only says how many.
fn is_number(q: &Quantity) -> bool {
    matches!(q.measure, Measure::Count | Measure::Multiple) && q.upper.is_none()
}

/// Whether two values can be added: of one kind, none of them a date, a range or a name.
pub fn alike(a: &Quantity, b: &Quantity) -> bool {
    let amount = |q: &Quantity| {
        q.upper.is_none()
            && matches!(
                q.measure,
                Measure::Count
                    | Measure::Money(_)
                    | Measure::Physical(_)
                    | Measure::Percent
                    | Measure::Points
                    | Measure::Time
            )
    };
    let same = match (a.measure, b.measure) {
        (Measure::Money(_), Measure::Money(_)) => compare(a, b) != Agreement::Unrelated,
        (a, b) => a == b,
    };
    amount(a) && amount(b) && same && a.per == b.per
}

/// A part told in a word (*nearly a third*) may be off by this part of it when it is hedged.
const HEDGED_PART: f64 = 0.1;

/// Whether a claim's value is what followed, at the claim's own precision.
pub fn is_met(claim: &Quantity, found: &Quantity) -> bool {
    // A difference of temperatures is told in the same unit without its zero, of which only the size counts.
    let hedged = claim.spelled && claim.measure == Measure::Percent && claim.bound == Bound::About;
    if hedged && found.measure == Measure::Percent && (claim.value - found.value).abs() <= HEDGED_PART * claim.value {
        return true;
    }
    let positive = |q: &Quantity| Quantity { value: q.value.abs(), ..q.clone() };
    let (claim, found) = (positive(claim), positive(found));
    // *Twice as many* is *2 times*; a bare number may be years.
    compare(&claim, &found) == Agreement::Same
}

/// How a derivation is written: `1,056 + 987 = 2,043`.
pub fn written(step: Step, operands: &[&str], result: &str) -> String {
    let joined = |sign: &str| operands.join(sign);
    match step {
        Step::Same => format!("{} = {result}", joined(", ")),
        Step::Sum => format!("{} = {result}", joined(" + ")),
        Step::Difference | Step::Years => format!("{} = {result}", joined(" − ")),
        Step::Share => format!("{} = {result}", joined(" of ")),
        Step::Change => format!("{} = {result}", joined(" → ")),
        Step::Ratio | Step::Quotient => format!("{} = {result}", joined(" / ")),
        Step::Product => format!("{} = {result}", joined(" × ")),
        Step::Mean => format!("mean of {} = {result}", joined(", ")),
        Step::Greatest => format!("{} is the greatest", joined(", ")),
        Step::Least => format!("{} is the least", joined(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::{Step, follow, is_met};
    use crate::quantity::quantities;

    #[track_caller]
    fn check(step: Step, operands: &str, claim: &str, expected: bool) {
        let operands = quantities(operands);
        let operands: Vec<_> = operands.iter().collect();
        let found = follow(step, &operands);
        let met = found.as_ref().is_some_and(|found| is_met(&quantities(claim)[0], found));
        assert_eq!(met, expected, "{claim}: {found:?}");
    }

    #[test]
    fn values_follow_at_the_precision_of_the_claim() {
        check(Step::Same, "149.6 million kilometres", "~150 million km", true);
        check(Step::Sum, "1,056 cars and 987 lorries", "2,043 vehicles", true);
        check(Step::Sum, "1,056 cars and 987 km", "2,043 vehicles", false);
        check(Step::Difference, "$24.1 million and $22.3 million", "$1.8 million", true);
        check(Step::Difference, "$24.1 million and €22.3 million", "$1.8 million", false);
        check(Step::Difference, "44% and 41%", "three percentage points", true);
        check(Step::Share, "420 of 1,640 people", "Roughly a quarter of them", true);
        check(Step::Share, "420 of 1,640 people", "half of them", false);
        check(Step::Share, "398 and 453 people", "about 88%", true);
        check(Step::Change, "1,100 euros and 1,250 euros", "14%", true);
        check(Step::Change, "1,100 euros and 1,250 euros", "18%", false);
        check(Step::Ratio, "940 ms and 210 ms", "more than four times", true);
        check(Step::Product, "$890 and 12", "$10,680", true);
        check(Step::Years, "1962 and 1871", "91 years", true);
        check(Step::Difference, "1732 m and 41 m", "1,691 metres", true);
    }
}
