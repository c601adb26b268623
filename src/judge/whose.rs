//! Whose value it is, or of whom something is said: *Mette Lindqvist, who took office in 2021, said … Her predecessor, Jonas
//! Aho, …* says nothing of when Jonas Aho took office.
//!
//! The tests of a value ([`is_of_another`]) and of a statement (`said_…`) look at what the page's sentence has in the place of a
//! word of the claim: another name, kind, version or part. All are signs, and prove nothing.

use crate::judge::case::{Case, same_kind};
use crate::judge::neighbours::{clause, is_content};
use crate::judge::parts::{part_round, part_with_its_subject};
use crate::judge::spot::Spot;
use crate::judge::{cues, names, polarity, subject};
use crate::quantity::{Agreement, Measure, Quantity, compare, month};
use crate::text::Span;
use crate::text::words::{Word, words};

/// Whether any test says that the page's value is of another thing. The words of a claim with several values may be of
/// any of them.
pub(super) fn is_of_another(spot: &Spot<'_, '_>) -> bool {
    let counts =
        |value: &&Quantity| value.is_measured() && !value.is_temporal() && version(spot.case.claim, value).is_none();
    if spot.case.quantities.iter().filter(counts).count() > 1 {
        return false;
    }
    is_of_another_version(spot)
        || is_all_that_there_is(spot)
        || is_in_a_parallel_phrase(spot)
        || is_of_another_subject(spot)
        || is_of_the_whole(spot)
        || has_another_modifier(spot)
        || is_of_another_named(spot)
        || is_of_another_sentence(spot)
        || subject::is_of_the_clauses_own_name(spot)
        || subject::has_its_lead_elsewhere(spot)
        || subject::names_what_has_a_value_in_brackets(spot)
        || subject::is_said_of_the_rest(spot)
}

/// Whether the part of the sentence with the value is about another version than the claim: *version 1.0 had 3 billion*.
fn is_of_another_version(spot: &Spot<'_, '_>) -> bool {
    let mut mine = spot.case.quantities.iter().filter_map(|value| version(spot.case.claim, value));
    let (Some(own), None) = (mine.next(), mine.next()) else { return false };
    let part = part_round(spot);
    let here = spot.values().iter().filter(|value| part.contains(value.span) && value.span != spot.place.span);
    let mut theirs = here.filter_map(|value| version(spot.text(), value)).peekable();
    theirs.peek().is_some() && theirs.all(|other| other != own)
}

/// The figures of a version; those behind a name, with a point, are one as well: *Python 3.12*.
fn version<'t>(text: &'t str, value: &Quantity) -> Option<&'t str> {
    let written = value.span.of(text);
    let figures = written.trim_matches(|c: char| !c.is_ascii_digit());
    let named = || {
        let only_figures = figures.contains('.') && figures.len() == written.len();
        value.measure == Measure::Count && only_figures && names::name_before(text, value.span).is_some()
    };
    (matches!(value.measure, Measure::Version(..)) || named()).then_some(figures)
}

/// Whether the page's value is of a whole and the claim's words are said of a part of it that has its own value: *36,000
/// works, of which 1,200 are on display*.
pub(super) fn is_of_the_whole(spot: &Spot<'_, '_>) -> bool {
    /// So many bytes behind the part's value are read for what it is a part of.
    const PARTITIVE: usize = 9;
    let text = spot.text();
    let later = spot.values().iter().filter(|value| value.span.start >= spot.place.span.end);
    // The unit of a part may be left out.
    let mut parts = later.filter(|value| compare(spot.place, value) < Agreement::Compatible);
    parts.any(|part| {
        // *Of which one*, or *one of them*.
        let end = text.floor_char_boundary(part.span.end + PARTITIVE);
        let between = text.get(spot.place.span.end..end).unwrap_or_default();
        if !cues::is_partitive(between) || spot.case.has_value(part) {
            return false;
        }
        let behind = |word: &&Word| word.span.start >= part.span.end;
        let said: Vec<u64> = spot.words().iter().filter(behind).filter(|w| is_content(w)).map(|w| w.key).collect();
        let before = |key: u64| spot.words().iter().any(|word| word.span.end <= part.span.start && word.key == key);
        spot.case.words.iter().any(|word| is_content(word) && said.contains(&word.key) && !before(word.key))
    })
}

/// Whether the page's value is that of all there are, and the claim's words are said of some of them: *cracks in 14 of its
/// 96 cables*.
pub(super) fn is_all_that_there_is(spot: &Spot<'_, '_>) -> bool {
    /// Words between the two values.
    const BETWEEN: usize = 3;
    if spot.place.measure != Measure::Count {
        return false;
    }
    let text = spot.text();
    let Some(some) = spot.values().iter().rfind(|value| value.span.end <= spot.place.span.start) else { return false };
    let between: Vec<Word> = words(text.get(some.span.end..spot.place.span.start).unwrap_or_default()).collect();
    let is_part = some.measure == Measure::Count
        && some.value < spot.place.value
        && (1..=BETWEEN).contains(&between.len())
        && between.first().is_some_and(cues::is_of);
    let things = things(text, spot.place);
    let counted = |word: &Word| things.contains(&word.key);
    let said = |word: &&Word| {
        (word.span.end <= some.span.start || word.span.start > spot.place.span.end && !counted(word))
            && is_content(word)
    };
    let claimed = |key: u64| spot.case.words.iter().any(|word| word.key == key);
    is_part && !spot.case.has_value(some) && spot.words().iter().filter(said).any(|word| claimed(word.key))
}

/// Whether a word of the claim stands in the sentence outside of the value's clause, behind the same word as another one in
/// that clause: *children with dogs had 12% less, children with cats no less*.
fn is_in_a_parallel_phrase(spot: &Spot<'_, '_>) -> bool {
    let clause = clause(spot.text(), spot.place.span);
    let page = spot.words();
    spot.case.words.windows(2).any(|pair| {
        let (lead, own) = (&pair[0], &pair[1]);
        if !is_content(own) || lead.number {
            return false;
        }
        let behind_lead = page.windows(2).filter(|there| there[0].key == lead.key).map(|there| &there[1]);
        let (inside, outside): (Vec<&Word>, Vec<&Word>) = behind_lead.partition(|word| clause.contains(word.span));
        let claimed = |word: &Word| spot.case.words.iter().any(|own| own.key == word.key);
        outside.iter().any(|word| word.key == own.key)
            && inside.iter().any(|word| is_content(word))
            && inside.iter().all(|word| is_content(word) && !claimed(word))
            && !page.iter().any(|word| word.key == own.key && clause.contains(word.span))
    })
}

/// Whether the sentence is about something that the claim does not name, and what the claim begins with comes behind the
/// value's clause, or is what another sentence nearby begins with.
fn is_of_another_subject(spot: &Spot<'_, '_>) -> bool {
    let case = spot.case;
    let first = |words: &[Word]| words.iter().find(|word| is_content(word)).copied();
    let (Some(mine), Some(theirs)) = (first(case.words), first(spot.words())) else { return false };
    let claimed = |key: u64| case.words.iter().any(|word| word.key == key);
    let clause = clause(spot.text(), spot.place.span);
    let mut same = spot.words().iter().filter(|word| word.key == mine.key);
    let behind = same.clone().next().is_some() && same.all(|word| word.span.start >= clause.end);
    // Whoever has a name may be spoken of otherwise: *the company*.
    let has_thing = |sentence: usize| {
        case.index.words_of(sentence, sentence).iter().any(|word| word.key == mine.key && !word.capital)
    };
    let is_thing = || case.index.sentences_with(mine.key).any(has_thing);
    let begins = |sentence| first(case.index.words_of(sentence, sentence)).is_some_and(|word| word.key == mine.key);
    let nowhere = spot.words().iter().all(|word| word.key != mine.key);
    theirs.span.end <= spot.place.span.start
        && !claimed(theirs.key)
        && (behind || nowhere && case.near_sentences(spot.sentence).any(begins) && is_thing())
}

/// Whether the claim speaks of a kind of a thing (*diastolic pressure*) that stands elsewhere on the page, and the sentence
/// of the value of another kind of it only (*systolic pressure*).
fn has_another_modifier(spot: &Spot<'_, '_>) -> bool {
    let mine = spot.case.words;
    let part = part_round(spot);
    let here: Vec<Word> = spot.words().iter().filter(|word| part.contains(word.span)).copied().collect();
    kinds(spot.case.claim, mine).any(|(kind, thing)| {
        let has = |key: u64| here.iter().any(|word| word.key == key);
        if kind.capital || has(kind.key) || !has(thing.key) {
            return false;
        }
        let text = spot.text();
        let of_thing = kinds(text, &here).filter(|(_, other)| other.key == thing.key);
        let mut others = of_thing.map(|(other, _)| other).peekable();
        others.peek().is_some()
            && others.all(|other| mine.iter().all(|word| word.key != other.key))
            && spot.case.near_sentences(spot.sentence).chain([spot.sentence]).any(|sentence| {
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
    names_others_before(
        spot.case,
        spot.sentence,
        part_with_its_subject(spot.case, spot.sentence, spot.place.span),
        spot.place.span.start,
    )
}

/// The sentence of the best passage that says it of others whom it names, when whom the claim names is named elsewhere only.
pub(super) fn said_of_others(case: &Case<'_, '_, '_>) -> Option<usize> {
    let sentence = case.best_sentence()?;
    let shared = |word: &&Word| !word.capital && is_content(word) && case.words.iter().any(|own| own.key == word.key);
    let said = case.index.words_of(sentence, sentence).iter().rfind(shared)?;
    let part = part_with_its_subject(case, sentence, said.span);
    let first = case.index.words_of(sentence, sentence).iter().find(|word| part.contains(word.span) && shared(word))?;
    names_others_before(case, sentence, part, first.span.start).then_some(sentence)
}

/// Whether a part of a sentence names others than the claim before `end`, and whom the claim names is named in another
/// sentence nearby only.
fn names_others_before(case: &Case<'_, '_, '_>, sentence: usize, part: Span, end: usize) -> bool {
    let named = |word: &&Word| word.capital && is_content(word);
    // A month is no name.
    let is_free = |values: &[Quantity], text: &str, word: &Word| {
        let value = values.iter().find(|value| value.span.contains(word.span));
        month(word.span.of(text)).is_none() && value.is_none_or(Quantity::is_label)
    };
    let own = case.words.iter().filter(named).filter(|word| is_free(case.quantities, case.claim, word));
    let mine: Vec<u64> = own.map(|word| word.key).collect();
    let values = case.index.quantities_of(sentence, sentence);
    let here = || case.index.words_of(sentence, sentence).iter().filter(|word| part.contains(word.span));
    if mine.is_empty() || here().any(|word| mine.contains(&word.key)) {
        return false;
    }
    let elsewhere = |key: u64| {
        let rest = |sentence| case.index.words_of(sentence, sentence).get(1..).unwrap_or_default();
        let mut sentences = case.near_sentences(sentence).chain([sentence]);
        sentences.any(|sentence| rest(sentence).iter().any(|word| word.capital && word.key == key))
    };
    // The first word of a sentence has a capital in any case: it is a name when it is all in capitals, or where another
    // sentence has it inside.
    let is_name = |word: &Word| is_acronym(word.span.of(case.index.text())) || elsewhere(word.key);
    let before = || {
        here().filter(|word| word.span.end <= end).filter(named).filter(|word| is_free(values, case.index.text(), word))
    };
    before().any(is_name)
        && before().all(|word| case.words.iter().all(|own| own.key != word.key))
        && mine.iter().any(|name| elsewhere(*name))
}

/// The sentence of the best passage that says it of another of several things in a row: *the first failed because of an
/// error, the second because of a battery*.
pub(super) fn said_of_another_in_the_row(case: &Case<'_, '_, '_>) -> Option<usize> {
    let is_ordinal = |word: &&Word| cues::is_ordinal(word);
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

/// The sentence of the best passage whose second part is about something of the claim and says something else of it, while
/// the first part says what the claim says: *admission remains free, but special exhibitions cost £12*.
pub(super) fn said_in_the_part_before(case: &Case<'_, '_, '_>) -> Option<usize> {
    if case.words.iter().any(cues::sets_off) {
        return None;
    }
    let sentence = case.best_sentence()?;
    let (page, text) = (case.index.words_of(sentence, sentence), case.index.text());
    let parts = page.windows(2).filter(|pair| {
        cues::sets_off(&pair[1])
            || text.get(pair[0].span.end..pair[1].span.start).is_some_and(|gap| gap.contains([';', '；']))
    });
    let mut cuts = parts.map(|pair| pair[1].span.start);
    let claimed = |word: &&Word| case.words.iter().any(|own| own.key == word.key);
    let on = |cut: usize, behind: bool, key: u64| {
        page.iter().any(|word| word.key == key && (word.span.start >= cut) == behind)
    };
    let is_turned = cuts.any(|cut| {
        let behind: Vec<&Word> = page.iter().filter(|word| word.span.start >= cut && is_content(word)).collect();
        let only = |word: &Word, there: bool| on(cut, there, word.key) && !on(cut, !there, word.key);
        let run = behind.iter().take_while(|word| claimed(word)).count();
        let of_first = case.words.iter().filter(|word| is_content(word) && only(word, false)).count();
        // What the second part begins with, and nothing of what it says of that.
        let its_subject = behind[..run].iter().any(|word| only(word, true))
            && (run < behind.len() || page.iter().any(|word| word.span.start >= cut && polarity::denies(text, word)))
            && !behind[run..].iter().any(&claimed);
        // What the second part ends with, and not the verb that it begins with: *opened routes there but closed its base here*.
        let adversative = page.iter().any(|word| word.span.start == cut && cues::is_adversative(word));
        let its_object =
            adversative && run == 0 && of_first > 1 && behind.iter().any(|word| claimed(word) && only(word, true));
        of_first > 0 && (its_subject || its_object)
    });
    is_turned.then_some(sentence)
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
pub(super) fn things(text: &str, q: &Quantity) -> Vec<u64> {
    const REACH: usize = 3;
    let rest = text.get(q.span.end..).unwrap_or_default();
    let rest = &rest[..rest.find([',', ';', '.', '\n', '(']).unwrap_or(rest.len())];
    words(rest).take(REACH).filter(is_content).map(|word| word.key).collect()
}

/// Whether a word is written in capitals.
fn is_acronym(word: &str) -> bool {
    word.chars().filter(|c| c.is_uppercase()).count() > 1
}

#[cfg(test)]
mod tests {

    /// A page, a claim that it supports, and one that takes its words for something else.
    const TABLE: [(&str, &str, &str); 5] = [
        (
            "The geologist said on Tuesday that the eruption could last for months.",
            "The eruption could last for months.",
            "The eruption will last for months.",
        ),
        (
            "The leader of the party is expected to form a coalition with the Centre Party.",
            "The leader of the party is expected to form a coalition with the Centre Party.",
            "The leader of the party has formed a coalition with the Centre Party.",
        ),
        (
            "The treasurer warned that the reserves of the city will be used up by 2028.",
            "The reserves of the city will be used up by 2028.",
            "The reserves of the city were used up in 2028.",
        ),
        (
            "The average rent of new contracts was 14.20 euros; that of existing contracts was 9.80 euros.",
            "The average rent of new contracts was 14.20 euros.",
            "The average rent of existing contracts was 14.20 euros.",
        ),
        (
            "About 6,300 people from five villages have been evacuated, 2,100 of whom are staying in shelters.",
            "About 6,300 people from five villages have been evacuated.",
            "About 6,300 people are staying in shelters.",
        ),
    ];

    #[test]
    fn what_is_said_of_something_else_is_no_support() {
        crate::judge::tests::check_table(&TABLE);
    }
}
