//! When, how far and in which direction a value holds: a forecast, another year, a rate or a fall are not the claim's value.

use crate::judge::case::same_kind;
use crate::judge::cues::{self, Direction};
use crate::judge::neighbours::{clause, parted};
use crate::judge::polarity;
use crate::judge::spot::Spot;
use crate::judge::years::{only_year, speaks_of_another_year, year_of};
use crate::quantity::{Agreement, Bound, Quantity, Role, compare, month};
use crate::text::Span;
use crate::text::words::{Word, words};

/// A sentence with the claim's year and another value speaks of the claim's thing when it has this part of the claim's
/// words that the sentence with the claim's value has.
const OTHER_YEAR_SHARE: f64 = 0.6;
/// A word that only foresees stands at most so many words before the value.
const FORESEEN_REACH: usize = 12;
/// … or so many behind it.
const FORESEEN_AFTER: usize = 4;
/// A word of direction stands at most so many words before a value, or after it.
const DIRECTION_REACH: (usize, usize) = (4, 2);

/// Whether the page has the value only for what is expected or planned, and the claim says that it is so.
pub(super) fn is_only_foreseen(spot: &Spot<'_, '_>) -> bool {
    let (case, place, text) = (spot.case, spot.place, spot.text());
    if case.words.iter().any(cues::foresees) || cues::foresees_in_a_phrase(case.claim) {
        return false;
    }
    if cues::foresees_in_a_phrase(clause(text, place.span).of(text)) {
        return true;
    }
    let before = spot.words().iter().rev().filter(|word| word.span.end <= place.span.start);
    let mut edge = place.span.start;
    for word in before.take(FORESEEN_REACH) {
        if text.get(word.span.end..edge).is_none_or(|gap| gap.contains([';', ':', ',', '(', '\n'])) {
            break;
        }
        if cues::foresees(word) {
            return true;
        }
        edge = word.span.start;
    }
    let after = spot.words().iter().filter(|word| word.span.start >= place.span.end);
    let clause_end = parted(text, place.span.end, spot.whole().end).map_or(usize::MAX, |gap| gap.start);
    after.take(FORESEEN_AFTER).any(|word| word.span.end <= clause_end && cues::foresees(word))
}

/// The word of direction nearest to a value, at most a few words from it in its clause; none where something is denied.
fn direction_at(text: &str, all: &[Word], span: Span) -> Option<(Direction, Span)> {
    let clause = clause(text, span);
    let inside = || all.iter().filter(|word| clause.contains(word.span));
    if inside().any(|word| polarity::denies(text, word)) {
        return None;
    }
    let mut before = inside().rev().filter(|word| word.span.end <= span.start).take(DIRECTION_REACH.0);
    let mut after = inside().filter(|word| word.span.start >= span.end).take(DIRECTION_REACH.1);
    let found = |word: &Word| Some((cues::direction(word)?, word.span));
    before.find_map(found).or_else(|| after.find_map(found))
}

/// The words of the claim and of the page that say that a value is reached by going up here and by going down there.
pub(super) fn opposite_words(spot: &Spot<'_, '_>) -> Option<(Span, Span)> {
    let (claimed, at) = direction_at(spot.case.claim, spot.case.words, spot.q.span)?;
    let (found, there) = direction_at(spot.text(), spot.words(), spot.place.span)?;
    (claimed != found).then_some((at, there))
}

/// Whether the page reaches a value by going up and the claim by going down, or the other way round, or the one has more of
/// what the other has less.
pub(super) fn goes_the_other_way(spot: &Spot<'_, '_>) -> bool {
    opposite_words(spot).is_some() || differs_the_other_way(spot)
}

/// Whether right behind the value the claim has the contrary of what the page has there: *31 percent less*, *31 Prozent mehr*.
fn differs_the_other_way(spot: &Spot<'_, '_>) -> bool {
    let difference = |words: &[Word], span: Span| -> Option<Word> {
        let behind = words.iter().filter(|word| word.span.start >= span.end).take(DIRECTION_REACH.1);
        behind.copied().find(cues::tells_a_difference)
    };
    let mine = difference(spot.case.words, spot.q.span);
    let theirs = difference(spot.words(), spot.place.span);
    mine.zip(theirs).is_some_and(|(mine, theirs)| {
        cues::opposites_of(&mine).contains(&theirs.form) || cues::turns_of(&mine).contains(&theirs.form)
    })
}

/// Whether the clause of the page's value speaks of another year than the claim; or its sentence does, and the page has
/// another value for the claim's year.
pub(super) fn is_of_another_year(spot: &Spot<'_, '_>) -> bool {
    let (case, q, place, sentence) = (spot.case, spot.q, spot.place, spot.sentence);
    let Some(year) = only_year(case) else { return false };
    if !speaks_of_another_year(case, sentence) {
        // The sentence may have the claim's year as well, with another value.
        let clause = clause(spot.text(), place.span);
        let beside = spot.values().iter().filter(|other| clause.contains(other.span));
        let mut years = beside.filter_map(year_of).peekable();
        return years.peek().is_some() && years.all(|other| other != year);
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

/// Whether the claim speaks of a birth, and its year is that of the death in the page's span of a life, or the other way
/// round: *(14 April 1866 – 20 October 1936)*.
pub(super) fn is_the_other_end_of_a_life(spot: &Spot<'_, '_>) -> bool {
    let near = clause(spot.case.claim, spot.q.span);
    let words = spot.case.words;
    let ends = match cues::ends_of_life(words.iter().filter(|word| near.contains(word.span))) {
        (false, false) => cues::ends_of_life(words.iter()),
        ends => ends,
    };
    let (Some(year), Some((first, last))) = (year_of(spot.q), span_of_years(spot)) else { return false };
    match ends {
        (true, false) => year == last && year != first,
        (false, true) => year == first && year != last,
        _ => false,
    }
}

/// The years of the span of time of which the page's date is one end: two dates with nothing but a dash between them.
fn span_of_years(spot: &Spot<'_, '_>) -> Option<(i32, i32)> {
    if let Some(upper) = spot.place.upper {
        return Some((year_of(spot.place)?, upper as i32));
    }
    let dated: Vec<(Span, i32)> =
        spot.values().iter().filter_map(|value| Some((value.span, year_of(value)?))).collect();
    let joined = |pair: &&[(Span, i32)]| {
        let (before, after) = (pair[0].0, pair[1].0);
        let mut gap = spot.text().get(before.end..after.start).unwrap_or_default().to_owned();
        // The day and the month of the second may be a date of their own.
        for value in spot.values().iter().filter(|value| value.is_temporal()) {
            if value.span.start >= before.end && value.span.end <= after.start {
                gap = gap.replacen(value.span.of(spot.text()), "", 1);
            }
        }
        matches!(gap.trim_matches([' ', ',']), "-" | "–" | "—" | "--")
    };
    let own = spot.place.span;
    let pair = dated.windows(2).filter(|pair| pair[0].0 == own || pair[1].0 == own).find(joined)?;
    Some((pair[0].1, pair[1].1))
}

/// Whether the page has the value only as that from which something changed: *rose from 38.1 to 41.6*.
pub(super) fn is_what_was_before(spot: &Spot<'_, '_>) -> bool {
    let case = spot.case;
    let dated = || case.quantities.iter().any(Quantity::is_temporal);
    let changes = || case.words.iter().any(|word| cues::direction(word).is_some());
    let level = || word_before(case.claim, case.words, spot.q.span).is_some_and(|word| cues::is_level(&word));
    (spot.q.role, spot.place.role) == (Role::Alone, Role::From) && (level() || !dated() && !changes())
}

/// The word right before a value.
fn word_before(text: &str, words: &[Word], span: Span) -> Option<Word> {
    let word = words.iter().rfind(|word| word.span.end <= span.start).copied();
    word.filter(|word| text.get(word.span.end..span.start).is_some_and(|gap| gap.trim().is_empty()))
}

/// Whether the page's sentence has the claim's year only for what it compares with: *210 dogs, twice as many as in 2020*.
pub(super) fn is_compared_with_that_year(spot: &Spot<'_, '_>) -> bool {
    /// Words between the one that compares and the year.
    const BETWEEN: usize = 2;
    let Some(year) = only_year(spot.case) else { return false };
    let compared = |value: &Quantity| {
        let before = spot.words().iter().rev().filter(|word| word.span.end <= value.span.start);
        value.span.start > spot.place.span.end
            && before.take(BETWEEN).any(|word| cues::compares(word) || cues::likens(word))
    };
    let compares = |word: &Word| cues::compares(word) || cues::likens(word);
    let mut here = spot.values().iter().filter(|value| year_of(value) == Some(year)).peekable();
    here.peek().is_some() && here.all(compared) && !spot.case.words.iter().any(compares)
}

/// Whether the page has the value for what was before, in words, and nothing of the claim behind it: *71.4%, up from 66.9% in
/// 2019*, but not *33.1%, compared with 22.7% in rural districts*.
pub(super) fn is_the_former_value(spot: &Spot<'_, '_>) -> bool {
    let (case, text) = (spot.case, spot.text());
    if case.quantities.iter().any(Quantity::is_temporal) || spot.q.role != Role::Alone {
        return false;
    }
    let moves = |word: &Word| cues::direction(word).is_some() || cues::compares(word);
    let head = clause(text, spot.place.span);
    let before = text.get(head.start..spot.place.span.start).unwrap_or_default();
    let behind = |word: &&Word| word.span.start >= spot.place.span.end && word.span.end <= head.end && !word.stop;
    let claimed = |word: &Word| case.words.iter().any(|own| own.key == word.key);
    let unit = spot.place.counted.map_or(spot.place.span.end, |counted| counted.end);
    cues::ends_before_what_was(before)
        && !case.words.iter().any(moves)
        && !spot.words().iter().filter(behind).any(|word| word.span.start >= unit && claimed(word))
}

/// Whether the page's value is how far two others are apart and the claim's is none: *the police get 6 million more*.
pub(super) fn is_a_difference(spot: &Spot<'_, '_>) -> bool {
    let behind = |text: &str, words: &[Word], q: &Quantity| {
        let end = q.counted.map_or(q.span.end, |counted| counted.end.max(q.span.end));
        let mut after = words.iter().filter(|word| word.span.start >= q.span.end);
        let near =
            |word: &Word| text.get(end.min(word.span.start)..word.span.start).is_some_and(|gap| gap.trim().is_empty());
        after
            .find(|word| word.span.end > end || cues::tells_a_difference(word))
            .is_some_and(|word| near(word) && cues::tells_a_difference(word))
    };
    let compares =
        |word: &Word| cues::tells_a_difference(word) || cues::compares(word) || cues::direction(word).is_some();
    behind(spot.text(), spot.words(), spot.place) && !spot.case.words.iter().any(compares)
}

/// Whether the page's value is only one end of a range in which something lies, and the claim says that it is just that.
pub(super) fn is_the_end_of_a_range(spot: &Spot<'_, '_>) -> bool {
    let (q, place) = (spot.q, spot.place);
    let moves = |words: &[Word]| words.iter().any(|word| cues::direction(word).is_some());
    let end = |role: Role| spot.values().iter().find(|value| value.role == role && value.measure == place.measure);
    let rises = || end(Role::From).zip(end(Role::To)).is_some_and(|(from, to)| from.value < to.value);
    let paired = matches!(place.role, Role::From | Role::To) && !moves(spot.words()) && rises();
    let level = || word_before(spot.case.claim, spot.case.words, q.span).is_some_and(|word| cues::is_level(&word));
    q.upper.is_none()
        && (q.role, q.bound) == (Role::Alone, Bound::Exact)
        && (place.upper.is_some() || paired)
        && !level()
}

/// Whether the page's sentence names months, none of them of the claim, and the claim a month that the page has elsewhere.
pub(super) fn is_of_another_month(spot: &Spot<'_, '_>) -> bool {
    let case = spot.case;
    let months = |text: &str, words: &[Word]| -> Vec<u8> {
        words.iter().filter(|word| word.capital).filter_map(|word| month(word.span.of(text))).collect()
    };
    let mine = months(case.claim, case.words);
    if mine.is_empty() {
        return false;
    }
    // A month behind another value of the kind is that value's: *to $82.6 billion from $68.4 billion in February*.
    let is_of_the_place = |word: &&Word| {
        let between = Span::new(word.span.end.min(spot.place.span.end), word.span.start.max(spot.place.span.start));
        let others =
            spot.values().iter().filter(|value| value.span != spot.place.span && same_kind(case, spot.q, value));
        !others.into_iter().any(|value| between.contains(value.span))
    };
    let near: Vec<Word> = spot.words().iter().filter(|word| word.capital).filter(is_of_the_place).copied().collect();
    let theirs = months(spot.text(), &near);
    let elsewhere = || {
        let capital = case.words.iter().filter(|word| word.capital && month(word.span.of(case.claim)).is_some());
        capital.clone().all(|word| case.index.has(word.key))
    };
    !theirs.is_empty() && theirs.iter().all(|month| !mine.contains(month)) && elsewhere()
}

/// Whether one text says by how much something changed and the other to what: *grew by 5%*, *grew to 5%*.
pub(super) fn is_a_change_and_no_level(spot: &Spot<'_, '_>) -> bool {
    let case = spot.case;
    let (Some(mine), Some(theirs)) =
        (word_before(case.claim, case.words, spot.q.span), word_before(spot.text(), spot.words(), spot.place.span))
    else {
        return false;
    };
    let moves = |words: &[Word]| words.iter().any(|word| cues::direction(word).is_some());
    (cues::is_change(&mine) && cues::is_level(&theirs) || cues::is_level(&mine) && cues::is_change(&theirs))
        && moves(case.words)
        && moves(spot.words())
}

/// Whether the claim says which way a value was reached, and the page's sentence only what it is.
pub(super) fn goes_nowhere(spot: &Spot<'_, '_>) -> bool {
    let moves = |words: &[Word]| words.iter().any(|word| cues::direction(word).is_some());
    direction_at(spot.case.claim, spot.case.words, spot.q.span).is_some()
        && spot.place.role == Role::Alone
        && !moves(spot.words())
        && !cues::moves_in_a_phrase(spot.whole().of(spot.text()))
}

/// Whether one of the two values is for each of something that the other text does not name: *$850 per kWh*.
pub(super) fn is_a_rate(spot: &Spot<'_, '_>) -> bool {
    let mine = rate_of(spot.case.claim, spot.q.span);
    let theirs = rate_of(spot.text(), spot.place.span);
    let names = |words: &[Word], rate: Option<u64>| rate.is_none_or(|rate| words.iter().any(|word| word.key == rate));
    !names(spot.case.words, theirs) || !names(spot.words(), mine)
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
    let second = behind.next().filter(|_| cues::is_per(&first) && gap.trim().is_empty())?;
    rest.get(first.span.end..second.span.start)?.trim().is_empty().then_some(second.key)
}

#[cfg(test)]
mod tests {

    /// A page, a claim that it supports, and one that has a value of it in another setting.
    const TABLE: [(&str, &str, &str); 7] = [
        (
            "In July rainfall came to 31 mm in the valley. June had been too cool and brought 104 mm of rain.",
            "June brought 104 mm of rain.",
            "July brought 104 mm of rain.",
        ),
        (
            "In the election turnout was 71.4%, up from 66.9% in 2019.",
            "In the election turnout was 71.4%.",
            "In the election turnout was 66.9%.",
        ),
        (
            "Peak memory use in the benchmark drops from 512 to 340 MB.",
            "Peak memory use in the benchmark drops from 512 to 340 MB.",
            "Peak memory use in the benchmark drops to 512 MB.",
        ),
        (
            "In the new budget the police get 6 million more and reach 77 million.",
            "In the new budget the police get 6 million more.",
            "In the new budget the police get 6 million.",
        ),
        (
            "There are now 210 guard dogs in the region, twice as many as in 2020.",
            "There are now 210 guard dogs in the region.",
            "There were 210 guard dogs in the region in 2020.",
        ),
        (
            "The reproduction number is put at 0.8 by the institute, with a range from 0.6 to 1.1.",
            "The reproduction number is put at 0.8 by the institute.",
            "The reproduction number is put at 1.1 by the institute.",
        ),
        (
            "Cases peaked in week 14 with 173 in the whole region; in week 21 there were 48 cases.",
            "In week 21 there were 48 cases.",
            "In week 14 there were 48 cases.",
        ),
    ];

    #[test]
    fn a_value_in_another_setting_is_no_support() {
        crate::judge::tests::check_table(&TABLE);
    }
}
