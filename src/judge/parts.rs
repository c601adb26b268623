//! The parts of a sentence that semicolons set apart: what is said in one need not be said of what another is about.

use super::case::Case;
use super::cues;
use super::spot::Spot;
use crate::text::Span;

/// The part of the sentence that the value stands in.
pub(super) fn part_round(spot: &Spot<'_, '_>) -> Span {
    part_of(spot.case, spot.sentence, spot.place.span)
}

/// The part of a sentence that something stands in, between semicolons.
fn part_of(case: &Case<'_, '_, '_>, sentence: usize, of: Span) -> Span {
    let (text, whole) = (case.index.text(), case.index.span_of(sentence, sentence));
    let ends = |c: char| matches!(c, ';' | '；');
    // A value may reach over the end of its sentence: *1.2 Mrd.*
    let side = |start: usize, end: usize| text.get(start..end).unwrap_or_default();
    let start = side(whole.start, of.start).rfind(ends).map_or(whole.start, |at| whole.start + at);
    let end = side(of.end, whole.end).find(ends).map_or(whole.end, |at| of.end + at);
    Span::new(start, end)
}

/// The same, with what goes before when it begins with a word that stands for what was named there: *…; it is their worst result*.
pub(super) fn part_with_its_subject(case: &Case<'_, '_, '_>, sentence: usize, of: Span) -> Span {
    let part = part_of(case, sentence, of);
    let first = case.index.words_of(sentence, sentence).iter().find(|word| part.contains(word.span));
    if first.is_some_and(cues::stands_for_another) {
        Span::new(case.index.span_of(sentence, sentence).start, part.end)
    } else {
        part
    }
}
