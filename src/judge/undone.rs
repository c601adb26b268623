//! What a passage denies, leaves open, or says of fewer than the claim does, though it has the claim's words.

use super::cues::{self, Class};
use super::neighbours::is_content;
use super::polarity;
use super::quantities::Case;
use super::whose::best_sentence;
use crate::text::Span;
use crate::text::quantity::{Measure, Quantity};
use crate::text::words::Word;

/// So many words behind its denial a word may stand: *not yet been counted*.
const REACH: usize = 4;

/// The sentence that denies a word which the claim only says: *arrived late and were not counted* for *were counted*.
pub(super) fn denied_there(case: &Case<'_, '_, '_>) -> Option<usize> {
    if case.words.iter().any(|word| polarity::denies(case.claim, word)) {
        return None;
    }
    let sentence = best_sentence(case)?;
    let text = case.index.text();
    let page = case.index.words_of(sentence, sentence);
    if polarity::stance(case.index.span_of(sentence, sentence).of(text)).negators == 0 {
        return None;
    }
    let claimed = |word: &Word| is_content(word) && !word.capital && case.words.iter().any(|own| own.key == word.key);
    let denied = |at: usize| {
        let behind = page[at + 1..].iter().take(REACH);
        let parted =
            |word: &&Word| !text[page[at].span.end..word.span.start].contains([',', ';', ':', '—', '，', '。']);
        let word = behind.take_while(parted).find(|word| is_content(word) && !cues::has(word, Class::Particle))?;
        let once = page.iter().filter(|other| other.key == word.key).count() == 1;
        (claimed(word) && once).then_some(())
    };
    (0..page.len()).filter(|at| polarity::denies(text, &page[*at])).find_map(denied).map(|()| sentence)
}

/// The sentence whose part with most of the claim's words says that it is still to come, or open: *is under way*, 尚未.
pub(super) fn still_open(case: &Case<'_, '_, '_>) -> Option<usize> {
    if cues::leaves_open(case.claim) || cues::foresees_in_a_phrase(case.claim) {
        return None;
    }
    let sentence = best_sentence(case)?;
    let text = case.index.text();
    let whole = case.index.span_of(sentence, sentence);
    let page = case.index.words_of(sentence, sentence);
    let claimed = |part: &Span| {
        let inside = page.iter().filter(|word| part.contains(word.span) && is_content(word));
        inside.filter(|word| case.words.iter().any(|own| own.key == word.key)).count()
    };
    let mut parts: Vec<Span> = Vec::new();
    let mut from = whole.start;
    for (at, sign) in whole.of(text).match_indices([';', '；', '—']) {
        parts.push(Span::new(from, whole.start + at));
        from = whole.start + at + sign.len();
    }
    parts.push(Span::new(from, whole.end));
    let fullest = parts.into_iter().max_by_key(claimed)?;
    cues::leaves_open(fullest.of(text)).then_some(sentence)
}

/// The sentence that puts what the claim calls the first of all in a later place: *the 12th warmest year*.
pub(super) fn ranked_lower(case: &Case<'_, '_, '_>) -> Option<usize> {
    let sentence = best_sentence(case)?;
    let page = case.index.words_of(sentence, sentence);
    let greatest = |word: &&Word| {
        let form = word.span.of(case.claim);
        cues::has(word, Class::Superlative) || form.len() > "est".len() + 2 && form.ends_with("est")
    };
    let own = case.words.iter().filter(greatest).filter(|word| !ranked(case.claim, case.quantities, word));
    let ranks = case.index.quantities_of(sentence, sentence);
    let lower = |own: &Word| {
        let mut same = page.iter().filter(|word| word.form == own.form).peekable();
        same.peek().is_some() && same.all(|word| ranked(case.index.text(), ranks, word))
    };
    own.into_iter().any(lower).then_some(sentence)
}

/// Whether a place in a row stands right before a word.
fn ranked(text: &str, quantities: &[Quantity], word: &Word) -> bool {
    let right_before = |q: &&Quantity| {
        text.get(q.span.end..word.span.start).is_some_and(|gap| gap.trim().is_empty() && gap.len() == 1)
    };
    quantities.iter().filter(|q| q.measure == Measure::Ordinal && q.raw >= 2.0).any(|q| right_before(&q))
}

/// The sentence that says of one or some of so many what the claim says of all: *on one of the six roofs*.
pub(super) fn said_of_some(case: &Case<'_, '_, '_>) -> Option<usize> {
    let sentence = best_sentence(case)?;
    let all = |q: &&Quantity| {
        let before = case.words.iter().rev().filter(|word| word.span.end <= q.span.start).take(2);
        q.measure == Measure::Count && before.into_iter().any(|word| cues::has(word, Class::All))
    };
    let own = case.quantities.iter().find(all)?;
    let page = case.index.words_of(sentence, sentence);
    let there = case.index.quantities_of(sentence, sentence);
    // *One of the six*, *51 of 86*.
    let of_some = |other: &Quantity| {
        let before: Vec<&Word> = page.iter().rev().filter(|word| word.span.end <= other.span.start).take(3).collect();
        let Some(of) = before.iter().take(2).position(|word| cues::has(word, Class::Of)) else { return false };
        let part = before.get(of + 1);
        part.is_some_and(|word| cues::has(word, Class::Some) || word.number)
    };
    there.iter().filter(|other| (other.raw - own.raw).abs() < f64::EPSILON).any(of_some).then_some(sentence)
}

#[cfg(test)]
mod tests {
    use crate::claim::ClaimKind;
    use crate::judge::{ClaimText, Settings, SourceText, Standing, judge};

    /// Whether a page supports a claim.
    #[track_caller]
    fn check(page: &str, claim: &str, supported: bool) {
        let verdict = judge(&ClaimText::new(claim, ClaimKind::Plain), &SourceText::new(page, ""), &Settings::default());
        assert_eq!(verdict.standing == Standing::Supported, supported, "{claim}: {verdict:?}");
    }

    #[test]
    fn what_is_denied_open_lower_or_partial_supports_nothing() {
        let late = "In Mill Hill 312 postal ballots arrived after the deadline and were not counted.";
        check(late, "In Mill Hill 312 postal ballots arrived after the deadline and were counted.", false);
        check(late, "In Mill Hill 312 postal ballots arrived after the deadline.", true);
        let series = "With a mean of 1.6 degrees 2023 was the 12th warmest year in the series of the station.";
        check(series, "With a mean of 1.6 degrees 2023 was the warmest year in the series of the station.", false);
        check(series, "With a mean of 1.6 degrees 2023 was the 12th warmest year in the series.", true);
        let roofs = "On one of the six roofs a third of the moss died in 2023.";
        check(roofs, "On all six roofs a third of the moss died in 2023.", false);
        check(roofs, "On one of the six roofs a third of the moss died.", true);
        check("县文化局将于年内决定是否合并21个村级服务点。", "县文化局已决定合并21个村级服务点。", false);
    }
}
