//! Times of day, and times taken that are written like them: `14:30`, `7:33 a.m.`, *14.35 Uhr*, `2:04:11`, `1:59.40`.

// Whole hours and minutes are compared as they were read.
#![allow(clippy::float_cmp)]

use super::date::small;
use super::number::Number;
use super::{Agreement, Measure, Quantity};
use crate::Span;

/// Half a day, in minutes.
const HALF_A_DAY: f64 = 720.0;
/// How exactly a time is told without seconds, in minutes.
const TO_THE_MINUTE: f64 = 0.5;
/// … and with them.
const TO_THE_SECOND: f64 = TO_THE_MINUTE / 60.0;

/// The time whose first number this is. Its value are minutes after midnight; of `1:59.40`, which has no hours, the minutes count as hours
/// and the seconds as minutes. Its other reading is in the other half of the day: *at 2:35* in the afternoon.
pub(super) fn read(text: &str, number: &Number) -> Option<Quantity> {
    let Number { start, end, value: hour, plain: digits, .. } = *number;
    let with_a_stop = || with_a_stop(text, start, end).map(|(hour, minutes)| (hour, minutes, end));
    if digits > 2 || digits == 0 && with_a_stop().is_none() || hour > 24.0 {
        return None;
    }
    let told = if digits == 0 { with_a_stop() } else { two_parts(text, end, hour) };
    let (hour, minutes, at) = told.map_or((hour, None, end), |(hour, minutes, at)| (hour, Some(minutes), at));
    let (finer, tolerance, at) = match minutes {
        Some(_) if digits > 0 => seconds(text, at),
        _ => (0.0, TO_THE_MINUTE, at),
    };
    let finer = minutes.unwrap_or(0.0) + finer;
    let value = hour * 60.0 + finer;
    let time = |value: f64, end: usize, alternative: Option<f64>| {
        Some(Quantity { tolerance, alternative, ..Quantity::exact(Span::new(start, end), Measure::Time, value) })
    };
    if let Some((shift, end)) = half_of_the_day(text, at).filter(|_| hour <= 12.0) {
        return time((hour % 12.0) * 60.0 + finer + shift, end, None);
    }
    if let Some(end) = hours_word(text, at).filter(|_| value.fract() == 0.0) {
        return time(value, end, None);
    }
    // A number with a stop is a time only where a word says so.
    minutes.filter(|_| digits > 0)?;
    let may_be_later = tolerance == TO_THE_MINUTE && (1.0..=12.0).contains(&hour) && !text[start..].starts_with('0');
    time(value, at, may_be_later.then(|| (value + HALF_A_DAY) % (2.0 * HALF_A_DAY)))
}

/// Two figures and no further one at `at`, below sixty.
fn two_figures(text: &str, at: usize) -> Option<f64> {
    small(text, at, 2, 2).map(|(value, _)| f64::from(value)).filter(|value| *value < 60.0)
}

/// The minutes behind an hour, and where they end: `:35`, `h35`, ` h 35`.
fn two_parts(text: &str, at: usize, hour: f64) -> Option<(f64, f64, usize)> {
    let rest = &text[at..];
    if rest.starts_with(':') {
        return two_figures(text, at + 1).map(|minutes| (hour, minutes, at + 3));
    }
    let sign = ["h", " h ", "\u{A0}h\u{A0}", "\u{202F}h\u{202F}"].into_iter().find(|sign| rest.starts_with(sign))?;
    let from = at + sign.len();
    let minutes = two_figures(text, from)?;
    let behind = text[from + 2..].strip_prefix("min").or_else(|| text[from + 2..].strip_prefix('m'));
    if let Some(rest) = behind.filter(|rest| sign == "h" && !rest.starts_with(char::is_alphanumeric)) {
        // *2h45m*
        return Some((hour, minutes, text.len() - rest.len()));
    }
    // *2 h 30 min* is a time taken, of so many units.
    let unit = text[from + 2..].trim_start_matches([' ', '\u{A0}']).starts_with(['m', 'M', '%']);
    (!unit && !text[from + 2..].starts_with(char::is_alphanumeric)).then_some((hour, minutes, from + 2))
}

/// The hour and the minutes of `14.35`, which is a time where a word behind it says so.
fn with_a_stop(text: &str, start: usize, end: usize) -> Option<(f64, f64)> {
    let (hour, _) = text[start..end].split_once('.')?;
    let minutes = two_figures(text, start + hour.len() + 1).filter(|_| start + hour.len() + 3 == end)?;
    let hour: f64 = hour.parse().ok().filter(|_| hour.len() <= 2)?;
    (hour <= 24.0).then_some((hour, minutes))
}

/// The seconds behind `2:04`, in minutes: those of `2:04:11`, or the decimals of `1:59.40`, which count as of minutes; and how exact
/// that is, and where it ends.
fn seconds(text: &str, at: usize) -> (f64, f64, usize) {
    if text[at..].starts_with(':')
        && let Some(seconds) = two_figures(text, at + 1)
    {
        return (seconds / 60.0, TO_THE_SECOND, at + 3);
    }
    let decimals = text[at..].strip_prefix('.').unwrap_or_default();
    let len = decimals.bytes().take_while(u8::is_ascii_digit).count();
    let glued = decimals[len..].starts_with(|c: char| c.is_alphanumeric() || c == ':');
    match decimals[..len].parse::<f64>() {
        Ok(value) if len <= 3 && !glued => {
            let unit = 10f64.powi(-i32::try_from(len).unwrap_or(3));
            (value * unit, unit / 2.0, at + 1 + len)
        }
        _ => (0.0, TO_THE_MINUTE, at),
    }
}

/// Which half of the day is told behind a time, as what it adds, and where that ends: `a.m.`, `pm`.
fn half_of_the_day(text: &str, at: usize) -> Option<(f64, usize)> {
    let rest = &text[at..];
    let marked = rest.trim_start_matches([' ', '\u{A0}']);
    let stands = |mark: &&str| {
        let (own, tail) = marked.split_at_checked(mark.len()).unwrap_or_default();
        own.eq_ignore_ascii_case(mark) && !tail.starts_with(char::is_alphanumeric)
    };
    let mark = ["a.m.", "am", "p.m.", "pm"].into_iter().find(stands).filter(|_| rest.len() - marked.len() <= 2)?;
    Some((if mark.starts_with('a') { 0.0 } else { HALF_A_DAY }, text.len() - marked.len() + mark.len()))
}

/// The end of the word that says that a number is a time of day: *14 Uhr*.
fn hours_word(text: &str, at: usize) -> Option<usize> {
    let tail = text[at..].strip_prefix([' ', '\u{A0}', '\u{202F}'])?.strip_prefix("Uhr")?;
    (!tail.starts_with(char::is_alphanumeric)).then_some(text.len() - tail.len())
}

/// Compares two times. One that is told to the minute says as much of every second of it.
pub(super) fn compare(claim: &Quantity, source: &Quantity) -> Agreement {
    let both = |a: f64, b: f64| {
        let exact = claim.tolerance.min(source.tolerance);
        let coarse = claim.tolerance.max(source.tolerance);
        let same = (a - b).abs() <= exact * 0.999;
        if same || claim.tolerance > source.tolerance && a == b.floor() {
            Agreement::Same
        } else if claim.tolerance != source.tolerance && (a - b).abs() < 2.0 * coarse {
            Agreement::Compatible
        } else {
            Agreement::Different
        }
    };
    let own = both(claim.value, source.value);
    // What may be in either half of the day.
    let later = claim.alternative.map_or(Agreement::Different, |later| both(later, source.value));
    let theirs = source.alternative.map_or(Agreement::Different, |later| both(claim.value, later));
    own.max(later).max(theirs.min(Agreement::Compatible))
}

/// Compares a time with how long something took: `2:04:11` has hours, or minutes and seconds.
pub(super) fn with_duration(time: &Quantity, duration: &Quantity) -> Agreement {
    let seconds = [time.value * 60.0, time.value];
    let finest = [time.tolerance * 60.0, time.tolerance];
    let told = |(seconds, finest): (f64, f64)| (seconds - duration.value).abs() <= finest.max(duration.tolerance);
    let agrees = seconds.into_iter().zip(finest).any(told);
    match (agrees && duration.upper.is_none(), duration.tolerance <= TO_THE_MINUTE * 60.0) {
        (true, true) => Agreement::Same,
        // *2 hours* may be 2:04:11, and need not.
        (true, false) => Agreement::Compatible,
        _ => Agreement::Unrelated,
    }
}
