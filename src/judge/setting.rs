//! When, how far and in which direction a value holds: a forecast, another year, a rate or a fall are not the claim's value.

use crate::judge::apart;
use crate::judge::neighbours::{clause, parted};
use crate::judge::polarity::{self, Clash, ClashKind, Direction};
use crate::judge::quantities::{Case, may_agree, same_kind};
use crate::text::Span;
use crate::text::quantity::{Agreement, Measure, Quantity, Role, compare};
use crate::text::words::{Word, words};

/// A sentence with the claim's year and another value speaks of the claim's thing when it has this part of the claim's
/// words that the sentence with the claim's value has.
const OTHER_YEAR_SHARE: f64 = 0.6;
/// A value that goes the other way contradicts in a sentence with this part of the claim's words.
const TURNED_RECALL: f64 = 0.6;
/// A word that only foresees stands at most so many words before the value.
const FORESEEN_REACH: usize = 12;
/// … or so many behind it.
const FORESEEN_AFTER: usize = 4;
/// A word of direction stands at most so many words before a value, or after it.
const DIRECTION_REACH: (usize, usize) = (4, 2);

/// Whether the page has the value only for what is expected or planned, and the claim says that it is so.
pub(super) fn is_only_foreseen(case: &Case<'_, '_, '_>, _: &Quantity, place: &Quantity, sentence: usize) -> bool {
    if case.words.iter().any(polarity::foresees) || polarity::foresees_unspaced(case.claim) {
        return false;
    }
    let text = case.index.text();
    if polarity::foresees_unspaced(clause(text, place.span)) {
        return true;
    }
    let before = case.index.words_of(sentence, sentence).iter().rev().filter(|word| word.span.end <= place.span.start);
    let mut edge = place.span.start;
    for word in before.take(FORESEEN_REACH) {
        if text.get(word.span.end..edge).is_none_or(|gap| gap.contains([';', ':', ',', '(', '\n'])) {
            break;
        }
        if polarity::foresees(word) {
            return true;
        }
        edge = word.span.start;
    }
    let after = case.index.words_of(sentence, sentence).iter().filter(|word| word.span.start >= place.span.end);
    let clause_end =
        parted(text, place.span.end, case.index.span_of(sentence, sentence).end).map_or(usize::MAX, |gap| gap.start);
    after.take(FORESEEN_AFTER).any(|word| word.span.end <= clause_end && polarity::foresees(word))
}

/// The word of direction nearest to a value, at most a few words from it in its clause; none where something is denied.
fn direction_at(text: &str, all: &[Word], span: Span) -> Option<(Direction, Span)> {
    let clause = clause(text, span);
    let start = clause.as_ptr() as usize - text.as_ptr() as usize;
    let clause = Span::new(start, start + clause.len());
    let inside = || all.iter().filter(|word| clause.contains(word.span));
    if inside().any(|word| polarity::denies(text, word)) {
        return None;
    }
    let mut before = inside().rev().filter(|word| word.span.end <= span.start).take(DIRECTION_REACH.0);
    let mut after = inside().filter(|word| word.span.start >= span.end).take(DIRECTION_REACH.1);
    let found = |word: &Word| Some((polarity::direction(word)?, word.span));
    before.find_map(found).or_else(|| after.find_map(found))
}

/// The words of the claim and of the page that say that a value is reached by going up here and by going down there.
fn opposite_words(case: &Case<'_, '_, '_>, q: &Quantity, place: &Quantity, sentence: usize) -> Option<(Span, Span)> {
    let (claimed, at) = direction_at(case.claim, case.words, q.span)?;
    let (found, there) = direction_at(case.index.text(), case.index.words_of(sentence, sentence), place.span)?;
    (claimed != found).then_some((at, there))
}

/// Whether the page reaches a value by going up and the claim by going down, or the other way round.
pub(super) fn goes_the_other_way(case: &Case<'_, '_, '_>, q: &Quantity, place: &Quantity, sentence: usize) -> bool {
    opposite_words(case, q, place, sentence).is_some()
}

/// A value of the claim that the page has in one sentence only, which is about the same thing and has it go the other way.
pub(super) fn turned(case: &Case<'_, '_, '_>) -> Option<(Clash, usize)> {
    case.quantities.iter().filter(|q| q.is_measured() && !q.is_temporal() && !q.spelled).find_map(|q| {
        let mut places = case
            .index
            .quantities()
            .iter()
            .filter(|other| may_agree(q, other) && compare(q, other) >= Agreement::Compatible);
        let (Some(place), None) = (places.next(), places.next()) else { return None };
        let sentence = case.index.sentence_at(place.span.start);
        if case.lookup.recall(sentence, sentence) < TURNED_RECALL
            || apart::is_said_of_something_else(case, q, place, sentence)
        {
            return None;
        }
        let (mine, theirs) = opposite_words(case, q, place, sentence)?;
        let (claimed, found) = (mine.of(case.claim).to_lowercase(), theirs.of(case.index.text()).to_lowercase());
        Some((Clash { claimed, found, kind: ClashKind::Direction }, sentence))
    })
}

/// The year of a claim that names only one.
fn only_year(case: &Case<'_, '_, '_>) -> Option<i32> {
    let mut mine = case.quantities.iter().filter_map(year_of);
    mine.next().filter(|_| mine.next().is_none())
}

/// Whether a sentence names years, and not the only one that the claim names.
pub(super) fn speaks_of_another_year(case: &Case<'_, '_, '_>, sentence: usize) -> bool {
    let Some(year) = only_year(case) else { return false };
    let mut theirs = case.index.quantities_of(sentence, sentence).iter().filter_map(year_of).peekable();
    theirs.peek().is_some() && theirs.all(|theirs| theirs != year)
}

/// Whether the sentence speaks of another year than the claim, and the page has another value for the claim's year.
pub(super) fn is_of_another_year(case: &Case<'_, '_, '_>, q: &Quantity, place: &Quantity, sentence: usize) -> bool {
    let Some(year) = only_year(case) else { return false };
    let text = case.index.text();
    let clause = clause(text, place.span);
    let start = clause.as_ptr() as usize - text.as_ptr() as usize;
    let clause = Span::new(start, start + clause.len());
    let beside = case.index.quantities_of(sentence, sentence).iter().filter(|other| clause.contains(other.span));
    let mut beside = beside.filter_map(year_of).peekable();
    if beside.peek().is_some() && beside.all(|other| other != year) && !speaks_of_another_year(case, sentence) {
        return true;
    }
    if !speaks_of_another_year(case, sentence) {
        return false;
    }
    let here = case.lookup.recall(sentence, sentence);
    let sentences = case.windows.iter().flat_map(|window| window.first..=window.last);
    sentences.filter(|other| *other != sentence).any(|other| {
        let values = case.index.quantities_of(other, other);
        values.iter().any(|value| year_of(value) == Some(year))
            && case.lookup.recall(other, other) >= OTHER_YEAR_SHARE * here
            && values.iter().any(|value| {
                same_kind(case, q, value)
                    && compare(q, value) == Agreement::Different
                    && compare(place, value) == Agreement::Different
            })
    })
}

/// The year of a date.
fn year_of(q: &Quantity) -> Option<i32> {
    match q.measure {
        Measure::Date(date) => date.year,
        _ => None,
    }
}

/// Whether the page has the value only as that from which something changed: *rose from 38.1 to 41.6*.
pub(super) fn is_what_was_before(case: &Case<'_, '_, '_>, q: &Quantity, place: &Quantity, _: usize) -> bool {
    let dated = || case.quantities.iter().any(Quantity::is_temporal);
    let changes = || case.words.iter().any(|word| polarity::direction(word).is_some());
    (q.role, place.role) == (Role::Alone, Role::From) && !dated() && !changes()
}

/// Whether one of the two values is for each of something that the other text does not name: *$850 per kWh*.
pub(super) fn is_a_rate(case: &Case<'_, '_, '_>, q: &Quantity, place: &Quantity, sentence: usize) -> bool {
    let mine = rate_of(case.claim, q.span);
    let theirs = rate_of(case.index.text(), place.span);
    let claimed = || case.words.iter().any(|word| Some(word.key) == theirs);
    let said = || case.index.words_of(sentence, sentence).iter().any(|word| Some(word.key) == mine);
    theirs.is_some() && !claimed() || mine.is_some() && !said()
}

/// The key of what a value is counted for each of, when it says so right behind itself.
fn rate_of(text: &str, span: Span) -> Option<u64> {
    let rest = text.get(span.end..)?;
    let mut behind = words(rest);
    let first = behind.next()?;
    let gap = rest.get(..first.span.start)?;
    if gap == "/" {
        return Some(first.key);
    }
    let second = behind.next().filter(|_| polarity::is_per(&first) && gap.trim().is_empty())?;
    rest.get(first.span.end..second.span.start)?.trim().is_empty().then_some(second.key)
}
