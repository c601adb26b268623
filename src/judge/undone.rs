//! What a passage denies, leaves open, or says of fewer than the claim does, though it has the claim's words.

use super::case::Case;
use super::cues::{self, Class};
use super::neighbours::is_content;
use super::polarity;
use crate::quantity::{Agreement, Measure, Quantity, compare};
use crate::text::Span;
use crate::text::language::Spoken;
use crate::text::words::Word;

/// So many words behind its denial a word may stand: *not yet been counted*.
const REACH: usize = 4;
/// What parts a sentence for good: a comma does not.
const PARTS: [char; 3] = [';', '；', '—'];
/// *Most* are more than this part of all, in per cent.
const HALF: f64 = 50.0;
/// How English makes superlatives that the table has not: *warmest*.
const SUPERLATIVE: &str = "est";
/// A word with that ending has more letters than *best*, *west* or *test*.
const SHORTEST_SUPERLATIVE: usize = 6;

/// The sentence that denies a word which the claim only says: *arrived late and were not counted* for *were counted*.
pub(super) fn denied_there(case: &Case<'_, '_, '_>) -> Option<usize> {
    if case.words.iter().any(|word| polarity::denies(case.claim, word)) {
        return None;
    }
    let best = case.best_sentence()?;
    if !denied_words(case, best).is_empty() {
        return Some(best);
    }
    // *Lindqvist was convicted. He did not appeal*: what the best sentence has nothing of.
    let elsewhere = |key: u64| !case.index.words_of(best, best).iter().any(|word| word.key == key);
    let next = best + 1;
    let follows = next < case.index.len() && denied_words(case, next).into_iter().any(elsewhere);
    follows.then_some(next)
}

/// The claim's words that a sentence denies, and has nowhere else.
fn denied_words(case: &Case<'_, '_, '_>, sentence: usize) -> Vec<u64> {
    let text = case.index.text();
    let page = case.index.words_of(sentence, sentence);
    if polarity::stance_in(case.index.spoken(sentence, sentence)).negators == 0 {
        return Vec::new();
    }
    let claimed = |word: &Word| is_content(word) && !word.capital && case.words.iter().any(|own| own.key == word.key);
    let denied = |at: usize| {
        let behind = page[at + 1..].iter().take(REACH);
        let parted =
            |word: &&Word| !text[page[at].span.end..word.span.start].contains([',', ';', ':', '—', '，', '。']);
        let word = behind.take_while(parted).find(|word| is_content(word) && !cues::has(word, Class::Particle))?;
        let once = page.iter().filter(|other| other.key == word.key).count() == 1;
        (claimed(word) && once).then_some(word.key)
    };
    (0..page.len()).filter(|at| polarity::denies(text, &page[*at])).filter_map(denied).collect()
}

/// The sentence with the claim's number that only rises where the claim only falls, or the other way round.
pub(super) fn moves_the_other_way(case: &Case<'_, '_, '_>) -> Option<usize> {
    let claim = polarity::stance_in(Spoken { text: case.claim, languages: case.languages });
    if claim.up == claim.down {
        return None;
    }
    let amounts = case.quantities.iter().filter(|q| q.is_measured() && !q.is_temporal());
    let own: Vec<&Quantity> = amounts.collect();
    let against = |sentence: &usize| {
        let there = case.index.quantities_of(*sentence, *sentence);
        let page = polarity::stance_in(case.index.spoken(*sentence, *sentence));
        let turned = page.up != page.down && page.up == claim.down && page.negators % 2 == claim.negators % 2;
        turned && !own.is_empty() && own.iter().all(|q| there.iter().any(|other| compare(q, other) == Agreement::Same))
    };
    let window = case.windows.first()?;
    (window.first..=window.last).find(against)
}

/// The sentence with a share of less than a half of what the claim says of most.
pub(super) fn said_of_fewer_than_half(case: &Case<'_, '_, '_>) -> Option<usize> {
    let says_most = case.words.iter().any(|word| cues::has(word, Class::Most));
    if !says_most || case.quantities.iter().any(|q| q.measure == Measure::Percent) {
        return None;
    }
    let sentence = case.best_sentence()?;
    let mut shares =
        case.index.quantities_of(sentence, sentence).iter().filter(|q| q.measure == Measure::Percent).peekable();
    shares.peek()?;
    shares.all(|share| share.value.abs() < HALF).then_some(sentence)
}

/// The sentence whose part with most of the claim's words says that it is still to come, or open: *is under way*, 尚未.
pub(super) fn still_open(case: &Case<'_, '_, '_>) -> Option<usize> {
    if cues::leaves_open(case.claim) || cues::foresees_in_a_phrase(case.claim) {
        return None;
    }
    let sentence = case.best_sentence()?;
    let text = case.index.text();
    let whole = case.index.span_of(sentence, sentence);
    let page = case.index.words_of(sentence, sentence);
    let claimed = |part: &Span| {
        let inside = page.iter().filter(|word| part.contains(word.span) && is_content(word));
        inside.filter(|word| case.words.iter().any(|own| own.key == word.key)).count()
    };
    let mut parts: Vec<Span> = Vec::new();
    let mut from = whole.start;
    for (at, sign) in whole.of(text).match_indices(PARTS) {
        parts.push(Span::new(from, whole.start + at));
        from = whole.start + at + sign.len();
    }
    parts.push(Span::new(from, whole.end));
    let fullest = parts.into_iter().max_by_key(claimed)?;
    cues::leaves_open(fullest.of(text)).then_some(sentence)
}

/// The sentence that puts what is the greatest of all on one side only in a later place, or among others: *the third tallest*, *one of
/// the largest*.
pub(super) fn not_alone_at_the_top(case: &Case<'_, '_, '_>) -> Option<usize> {
    let sentence = case.best_sentence()?;
    let page = case.index.words_of(sentence, sentence);
    let page_text = case.index.text();
    let tops = |text: &str, words: &[Word], values: &[Quantity]| -> Vec<(u64, bool)> {
        let below = |at: usize| is_below_the_top(words, at) || ranked(text, values, &words[at]);
        (0..words.len()).filter(|at| is_top(text, &words[*at])).map(|at| (top_key(words, at), below(at))).collect()
    };
    let own = tops(case.claim, case.words, case.quantities);
    let theirs = tops(page_text, page, case.index.quantities_of(sentence, sentence));
    let differs = |(key, below): &(u64, bool)| {
        let mut same = theirs.iter().filter(|(other, _)| other == key).peekable();
        same.peek().is_some() && same.all(|(_, other)| other != below)
    };
    own.iter().any(differs).then_some(sentence)
}

/// Whether a word is a superlative or makes one.
pub(super) fn is_top(text: &str, word: &Word) -> bool {
    let form = word.span.of(text);
    let made = form.len() >= SHORTEST_SUPERLATIVE && form.ends_with(SUPERLATIVE) && !word.capital;
    let listed = [Class::Extreme, Class::Greatest, Class::Least, Class::Earliest, Class::Latest]
        .into_iter()
        .any(|class| cues::has(word, class));
    made || listed || cues::is_extreme(word)
}

/// What tells a superlative from another: itself, or with *most* what is most.
fn top_key(words: &[Word], at: usize) -> u64 {
    if words[at].stop { words.get(at + 1).map_or(words[at].key, |next| next.key) } else { words[at].key }
}

/// Whether what stands before a superlative puts it in a later place or among others.
fn is_below_the_top(words: &[Word], at: usize) -> bool {
    /// So many small words stand between *one* and the greatest: *one of the*.
    const MOST_SMALL: usize = 3;
    let before = &words[..at];
    let ranked = before.last().is_some_and(|word| cues::has(word, Class::Rank));
    let small =
        before.iter().rev().take(MOST_SMALL).take_while(|word| !cues::has(word, Class::OneOf) && word.stop).count();
    let one = before.len().checked_sub(small + 1).is_some_and(|one| cues::has(&before[one], Class::OneOf));
    ranked || small > 0 && one
}

/// Whether a place in a row stands right before a word.
fn ranked(text: &str, quantities: &[Quantity], word: &Word) -> bool {
    let right_before = |q: &&Quantity| {
        text.get(q.span.end..word.span.start).is_some_and(|gap| gap.trim().is_empty() && gap.len() == 1)
    };
    quantities.iter().filter(|q| q.measure == Measure::Ordinal && q.raw >= 2.0).any(|q| right_before(&q))
}

/// The sentence that has the claim's name and not what the claim says of it, which another sentence says of another name: *the lenses
/// were given by Lumora. The study was funded by the Council* for *the study was funded by Lumora*.
pub(super) fn said_of_another_name(case: &Case<'_, '_, '_>) -> Option<usize> {
    let sentence = case.best_sentence()?;
    let has = |sentence: usize, key: u64| case.index.words_of(sentence, sentence).iter().any(|word| word.key == key);
    // The first word of a claim has a capital in any case.
    let is_name = |at: usize, word: &Word| at > 0 && word.capital && is_content(word);
    let own = || case.words.iter().enumerate().filter(|(_, word)| is_content(word));
    let names: Vec<u64> = own().filter(|(at, word)| is_name(*at, word)).map(|(_, word)| word.key).collect();
    let said: Vec<u64> = own().filter(|(at, word)| !is_name(*at, word)).map(|(_, word)| word.key).collect();
    let all_of_it = |sentence: usize| said.iter().all(|key| has(sentence, *key));
    if said.len() < 2 || all_of_it(sentence) || !names.iter().any(|key| has(sentence, *key)) {
        return None;
    }
    let of_another = |other: usize| {
        let words = case.index.words_of(other, other).iter().enumerate();
        let mut theirs = words.filter(|(at, word)| is_name(*at, word) && !names.contains(&word.key));
        all_of_it(other) && names.iter().all(|key| !has(other, *key)) && theirs.next().is_some()
    };
    case.near_sentences(sentence).any(of_another).then_some(sentence)
}

/// The sentence that says of one or some of so many what the claim says of all: *on one of the six roofs*.
pub(super) fn said_of_some(case: &Case<'_, '_, '_>) -> Option<usize> {
    let sentence = case.best_sentence()?;
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
        let trial = "Symptoms resolved in 24 of the 26 participants.";
        check(trial, "Symptoms resolved in all participants.", false);
        check("Symptoms resolved in 92% of participants.", "Symptoms resolved in all participants.", false);
        check(
            "In all participants symptoms resolved, in 24 of the 26 participants early.",
            "Symptoms resolved in all participants.",
            true,
        );
        let funds =
            "The lenses were given by Lumora Optics for the study. The study was funded by the Portuguese Council.";
        check(funds, "The study was funded by Lumora Optics.", false);
        check(funds, "The study was funded by the Portuguese Council.", true);
        let court = "The court of Sund convicted the broker Lindqvist of fraud in March. He did not appeal.";
        check(court, "The broker Lindqvist appealed after the court of Sund convicted him of fraud.", false);
        let cafe = "In the survey of visitors only 41% of the visitors were satisfied with the café of the museum.";
        check(cafe, "Most visitors of the museum were satisfied with the café.", false);
        check("昨年の会社の売上は18.6%増えました。", "昨年の会社の売上は18.6%減った。", false);
        check("县文化局将于年内决定是否合并21个村级服务点。", "县文化局已决定合并21个村级服务点。", false);
    }

    #[test]
    fn what_is_among_the_greatest_is_not_the_greatest() {
        // A page, what it does not say, and what it does.
        let table = [
            ("The tower is the third tallest in Europe.", "The tower is the tallest in Europe."),
            ("The lake is the second deepest in Asia.", "The lake is the deepest in Asia."),
            ("Arhus is one of the largest ports of Denmark.", "Arhus is the largest port of Denmark."),
            ("La tour est la troisième plus haute de la ville.", "La tour est la plus haute de la ville."),
            ("La torre es la tercera más alta de la ciudad.", "La torre es la más alta de la ciudad."),
            ("A torre é a terceira mais alta da cidade.", "A torre é a mais alta da cidade."),
            ("La torre è la terza più alta della città.", "La torre è la più alta della città."),
            ("Der Turm ist einer der größten der Stadt.", "Der Turm ist der größte der Stadt."),
        ];
        for (page, claim) in table {
            check(page, claim, false);
            check(page, page, true);
            check(claim, page, false);
            check(claim, claim, true);
        }
    }
}
