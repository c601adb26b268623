//! Whose value it is when the words of a claim stand in more than one sentence: *Mette Lindqvist, who took office in 2021,
//! said … Her predecessor, Jonas Aho, …* says nothing of when Jonas Aho took office.
//!
//! Each test looks at what the sentence of the page's value has in the place of a word of the claim that it lacks. All
//! are signs, and prove nothing.

use crate::judge::polarity;
use crate::judge::quantities::{Case, same_kind};
use crate::judge::spot::Spot;
use crate::text::Span;
use crate::text::quantity::{Agreement, Measure, Quantity, compare, month};
use crate::text::words::{Word, words};

/// Whether any test says that the page's value is of another thing. The words of a claim with several values may be of
/// any of them.
pub(super) fn is_of_another(spot: &Spot<'_, '_>) -> bool {
    let values = spot.case.quantities.iter().filter(|value| value.is_measured() && !value.is_temporal());
    if values.count() > 1 {
        return false;
    }
    is_of_the_whole(spot) || has_another_modifier(spot) || is_of_another_named(spot) || is_of_another_sentence(spot)
}

fn is_content(word: &Word) -> bool {
    !word.stop && !word.number
}

/// Whether the page's value is of a whole and the claim's words are said of a part of it that has its own value: *36,000
/// works, of which 1,200 are on display*.
fn is_of_the_whole(spot: &Spot<'_, '_>) -> bool {
    let text = spot.text();
    let later = spot.values().iter().filter(|value| value.span.start >= spot.place.span.end);
    let mut parts = later.filter(|value| compare(spot.place, value) == Agreement::Different);
    parts.any(|part| {
        let between = text.get(spot.place.span.end..part.span.start).unwrap_or_default();
        if !polarity::is_partitive(between) || spot.case.has_value(part) {
            return false;
        }
        let behind = |word: &&Word| word.span.start >= part.span.end;
        let said: Vec<u64> = spot.words().iter().filter(behind).filter(|w| is_content(w)).map(|w| w.key).collect();
        let before = |key: u64| spot.words().iter().any(|word| word.span.end <= part.span.start && word.key == key);
        spot.case.words.iter().any(|word| is_content(word) && said.contains(&word.key) && !before(word.key))
    })
}

/// Whether the claim speaks of a kind of a thing (*diastolic pressure*) that stands elsewhere on the page, and the sentence
/// of the value of another kind of it only (*systolic pressure*).
fn has_another_modifier(spot: &Spot<'_, '_>) -> bool {
    let mine = spot.case.words;
    kinds(spot.case.claim, mine).any(|(kind, thing)| {
        let has = |key: u64| spot.words().iter().any(|word| word.key == key);
        if kind.capital || has(kind.key) || !has(thing.key) {
            return false;
        }
        let text = spot.text();
        let of_thing = kinds(text, spot.words()).filter(|(_, other)| other.key == thing.key);
        let mut others = of_thing.map(|(other, _)| other).peekable();
        others.peek().is_some()
            && others.all(|other| mine.iter().all(|word| word.key != other.key))
            && spot.case.index.count(kind.key) > 0
            && spot.case.near_sentences(spot.sentence).any(|sentence| {
                let all = spot.case.index.words_of(sentence, sentence);
                kinds(text, all).any(|(a, b)| (a.key, b.key) == (kind.key, thing.key))
            })
    })
}

/// Pairs of content words that stand side by side.
fn kinds<'w>(text: &'w str, words: &'w [Word]) -> impl Iterator<Item = (&'w Word, &'w Word)> {
    words.windows(2).filter_map(move |pair| {
        let joined = matches!(text.get(pair[0].span.end..pair[1].span.start), Some(" " | "-"));
        (joined && is_content(&pair[0]) && is_content(&pair[1])).then_some((&pair[0], &pair[1]))
    })
}

/// Whether the part of the sentence with the value names others before it, and whom the claim names is named elsewhere only.
pub(super) fn is_of_another_named(spot: &Spot<'_, '_>) -> bool {
    names_others_before(spot.case, spot.sentence, part_round(spot), spot.place.span.start)
}

/// The sentence of the best passage that says it of others whom it names, when whom the claim names is named elsewhere only.
pub(super) fn said_of_others(case: &Case<'_, '_, '_>) -> Option<usize> {
    let window = case.windows.first()?;
    let recall = |sentence: &usize| case.lookup.recall(*sentence, *sentence);
    let sentence = (window.first..=window.last).max_by(|a, b| recall(a).total_cmp(&recall(b)))?;
    let shared = |word: &&Word| !word.capital && is_content(word) && case.words.iter().any(|own| own.key == word.key);
    let said = case.index.words_of(sentence, sentence).iter().find(shared)?;
    names_others_before(case, sentence, case.index.span_of(sentence, sentence), said.span.start).then_some(sentence)
}

/// Whether a part of a sentence names others than the claim before `end`, and whom the claim names is named in another
/// sentence nearby only.
fn names_others_before(case: &Case<'_, '_, '_>, sentence: usize, part: Span, end: usize) -> bool {
    let named = |word: &&Word| word.capital && is_content(word);
    // A month is no name.
    let is_free = |values: &[Quantity], text: &str, word: &Word| {
        month(word.span.of(text)).is_none() && !values.iter().any(|value| value.span.contains(word.span))
    };
    let own = case.words.iter().filter(named).filter(|word| is_free(case.quantities, case.claim, word));
    let mine: Vec<u64> = own.map(|word| word.key).collect();
    let values = case.index.quantities_of(sentence, sentence);
    let here = || case.index.words_of(sentence, sentence).iter().filter(|word| part.contains(word.span));
    if mine.is_empty() || here().any(|word| mine.contains(&word.key)) {
        return false;
    }
    // The first word of a sentence has a capital in any case: it is a name where another sentence has it inside.
    let inside = |key: u64| {
        let rest = |sentence| case.index.words_of(sentence, sentence).get(1..).unwrap_or_default();
        let mut sentences = case.near_sentences(sentence).chain([sentence]);
        sentences.any(|sentence| rest(sentence).iter().any(|word| word.capital && word.key == key))
    };
    let before = || {
        here().filter(|word| word.span.end <= end).filter(named).filter(|word| is_free(values, case.index.text(), word))
    };
    before().any(|word| inside(word.key))
        && before().all(|word| case.words.iter().all(|own| own.key != word.key))
        && mine.iter().any(|name| inside(*name))
}

/// The sentence of the best passage that says it of another of several things in a row: *the first failed because of an
/// error, the second because of a battery*.
pub(super) fn said_of_another_in_the_row(case: &Case<'_, '_, '_>) -> Option<usize> {
    let is_ordinal = |word: &&Word| polarity::is_ordinal(word);
    let mut mine = case.words.iter().filter(is_ordinal);
    let (Some(own), None) = (mine.next(), mine.next()) else { return None };
    let window = case.windows.first()?;
    (window.first..=window.last).find(|sentence| {
        let page = case.index.words_of(*sentence, *sentence);
        let row: Vec<&Word> = page.iter().filter(is_ordinal).collect();
        if !row.iter().any(|word| word.form == own.form) {
            return false;
        }
        let (mut here, mut there) = (0, 0);
        for word in case.words.iter().filter(|word| is_content(word) && !is_ordinal(word)) {
            let mut same = page.iter().filter(|other| other.key == word.key);
            let (Some(once), None) = (same.next(), same.next()) else { continue };
            match row.iter().rfind(|ordinal| ordinal.span.start < once.span.start) {
                Some(ordinal) if ordinal.form == own.form => here += 1,
                Some(_) => there += 1,
                None => {}
            }
        }
        here == 0 && there > 0
    })
}

/// The part of the sentence that the value stands in, between semicolons.
fn part_round(spot: &Spot<'_, '_>) -> Span {
    let (text, whole) = (spot.text(), spot.whole());
    let ends = |c: char| matches!(c, ';' | '；');
    // A value may reach over the end of its sentence: *1.2 Mrd.*
    let side = |start: usize, end: usize| text.get(start..end).unwrap_or_default();
    let start = side(whole.start, spot.place.span.start).rfind(ends).map_or(whole.start, |at| whole.start + at);
    let end = side(spot.place.span.end, whole.end).find(ends).map_or(whole.end, |at| spot.place.span.end + at);
    Span::new(start, end)
}

/// Whether the claim's words for what was done stand in another sentence, beside another value of the same thing: *The city
/// approved 312 homes. It finished 268 homes.*
fn is_of_another_sentence(spot: &Spot<'_, '_>) -> bool {
    let case = spot.case;
    let like = |value: &Quantity| match (spot.place.measure, value.measure) {
        (Measure::Count, Measure::Count) => {
            let counted = things(spot.text(), spot.place);
            things(spot.text(), value).iter().any(|thing| counted.contains(thing))
        }
        _ => same_kind(case, spot.q, value),
    };
    let telling = |sentence: usize, not: usize| {
        let has = |sentence: usize, key: u64| case.index.words_of(sentence, sentence).iter().any(|w| w.key == key);
        case.words
            .iter()
            .filter(|word| is_content(word) && !word.capital)
            .filter(|word| has(sentence, word.key) && !has(not, word.key))
            .count()
    };
    case.near_sentences(spot.sentence).any(|sentence| {
        let mut values = case.index.quantities_of(sentence, sentence).iter();
        let other = values
            .any(|value| like(value) && compare(spot.place, value) == Agreement::Different && !case.has_value(value));
        other && telling(sentence, spot.sentence) > telling(spot.sentence, sentence)
    })
}

/// The words right behind a number that say what it counts: *312 new homes*.
fn things(text: &str, q: &Quantity) -> Vec<u64> {
    const REACH: usize = 3;
    let rest = text.get(q.span.end..).unwrap_or_default();
    let rest = &rest[..rest.find([',', ';', '.', '\n', '(']).unwrap_or(rest.len())];
    words(rest).take(REACH).filter(is_content).map(|word| word.key).collect()
}
