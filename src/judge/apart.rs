//! Which of several values of a sentence the words of a claim belong to: *14 plants in 9 countries* says nothing of 9 plants.

use std::collections::HashSet;

use crate::judge::polarity::{self, Clash, ClashKind, Direction};
use crate::judge::quantities::{Case, may_agree, same_kind};
use crate::judge::slots::Slot;
use crate::text::Span;
use crate::text::quantity::{Agreement, Measure, Quantity, compare};
use crate::text::words::{Word, words};

/// A sentence with the claim's year and another value speaks of the claim's thing when it has this part of the claim's
/// words that the sentence with the claim's value has.
const OTHER_YEAR_SHARE: f64 = 0.6;

/// So many more words right round another value that are the same make it the one that is meant.
const SLOT_CONTENT: usize = 2;
/// A value that goes the other way contradicts in a sentence with this part of the claim's words.
const TURNED_RECALL: f64 = 0.6;
/// So many words beside a value say what it is of.
const BESIDE: usize = 4;
/// So many words that tell the claim stand in another part of the sentence than the page's value.
const PARTED_WORDS: usize = 2;
/// A word that only foresees stands at most so many words before the value.
const FORESEEN_REACH: usize = 12;
/// … or so many behind it.
const FORESEEN_AFTER: usize = 4;
/// A word of direction stands at most so many words before a value, or after it.
const DIRECTION_REACH: (usize, usize) = (4, 2);

/// Whether what stands round a value of the page says that it is of something else than the claim's. A sign, and no proof.
pub(super) fn is_of_something_else(case: &Case<'_, '_, '_>, q: &Quantity, place: &Quantity, sentence: usize) -> bool {
    if q.is_temporal() {
        return false;
    }
    is_said_of_something_else(case, q, place, sentence) || goes_the_other_way(case, q, place, sentence)
}

fn is_said_of_something_else(case: &Case<'_, '_, '_>, q: &Quantity, place: &Quantity, sentence: usize) -> bool {
    let foreign = [is_only_foreseen, is_of_another_year];
    let misplaced = [
        |case: &Case<'_, '_, '_>, q: &Quantity, place: &Quantity, sentence| {
            words_stand_elsewhere(case, q, place, sentence, Tail::Last)
        },
        stands_in_its_slot,
        counts_other_things,
        has_another_name,
        has_words_of_another,
        is_of_another_part,
    ];
    foreign.iter().any(|test| test(case, q, place, sentence))
        || !has_its_name(case, q, place, sentence) && misplaced.iter().any(|test| test(case, q, place, sentence))
}

/// Whether, in a sentence with several values of one measure, the claim's telling words stand beside another value.
///
/// A word after the claim's value is looked for after the page's value and before the next one; a word before it, before
/// the page's value and after the one before.
pub(super) fn words_belong_elsewhere(case: &Case<'_, '_, '_>, q: &Quantity, place: &Quantity, sentence: usize) -> bool {
    words_stand_elsewhere(case, q, place, sentence, Tail::All)
}

/// What the words behind the last value of a sentence are of.
#[derive(Clone, Copy, PartialEq)]
enum Tail {
    All,
    Last,
}

fn words_stand_elsewhere(case: &Case<'_, '_, '_>, q: &Quantity, place: &Quantity, sentence: usize, tail: Tail) -> bool {
    let values = values_like(case, place, sentence);
    let others = case.quantities.iter().filter(|other| other.measure == q.measure).count();
    if values.len() < 2 || others > 1 || q.is_temporal() {
        return false;
    }
    let Some(at) = values.iter().position(|value| value.span == place.span) else { return false };
    let clause = clause(case.claim, q.span);
    let offset = clause.as_ptr() as usize - case.claim.as_ptr() as usize;
    let page_words = case.index.words_of(sentence, sentence);
    let (mut here, mut there) = (0, 0);
    for word in words(clause).filter(|word| !word.stop && !word.number) {
        let start = word.span.start + offset;
        if q.span.has(start) {
            continue;
        }
        let after = start >= q.span.end;
        let spots: Vec<usize> = page_words.iter().filter(|w| w.key == word.key).map(|w| w.span.start).collect();
        // A word that stands once in the sentence tells the values apart.
        let [spot] = spots.as_slice() else { continue };
        let owner = if after {
            values.iter().rposition(|value| value.span.start <= *spot)
        } else {
            values.iter().position(|value| value.span.end > *spot)
        };
        match owner {
            // What stands before the first value is the subject of all of them.
            Some(0) if !after => {}
            Some(owner) if owner == at => here += 1,
            // What stands between two values may be of either.
            Some(owner) if tail == Tail::Last && !after && owner == at + 1 => here += 1,
            Some(_) => there += 1,
            None if !after && tail == Tail::Last && at + 1 < values.len() => there += 1,
            None => {}
        }
    }
    there > 0 && here == 0
}

/// Whether another value of the sentence stands between more of the words that the claim's value stands between: *the cost was 98,000 kroner, of which 30,000 kroner was covered*.
fn stands_in_its_slot(case: &Case<'_, '_, '_>, q: &Quantity, place: &Quantity, sentence: usize) -> bool {
    let values: Vec<&Quantity> =
        case.index.quantities_of(sentence, sentence).iter().filter(|value| same_kind(case, q, value)).collect();
    if values.len() < 2 {
        return false;
    }
    let mine: Vec<Word> = words(case.claim).collect();
    let mine = Slot::of(&mine, case.claim, q.span);
    let (page, text) = (case.index.words_of(sentence, sentence), case.index.text());
    let shared = |value: &Quantity| mine.shared(&Slot::of(page, text, value.span)).1;
    let own = shared(place);
    values.iter().any(|other| compare(place, other) == Agreement::Different && shared(other) >= own + SLOT_CONTENT)
}

/// Whether the page has the value only for what is expected or planned, and the claim says that it is so.
fn is_only_foreseen(case: &Case<'_, '_, '_>, _: &Quantity, place: &Quantity, sentence: usize) -> bool {
    if words(case.claim).any(|word| polarity::foresees(&word)) || polarity::foresees_unspaced(case.claim) {
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
    let before = inside().rev().filter(|word| word.span.end <= span.start).take(DIRECTION_REACH.0);
    let after = inside().filter(|word| word.span.start >= span.end).take(DIRECTION_REACH.1);
    let found = |word: &Word| Some((polarity::direction(word)?, word.span));
    before.filter_map(found).next().or_else(|| after.filter_map(found).next())
}

/// The words of the claim and of the page that say that a value is reached by going up here and by going down there.
fn opposite_words(case: &Case<'_, '_, '_>, q: &Quantity, place: &Quantity, sentence: usize) -> Option<(Span, Span)> {
    let mine: Vec<Word> = words(case.claim).collect();
    let (claimed, at) = direction_at(case.claim, &mine, q.span)?;
    let (found, there) = direction_at(case.index.text(), case.index.words_of(sentence, sentence), place.span)?;
    (claimed != found).then_some((at, there))
}

/// Whether the page reaches a value by going up and the claim by going down, or the other way round.
fn goes_the_other_way(case: &Case<'_, '_, '_>, q: &Quantity, place: &Quantity, sentence: usize) -> bool {
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
        if case.lookup.recall(sentence, sentence) < TURNED_RECALL || is_said_of_something_else(case, q, place, sentence)
        {
            return None;
        }
        let (mine, theirs) = opposite_words(case, q, place, sentence)?;
        let (claimed, found) = (mine.of(case.claim).to_lowercase(), theirs.of(case.index.text()).to_lowercase());
        Some((Clash { claimed, found, kind: ClashKind::Direction }, sentence))
    })
}

/// The values of a sentence that are of the sort of one of them, in order.
fn values_like<'i>(case: &Case<'_, 'i, '_>, place: &Quantity, sentence: usize) -> Vec<&'i Quantity> {
    let like = |other: &&Quantity| std::mem::discriminant(&other.measure) == std::mem::discriminant(&place.measure);
    case.index.quantities_of(sentence, sentence).iter().filter(like).collect()
}

/// Whether the page's number counts one thing and another number of the sentence counts what the claim's does.
fn counts_other_things(case: &Case<'_, '_, '_>, q: &Quantity, place: &Quantity, sentence: usize) -> bool {
    if (q.measure, place.measure) != (Measure::Count, Measure::Count) {
        return false;
    }
    let text = case.index.text();
    let Some(mine) = thing_after(case.claim, q) else { return false };
    let theirs = thing_after(text, place);
    theirs != Some(mine)
        && values_like(case, place, sentence).iter().any(|other| {
            // Where nothing is said of what the page's number counts, the two have to have changed places.
            let changed = || case.quantities.iter().any(|own| own != q && compare(own, other) == Agreement::Same);
            compare(q, other) == Agreement::Different
                && thing_after(text, other) == Some(mine)
                && (theirs.is_some() || changed())
        })
}

/// The key of the word right after a number.
fn thing_after(text: &str, q: &Quantity) -> Option<u64> {
    let rest = text.get(q.span.end..)?;
    let next = words(rest).next().filter(|word| !word.stop && !word.number)?;
    rest[..next.span.start].trim().is_empty().then_some(next.key)
}

/// Whether each value of the sentence has a name of its own, and the claim names another than the page's value has:
/// *60% come from Europe, 25% from North America*.
fn has_another_name(case: &Case<'_, '_, '_>, q: &Quantity, place: &Quantity, sentence: usize) -> bool {
    let kin = |value: &&Quantity| value.span == place.span || same_kind(case, q, value);
    let values: Vec<&Quantity> = case.index.quantities_of(sentence, sentence).iter().filter(kin).collect();
    let Some(at) = values.iter().position(|value| value.span == place.span) else { return false };
    if values.len() < 2 {
        return false;
    }
    let around = clause(case.claim, q.span);
    let mine: Vec<u64> = names(around, words(around));
    if mine.is_empty() {
        return false;
    }
    let page = case.index.words_of(sentence, sentence);
    let sentence = case.index.span_of(sentence, sentence);
    // Names stand after each value or before each, never on both sides.
    [true, false].into_iter().any(|after| {
        let segment = |i: usize| {
            let (start, end) = if after {
                (values[i].span.end, values.get(i + 1).map_or(sentence.end, |next| next.span.start))
            } else {
                (i.checked_sub(1).map_or(sentence.start, |last| values[last].span.end), values[i].span.start)
            };
            let inside = page.iter().copied().filter(move |word| word.span.start >= start && word.span.end <= end);
            names(case.index.text(), inside)
        };
        let segments: Vec<Vec<u64>> = (0..values.len()).map(segment).collect();
        let own = &segments[at];
        segments.iter().all(|names| !names.is_empty())
            && !own.iter().any(|name| mine.contains(name))
            && segments.iter().enumerate().any(|(i, names)| {
                i != at
                    && compare(values[i], place) == Agreement::Different
                    && names.iter().any(|name| mine.contains(name) && !own.contains(name))
            })
    })
}

/// The keys of the names among some words of a text; what is joined to a name is part of it: *GPT-3.5*.
fn names(text: &str, words: impl Iterator<Item = Word>) -> Vec<u64> {
    let mut found: Vec<u64> = Vec::new();
    let mut name: Option<Span> = None;
    for word in words {
        let joined = name.is_some_and(|last| matches!(text.get(last.end..word.span.start), Some("-" | "." | "–" | "")));
        if let (true, Some(key)) = (joined, found.last_mut()) {
            *key = key.rotate_left(7) ^ word.key;
            name = Some(word.span);
        } else if word.capital && !word.stop && !word.number {
            found.push(word.key);
            name = Some(word.span);
        } else {
            name = None;
        }
    }
    found
}

/// Whether some words beside another value are the claim's, rather than those beside its own; words that are beside both
/// tell nothing.
fn fit_better(other: &[u64], own: &[u64], mine: &HashSet<u64>) -> bool {
    let count = |words: &[u64], not: &[u64]| {
        let telling = words.iter().filter(|word| !not.contains(word));
        let (hits, misses): (Vec<u64>, Vec<u64>) = telling.partition(|word| mine.contains(word));
        (hits.len(), misses.len())
    };
    let ((hits, misses), (own_hits, own_misses)) = (count(other, own), count(own, other));
    hits > 0 && own_misses > 0 && own_hits <= own_misses && hits + own_misses > misses + own_hits
}

/// The values of a sentence that are of the kind of the claim's, and what stands round each.
struct Neighbours<'i> {
    values: Vec<&'i Quantity>,
    /// The position of the page's value.
    at: usize,
    text: &'i str,
    page: &'i [Word],
    whole: Span,
}

impl<'i> Neighbours<'i> {
    /// None when there is no other value.
    fn of(case: &Case<'_, 'i, '_>, q: &Quantity, place: &Quantity, sentence: usize) -> Option<Self> {
        let kin = |value: &&Quantity| value.span == place.span || same_kind(case, q, value);
        let values: Vec<&Quantity> = case.index.quantities_of(sentence, sentence).iter().filter(kin).collect();
        let at = values.iter().position(|value| value.span == place.span).filter(|_| values.len() > 1)?;
        let (text, page) = (case.index.text(), case.index.words_of(sentence, sentence));
        Some(Neighbours { values, at, text, page, whole: case.index.span_of(sentence, sentence) })
    }

    /// Up to the next value, or to what parts it from this one.
    fn end_of(&self, i: usize) -> usize {
        let end = self.values.get(i + 1).map_or(self.whole.end, |next| next.span.start);
        self.parted(self.values[i].span.end, end).map_or(end, |gaps| gaps.start)
    }

    fn start_of(&self, i: usize) -> usize {
        let start = i.checked_sub(1).map_or(self.whole.start, |last| self.values[last].span.end);
        self.parted(start, self.values[i].span.start).map_or(start, |gaps| gaps.end)
    }

    /// From the first to the last mark or word that parts what stands between two values: *and*, *while*.
    fn parted(&self, start: usize, end: usize) -> Option<Span> {
        let joiners = self.within(start, end).filter(|word| polarity::joins(word)).map(|word| word.span);
        joiners.chain(parted(self.text, start, end)).reduce(Span::cover)
    }

    fn within(&self, start: usize, end: usize) -> impl DoubleEndedIterator<Item = &'i Word> {
        self.page.iter().filter(move |word| word.span.start >= start && word.span.end <= end)
    }

    fn after(&self, i: usize) -> Vec<u64> {
        self.within(self.values[i].span.end, self.end_of(i)).filter(is_content).take(BESIDE).map(|w| w.key).collect()
    }

    fn before(&self, i: usize) -> Vec<u64> {
        let words = self.within(self.start_of(i), self.values[i].span.start).rev();
        words.filter(is_content).take(BESIDE).map(|word| word.key).collect()
    }

    /// The names on both sides.
    fn names_round(&self, i: usize) -> Vec<u64> {
        names(self.text, self.within(self.start_of(i), self.end_of(i)).copied())
    }
}

fn is_content(word: &&Word) -> bool {
    !word.stop && !word.number
}

/// Whether each value of the sentence has words of its own beside it, all on the same side, and those of the claim stand
/// beside another one than the page's: *60% come from Europe, 25% from North America*.
fn has_words_of_another(case: &Case<'_, '_, '_>, q: &Quantity, place: &Quantity, sentence: usize) -> bool {
    let Some(near) = Neighbours::of(case, q, place, sentence) else { return false };
    let named: HashSet<u64> = names(case.claim, words(case.claim)).into_iter().collect();
    let mine: HashSet<u64> = words(case.claim).map(|word| word.key).collect();
    let other = |i: usize| {
        let value = near.values[i];
        i != near.at && compare(value, place) == Agreement::Different && !keeps_its_turn(case, q, place, value)
    };
    let fits_another = |side: &dyn Fn(usize) -> Vec<u64>, mine: &HashSet<u64>| {
        let all: Vec<Vec<u64>> = (0..near.values.len()).map(side).collect();
        all.iter().all(|words| !words.is_empty())
            && (0..all.len()).any(|i| other(i) && fit_better(&all[i], &all[near.at], mine))
    };
    fits_another(&|i| near.after(i), &mine)
        || fits_another(&|i| near.before(i), &mine)
        || fits_another(&|i| near.names_round(i), &named)
}

/// Whether only names of the claim stand round the page's value, and one of them round no other value of the sentence:
/// *86.4% for GPT-4, 70.0% for GPT-3.5*.
pub(super) fn has_its_name(case: &Case<'_, '_, '_>, q: &Quantity, place: &Quantity, sentence: usize) -> bool {
    let Some(near) = Neighbours::of(case, q, place, sentence) else { return false };
    let mine = names(case.claim, words(case.claim));
    let own = near.names_round(near.at);
    let elsewhere: Vec<u64> =
        (0..near.values.len()).filter(|i| *i != near.at).flat_map(|i| near.names_round(i)).collect();
    own.iter().all(|name| mine.contains(name)) && own.iter().any(|name| !elsewhere.contains(name))
}

/// Whether another value of the page is in the claim too, and the two follow each other there as they do on the page.
fn keeps_its_turn(case: &Case<'_, '_, '_>, q: &Quantity, place: &Quantity, other: &Quantity) -> bool {
    let mut taken = case.quantities.iter().filter(|own| *own != q && compare(own, other) >= Agreement::Compatible);
    taken.any(|own| (own.span.start < q.span.start) == (other.span.start < place.span.start))
}

/// From the first to the last mark that parts what stands between two values.
fn parted(text: &str, start: usize, end: usize) -> Option<Span> {
    let between = text.get(start..end)?;
    let parts = |at: &usize| match between[*at..].chars().next() {
        // Not the comma of 87,000.
        Some(',') => !between[at + 1..].starts_with(|c: char| c.is_ascii_digit()),
        Some(';' | '(' | ')' | '\n' | '，' | '；' | '、' | '（' | '）') => true,
        _ => false,
    };
    let mut marks = between.char_indices().map(|(at, _)| at).filter(parts);
    let first = marks.next()?;
    let last = marks.next_back().unwrap_or(first);
    Some(Span::new(start + first, start + last + between[last..].chars().next().map_or(1, char::len_utf8)))
}

/// Whether the sentence has parts, and the part with the page's value has its own words and few of those that tell the
/// claim, which stand in another part.
fn is_of_another_part(case: &Case<'_, '_, '_>, _: &Quantity, place: &Quantity, sentence: usize) -> bool {
    let (page, text) = (case.index.words_of(sentence, sentence), case.index.text());
    let whole = case.index.span_of(sentence, sentence);
    let ends = |c: char| matches!(c, ';' | '；');
    // A value may reach over the end of its sentence: *1.2 Mrd.*
    let side = |start: usize, end: usize| text.get(start..end).unwrap_or_default();
    let start = side(whole.start, place.span.start).rfind(ends).map_or(whole.start, |i| whole.start + i);
    let end = side(place.span.end, whole.end).find(ends).map_or(whole.end, |i| place.span.end + i);
    if (start, end) == (whole.start, whole.end) {
        return false;
    }
    let part = Span::new(start, end);
    let once = |word: &Word| page.iter().filter(|other| other.key == word.key).count() == 1;
    let telling = words(case.claim).filter(|word| !word.stop && !word.number);
    let told: Vec<&Word> =
        telling.filter_map(|word| page.iter().find(|other| other.key == word.key)).filter(|word| once(word)).collect();
    let inside = told.iter().filter(|word| part.contains(word.span)).count();
    inside == 0 && told.len() >= PARTED_WORDS
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
fn is_of_another_year(case: &Case<'_, '_, '_>, q: &Quantity, place: &Quantity, sentence: usize) -> bool {
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

/// The clause round a quantity: up to the next comma, semicolon or end of line, within a bounded distance.
pub(super) fn clause(text: &str, span: Span) -> &str {
    const REACH: usize = 90;
    let ends = |c: char| matches!(c, ',' | ';' | '\n' | '，' | '、' | '。' | '；' | '(' | ')');
    let mut low = span.start.saturating_sub(REACH);
    while !text.is_char_boundary(low) {
        low += 1;
    }
    let mut high = (span.end + REACH).min(text.len());
    while !text.is_char_boundary(high) {
        high -= 1;
    }
    let start = text[low..span.start].rfind(ends).map_or(low, |i| low + i);
    let start = text[low..span.start].rfind(". ").map_or(start, |i| start.max(low + i + 1));
    let end = text[span.end..high].find(ends).map_or(high, |i| span.end + i);
    let end = text[span.end..high].find(". ").map_or(end, |i| end.min(span.end + i));
    &text[start..end]
}

#[cfg(test)]
mod tests {
    use crate::claim::ClaimKind;
    use crate::judge::{ClaimText, Settings, SourceText, Standing, judge};

    const PAGES: [&str; 3] = [
        "In 2023 Acme had revenue of $1.2 billion and net income of $140 million. Acme operates 14 plants in 9 countries. \
         About 60% of sales come from Europe, 25% from North America and 15% from Asia. In 2022 revenue was $1.11 billion \
         and net income was $152 million.",
        "The mean seasonal performance factor was 2.9 for air-source units and 3.6 for ground-source units. The average \
         installation cost was 98,000 kroner, of which 30,000 kroner was covered by a grant.",
        "The Ministry said on Tuesday that exports rose 4.1% in March from a year earlier, the slowest pace since October. \
         Imports fell 2.3%. The trade surplus widened to $82.6 billion from $68.4 billion in February. Economists polled by \
         the agency had expected exports to grow 5% and imports to rise 1%.",
    ];

    /// Whether the pages, as one text, support a claim.
    fn check(claim: &str, supported: bool) {
        let text = PAGES.join(" ");
        let (claim, page) = (ClaimText::new(claim, ClaimKind::Plain), SourceText::new(&text, ""));
        let verdict = judge(&claim, &page, &Settings::default());
        assert_eq!(verdict.standing == Standing::Supported, supported, "{}: {verdict:?}", claim.text);
    }

    #[test]
    fn a_value_of_another_year_is_no_support() {
        check("Acme's revenue was $1.11 billion in 2022.", true);
        check("Acme's revenue was $1.11 billion in 2023.", false);
        check("Acme's net income rose to $152 million in 2023.", false);
    }

    #[test]
    fn the_words_right_round_a_value_say_what_it_is_of() {
        check("The average installation cost was 98,000 kroner.", true);
        check("The average installation cost was 30,000 kroner.", false);
        check("The grant covered 98,000 kroner.", false);
        check("Air-source units reached a seasonal performance factor of 2.9.", true);
        check("Ground-source units reached a seasonal performance factor of 2.9.", false);
    }

    #[test]
    fn what_is_expected_has_not_happened() {
        check("Imports fell 2.3% in March.", true);
        check("Imports rose 1% in March.", false);
        check("Economists had expected imports to rise 1%.", true);
        check("Exports grew 5% in March.", false);
    }

    #[test]
    fn a_value_reached_by_going_up_is_not_reached_by_going_down() {
        check("Exports rose 4.1% in March from a year earlier.", true);
        check("Exports fell 4.1% in March from a year earlier.", false);
        check("The trade surplus widened to $82.6 billion in March.", true);
        check("The trade surplus narrowed to $68.4 billion in March.", false);
    }

    #[test]
    fn numbers_that_change_places_count_other_things() {
        check("Acme operates 14 plants in 9 countries.", true);
        check("Acme operates 9 plants in 14 countries.", false);
    }

    #[test]
    fn each_name_has_the_value_beside_it() {
        check("Europe accounts for 60% of Acme's sales.", true);
        check("North America accounts for 60% of Acme's sales.", false);
        check("About 25% of sales come from Asia.", false);
    }
}
