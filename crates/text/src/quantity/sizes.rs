//! The sizes at which another quantity can say the same as one: what an index of values is asked for.

use super::compare::{ABOUT, BINARY_PREFIX, pounds, rounding};
use super::{Bound, Dimension, Measure, PerUnit, Quantity};

/// What [`compare`](super::compare()) finds to agree may be further apart than what is written, by this part …
const SPARE: f64 = 1e-8;
/// … and what it finds to be the same figures by this part.
const ROUNDED: f64 = 1e-12;
/// A share is a hundredth of a percentage.
const HUNDRED: f64 = 100.0;

/// The sizes of a quantity in one of its readings.
#[derive(Debug, Clone, Copy)]
pub struct Sizes {
    /// The least of them, without their signs.
    pub low: f64,
    /// The greatest.
    pub high: f64,
    /// Whether it is the other reading, where writing is ambiguous: those of two quantities are never held against each other.
    pub alternative: bool,
}

impl Sizes {
    /// Whether something that has the one may agree with what has the other.
    pub fn meet(&self, other: &Sizes) -> bool {
        self.low <= other.high && other.low <= self.high && !(self.alternative && other.alternative)
    }
}

/// Gives `add` the sizes of a quantity in each reading. Those of two quantities of which [`compare`](super::compare()) says that they are the same or
/// compatible meet, but for times of day and dates without a year, which have no size.
pub fn sizes(q: &Quantity, mut add: impl FnMut(Sizes)) {
    if q.is_label() {
        return;
    }
    let mut span = |low: f64, high: f64, alternative: bool| {
        let told = low.is_finite() && !high.is_nan();
        let (low, high) = if told { (low.max(0.0), high) } else { (0.0, f64::INFINITY) };
        add(Sizes { low, high, alternative });
    };
    let mut exact = |size: f64| span(size - ROUNDED * size.max(1.0), size + ROUNDED * size.max(1.0), false);
    // A unit may stand elsewhere: then the figures are the same.
    exact(q.raw.abs());
    match q.measure {
        Measure::Version([first, ..], _) => exact(f64::from(first)),
        Measure::Date(date) => date.year.into_iter().for_each(|year| exact(f64::from(year).abs())),
        _ => {}
    }
    for scale in scales(q) {
        for (value, alternative) in [(Some(q.value), false), (q.alternative, true)] {
            let Some(value) = value else { continue };
            let upper = q.upper.unwrap_or(value);
            let slack = scale * slack(q, value).max(slack(q, upper));
            let (one, other) = (value.abs() * scale, upper.abs() * scale);
            let low = if value * upper < 0.0 { 0.0 } else { one.min(other) };
            match q.bound {
                Bound::AtMost => span(0.0, f64::INFINITY, alternative),
                Bound::AtLeast if value < 0.0 => span(0.0, f64::INFINITY, alternative),
                Bound::AtLeast => span(low - slack, f64::INFINITY, alternative),
                Bound::Exact | Bound::About => span(low - slack, one.max(other) + slack, alternative),
            }
        }
    }
}

/// By what a value may have to be multiplied before it is compared.
fn scales(q: &Quantity) -> impl Iterator<Item = f64> {
    let for_one = q.per.and_then(|per| match per.unit {
        PerUnit::Unit(_, of) => Some(1.0 / of),
        PerUnit::Other(_) => None,
    });
    let share = (q.measure == Measure::Count && q.value < 1.0).then_some(HUNDRED);
    let mass = (q.measure == Measure::Physical(Dimension::Mass)).then(|| pounds(q)).flatten();
    let in_pounds = mass.map(|mass| mass.value / q.value);
    [Some(1.0), for_one, share, in_pounds].into_iter().flatten()
}

/// How far from a value of a quantity another one may be that agrees with it, as far as it depends on this one.
fn slack(q: &Quantity, value: f64) -> f64 {
    let about = if q.bound == Bound::About { 2.0 * ABOUT } else { 0.0 };
    let prefix = if q.measure == Measure::Physical(Dimension::Data) { BINARY_PREFIX } else { 0.0 };
    let rounded = rounding(&Quantity { value, ..q.clone() });
    2.0 * q.tolerance + rounded + (about + prefix + SPARE) * value.abs()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::sizes;
    use crate::quantity::{Agreement, Dimension, Measure, Quantity, compare, quantities};

    /// Whether an index by sizes has the second where it is asked for the first.
    fn meet(a: &Quantity, b: &Quantity) -> bool {
        let spans = |q: &Quantity| {
            let mut all = Vec::new();
            sizes(q, |sizes| all.push(sizes));
            all
        };
        let clock = |q: &Quantity| matches!(q.measure, Measure::Time | Measure::Physical(Dimension::Duration));
        let undated = |q: &Quantity| matches!(q.measure, Measure::Date(date) if date.year.is_none());
        let theirs = spans(b);
        clock(a) && clock(b)
            || undated(a)
            || undated(b)
            || spans(a).iter().any(|own| theirs.iter().any(|other| own.meet(other)))
    }

    const UNITS: [&str; 26] = [
        "",
        "%",
        " percentage points",
        " km",
        " miles",
        " kg",
        " lb",
        " pounds",
        " GB",
        " GiB",
        " MB",
        " hours",
        " million",
        " million km",
        " people",
        "x",
        " °C",
        " degrees",
        " kg/ha",
        " l/s",
        " m³/min",
        " €/kWh",
        "th",
        " minutes",
        " years",
        " billion dollars",
    ];
    const BEFORE: [&str; 16] = [
        "",
        "about ",
        "more than ",
        "at most ",
        "at least ",
        "under ",
        "$",
        "€",
        "£",
        "-",
        "version ",
        "in ",
        "on 3 May ",
        "from 12 to ",
        "5–",
        "between 3 and ",
    ];

    fn written(figures: u32, places: u32, before: usize, unit: usize, grouped: bool) -> String {
        let number = match places {
            0 if grouped && figures >= 1000 => format!("{},{:03}", figures / 1000, figures % 1000),
            0 => figures.to_string(),
            places => {
                let of = 10u32.pow(places);
                format!("{}.{:0width$}", figures / of, figures % of, width = places as usize)
            }
        };
        format!("It was {}{number}{} then.", BEFORE[before], UNITS[unit])
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]
        #[test]
        fn what_agrees_has_a_size_in_common(
            figures in prop_oneof![1u32..40, 90u32..2_100, 1u32..200_000],
            by in prop_oneof![Just(0i64), -60i64..60, -3_000i64..3_000],
            times in prop_oneof![Just(1u32), Just(10), Just(60), Just(100), Just(1000)],
            (places, more) in (0u32..3, 0u32..3),
            (before, other) in (0usize..16, 0usize..16),
            (unit, theirs) in (0usize..26, 0usize..26),
            alike in any::<bool>(),
            grouped in any::<bool>(),
        ) {
            let second = u32::try_from((i64::from(figures) + by).max(1)).unwrap_or(1).saturating_mul(times);
            let (one, two) = (
                written(figures, places, before, unit, grouped),
                written(second, more, other, if alike { unit } else { theirs }, grouped),
            );
            for a in quantities(&one) {
                for b in quantities(&two) {
                    for (a, b) in [(&a, &b), (&b, &a)] {
                        let agreement = compare(a, b);
                        prop_assert!(agreement < Agreement::Compatible || meet(a, b), "{one} {two} {agreement:?} {a:?} {b:?}");
                    }
                }
            }
        }
    }
}
