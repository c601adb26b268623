//! A number with what belongs to it: sign, currency, magnitude, unit, and what stands before and behind.

// Magnitudes and small whole numbers are compared as they stand in the tables.
#![allow(clippy::float_cmp)]

use super::nearby::{
    PARTS_ULP, below_zero, bound_after, counts_people_or_things, currency_before, glued_magnitude, glued_suffix,
    is_ordinal_before, is_span_of_years, linked_unit, unit_at, with_part,
};
use super::number::{self, Decimals, Number};
use super::per::per_at;
use super::scan::Scanner;
use super::tables::{UNITS, Unit, parts};
use super::{Bound, Date, Dimension, Measure, Per, Quantity, date};
use crate::Span;
use crate::language::language;
use crate::script::is_cjk;

/// What English shortens millions of money to.
const MILLIONS: &str = "mil";
/// A value from here on is not counted in thousands.
const NO_THOUSANDS: f64 = 1000.0;

/// A number as far as it was read, with what was found to belong to it.
struct Amount {
    start: usize,
    end: usize,
    value: f64,
    /// The value as written, before its magnitude.
    raw: f64,
    ulp: f64,
    currency: Option<&'static str>,
    magnitude: f64,
    unit: Option<Unit>,
    per: Option<Per>,
}

impl Scanner<'_> {
    /// Gives a number its unit, sign, currency and qualifiers, and adds it.
    pub(super) fn finish(&mut self, number: &Number) -> usize {
        let text = self.text;
        let mut amount = signed(text, number);
        if let Some(end) = self.glued(number, &amount) {
            return end;
        }
        if let Some((factor, after)) = glued_magnitude(text, amount.end, amount.currency.is_some()) {
            (amount.magnitude, amount.end) = (factor, after);
        }
        let plus = text[amount.end..].starts_with('+');
        amount.end += usize::from(plus);
        self.take_units(number, &mut amount);
        self.take_more(&mut amount);
        let measure = self.measure(number, &amount);
        if matches!(measure, Measure::Money(_)) {
            amount.per = per_at(text, amount.end, false).unwrap_or_default();
        }
        let Amount { mut start, end, value, raw, ulp, magnitude, unit, per, .. } = amount;
        // A sign before it may be of the number before: `二$0$S`.
        if start < self.found.last().map_or(0, |found| found.quantity.span.end) {
            start = number.start;
        }
        let glued = text[end..].starts_with(|c: char| c.is_ascii_alphanumeric());
        if number.plain > 0 && glued && measure == Measure::Count && magnitude == 1.0 {
            return self.label(start, end);
        }
        let factor = magnitude * unit.map_or(1.0, |unit| unit.factor);
        let offset = unit.map_or(0.0, |unit| unit.offset);
        let quantity = Quantity {
            tolerance: ulp * factor / 2.0,
            alternative: number.alternative.map(|other| other * factor + offset),
            raw: raw * magnitude,
            spelled: number.spelled,
            counted: self.counted(end),
            bound: bound_after(text, end).unwrap_or(if plus { Bound::AtLeast } else { Bound::Exact }),
            per,
            ..Quantity::exact(Span::new(start, end), measure, value * factor + offset)
        };
        self.add(quantity, magnitude, unit)
    }

    /// Takes in what is glued to the digits and makes something else of them: *1990s*, *3rd*.
    fn glued(&mut self, number: &Number, amount: &Amount) -> Option<usize> {
        let (text, end, value) = (self.text, amount.end, amount.value);
        let glued = text[end..].starts_with(|c: char| c.is_ascii_alphabetic());
        if number.plain > 0
            && glued
            && let Some((measure, after)) = glued_suffix(text, end, value, number.plain)
        {
            let upper = matches!(measure, Measure::Date(_)).then_some(value + 9.0);
            let quantity = Quantity::exact(Span::new(number.start, after), measure, value);
            return Some(self.add(Quantity { upper, ..quantity }, 1.0, None));
        }
        if matches!(number.plain, 1..=2) && is_ordinal_before(&text[end..]) {
            // A currency before it is of another number: `0€19世纪`.
            self.plain(Span::new(number.start, end), Measure::Ordinal, value, 0.0);
            return Some(end);
        }
        None
    }

    /// Takes magnitudes, then the unit.
    fn take_units(&self, number: &Number, amount: &mut Amount) {
        let text = self.text;
        for _ in 0..3 {
            let end = amount.end;
            let Some((found, after)) = unit_at(self.text, end).or_else(|| linked_unit(text, end, amount.magnitude))
            else {
                return;
            };
            let spaced = text[end..].starts_with([' ', '\u{A0}']);
            if spaced && self.is_year_not_amount(number, amount.value, &found, Span::new(end, after)) {
                return;
            }
            let written = &text[end..after];
            // *2,000,000 K* is a temperature.
            let is_kelvin =
                spaced && written.ends_with('K') && (amount.magnitude > 1.0 || amount.value >= NO_THOUSANDS);
            // *3 × 5 m*: the sign stands between two numbers.
            let is_between = || text[after..].trim_start().starts_with(|c: char| c.is_ascii_digit());
            let is_none =
                found.measure == Measure::Count && is_kelvin || found.measure == Measure::Multiple && is_between();
            if is_none {
                return;
            }
            if found.measure == Measure::Count {
                // *$60 mil* are millions in English; elsewhere they are thousands.
                let millions = amount.currency.is_some() && written.trim_start() == MILLIONS;
                let found =
                    if millions && language(text) == Some("en") { Unit { factor: 1e6, ..found } } else { found };
                let long = found.short_scale && self.decimals(amount.end) == Decimals::Comma;
                amount.magnitude *= found.factor * if long { 1000.0 } else { 1.0 };
                amount.end = after;
                self.take_next_part(amount);
                continue;
            }
            if amount.currency.is_some() && !matches!(found.measure, Measure::Money(_)) {
                return;
            }
            // "W/m²" is no amount of watts.
            if matches!(found.measure, Measure::Physical(_)) {
                let Ok(for_what) = per_at(text, after, true) else { return };
                amount.per = for_what;
            }
            amount.unit = Some(as_speed(text, amount.start, found));
            amount.end = after;
            return;
        }
    }

    /// *1亿2000万*: the next part belongs to the same number.
    fn take_next_part(&self, amount: &mut Amount) {
        if self.text[..amount.end].ends_with(is_cjk)
            && let Some(more) = number::digits(self.text, amount.end, || Decimals::Point)
        {
            let (factor, after) = match unit_at(self.text, more.end) {
                Some((Unit { measure: Measure::Count, factor, .. }, after)) => (factor, after),
                _ => (1.0, more.end),
            };
            if more.value * factor < amount.magnitude {
                amount.value += more.value * factor / amount.magnitude;
                amount.ulp = factor / amount.magnitude;
                amount.end = after;
            }
        }
    }

    /// Takes what stands behind the unit and changes the value: a half, *below zero*.
    fn take_more(&self, amount: &mut Amount) {
        let text = self.text;
        if amount.unit.is_none()
            && amount.magnitude == 1.0
            && amount.currency.is_none()
            && is_span_of_years(&text[..amount.start], &text[amount.end..], amount.value)
        {
            (amount.unit, amount.end) = (UNITS.get("year").copied(), amount.end + "年".len());
        }
        // *Two million, and a half of them*.
        if (amount.unit.is_some() || amount.magnitude > 1.0)
            && let Some((more, after)) = with_part(text, amount.end, amount.value)
            && !text[after..].starts_with(" of ")
        {
            (amount.value, amount.raw, amount.ulp, amount.end) = (more, more, PARTS_ULP, after);
        }
        let degrees = amount
            .unit
            .is_some_and(|unit| matches!(unit.measure, Measure::Physical(Dimension::Temperature | Dimension::Degrees)));
        if degrees
            && amount.value > 0.0
            && let Some(end) = below_zero(text, Span::new(amount.start, amount.end))
        {
            (amount.value, amount.raw, amount.end) = (-amount.value, -amount.raw, end);
        }
    }

    /// What it is a measure of.
    fn measure(&self, number: &Number, amount: &Amount) -> Measure {
        // A unit beside a sign of money is one of money as well.
        match (amount.unit, amount.currency) {
            (Some(unit), _) => unit.measure,
            (None, Some(code)) => Measure::Money(code),
            _ if number.plain == 4
                && amount.magnitude == 1.0
                && date::is_year(amount.value)
                && !(counts_people_or_things(&self.text[..amount.start], &self.text[amount.end..])) =>
            {
                Measure::Date(Date { year: Some(amount.value as i32), ..Date::default() })
            }
            _ if amount.magnitude == 1.0 && self.is_reference(number, amount.end) => Measure::Label,
            _ => Measure::Count,
        }
    }
}

/// The number with the currency and the sign before it, and a half behind it.
fn signed(text: &str, number: &Number) -> Amount {
    let (mut start, mut end) = (number.start, number.end);
    let (mut value, mut ulp) = (number.value, number.ulp);
    let mut currency = None;
    // In *$10^6$* the signs set off a formula.
    let formula = text[..start].ends_with('$') && text[end..].starts_with('$');
    if formula {
        (start, end) = (start - 1, end + 1);
    }
    if let Some((code, at)) = currency_before(text, start).filter(|_| !formula) {
        (currency, start) = (Some(code), at);
    }
    if let Some(sign) = text[..start].chars().next_back().filter(|c| matches!(c, '-' | '−' | '–')) {
        let outer = text[..start - sign.len_utf8()].chars().next_back();
        if outer.is_none_or(|c| c.is_whitespace() || matches!(c, '(' | '~' | '≈')) && sign != '–' {
            start -= sign.len_utf8();
            value = -value;
        }
    }
    let minus = start.checked_sub("minus ".len()).and_then(|at| Some((at, text.get(at..start)?)));
    if let Some((at, _)) = minus.filter(|(_, word)| word.eq_ignore_ascii_case("minus ") && value > 0.0) {
        (start, value) = (at, -value);
    }
    if let Some((more, after)) = with_part(text, end, value) {
        (value, ulp, end) = (more, PARTS_ULP, after);
    }
    Amount { start, end, value, raw: value, ulp, currency, magnitude: 1.0, unit: None, per: None }
}

/// The unit of a length that something goes in each second or hour, where that is told before it: *每秒1.5米*, *時速90キロ*.
fn as_speed(text: &str, start: usize, unit: Unit) -> Unit {
    if unit.measure != Measure::Physical(Dimension::Length)
        || text.as_bytes().get(start.wrapping_sub(1)).is_none_or(u8::is_ascii)
    {
        return unit;
    }
    // *每秒2至50米*
    let before = text[..start].trim_end_matches(['至', '到', '~', '～', '-', '–']);
    let before =
        if before.len() < start { before.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.') } else { before };
    let span = parts("speed").find(|(word, _)| before.ends_with(word));
    span.map_or(unit, |(_, seconds)| Unit {
        measure: Measure::Physical(Dimension::Speed),
        factor: unit.factor / seconds,
        ..unit
    })
}
