//! Whether two quantities say the same, at the precision of the first.

// Values that were written alike are compared as they were read; tolerances are applied where they matter.
#![allow(clippy::float_cmp)]

use super::clock;
use super::nearby::trailing_unit;
use super::tables::UNITS;
use super::{Agreement, Bound, Date, Dimension, Measure, PerUnit, Quantity};

/// Whether the source's quantity is the claim's, at the claim's own precision.
///
/// ```
/// use cited_text::quantity::{agree, quantities};
/// let one = |text| quantities(text).remove(0);
/// assert!(agree(&one("~150 million km"), &one("149.6 million km")));
/// assert!(!agree(&one("94.2%"), &one("49.2%")));
/// ```
pub fn agree(claim: &Quantity, source: &Quantity) -> bool {
    compare(claim, source) == Agreement::Same
}

/// A difference up to this part of the value is within *about*.
const ABOUT: f64 = 0.05;

/// However few digits are written, values further apart than this part are not the same.
const COARSEST: f64 = 0.26;
/// A bound (*more than 100*) that the other value passes by this factor at most is still the same statement.
const BOUND_REACH: f64 = 1.5;
/// Binary and decimal prefixes of data differ by up to this part.
const BINARY_PREFIX: f64 = 0.1;

/// Compares a claim's quantity with a source's.
pub fn compare(claim: &Quantity, source: &Quantity) -> Agreement {
    use Measure::{Count, Date, Label, Money, Multiple, Ordinal, Percent, Physical, Points, Ratio, Time, Version};
    let raw_equal = (claim.raw - source.raw).abs() <= f64::EPSILON * claim.raw.abs().max(1.0);
    if claim.per.map(|per| per.unit) != source.per.map(|per| per.unit) {
        return per_unit(claim, source);
    }
    let loosely = if raw_equal { Agreement::Compatible } else { Agreement::Unrelated };
    let exactly = |otherwise: Agreement| if raw_equal { Agreement::Same } else { otherwise };
    match (claim.measure, source.measure) {
        (Label, _) | (_, Label) => Agreement::Unrelated,
        (Date(a), Date(b)) => dates(claim, a, source, b),
        (Date(date), Count) | (Count, Date(date)) if date.month.is_none() => {
            // "1500 participants" looks like a year.
            same_or_nothing(claim, source)
        }
        (Version(a, n), Version(b, m)) => versions(&a, n, &b, m),
        (Count, Percent) if is_part(claim) => same_or_nothing(&claim.times(100.0), source),
        (Percent, Count) if is_part(source) => same_or_nothing(claim, &source.times(100.0)),
        (Time, Time) => clock::compare(claim, source),
        (Time, Physical(Dimension::Duration)) => clock::with_duration(claim, source),
        (Physical(Dimension::Duration), Time) => clock::with_duration(source, claim),
        (Ratio, Ratio) if claim.upper != source.upper => Agreement::Different,
        (Ordinal, Ordinal) | (Ratio, Ratio) => exactly(Agreement::Different),
        (Money(a), Money(b)) if currencies_meet(a, b) => values(claim, source),
        (Money("GBP"), Physical(Dimension::Mass)) => {
            pounds(source).map_or(Agreement::Unrelated, |of| same_or_nothing(claim, &of))
        }
        (Physical(Dimension::Mass), Money("GBP")) => {
            pounds(claim).map_or(Agreement::Unrelated, |of| same_or_nothing(&of, source))
        }
        (Physical(a), Physical(b)) if a == b => {
            let agreement = values(claim, source);
            let near = (claim.value - source.value).abs() <= BINARY_PREFIX * claim.value.abs();
            let so_read =
                a == Dimension::Data && near || a == Dimension::Temperature && are_one_difference(claim, source);
            if agreement == Agreement::Different && so_read { Agreement::Compatible } else { agreement }
        }
        (Physical(Dimension::Degrees), Physical(Dimension::Temperature))
        | (Physical(Dimension::Temperature), Physical(Dimension::Degrees)) => exactly(Agreement::Unrelated),
        (a, b) if a == b && matches!(a, Count | Percent | Points | Multiple) => values(claim, source),
        // Percent is often written for points. A unit can stand elsewhere, as in the head of a table: the same figure is
        // no contradiction.
        (Percent, Points) | (Points, Percent) | (Count | Multiple, _) | (_, Count | Multiple) => loosely,
        _ => Agreement::Unrelated,
    }
}

/// Whether a number may be a part of one, as a share is: *0.12*, and not *0.65 to 1.06*.
fn is_part(q: &Quantity) -> bool {
    q.upper.unwrap_or(q.value) < 1.0 && q.tolerance < 0.5
}

/// Whether two temperatures are one as differences, which have no zero: *it warmed by 2 °C* and *by 3.6 °F*.
fn are_one_difference(claim: &Quantity, source: &Quantity) -> bool {
    let in_kelvin = |q: &Quantity| {
        let of_fahrenheit = ((q.raw + 459.67) / 1.8 - q.value).abs() < 1e-6;
        if of_fahrenheit { q.raw / 1.8 } else { q.raw }
    };
    (in_kelvin(claim) - in_kelvin(source)).abs() <= claim.tolerance.max(source.tolerance)
}

/// Compares what is given for different units: those of one dimension convert. Where one side does not say what it is given for, it
/// may be given for the same: *400 kg of grain on each hectare*.
fn per_unit(claim: &Quantity, source: &Quantity) -> Agreement {
    let bare = |q: &Quantity| Quantity { per: None, ..q.clone() };
    let unit = |q: &Quantity| q.per.map(|per| per.unit);
    match (unit(claim), unit(source)) {
        (Some(PerUnit::Unit(a, of_claim)), Some(PerUnit::Unit(b, of_source))) if a == b => {
            compare(&bare(claim).times(1.0 / of_claim), &bare(source).times(1.0 / of_source))
        }
        (Some(_), Some(_)) => Agreement::Unrelated,
        // Of what a price is the price is seldom said twice.
        _ if [claim, source].iter().any(|q| matches!(q.measure, Measure::Money(_))) => {
            compare(&bare(claim), &bare(source))
        }
        _ if compare(&bare(claim), &bare(source)) >= Agreement::Compatible => Agreement::Compatible,
        _ => Agreement::Unrelated,
    }
}

/// A mass in pounds, which the text may mean as money: *3.2 million pounds*.
fn pounds(mass: &Quantity) -> Option<Quantity> {
    let pound = UNITS.get("pound")?.factor;
    let value = mass.value / pound;
    // Another unit of mass has another factor.
    let told = (value - mass.raw).abs() <= 1e-9 * mass.raw.abs();
    told.then(|| Quantity { alternative: mass.alternative, ..mass.times(1.0 / pound) })
}

/// What a value says of another that may be of another kind: nothing, unless they are the same.
fn same_or_nothing(claim: &Quantity, source: &Quantity) -> Agreement {
    if values(claim, source) == Agreement::Same { Agreement::Same } else { Agreement::Unrelated }
}

/// Whether two currency names can mean the same money.
fn currencies_meet(a: &str, b: &str) -> bool {
    let may_mean = |sign: &str, code: &str| match sign {
        "$" => matches!(code, "USD" | "AUD" | "CAD" | "HKD" | "NTD"),
        "¢" => matches!(code, "EUR" | "$" | "USD" | "AUD" | "CAD" | "HKD" | "NTD"),
        "¥" => matches!(code, "JPY" | "CNY"),
        _ => false,
    };
    a == b || may_mean(a, b) || may_mean(b, a)
}

fn versions(a: &[u32; 4], n: u8, b: &[u32; 4], m: u8) -> Agreement {
    let shared = usize::from(n.min(m));
    match (a[..shared] == b[..shared], n <= m) {
        (true, true) => Agreement::Same,
        (true, false) => Agreement::Compatible,
        (false, _) => Agreement::Different,
    }
}

fn dates(claim: &Quantity, a: Date, source: &Quantity, b: Date) -> Agreement {
    // Decades and spans of years.
    if claim.upper.is_some() || source.upper.is_some() {
        let (low, high) = (claim.value, claim.upper.unwrap_or(claim.value));
        let (from, to) = (source.value, source.upper.unwrap_or(source.value));
        return match (low == from && high == to, low <= to && from <= high) {
            (true, _) => Agreement::Same,
            _ if claim.upper.is_none() && (low == from || low == to) => Agreement::Same,
            (_, true) => Agreement::Compatible,
            _ => Agreement::Different,
        };
    }
    let swapped = |date: Date| Date { month: date.day, day: date.month, ..date };
    let mut best = parts(a, b);
    if a.swappable {
        best = best.max(parts(swapped(a), b));
    }
    if b.swappable {
        best = best.max(parts(a, swapped(b)));
    }
    best
}

fn parts(a: Date, b: Date) -> Agreement {
    let pairs = [
        (a.year, b.year),
        (a.month.map(i32::from), b.month.map(i32::from)),
        (a.day.map(i32::from), b.day.map(i32::from)),
    ];
    let shared = pairs.iter().filter(|(x, y)| x.is_some() && y.is_some()).count();
    let differ = pairs.iter().any(|(x, y)| matches!((x, y), (Some(x), Some(y)) if x != y));
    let missing = pairs.iter().any(|(x, y)| x.is_some() && y.is_none());
    match (shared, differ, missing) {
        (0, ..) => Agreement::Unrelated,
        (_, true, _) => Agreement::Different,
        (_, _, true) => Agreement::Compatible,
        _ => Agreement::Same,
    }
}

/// Compares values of one kind, ranges and other readings included.
fn values(claim: &Quantity, source: &Quantity) -> Agreement {
    let mut best = ranges(claim, source).min(most_of_reading(claim, claim.value, source));
    best = best.min(most_of_reading(source, source.value, claim));
    if let Some(other) = claim.alternative {
        let read = Quantity { value: other, tolerance: 0.5 * claim.tolerance.max(source.tolerance), ..claim.clone() };
        best = best.max(ranges(&read, source).min(most_of_reading(claim, other, source)));
    }
    if let Some(other) = source.alternative {
        let read = Quantity { value: other, ..source.clone() };
        best = best.max(ranges(claim, &read).min(most_of_reading(source, other, claim)));
    }
    best
}

/// The most that reading an ambiguous number as `value` may say beside `other`. Who reads *12,000* or *1.500* as decimals reads three of them, and
/// nobody writes *12* so: beside a number without them a decimal point may be meant (*1.500* and *1.5*), and a comma is not.
fn most_of_reading(q: &Quantity, value: f64, other: &Quantity) -> Agreement {
    let Some(alternative) = q.alternative else { return Agreement::Same };
    let (low, high) = (q.value.abs().min(alternative.abs()), q.value.abs().max(alternative.abs()));
    let ambiguous = (high - low * THOUSAND).abs() <= 1e-9 * high;
    if !ambiguous || value.abs() > low || other.alternative.is_some() {
        return Agreement::Same;
    }
    let to_the_thousandth = other.tolerance <= (q.value / q.raw).abs() / THOUSAND;
    match (to_the_thousandth, q.value.abs() <= low) {
        (true, _) => Agreement::Same,
        (false, true) => Agreement::Compatible,
        (false, false) => Agreement::Different,
    }
}

/// What parts the two readings of *1,200*.
const THOUSAND: f64 = 1000.0;

fn ranges(claim: &Quantity, source: &Quantity) -> Agreement {
    let at = |q: &Quantity, value: f64| Quantity { value, upper: None, alternative: None, ..q.clone() };
    match (claim.upper, source.upper) {
        (None, None) => single(claim, source),
        (Some(high), Some(top)) => {
            let from = single(&at(claim, claim.value), &at(source, source.value));
            let to = single(&at(claim, high), &at(source, top));
            // *5–10 mg* is not *5–50 mg*: what has one end and another one than the other says something else.
            let overlap = claim.value <= top && source.value <= high && from.max(to) != Agreement::Same;
            if from.min(to) == Agreement::Different && overlap { Agreement::Compatible } else { from.min(to) }
        }
        (None, Some(top)) => {
            let ends = single(claim, &at(source, source.value)).max(single(claim, &at(source, top)));
            let inside = source.value <= claim.value && claim.value <= top;
            if ends == Agreement::Different && inside { Agreement::Compatible } else { ends }
        }
        (Some(high), None) => {
            let inside = claim.value - claim.tolerance <= source.value && source.value <= high + claim.tolerance;
            if inside { Agreement::Compatible } else { Agreement::Different }
        }
    }
}

/// Half a unit in the last digit of a round number that is not zero, at most a twentieth of it: 12,000 may stand for
/// 12,345.
fn rounding(q: &Quantity) -> f64 {
    if q.raw.abs() < 100.0 { 0.0 } else { half_a_unit(q) }
}

/// Half a unit in the last digit of a whole number that is not zero, at most a twentieth of it.
fn half_a_unit(q: &Quantity) -> f64 {
    let raw = q.raw.abs();
    if raw < 1.0 || raw.fract() != 0.0 || raw > 1e15 {
        return 0.0;
    }
    (trailing_unit(raw) / 2.0 * (q.value / raw).abs()).min(ABOUT * q.value.abs())
}

fn single(claim: &Quantity, source: &Quantity) -> Agreement {
    let (c, s) = (claim.value, source.value);
    let away = (c - s).abs();
    let slack = 1e-9 * c.abs().max(s.abs());
    let size = c.abs().max(s.abs());
    let near = away <= (claim.tolerance + slack).min(COARSEST * size + slack);
    let bounded = match (claim.bound, source.bound) {
        (Bound::AtLeast, Bound::Exact | Bound::About) if s + claim.tolerance >= c => Some(s <= c * BOUND_REACH),
        (Bound::AtMost, Bound::Exact | Bound::About) if s - claim.tolerance <= c => Some(s * BOUND_REACH >= c),
        // *Over 2,000* follows from *over 3,000*: it is not what the source says, and no less true. *Over 3,000* does not follow
        // from *over 2,000*.
        (own, Bound::AtLeast) if (c >= s) != (own == Bound::AtLeast) => Some(false),
        (own, Bound::AtMost) if (c <= s) != (own == Bound::AtMost) => Some(false),
        _ => None,
    };
    let away_from_each_other =
        matches!((claim.bound, source.bound), (Bound::AtLeast, Bound::AtMost) | (Bound::AtMost, Bound::AtLeast));
    match bounded {
        // *More than 20* is not *less than 20*; nor is it proven wrong by it, for bounds are easily misread.
        _ if near && away_from_each_other => return Agreement::Compatible,
        _ if near => return Agreement::Same,
        Some(true) => return Agreement::Same,
        Some(false) => return Agreement::Compatible,
        None => {}
    }
    // *About 12,000* is 12,345.
    if claim.bound == Bound::About && away <= half_a_unit(claim) {
        return Agreement::Same;
    }
    if c == -s && c != 0.0 {
        // "fell by -5%" and "fell 5%": the direction is judged by its words.
        return Agreement::Compatible;
    }
    let coarser = away <= source.tolerance + slack && source.tolerance < COARSEST * size;
    // *Almost 2,000* holds for 1,837 by the precision of *2,000*; *about 265,000* does not for 256,000.
    let about = |q: &Quantity| q.bound == Bound::About && away <= 2.0 * half_a_unit(q).max(q.tolerance);
    let source_about = about(source) && away <= ABOUT * size;
    let cut_off = source.tolerance < claim.tolerance && away < 2.0 * claim.tolerance && away < COARSEST * size;
    // No rounding is further off than what is about the same, and none keeps a bound.
    let rounds = matches!(claim.bound, Bound::Exact | Bound::About);
    let rounded = rounds && away <= ABOUT * size + slack && away <= rounding(claim).max(rounding(source)) + slack;
    let rough = away <= claim.tolerance + slack;
    if rough || coarser || about(claim) || source_about || cut_off || rounded {
        Agreement::Compatible
    } else {
        Agreement::Different
    }
}
