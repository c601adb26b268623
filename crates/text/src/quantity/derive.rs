//! Values that follow from other values by a step of arithmetic: sums, differences, shares, ratios, changes in per cent.
//!
//! Nothing is guessed here: who asks names the step and the operands. Currencies are never converted, and values of different kinds are
//! never mixed.

// Values that were written alike are compared as they were read.
#![allow(clippy::float_cmp)]

use super::{Agreement, Measure, Quantity, compare};

/// How a value follows from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
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
    let plain = |measure: Measure, value: f64| {
        Some(Quantity { role: first.role, ..Quantity::exact(first.span, measure, value) })
    };
    // In the unit of the first operand.
    let of_kind = |value: f64| {
        let unit = if first.raw == 0.0 { 1.0 } else { (first.value / first.raw).abs() };
        let raw = if unit.is_finite() && unit > 0.0 { value / unit } else { value };
        Some(Quantity { raw, ..plain(first.measure, value)? })
    };
    let sum = || operands.iter().map(|q| q.value).sum::<f64>();
    let all_alike = operands.len() > 1 && operands.iter().all(|other| alike(first, other));
    match (step, operands) {
        (Step::Same, _) => Some(first.clone()),
        (Step::Sum, _) if all_alike => of_kind(sum()),
        (Step::Mean, _) if all_alike => of_kind(sum() / operands.len() as f64),
        (Step::Quotient, [a, b]) if b.raw > 1.0 && is_number(b) => of_kind(a.value / b.raw),
        (Step::Product, [a, b]) if b.measure == Measure::Percent => of_kind(a.value * b.value / 100.0),
        (Step::Product, [a, b]) if is_number(b) => of_kind(a.value * b.raw),
        (_, [a, b]) if all_alike => match (step, a.value, b.value) {
            // Temperatures are read from absolute zero: what lies between two is told in degrees.
            (Step::Difference, a, b) if first.measure == Measure::Percent => {
                Some(Quantity { measure: Measure::Points, ..of_kind((a - b).abs())? })
            }
            (Step::Difference, a, b) => of_kind((a - b).abs()),
            (Step::Share, a, b) if b > 0.0 && a >= 0.0 && a <= b => plain(Measure::Percent, a / b * 100.0),
            (Step::Change, a, b) if a > 0.0 && b >= 0.0 => plain(Measure::Percent, ((b - a) / a * 100.0).abs()),
            (Step::Ratio, a, b) if b > 0.0 && a > b => plain(Measure::Multiple, a / b),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a value only says how many.
fn is_number(q: &Quantity) -> bool {
    matches!(q.measure, Measure::Count | Measure::Multiple) && q.upper.is_none()
}

/// Whether two values can be added: of one kind, none of them a date, a range or a name.
fn alike(a: &Quantity, b: &Quantity) -> bool {
    let is_kind = |q: &Quantity| q.has_unit() || matches!(q.measure, Measure::Count | Measure::Time);
    let amount = |q: &Quantity| q.upper.is_none() && is_kind(q);
    let same = match (a.measure, b.measure) {
        (Measure::Money(_), Measure::Money(_)) => compare(a, b) != Agreement::Unrelated,
        (a, b) => a == b,
    };
    amount(a) && amount(b) && same && a.per == b.per
}

/// How a derivation is written: `1,056 + 987 = 2,043`.
pub fn written(step: Step, operands: &[&str], result: &str) -> String {
    let sign = match step {
        Step::Same => ", ",
        Step::Sum => " + ",
        Step::Difference => " − ",
        Step::Share => " of ",
        Step::Change => " → ",
        Step::Ratio | Step::Quotient => " / ",
        Step::Product => " × ",
        Step::Mean => return format!("mean of {} = {result}", operands.join(", ")),
    };
    format!("{} = {result}", operands.join(sign))
}

#[cfg(test)]
mod tests {
    use super::{Step, follow};
    use crate::quantity::{Agreement, compare, quantities};

    #[track_caller]
    fn check(step: Step, operands: &str, claim: &str, expected: bool) {
        let operands = quantities(operands);
        let operands: Vec<_> = operands.iter().collect();
        let found = follow(step, &operands);
        let met = found.as_ref().is_some_and(|found| compare(&quantities(claim)[0], found) == Agreement::Same);
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
        check(Step::Difference, "1732 m and 41 m", "1,691 metres", true);
    }
}
