//! Whether a value of the page is the claim's, with what is counted, multiplied and told by its sign in mind.

use super::case::{Case, counted};
use super::neighbours::clause;
use super::{polarity, scale};
use crate::quantity::{Agreement, Measure, Quantity, compare};
use crate::text::language::Spoken;

/// Compares with what is counted in mind: `1500 participants` is no year when the page counts participants.
pub(super) fn compare_here(case: &Case<'_, '_, '_>, q: &Quantity, other: &Quantity) -> Agreement {
    let agreement = compare(q, other);
    if agreement == Agreement::Compatible && is_told_by_a_sign(case, q, other) {
        return Agreement::Same;
    }
    if agreement == Agreement::Same && scale::is_multiplied(case, other) {
        return Agreement::Compatible;
    }
    if agreement == Agreement::Same && q.measure == Measure::Count && other.measure == Measure::Count && q.value < 100.0
    {
        // Small counts are everywhere: they have to count the same thing where both say what they count.
        if let (Some(mine), Some(theirs)) = (counted(case.claim, q), case.counted(other)) {
            let sentence = case.index.sentence_at(other.span.start);
            let named = case.index.words_of(sentence, sentence).iter().any(|word| word.key == mine && !word.capital);
            if mine != theirs && !named {
                return Agreement::Unrelated;
            }
        }
    }
    agreement
}

/// Whether the one tells by its sign what the other tells in words: *growth: −2.2%*, *contracted by 2.2%*.
fn is_told_by_a_sign(case: &Case<'_, '_, '_>, q: &Quantity, other: &Quantity) -> bool {
    let opposite = q.value * other.value < 0.0 && (q.value + other.value).abs() <= 1e-9 * q.value.abs();
    if !opposite || q.upper.is_some() || other.upper.is_some() || q.is_temporal() {
        return false;
    }
    let text = case.index.text();
    let sentence = case.index.sentence_at(other.span.start);
    let mine = Spoken { text: clause(case.claim, q.span).of(case.claim), languages: case.languages };
    let languages = case.index.languages_of(sentence, sentence);
    let theirs = Spoken { text: clause(text, other.span).of(text), languages };
    let (signed, worded) = if q.value < 0.0 { (mine, theirs) } else { (theirs, mine) };
    let (signed, worded) = (polarity::stance_in(signed), polarity::stance_in(worded));
    worded.down && !worded.up && worded.negators == 0 && !signed.down && signed.negators == 0
}
