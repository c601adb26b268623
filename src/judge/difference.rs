//! Whether a value in the place of the claim's is really another one for the same thing.

use super::neighbours::clause;
use super::spot::Spot;
use super::{clock, polarity, rates};
use crate::quantity::{Agreement, Measure, Quantity, compare};
use crate::text::words::words_in;

/// Whether the page's value is really another one for the same thing: no range round the claim's, no other restriction, no other time
/// zone.
pub(super) fn differs(spot: &Spot<'_, '_>) -> bool {
    let apart = spot.q.measure == Measure::Time && !clock::are_of_one_clock(spot.case, spot.q, spot.place);
    // *One teacher for four pupils*, *four pupils for one teacher*.
    let inverse = spot.q.measure == Measure::Ratio && spot.q.upper == Some(spot.place.raw);
    !apart
        && !inverse
        && !has_the_other_end(spot)
        && compare(spot.q, spot.place) == Agreement::Different
        && !restricted(spot)
        && !rates::is_for_another_span(spot)
}

/// Whether a range of the page has one end with the claim's, and the other one stands beside it: *5 to 10 mg, and 50 mg at most* for
/// *5–50 mg*.
fn has_the_other_end(spot: &Spot<'_, '_>) -> bool {
    let (Some(high), Some(theirs)) = (spot.q.upper, spot.place.upper) else { return false };
    let end = |value: f64| Quantity { value, upper: None, alternative: None, ..spot.q.clone() };
    let is_own = |value: f64| {
        let of_place = Quantity { upper: None, alternative: None, ..spot.place.clone() };
        [spot.place.value, theirs]
            .iter()
            .any(|other| compare(&end(value), &Quantity { value: *other, ..of_place.clone() }) == Agreement::Same)
    };
    let beside = |value: &f64| {
        let others = spot.values().iter().filter(|other| other.span != spot.place.span);
        others.into_iter().any(|other| compare(&end(*value), other) == Agreement::Same)
    };
    [spot.q.value, high].iter().filter(|value| !is_own(**value)).any(beside)
}

/// Whether the page restricts the value (*daily*) where the claim does not, or the other way round.
pub(super) fn restricted(spot: &Spot<'_, '_>) -> bool {
    let (case, text) = (spot.case, spot.text());
    if spot.q.is_temporal() {
        return false;
    }
    let sentence = polarity::qualifiers(spot.whole().of(text), spot.words().iter().copied());
    let whole = polarity::qualifiers(case.claim, case.words.iter().copied());
    if whole.is_empty() && sentence.is_empty() {
        return false;
    }
    let read = |clause, languages| polarity::qualifiers(clause, words_in(clause, languages));
    let claimed = read(clause(case.claim, spot.q.span).of(case.claim), case.languages);
    let sentence_of = case.index.sentence_at(spot.place.span.start);
    let theirs = read(clause(text, spot.place.span).of(text), case.index.languages_of(sentence_of, sentence_of));
    claimed.iter().any(|key| !sentence.contains(key)) || theirs.iter().any(|key| !whole.contains(key))
}
