//! Two numbers that belong together: the ends of a range, a share such as *3 in 10*, and the values of *from … to …*.

// The years, shares and magnitudes that are compared here are whole numbers as they were read.
#![allow(clippy::float_cmp)]

use super::nearby::{SMALL_WORD, is_share, word_behind};
use super::scan::{FoundQuantity, Scanner};
use super::tables::{BESIDE, UNITS};
use super::{Bound, Date, Dimension, Measure, Quantity, Role, date};
use crate::Span;
use crate::words::words;

/// How far the words of a pair *from … to …* may be apart, in bytes.
const PAIR_REACH: usize = 80;

/// So many words behind the first value of an enumeration may stand before the one that all have: *140 tonnes of silt in*.
const MOST_BEHIND: usize = 4;

impl Scanner<'_> {
    /// Joins the last two quantities when they are one, or the ends of one range: `5–10 %`, *between 5 and 10*.
    pub(super) fn join(&mut self) {
        self.measure_sides();
        if self.found.len() > 1
            && let (Some(second), Some(first)) = (self.found.pop(), self.found.pop())
        {
            let (first, second) = self.joined(first, second);
            self.found.push(first);
            self.found.extend(second);
        }
    }

    /// Two quantities that follow each other, or what they are together.
    fn joined(&self, mut first: FoundQuantity, mut second: FoundQuantity) -> (FoundQuantity, Option<FoundQuantity>) {
        let (a, b) = (&mut first.quantity, &mut second.quantity);
        let between = self.text.get(a.span.end..b.span.start).unwrap_or("");
        if between.len() > 10 || a.upper.is_some() {
            return (first, Some(second));
        }
        let written = between.trim_matches([' ', '\u{A0}']);
        if (a.measure, b.measure) == (Measure::Count, Measure::Count) && is_share(written, a.value, b.value) {
            join_share(a, b);
            return (first, None);
        }
        // *Steps 1 and 2*: what the first number is, the second is as well.
        if a.is_label() && self.goes_on_naming(a, b, written) {
            b.measure = Measure::Label;
            return (first, Some(second));
        }
        if are_values_of_a_bit(self.text, a, b, written) {
            (a.measure, b.measure) = (Measure::Label, Measure::Label);
            return (first, Some(second));
        }
        let start = a.span.start;
        if let Some((unit, value, tolerance)) = compound(self.text, &first, &second, written)
            && !self.follows_between(start)
        {
            let (a, b) = (&mut first.quantity, &second.quantity);
            (a.value, a.raw, a.tolerance) = (value, value / unit, tolerance);
            (a.span.end, a.spelled, a.counted) = (b.span.end, a.spelled && b.spelled, None);
            return (first, None);
        }
        if matches!(written, "±" | "+/-" | "\\pm") && first.unit.is_none() && first.quantity.measure == Measure::Count
        {
            // *2.4 ± 1.3 × 10^5 mm*: what scales the error, and its unit, are those of the value.
            let end = first.quantity.span.end;
            first = first.reaching_to(&second);
            (first.quantity.upper, first.quantity.span.end) = (None, end);
            return (first, Some(second));
        }
        let dash = BESIDE.has("range", written);
        let pair = BESIDE.has("pair", written) && self.follows_between(start);
        if (dash || pair) && self.join_days(&mut first, &mut second) {
            return (first, Some(second));
        }
        let (a, b) = (&first.quantity, &second.quantity);
        // *Rose by 12 euros to 148 euros*: how much, and to what.
        let changes = written == "to" && self.word_before(a.span.start).is_some_and(|word| matches!(&*word, "by"));
        let is_date = matches!(a.measure, Measure::Date(_));
        let is_change = first.from && !is_date && written.len() > 1 && !between.contains(['–', '-']);
        if !(dash || pair) || changes || is_change {
            return (first, Some(second));
        }
        if let (Measure::Date(Date { month: None, .. }), Measure::Count | Measure::Label) = (a.measure, b.measure) {
            // *2019–20*: the century is left out.
            if (0.0..100.0).contains(&b.value) && matches!(written, "-" | "–" | "--") && b.span.len() == 2 {
                let full = (a.value / 100.0).floor() * 100.0 + b.raw;
                (first.quantity.upper, first.quantity.span.end) = (Some(full), b.span.end);
                return (first, None);
            }
            return (first, Some(second));
        }
        let range = first.reaching_to(&second);
        let rises = range.quantity.upper.is_some_and(|upper| range.quantity.value < upper);
        if rises && are_ends(&first, &second, pair || between == written) {
            (range, None)
        } else {
            (first, Some(second))
        }
    }

    /// *3 to 7 May 2019*, *May 3–7, 2019*, *500–300 BC*: a bare number beside a date in one span is of its month or its era, and both days are
    /// of one year. Whether both are days.
    fn join_days(&self, first: &mut FoundQuantity, second: &mut FoundQuantity) -> bool {
        let is_day = |q: &Quantity| q.span.len() <= 2 && (1.0..=31.0).contains(&q.value);
        let bare = |found: &FoundQuantity| found.unit.is_none() && found.magnitude == 1.0;
        let (a, b) = (&first.quantity, &second.quantity);
        let year = date::year_after(self.text, b.span.end).map(|(year, _)| year);
        let day = |q: &Quantity, date: Date| Date { day: Some(q.value as u8), year: date.year.or(year), ..date };
        let (from, to) = match (a.measure, b.measure) {
            (Measure::Count, Measure::Date(to @ Date { day: Some(_), .. })) if is_day(a) && bare(first) => {
                (day(a, to), to)
            }
            (Measure::Date(from @ Date { day: Some(_), .. }), Measure::Count) if is_day(b) && bare(second) => {
                (Date { year: from.year.or(year), ..from }, day(b, from))
            }
            (
                Measure::Date(from @ Date { day: Some(_), year: None, .. }),
                Measure::Date(to @ Date { day: Some(_), .. }),
            ) => (Date { year: to.year, ..from }, to),
            (Measure::Count, Measure::Date(to @ Date { year: Some(..0), .. }))
                if a.value.fract() == 0.0 && bare(first) =>
            {
                (Date { year: Some(-a.value as i32), ..to }, to)
            }
            _ => return false,
        };
        for (found, date) in [(first, from), (second, to)] {
            let (q, value) = (&mut found.quantity, f64::from(date.year.unwrap_or(0)));
            (q.measure, q.value, q.raw, q.tolerance, q.counted) = (Measure::Date(date), value, value, 0.0, None);
        }
        from.day.is_some()
    }

    /// *3 × 5 m*, *3 by 5 metres*: the numbers before the last side are measured as it is.
    fn measure_sides(&mut self) {
        let Some((last, before)) = self.found.split_last_mut() else { return };
        if last.unit.is_none() || last.quantity.measure != Measure::Physical(Dimension::Length) {
            return;
        }
        let mut start = last.quantity.span.start;
        for side in before.iter_mut().rev() {
            let q = &mut side.quantity;
            let between = self.text.get(q.span.end..start).unwrap_or_default().trim();
            let is_by = between == "by" || UNITS.get(between).is_some_and(|unit| unit.measure == Measure::Multiple);
            if q.measure != Measure::Count || side.magnitude > 1.0 || !is_by {
                return;
            }
            // The sign is no word of its own.
            (q.span.end, start) = (self.text[..start].trim_end().len(), q.span.start);
            side.measure_as(last);
        }
    }

    /// *2.4 ± 1.3 × 10^5*, *2.4–3.1 × 10^5*: the power behind the second number, at `at`, is one of the first as well.
    pub(super) fn scale_the_one_before(&mut self, at: usize, factor: f64) {
        let Some(FoundQuantity { quantity: last, unit: None, .. }) = self.found.last_mut() else { return };
        let written = self.text.get(last.span.end..at).unwrap_or_default().trim();
        let bare = last.span.slice(self.text).bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b','));
        if last.measure == Measure::Count && bare && matches!(written, "±" | "+/-" | "\\pm" | "-" | "–") {
            *last = Quantity { raw: last.raw * factor, alternative: None, ..last.times(factor) };
        }
    }

    /// Whether a bare number goes on with the references that the one before it begins: *Steps 1 and 2*, *Sections 3, 4*.
    fn goes_on_naming(&self, a: &Quantity, b: &Quantity, between: &str) -> bool {
        let number = |quantity: &Quantity| quantity.span.slice(self.text).bytes().all(|byte| byte.is_ascii_digit());
        let joined = BESIDE.has("either", between) || matches!(between, "," | "&" | "-" | "–" | "to" | "bis" | "à");
        b.measure == Measure::Count
            && number(a)
            && number(b)
            && joined
            && b.counted.is_none_or(|word| words(word.slice(self.text)).next().is_some_and(|word| word.stop))
    }

    fn follows_between(&self, start: usize) -> bool {
        self.word_before(start).is_some_and(|word| matches!(&*word, "between" | "zwischen" | "entre" | "между"))
    }

    /// Whether a bare number may have the unit of the number that it is paired with: it counts nothing itself, as *12.450 voluntarios* do.
    fn shares_the_unit(&self, found: &FoundQuantity) -> bool {
        let counts = |counted: Span| {
            let word = counted.slice(self.text).to_lowercase();
            word.chars().count() > SMALL_WORD && !BESIDE.has("from", &word) && !BESIDE.has("to", &word)
        };
        found.unit.is_none() && found.quantity.measure == Measure::Count && !found.quantity.counted.is_some_and(counts)
    }

    /// Gives the bare numbers of an enumeration the unit that its first value has: *412 hectares en 2019, 447 en 2021 et 538 en 2023*.
    pub(super) fn enumerate(&mut self) {
        for k in 1..self.found.len() {
            let bare = &self.found[k];
            if bare.magnitude != 1.0 || bare.quantity.per.is_some() || !self.shares_the_unit(bare) {
                continue;
            }
            // A small word: *in*, *en*, *für*.
            let link = word_behind(bare.quantity.span.after(self.text));
            // Between the two values of an enumeration stands when each was, if anything.
            let before = self.found[..k].iter().rposition(|found| !found.quantity.is_temporal());
            let Some(first) = before.and_then(|i| self.found.get(i)) else { continue };
            let between = self.text.get(first.quantity.span.end..bare.quantity.span.start).unwrap_or(". ");
            let measured =
                first.unit.is_some() || first.magnitude > 1.0 || matches!(first.quantity.measure, Measure::Money(_));
            let goes_on = between.len() <= PAIR_REACH
                && !between.contains([';', '(', ')'])
                && !between.contains(". ")
                && is_next_of_several(between);
            // *140 tonnes of silt in 2015, 165 in 2017*
            let mut behind = between.split([' ', '\u{A0}']).skip(1).take(MOST_BEHIND);
            let alike = behind.any(|word| word == link);
            let is_small = (1..=SMALL_WORD).contains(&link.chars().count());
            if !measured || !goes_on || !alike || !is_small || first.quantity.upper.is_some() {
                continue;
            }
            let first = first.clone();
            self.found[k].measure_as(&first);
        }
    }

    /// Gives the quantities of *from A to B* their roles.
    pub(super) fn pair(&mut self) {
        for i in 0..self.found.len() {
            if !(self.found[i].from || self.found[i].to) || self.found[i].quantity.role != Role::Alone {
                continue;
            }
            let a = &self.found[i];
            let partner = (i + 1..self.found.len().min(i + 4)).find(|&j| {
                let b = &self.found[j];
                let near = b.quantity.span.start.saturating_sub(a.quantity.span.end) <= PAIR_REACH;
                let like = std::mem::discriminant(&a.quantity.measure) == std::mem::discriminant(&b.quantity.measure)
                    || self.shares_the_unit(a);
                let words = a.from && b.to || a.to && b.from;
                let sentence =
                    self.text.get(a.quantity.span.end..b.quantity.span.start).is_some_and(|t| !t.contains(". "));
                // From the third to the seventh of May nothing changes.
                let day = matches!(a.quantity.measure, Measure::Date(Date { day: Some(_), .. }));
                near && like && words && sentence && !day && b.quantity.upper.is_none()
            });
            let Some(j) = partner else { continue };
            let (from, to) = if self.found[i].from { (i, j) } else { (j, i) };
            self.found[from].quantity.role = Role::From;
            self.found[to].quantity.role = Role::To;
            // What goes *from … up to* ends there: *с 1,1 до 1,3 млн*.
            if self.found[to].quantity.bound == Bound::AtMost {
                self.found[to].quantity.bound = Bound::Exact;
            }
            // "from 12 to 30 ms": the unit of the second is the unit of both.
            let second = self.found[j].clone();
            if self.shares_the_unit(&self.found[i]) && (second.unit.is_some() || second.magnitude > 1.0) {
                self.found[i].measure_as(&second);
            }
        }
    }
}

/// *3 in 10*: makes one share of two numbers.
fn join_share(a: &mut Quantity, b: &Quantity) {
    let percent = 100.0 * a.value / b.value;
    // *4.5 out of 5* is a mark as well.
    let raw = if a.value.fract() == 0.0 { percent } else { a.value };
    let tolerance = if a.value.fract() == 0.0 { 20.0 / b.value } else { 100.0 * a.tolerance / b.value };
    (a.measure, a.value, a.raw, a.tolerance) = (Measure::Percent, percent, raw, tolerance);
    (a.span.end, a.spelled, a.counted) = (b.span.end, a.spelled || b.spelled, None);
}

/// Whether what stands before a number sets it off as the next of several: *…, 447*, *… et 538*.
fn is_next_of_several(between: &str) -> bool {
    let head = between.trim_end_matches([' ', '\u{A0}']);
    let last = head.rsplit([' ', '\u{A0}']).next().unwrap_or_default();
    head.ends_with([',', '，', '、']) || BESIDE.has("either", &last.to_lowercase())
}

/// Seconds of an hour, and minutes of one.
const HOUR: f64 = 3600.0;
const MINUTES: f64 = 60.0;

/// A measure told in two units, the smaller one behind: *8 minutes and 20 seconds*, *5 ft 11 in*. The factor of the first, the
/// value of both, and how exact it is.
///
/// Behind hours a small *m* is minutes: `2h 45m`.
fn compound(text: &str, first: &FoundQuantity, second: &FoundQuantity, between: &str) -> Option<(f64, f64, f64)> {
    let (a, mut b) = (&first.quantity, second.quantity.clone());
    let told = matches!(between, "" | "and" | "und" | "et" | "y" | "и");
    let (Measure::Physical(kind), Some(large), Some(mut small)) = (a.measure, first.unit, second.unit) else {
        return None;
    };
    let of_hours =
        kind == Dimension::Duration && large.factor == HOUR && b.measure == Measure::Physical(Dimension::Length);
    if of_hours && b.span.slice(text).ends_with('m') && small.factor == 1.0 && b.value < MINUTES {
        small.factor = HOUR / MINUTES;
        (b.value, b.tolerance, b.measure) = (b.value * small.factor, b.tolerance * small.factor, a.measure);
    }
    // *1 h 5 min 30 s*: seconds go on from whole minutes.
    let minutes = kind == Dimension::Duration && a.value % MINUTES == 0.0 && small.factor == 1.0 && b.value < MINUTES;
    let exact = (a.raw.fract() == 0.0 || minutes)
        && a.upper.is_none()
        && b.upper.is_none()
        && a.value >= 0.0
        && b.bound == Bound::Exact;
    let within = large.factor > small.factor && b.value >= 0.0 && b.value < large.factor;
    let divided = matches!(kind, Dimension::Duration | Dimension::Length | Dimension::Mass);
    let one = first.magnitude == 1.0 && second.magnitude == 1.0;
    (told && divided && b.measure == a.measure && exact && within && one).then_some((
        large.factor,
        a.value + b.value,
        b.tolerance,
    ))
}

/// Whether two quantities may be the ends of one range; a pair or a number `close` to the next one may be a year without being one.
fn are_ends(first: &FoundQuantity, second: &FoundQuantity, close: bool) -> bool {
    let (a, b) = (&first.quantity, &second.quantity);
    match (a.measure, b.measure) {
        // From–to of years is a span of time whichever words it is written with.
        (Measure::Date(x), Measure::Date(y)) => {
            x.year.is_some() && x.month.is_none() && y.month.is_none() && !(first.from && second.to)
        }
        // *Between 1500 and 2000 mm*: no year.
        (Measure::Date(x), Measure::Physical(kind)) => {
            x.month.is_none() && a.span.len() == 4 && kind != Dimension::Duration && close && second.unit.is_some()
        }
        (_, Measure::Date(_) | Measure::Label | Measure::Version(..)) => false,
        (Measure::Count, _) if first.unit.is_none() => true,
        (Measure::Money(_), Measure::Count | Measure::Money(_)) => true,
        (x, y) => x == y,
    }
}

/// Whether two numbers are the values that a bit may have, and count nothing: *either 0 or 1*, *the states (0 and 1)*. In *0 or 1 of the
/// patients* and *0 or 1 child* they count.
fn are_values_of_a_bit(text: &str, a: &Quantity, b: &Quantity, between: &str) -> bool {
    let bits = [a, b].map(|q| if q.measure == Measure::Count { q.span.slice(text) } else { "" });
    let counts = |word: Span| {
        let word = word.slice(text);
        !words(word).next().is_some_and(|word| word.stop) || BESIDE.has("partitive", word)
    };
    matches!(bits, ["0", "1"] | ["1", "0"])
        && BESIDE.has("either", between)
        && !b.span.after(text).starts_with(char::is_alphabetic)
        && !b.counted.is_some_and(counts)
}

impl FoundQuantity {
    /// Gives a bare number the magnitude and the unit of another one.
    fn measure_as(&mut self, other: &FoundQuantity) {
        let (factor, offset) = other.unit.map_or((1.0, 0.0), |unit| (unit.factor, unit.offset));
        let magnitude = if self.magnitude == 1.0 { other.magnitude } else { 1.0 };
        let q = self.quantity.times(factor * magnitude);
        self.quantity = Quantity {
            value: q.value + offset,
            alternative: q.alternative.map(|other| other + offset),
            raw: q.raw * magnitude,
            measure: other.quantity.measure,
            per: other.quantity.per,
            counted: None,
            ..q
        };
        (self.unit, self.magnitude) = (other.unit, self.magnitude * magnitude);
    }

    /// The range from it to where another one stands.
    fn reaching_to(&self, second: &FoundQuantity) -> FoundQuantity {
        let (mut range, b) = (self.clone(), &second.quantity);
        let own = self.quantity.measure;
        let is_physical = matches!(b.measure, Measure::Physical(_));
        if self.unit.is_none() && (!matches!(own, Measure::Date(_)) || is_physical) {
            range.measure_as(second);
        }
        let keeps = matches!(own, Measure::Money(_) | Measure::Date(_)) && !is_physical;
        range.quantity = Quantity {
            measure: if keeps { own } else { b.measure },
            tolerance: range.quantity.tolerance.max(b.tolerance),
            upper: b.upper.or(Some(b.value)),
            span: self.quantity.span.cover(b.span),
            alternative: None,
            counted: b.counted,
            per: b.per,
            ..range.quantity
        };
        range.unit = second.unit.or(self.unit);
        range
    }
}
