//! Times of day and times taken: when two of them are of one clock, and when the absence of one proves anything.

use super::case::Case;
use super::names;
use crate::quantity::{Dimension, Measure, Quantity};
use crate::text::Span;

/// Letters of the name of a time zone: *UTC*, *AEST*.
const ZONE: std::ops::RangeInclusive<usize> = 1..=5;
/// Of longer pages the first times are compared with each other.
const MOST_TIMES: usize = 60;
/// Quarters of an hour are told in words: *half past two*.
const QUARTER: f64 = 15.0;

/// The name of the time zone right behind a time, *06:35 UTC*; any word in capitals counts, also in brackets.
fn zone(text: &str, time: Span) -> Option<&str> {
    let rest = text[time.end..].trim_start_matches([' ', '\u{A0}', '(']);
    let word = &rest[..rest.find(|c: char| !c.is_ascii_uppercase()).unwrap_or(rest.len())];
    let whole = !rest[word.len()..].starts_with(char::is_alphanumeric);
    (whole && ZONE.contains(&word.len())).then_some(word)
}

/// Whether a page's time can be another one than the claim's at all: it is told as exactly, and for the same time zone.
pub(super) fn are_of_one_clock(case: &Case<'_, '_, '_>, q: &Quantity, other: &Quantity) -> bool {
    let zones = (zone(case.claim, q.span), zone(case.index.text(), other.span));
    zones.0 == zones.1 && (q.tolerance - other.tolerance).abs() < f64::EPSILON
}

/// Whether the absence of a time from the whole page proves that the page does not have it: it is no quarter of an hour, of no other time
/// zone than the page's, and nothing of the page gives it.
pub(super) fn absence_proves(case: &Case<'_, '_, '_>, q: &Quantity) -> bool {
    let text = case.index.text();
    let page = case.index.quantities();
    let times: Vec<&Quantity> = page.iter().filter(|other| other.measure == Measure::Time).take(MOST_TIMES).collect();
    let to_the_minute = q.value.fract() == 0.0;
    if to_the_minute && q.value % QUARTER == 0.0 || names::name_before(case.claim, q.span).is_some() {
        return false;
    }
    let here = zone(case.claim, q.span);
    if times.iter().any(|time| zone(text, time.span) != here) || times.is_empty() && here.is_some() {
        return false;
    }
    // *35 minutes past two*, *14时35分*.
    let minutes = q.value.floor() % 60.0;
    let told = |other: &Quantity| {
        let of_time = matches!(other.measure, Measure::Count | Measure::Physical(Dimension::Duration));
        of_time && (other.raw - minutes).abs() < f64::EPSILON
    };
    if page.iter().any(told) {
        return false;
    }
    let durations = page.iter().filter(|other| other.measure == Measure::Physical(Dimension::Duration));
    let durations: Vec<f64> = durations.take(MOST_TIMES).map(|other| other.value / 60.0).collect();
    let is = |value: f64| (value - q.value).abs() <= q.tolerance;
    let gives = |(i, time): (usize, &&Quantity)| {
        times[i + 1..].iter().any(|other| is((time.value - other.value).abs()) || is(time.value + other.value))
            || durations.iter().any(|by| is(time.value + by) || is((time.value - by).abs()))
    };
    !times.iter().enumerate().any(gives)
}

#[cfg(test)]
mod tests {
    use crate::claim::ClaimKind;
    use crate::judge::{ClaimText, Settings, SourceText, Standing, judge};

    /// Pages, claims, and whether the time is proven to be another one, or missing.
    const TABLE: [(&str, &str, bool); 14] = [
        ("The winner took 2:05:48.", "The winner took 2:04:11.", true),
        ("The winner took 2:04:11.", "The winner took 2:04:11.", false),
        ("The winner took 2 hours, 4 minutes and 11 seconds.", "The winner took 2:04:11.", false),
        ("The train leaves at 16:35.", "The train leaves at 14:35.", true),
        ("The train leaves at 2:35 pm.", "The train leaves at 14:35.", false),
        ("The train leaves at 2:35 in the afternoon.", "The train leaves at 14:35.", false),
        ("The train leaves half past two.", "The train leaves at 14:30.", false),
        ("The train leaves 35 minutes past two.", "The train leaves at 14:35.", false),
        ("Der Zug fährt um 14.35 Uhr ab.", "Der Zug fährt um 14:35 Uhr ab.", false),
        ("The quake struck at 14:35 JST.", "The quake struck at 05:35 UTC.", false),
        ("The film starts at 14:00 and lasts 95 minutes.", "The film ends at 15:35.", false),
        ("The station opened in 1920 and has six tracks.", "The first train came in at 5:12.", true),
        ("The ratio is 5:1.", "The ratio is 4:1.", true),
        ("There are four for one.", "The ratio is 4:1.", false),
    ];

    #[test]
    fn a_time_is_another_one_or_missing_only_where_no_clock_tells_it() {
        for (page, claim, wrong) in TABLE {
            let source = SourceText::new(page, "");
            let verdict = judge(&ClaimText::new(claim, ClaimKind::Quantitative), &source, &Settings::default());
            let found = verdict.hard && verdict.standing != Standing::Supported;
            assert_eq!(found, wrong, "{claim:?} by {page:?}: {verdict:?}");
        }
    }
}
