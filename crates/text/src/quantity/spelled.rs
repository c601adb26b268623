//! Numbers in words: *three hundred thousand*, *two-thirds*, *twice*, 三百万, 百分之五十.

// The values of number words are compared as they stand in the table.
#![allow(clippy::float_cmp)]

use std::sync::LazyLock;

use super::nearby::{LONGEST_UNIT, PARTS_ULP, part_after, set_phrase, trailing_unit, unit_at};
use super::number::Number;
use super::number::{self, Decimals};
use super::scan::{Scanner, number};
use super::tables::{Numeral, parts};
use super::{Measure, Quantity};
use crate::Span;
use crate::ascii::lowered;
use crate::words::{ByForm, form};

/// What begins one of so many: *une*, of *une sur quatre*, and with the class of its places *jeder*, of *jeder zweite*.
static ONE_OF: LazyLock<ByForm<Option<f64>>> = LazyLock::new(|| {
    let each = parts("each").map(|(each, places)| (form(each), Some(places)));
    parts("one").map(|(one, _)| (form(one), None)).chain(each).collect()
});

/// What a half behind it is a part of.
const ORDER: [&str; 9] = ["second", "first", "latter", "other", "last", "each", "this", "that", "better"];

/// Whether a whole is named behind a part of it: *a third of*, *un tiers des*, *die Hälfte der*.
fn is_of_a_whole(rest: &str) -> bool {
    parts("whole").any(|(whole, _)| rest.starts_with(whole))
}

impl Scanner<'_> {
    /// Handles a number in words that starts with `first` at `start..end`.
    pub(super) fn spelled(&mut self, start: usize, end: usize, first: Numeral) -> usize {
        let (mut total, mut current, mut last) = (0.0, 0.0, end);
        let mut numeral = first;
        let mut words = 0;
        let mut scale = 1.0;
        loop {
            match numeral {
                Numeral::Share(value) => {
                    let tail = is_of_a_whole(&self.text[end..]);
                    // *The second half of 2020* is a part of an order.
                    let in_order = || self.word_before(start).is_some_and(|word| ORDER.contains(&word.as_str()));
                    if words == 0 && tail && !in_order() {
                        self.plain_in_words(Span::new(start, end), Measure::Percent, value, 3.0);
                    }
                    return last;
                }
                Numeral::Fraction(denominator) => {
                    let numerator = if words == 0 { 1.0 } else { current };
                    let article = words > 0
                        || self.word_before(start).is_some_and(|w| w == "a" || parts("one").any(|(one, _)| w == one));
                    // *Rose by a fifth*.
                    let by = || ["by a ", "um ein "].iter().any(|by| self.text[..start].ends_with(by));
                    let of = is_of_a_whole(&self.text[last..]) || words > 0 && numerator < denominator || by();
                    let percent = 100.0 * numerator / denominator;
                    if article && of && percent > 0.0 && percent < 100.0 {
                        self.plain_in_words(Span::new(start, last), Measure::Percent, percent, 2.0);
                    }
                    return last;
                }
                Numeral::Multiple(value) => {
                    if words == 0 {
                        self.plain_in_words(Span::new(start, end), Measure::Multiple, value, 0.25);
                    }
                    return last;
                }
                Numeral::Unit(value) | Numeral::Ten(value) => current += value,
                Numeral::Times(value) => current = if current == 0.0 { 1.0 } else { current } * value,
                Numeral::Scale(value) => {
                    // A magnitude word alone ("millions of people") counts nothing exactly.
                    if words == 0 && !self.word_before(start).is_some_and(|w| matches!(&*w, "a" | "one")) {
                        return last;
                    }
                    total += if current == 0.0 { 1.0 } else { current } * value;
                    current = 0.0;
                    scale = value;
                }
            }
            words += 1;
            let Some((next_numeral, next_end)) = self.next_numeral(last) else { break };
            let fits = match (numeral, next_numeral) {
                // *Quatre-vingt* is four times twenty.
                (Numeral::Unit(four), Numeral::Ten(twenty)) if self.text[last..].starts_with("-vingt") => {
                    (current, numeral, last) = (current - four, Numeral::Ten(four * twenty), next_end);
                    continue;
                }
                // *Soixante-douze*, *quatre-vingt-dix*.
                (Numeral::Ten(tens), Numeral::Unit(value)) if tens == 60.0 || tens == 80.0 => value < 17.0,
                (Numeral::Ten(tens), Numeral::Ten(ten)) => (tens == 60.0 || tens == 80.0) && ten == 10.0,
                (Numeral::Ten(_), Numeral::Unit(value)) => value < 10.0,
                // *Deux tiers* are two thirds, *three tiers* are three.
                (Numeral::Unit(_), Numeral::Fraction(_)) if self.text[..next_end].ends_with("tiers") => {
                    self.text[..last].ends_with("deux")
                }
                // *Doscientos veinte*, *двести пять*.
                (Numeral::Unit(many), Numeral::Unit(rest) | Numeral::Ten(rest)) if many >= 100.0 => rest < 100.0,
                // Arabic has the ten behind the unit.
                (Numeral::Unit(value), Numeral::Ten(_))
                    if self.text[..next_end].ends_with(|c| matches!(c, '\u{600}'..='\u{6FF}')) =>
                {
                    value < 10.0
                }
                (Numeral::Unit(_) | Numeral::Ten(_), Numeral::Unit(_) | Numeral::Ten(_) | Numeral::Share(_))
                | (_, Numeral::Multiple(_)) => false,
                (_, Numeral::Scale(value)) => scale == 1.0 || value < scale,
                _ => true,
            };
            if !fits || words > 12 {
                break;
            }
            numeral = next_numeral;
            last = next_end;
        }
        let value = total + current;
        let one = words == 1 && value == 1.0;
        let ulp = if value.fract() == 0.0 { 1.0 } else { PARTS_ULP };
        let built = Number { spelled: true, ..number(start, last, value, ulp) };
        let share = self.text[last..].starts_with(" in ") || self.text[last..].starts_with(" out of ");
        if one && !share && unit_at(self.text, last).is_none() && part_after(self.text, last).is_none() {
            return last;
        }
        self.finish(&built)
    }

    /// Handles a half of a unit, *half a million*, *half an hour*, and one and a half of it, *a year and a half*, which begin with the
    /// word at `start..end`. None when they do not stand there.
    pub(super) fn half_of_a_unit(&mut self, start: usize, end: usize) -> Option<usize> {
        /// So far behind its number a half may stand, in bytes.
        const FAR: usize = 40;
        let word = &self.text[start..end];
        let rest = &self.text.as_bytes()[end..self.text.len().min(end + FAR)];
        let (value, last) = if word.eq_ignore_ascii_case("half") {
            let article = [&b" a "[..], b" an "].into_iter().find(|article| rest.starts_with(article))?;
            (0.5, end + article.len() - 1)
        } else if word.eq_ignore_ascii_case("a") || word.eq_ignore_ascii_case("an") {
            let joined = memchr::memmem::find(rest, b"and")?;
            ["half", "quarter"].iter().find_map(|part| memchr::memmem::find(&rest[joined..], part.as_bytes()))?;
            let (_, unit) = unit_at(self.text, end)?;
            part_after(self.text, unit)?;
            (1.0, end)
        } else {
            return None;
        };
        unit_at(self.text, last)?;
        Some(self.finish(&Number { spelled: true, ..number(start, last, value, PARTS_ULP) }))
    }

    /// Handles *une sur quatre*, *uno de cada tres*, *jeder zweite*, *каждый пятый*: one of so many, in per cent. The first word stands at
    /// `start..end`.
    pub(super) fn one_of_so_many(&mut self, start: usize, end: usize) -> Option<usize> {
        /// So many at most are told in this way.
        const MOST: f64 = 1000.0;
        let places = lowered(&self.text[start..end], |lower| ONE_OF.get(&form(lower))).flatten()?;
        let (many, last) = if let Some(places) = places {
            let last = self.word_end(end + usize::from(self.text[end..].starts_with(' ')));
            let place = self.text[end..last].trim_start().to_lowercase();
            (parts(&format!("place-{places}")).find(|(stem, _)| place.starts_with(stem))?.1, last)
        } else {
            let at = end + parts("of").find(|(of, _)| self.text[end..].starts_with(of))?.0.len();
            let digits = number::digits(self.text, at, || Decimals::Point).map(|digits| (digits.value, digits.end));
            digits.or_else(|| match self.numeral(Span::new(at, self.word_end(at))) {
                Some(Numeral::Unit(value) | Numeral::Ten(value)) => Some((value, self.word_end(at))),
                _ => None,
            })?
        };
        if !(many > 1.0 && many <= MOST && many.fract() == 0.0) {
            return None;
        }
        self.plain_in_words(Span::new(start, last), Measure::Percent, 100.0 / many, 20.0 / many);
        Some(last)
    }

    /// Adds a quantity in words that needs no unit.
    fn plain_in_words(&mut self, span: Span, measure: Measure, value: f64, tolerance: f64) {
        self.add(Quantity { tolerance, spelled: true, ..Quantity::exact(span, measure, value) }, 1.0, None);
    }

    /// The number word right after `at`, across a space, a hyphen or *and* in its languages.
    fn next_numeral(&self, at: usize) -> Option<(Numeral, usize)> {
        let rest = &self.text[at..];
        let skipped = parts("join").find_map(|(join, _)| rest.strip_prefix(join))?;
        let start = self.text.len() - skipped.len();
        let end = self.word_end(start);
        if end - start > LONGEST_UNIT {
            return None;
        }
        self.numeral(Span::new(start, end)).map(|numeral| (numeral, end))
    }

    /// Handles Chinese and Japanese numerals.
    pub(super) fn han(&mut self, at: usize) -> usize {
        if let Some(end) = set_phrase(self.text, at) {
            return end;
        }
        let Some((value, length, end)) = number::han(self.text, at) else { return at + 3 };
        if let Some(end) = self.part_in_han(at, end, value) {
            return end;
        }
        let unit = unit_at(self.text, end);
        let counter = self.text[end..].starts_with(['个', '個', '人', '名', '件', '台', '年', '家', '项', '点']);
        // *收入（亿元）*: the magnitude of a head, and no number.
        let bare = length == 1 && (value >= 1e4 || unit.is_none());
        let ordinal = self.text[..at].ends_with('第') || self.text[at..].starts_with("十分");
        if bare || ordinal || value < 1.0 || value == 1.0 && !counter {
            return end;
        }
        let ulp = if length == 1 { 1.0 } else { trailing_unit(value) };
        self.finish(&Number { spelled: true, ..number(at, end, value, ulp) })
    }

    /// Handles `三分之二` and `3分の1`: the parts are named first, and how many of them it is behind.
    pub(super) fn part_in_han(&mut self, start: usize, end: usize, parts: f64) -> Option<usize> {
        let at = ["分之", "分の"].into_iter().find(|of| self.text[end..].starts_with(of)).map(|of| end + of.len())?;
        let Number { value: many, end, .. } = digits_or_han(self.text, at)?;
        if !(many > 0.0 && many < parts) {
            return None;
        }
        self.plain_in_words(Span::new(start, end), Measure::Percent, 100.0 * many / parts, 2.0);
        Some(end)
    }

    /// Handles `百分之五十`, `百分之4.5`.
    pub(super) fn hundredth(&mut self, at: usize) -> usize {
        let start = at + "百分之".len();
        let Some(Number { value, ulp, end, .. }) = digits_or_han(self.text, start) else { return start };
        self.plain(Span::new(at, end), Measure::Percent, value, ulp / 2.0);
        end
    }
}

/// The number at `at`, in digits or in Chinese and Japanese numerals.
fn digits_or_han(text: &str, at: usize) -> Option<Number> {
    let han = || number::han(text, at).map(|(value, _, end)| number(at, end, value, 1.0));
    number::digits(text, at, || Decimals::Point).or_else(han)
}
