//! Dates around a number: `12 March 2019`, `March 12, 2019`, `2019-03-12`, `12.03.2019`, `2019年3月12日`.

use super::Date;
use super::number::Number;
use super::tables::{BESIDE, month_in};
use crate::Span;
use crate::lexicon::Languages;

/// The years that a bare number of four digits may mean.
pub(super) fn is_year(value: f64) -> bool {
    (1000.0..=2100.0).contains(&value)
}

/// Years that nobody writes with their era: *2019 BC Hydro*.
const WITHOUT_ERA: std::ops::RangeInclusive<f64> = 1900.0..=2100.0;

/// The year of an era, and where it stands with its era: `44 BCE`, `300 v. Chr.`, `AD 79`. Years before the common era are negative.
pub(super) fn of_era(text: &str, at: usize, digits: &Number) -> Option<(Date, Span)> {
    let (value, end) = (digits.value, digits.end);
    let whole = digits.ulp >= 1.0 && (1.0..100_000.0).contains(&value) && !WITHOUT_ERA.contains(&value);
    let [before_common, common] = ["before-common-era", "common-era"].map(|class| BESIDE.of(class));
    let rest = &text[space(text, end)..];
    let behind = |forms: &[&str]| {
        let stands =
            |form: &&&str| rest.strip_prefix(**form).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
        forms.iter().filter(stands).map(|form| text.len() - rest.len() + form.len()).max()
    };
    let before = || {
        let head = text[..at].strip_suffix(' ')?;
        let head = common.iter().find_map(|form| head.strip_suffix(form))?;
        (!head.ends_with(char::is_alphanumeric)).then_some(head.len())
    };
    let (sign, span) = match (whole, behind(before_common), behind(common)) {
        (false, ..) => return None,
        (_, Some(after), _) => (-1.0, Span::new(at, after)),
        (_, None, Some(after)) => (1.0, Span::new(at, after)),
        _ => (1.0, Span::new(before()?, end)),
    };
    Some((Date { year: Some((sign * value) as i32), ..Date::default() }, span))
}

/// A small number of `digits` digits at most at `at`, not followed by another digit. Gives its value and end.
pub(super) fn small(text: &str, at: usize, least: usize, most: usize) -> Option<(u32, usize)> {
    let bytes = text.as_bytes();
    let count = bytes.get(at..)?.iter().take(most + 1).take_while(|b| b.is_ascii_digit()).count();
    if count < least || count > most {
        return None;
    }
    Some((text[at..at + count].parse().ok()?, at + count))
}

/// A date in figures at `at`, and its end.
pub(super) fn numeric(text: &str, at: usize) -> Option<(Date, usize)> {
    chinese(text, at).or_else(|| with_signs(text, at))
}

/// `2019-03-12`, `12.03.2019`, `03/12/2019`: behind the year stands the month; before it, with points, the day, and with strokes either may.
fn with_signs(text: &str, at: usize) -> Option<(Date, usize)> {
    let year_first = small(text, at, 4, 4).is_some();
    let (first, end) = small(text, at, 1, if year_first { 4 } else { 2 })?;
    let sign = *text.as_bytes().get(end).filter(|b| matches!(b, b'-' | b'/' | b'.'))?;
    let (second, end) = small(text, end + 1, 1, 2)?;
    let (least, most) = if year_first { (1, 2) } else { (4, 4) };
    let (last, end) = (text.as_bytes().get(end) == Some(&sign)).then(|| small(text, end + 1, least, most))??;
    let (year, month, day) = match (year_first, second > 12) {
        (true, _) => (first, second, last),
        (false, true) => (last, first, second),
        (false, false) => (last, second, first),
    };
    let swappable = !year_first && sign != b'.' && first <= 12 && second <= 12 && first != second;
    let date = Date { year: i32::try_from(year).ok(), month: Some(month as u8), day: Some(day as u8), swappable };
    (is_year(f64::from(year)) && (1..=12).contains(&month) && (1..=31).contains(&day)).then_some((date, end))
}

/// `2019年3月12日` and its parts; a number before 年 that is no year is left alone.
fn chinese(text: &str, at: usize) -> Option<(Date, usize)> {
    let (mut date, mut end) = (Date::default(), at);
    for (place, digits) in [4, 2, 2].into_iter().enumerate() {
        let Some((value, after)) = small(text, end, 1, digits) else { break };
        let Some(sign) = text[after..].chars().next() else { break };
        let behind = &text[after + sign.len_utf8()..];
        match (place, sign) {
            (0, '年') if is_year(f64::from(value)) && !behind.starts_with(['间', '間']) => {
                date.year = i32::try_from(value).ok();
            }
            (0, '年') => return None,
            (0, _) => continue,
            (1, '月') if (1..=12).contains(&value) => date.month = Some(value as u8),
            (2, '日' | '号') if (1..=31).contains(&value) && !behind.starts_with('間') => {
                date.day = Some(value as u8);
            }
            _ => break,
        }
        end = after + sign.len_utf8();
    }
    (end > at).then_some((date, end))
}

/// Skips one space of any kind.
fn space(text: &str, at: usize) -> usize {
    text[at..].chars().next().filter(|c| matches!(c, ' ' | '\u{A0}' | '\u{202F}')).map_or(at, |c| at + c.len_utf8())
}

/// Skips one of some words and the space after it.
fn skip_word(text: &str, at: usize, words: &[&str]) -> usize {
    words.iter().find(|word| text[at..].starts_with(**word)).map_or(at, |word| at + word.len())
}

/// A year after a day or a month: `, 2019`, ` de 2019`, ` 2019`.
pub(super) fn year_after(text: &str, at: usize) -> Option<(i32, usize)> {
    let mut next = at;
    if text[next..].starts_with(['.', ',']) {
        next += 1;
    }
    next = space(text, next);
    next = skip_word(text, next, &["de ", "del ", "of "]);
    let (year, end) = small(text, next, 4, 4)?;
    let plain = !text[end..].starts_with(|c: char| c.is_alphanumeric() || c == '%');
    (next > at && plain && is_year(f64::from(year))).then(|| Some((i32::try_from(year).ok()?, end)))?
}

/// A date written with the name of a month, of which the number at `start` is a part.
///
/// Gives the date and where it stands.
pub(super) fn worded(
    text: &str,
    start: usize,
    number: &Number,
    languages: impl Fn() -> Languages + Copy,
) -> Option<(Date, Span)> {
    let (value, digits, end) = (number.value, number.plain, number.end);
    // Of *by December 1.16 million* no part is a day.
    let day = (digits <= 2 && value.fract() == 0.0 && (1.0..=31.0).contains(&value)).then_some(value as u8);
    let with_a_year = |at: usize| year_after(text, at).map_or((None, at), |(year, after)| (Some(year), after));
    // The month follows: 12 March 2019, 12th of March, 12. März 2019, 12 de marzo de 2019.
    if day.is_some() {
        let mut next = skip_word(text, end, &["st", "nd", "rd", "th", "er", "º", "."]);
        next = space(text, next);
        next = skip_word(text, next, &["of ", "de "]);
        let word_end = text[next..].find(|c: char| !c.is_alphabetic()).map_or(text.len(), |length| next + length);
        if let Some(month) = (next > end).then(|| month_in(&text[next..word_end], languages)).flatten() {
            let (year, last) = with_a_year(word_end);
            return Some((Date { year, month: Some(month), day, ..Date::default() }, Span::new(start, last)));
        }
    }
    // The month stands before: March 12, 2019; March 2019; marzo de 2019.
    let before = text[..start].trim_end_matches([' ', '\u{A0}', ',']);
    // *In November, 3 judges*: a comma stands before a year, and before no day.
    let day = day.filter(|_| !text[before.len()..start].contains(','));
    let before = before.strip_suffix(" de").or_else(|| before.strip_suffix(" del")).unwrap_or(before);
    let before = before.strip_suffix('.').unwrap_or(before);
    if start - before.len() > 6 || start == before.len() {
        return None;
    }
    let word_start = before.char_indices().rev().take(12).take_while(|(_, c)| c.is_alphabetic()).last()?.0;
    let month = month_in(&before[word_start..], languages)?;
    let (year, last) = match day {
        Some(_) => with_a_year(skip_word(text, end, &["st", "nd", "rd", "th"])),
        None => (Some(value as i32).filter(|_| digits == 4 && is_year(value)), end),
    };
    let date = Date { year, month: Some(month), day, ..Date::default() };
    (day.is_some() || year.is_some()).then_some((date, Span::new(word_start, last)))
}
