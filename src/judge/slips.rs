//! Values of a page that differ from the claim's as a slip of the pen would: the same day of another year, the same figures with another
//! magnitude.

use super::case::{Case, same_kind};
use crate::quantity::{Date, Measure, Quantity};

/// Two values with the same figures and so many times each other differ by a word of magnitude.
const MAGNITUDES: f64 = 100.0;
/// A date with the claim's day and month and another year, or the claim's figures with another magnitude, contradict
/// where this part of the claim's words stands.
const SAME_DAY_RECALL: f64 = 0.45;

/// A date of the page with the day and month of the claim's and another year, in a sentence about the same thing.
pub(super) fn same_day<'i>(case: &Case<'_, 'i, '_>, q: &Quantity) -> Option<(usize, &'i Quantity)> {
    let Measure::Date(Date { year: Some(year), month: Some(month), day: Some(day), swappable: false }) = q.measure
    else {
        return None;
    };
    let twin = |other: &&Quantity| {
        matches!(other.measure, Measure::Date(Date { year: Some(y), month: Some(m), day: Some(d), swappable: false })
            if (m, d) == (month, day) && y != year)
    };
    let found = case.kin(q).filter(twin).map(|other| (case.index.sentence_at(other.span.start), other));
    found
        .map(|(sentence, other)| (case.lookup.recall(sentence, sentence), sentence, other))
        .filter(|(recall, ..)| *recall >= SAME_DAY_RECALL)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, sentence, other)| (sentence, other))
}

/// A value of the page with the claim's figures and another magnitude, in a sentence about the same thing: *1.2 million*
/// for *1.2 billion*.
pub(super) fn same_figures<'i>(case: &Case<'_, 'i, '_>, q: &Quantity) -> Option<(usize, &'i Quantity)> {
    fn figures(text: &str, q: &Quantity) -> String {
        let figure = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',');
        let written = q.span.of(text).chars().skip_while(|c| !c.is_ascii_digit()).take_while(|c| figure(*c));
        written.collect()
    }
    // A table may have its magnitude in the head of a column: both have to say theirs.
    let magnitude = |text: &str, q: &Quantity| q.span.of(text).contains(char::is_alphabetic);
    let mine = figures(case.claim, q);
    if q.is_temporal() || q.spelled || q.upper.is_some() || mine.len() < 2 || !magnitude(case.claim, q) {
        return None;
    }
    let twin = |other: &&Quantity| {
        let ratio = (q.value / other.value).abs();
        other.upper.is_none()
            && (ratio >= MAGNITUDES || ratio <= 1.0 / MAGNITUDES)
            && same_kind(case, q, other)
            && magnitude(case.index.text(), other)
            && figures(case.index.text(), other) == mine
    };
    let mut found = case.kin(q).filter(twin);
    let (Some(other), None) = (found.next(), found.next()) else { return None };
    let sentence = case.index.sentence_at(other.span.start);
    (case.lookup.recall(sentence, sentence) >= SAME_DAY_RECALL).then_some((sentence, other))
}
