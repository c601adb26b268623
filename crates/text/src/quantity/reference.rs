//! Numbers that tell which thing or year is meant, and measure nothing: *Figure 3*, *Scenario 2: …*, *24/7*.

// Magnitudes are compared as they stand in the tables.
#![allow(clippy::float_cmp)]

use super::Measure;
use super::nearby::LONGEST_UNIT;
use super::number::Number;
use super::scan::Scanner;
use super::tables::{BESIDE, UNITS, Unit};
use crate::Span;
use crate::script::is_cjk;
use crate::words::words;

impl Scanner<'_> {
    /// Passes what is glued to a version: `1.2.3-beta.4`.
    pub(super) fn tail_of_name(&self, at: usize) -> usize {
        let bytes = self.text.as_bytes();
        let mut end = at;
        let glued = bytes.get(at).is_some_and(u8::is_ascii_alphabetic)
            || matches!(bytes.get(at), Some(b'-')) && bytes.get(at + 1).is_some_and(u8::is_ascii_alphabetic);
        while glued && bytes.get(end).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'-') {
            end += 1;
        }
        end
    }

    /// Whether `2019 second …` is a year and a word, not an amount of time; *2000 years* and *1950 kg* are amounts.
    pub(super) fn is_year_not_amount(&self, number: &Number, value: f64, unit: &Unit, at: Span) -> bool {
        let yearlike = number.plain == 4 && (1900.0..=2100.0).contains(&value);
        if !yearlike || !matches!(unit.measure, Measure::Physical(_) | Measure::Multiple) {
            return false;
        }
        let word = at.slice(self.text).trim();
        if BESIDE.has("symbol", &word.to_lowercase()) {
            return false;
        }
        let plural = word.chars().count() > 3 && word.starts_with(char::is_lowercase);
        let moment = || self.word_before(number.start).is_some_and(|word| BESIDE.has("moment", &word));
        let in_years = UNITS.get("year").is_some_and(|years| years.factor == unit.factor);
        !plural || BESIDE.has("singular", word) || !in_years && moment()
    }

    /// Whether a bare number is part of a reference or numbers an item of a list.
    pub(super) fn is_reference(&self, number: &Number, end: usize) -> bool {
        if number.plain == 0 && number.ulp >= 1.0 || number.spelled {
            return false;
        }
        let text = self.text;
        let before = text[..number.start].trim_end_matches([' ', '\t', '*', '(']);
        let opens = before.is_empty() || before.ends_with(['\n', ':', ';', '：', '；', '。', '؛', '（']);
        let after = &text[end..];
        let closes = after.starts_with([')', '）'])
            || after.strip_prefix('.').is_some_and(|next| next.starts_with(' ') && !next.trim().is_empty())
            || after.strip_prefix('、').is_some_and(|next| !next.trim_start().starts_with(|c: char| c.is_numeric()));
        let bracketed = text[..number.start].ends_with(['(', '（']) && after.starts_with([')', '）']);
        self.word_before(number.start).is_some_and(|word| BESIDE.has("reference", &word))
            || numbers_an_item(text, number.start, end)
            || text[..number.start].ends_with(['§', '№', '#', '图', '表', '第'])
            || before.ends_with(['§', '№'])
            || before.ends_with("GB/T")
            || matches!(number.plain, 1..=2)
                && (opens && closes
                    || bracketed
                    || closes_nothing(text, number.start, end)
                    || continues_a_list(text, number.start, end))
    }
}

/// Whether a number is one of *1. … 2. … 3. …*: the first begins something and the second comes behind it, or the first and the one before
/// it came before.
fn continues_a_list(text: &str, start: usize, end: usize) -> bool {
    let (Some(mark), Ok(number)) = (text[end..].chars().next(), text[start..end].parse::<u32>()) else { return false };
    if !matches!(mark, '.' | '．' | '、') {
        return false;
    }
    let begins = |at: usize| text[..at].trim_end().chars().next_back().is_none_or(|c| !c.is_alphanumeric());
    // Where a number stands with that mark, and no figure beside it.
    let places = |number: u32, from: usize, to: usize| {
        let written = format!("{number}{mark}");
        let found = text[from..to].match_indices(&written).map(|(at, _)| from + at);
        let whole = |at: &usize| {
            let behind = &text[at + written.len()..];
            !text[..*at].ends_with(char::is_numeric) && !behind.is_empty() && !behind.starts_with(char::is_numeric)
        };
        found.filter(whole).collect::<Vec<_>>()
    };
    let from = text.floor_char_boundary(start.saturating_sub(LIST_REACH));
    let to = text.ceil_char_boundary((end + LIST_REACH).min(text.len()));
    match number {
        0 => false,
        1 => begins(start) && !places(2, end, to).is_empty(),
        _ => places(1, from, start).into_iter().any(begins) && !places(number - 1, from, start).is_empty(),
    }
}

/// Whether a bracket closes behind a number that none has opened before: *reasons are 1) speed and 2) cost*.
fn closes_nothing(text: &str, start: usize, end: usize) -> bool {
    if !text[end..].starts_with([')', '）']) {
        return false;
    }
    let from = text.floor_char_boundary(start.saturating_sub(LIST_REACH));
    let sentence = text[from..start].rfind(['\n', '。']).map_or(from, |at| from + at);
    let is_whole = sentence > from || from == 0;
    let last = text[sentence..start].rfind(['(', '（', ')', '）']);
    let open = last.is_some_and(|at| text[sentence + at..].starts_with(['(', '（']));
    is_whole && !open
}

/// An opening bracket is looked for so many bytes before the closing one, and the other numbers of a list.
const LIST_REACH: usize = 400;

/// The most words before a number that only tells which of several things is meant: *Use case 2: …*.
const WORDS_OF_AN_ITEM: usize = 3;

/// Whether a number before a colon only numbers what follows: *Scenario 2: prices stay flat*, *误区3：…*.
fn numbers_an_item(text: &str, start: usize, end: usize) -> bool {
    let behind = text[end..].trim_start_matches(['*', '_', ')', '）']);
    if end - start > 2 || !behind.starts_with([':', '：']) {
        return false;
    }
    // A document may be one line with a number in every word: no farther back than the words of an item can reach.
    let from = text.ceil_char_boundary(start.saturating_sub(2 * LONGEST_UNIT));
    let parted = text[from..start].rfind(['\n', '.', '。', ';', '；']);
    if parted.is_none() && from > 0 {
        return false;
    }
    let line = text[from..start].rsplit(['\n', '.', '。', ';', '；']).next().unwrap_or_default();
    let before = line.trim_matches([' ', '*', '_', '-', '(', '（', '•']);
    let named = before.chars().all(|c| c.is_alphabetic() || c == ' ')
        && before.len() <= LONGEST_UNIT
        && (1..=WORDS_OF_AN_ITEM).contains(&before.split(' ').count());
    // *The total was 45: …* says how many.
    let counts = words(before).last().is_some_and(|word| word.stop);
    !counts && named && before.starts_with(|c: char| c.is_uppercase() || is_cjk(c))
}
