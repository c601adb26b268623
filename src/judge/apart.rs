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
/// A word of direction stands at most so many words before a value, or after it.
const DIRECTION_REACH: (usize, usize) = (4, 2);

/// Whether the words of the claim, or its year, say that a value of the page is of something else.
pub(super) fn is_of_something_else(case: &Case<'_, '_, '_>, q: &Quantity, place: &Quantity, sentence: usize) -> bool {
    if q.is_temporal() {
        return false;
    }
    words_stand_elsewhere(case, q, place, sentence, Tail::Last)
        || stands_in_its_slot(case, q, place, sentence)
        || is_only_foreseen(case, place, sentence)
        || counts_other_things(case, q, place, sentence)
        || has_another_name(case, q, place, sentence)
        || has_words_of_another(case, q, place, sentence)
        || is_of_another_part(case, place, sentence)
        || is_of_another_year(case, q, place, sentence)
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
fn is_only_foreseen(case: &Case<'_, '_, '_>, place: &Quantity, sentence: usize) -> bool {
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
            return false;
        }
        if polarity::foresees(word) {
            return true;
        }
        edge = word.span.start;
    }
    false
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
        if case.lookup.recall(sentence, sentence) < TURNED_RECALL || is_of_something_else(case, q, place, sentence) {
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
    let mine: Vec<u64> = names(words(around)).collect();
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
            names(inside).collect::<Vec<u64>>()
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

/// The keys of the names among some words.
fn names(words: impl Iterator<Item = Word>) -> impl Iterator<Item = u64> {
    words.filter(|word| word.capital && !word.stop && !word.number).map(|word| word.key)
}

/// How well some words beside a value of the page are those of a claim.
#[derive(Debug, Clone, Copy, Default)]
struct Beside {
    /// Words that the claim has.
    hits: usize,
    /// Words that it does not have.
    misses: usize,
}

impl Beside {
    fn of(words: impl Iterator<Item = Word>, mine: &HashSet<u64>) -> Self {
        words.filter(|word| !word.stop && !word.number).take(BESIDE).fold(Beside::default(), |beside, word| {
            if mine.contains(&word.key) {
                Beside { hits: beside.hits + 1, ..beside }
            } else {
                Beside { misses: beside.misses + 1, ..beside }
            }
        })
    }

    fn is_empty(self) -> bool {
        self.hits + self.misses == 0
    }

    /// Whether these are the claim's words rather than those.
    fn fits_better_than(self, own: Beside) -> bool {
        self.hits > 0 && own.misses > 0 && own.hits <= own.misses && self.hits + own.misses > self.misses + own.hits
    }
}

/// Whether each value of the sentence has words of its own beside it, all on the same side, and those of the claim stand
/// beside another one than the page's: *60% come from Europe, 25% from North America*.
fn has_words_of_another(case: &Case<'_, '_, '_>, q: &Quantity, place: &Quantity, sentence: usize) -> bool {
    let kin = |value: &&Quantity| value.span == place.span || same_kind(case, q, value);
    let values: Vec<&Quantity> = case.index.quantities_of(sentence, sentence).iter().filter(kin).collect();
    let Some(at) = values.iter().position(|value| value.span == place.span) else { return false };
    if values.len() < 2 {
        return false;
    }
    let mine: HashSet<u64> = words(case.claim).map(|word| word.key).collect();
    let (page, text) = (case.index.words_of(sentence, sentence), case.index.text());
    let whole = case.index.span_of(sentence, sentence);
    let after = |i: usize| {
        let end = values.get(i + 1).map_or(whole.end, |next| next.span.start);
        let end = parted(text, values[i].span.end, end).map_or(end, |gaps| gaps.start);
        let inside = |word: &&Word| word.span.start >= values[i].span.end && word.span.end <= end;
        Beside::of(page.iter().filter(inside).copied(), &mine)
    };
    let before = |i: usize| {
        let start = i.checked_sub(1).map_or(whole.start, |last| values[last].span.end);
        let start = parted(text, start, values[i].span.start).map_or(start, |gaps| gaps.end);
        let inside = |word: &&Word| word.span.start >= start && word.span.end <= values[i].span.start;
        Beside::of(page.iter().rev().filter(inside).copied(), &mine)
    };
    let sides: [&dyn Fn(usize) -> Beside; 2] = [&after, &before];
    sides.into_iter().any(|side| {
        let all: Vec<Beside> = (0..values.len()).map(side).collect();
        let other = |i: usize| {
            i != at && compare(values[i], place) == Agreement::Different && !keeps_its_turn(case, q, place, values[i])
        };
        all.iter().all(|beside| !beside.is_empty())
            && (0..values.len()).any(|i| other(i) && all[i].fits_better_than(all[at]))
    })
}

/// Whether another value of the page is in the claim too, and the two follow each other there as they do on the page.
fn keeps_its_turn(case: &Case<'_, '_, '_>, q: &Quantity, place: &Quantity, other: &Quantity) -> bool {
    let mut taken = case.quantities.iter().filter(|own| *own != q && compare(own, other) >= Agreement::Compatible);
    taken.any(|own| (own.span.start < q.span.start) == (other.span.start < place.span.start))
}

/// From the first to the last mark that parts what stands between two values.
fn parted(text: &str, start: usize, end: usize) -> Option<Span> {
    let between = text.get(start..end)?;
    let parts = |c: char| matches!(c, ',' | ';' | '(' | ')' | '\n' | '，' | '；' | '、' | '（' | '）');
    let (first, last) = (between.find(parts)?, between.rfind(parts)?);
    Some(Span::new(start + first, start + last + 1))
}

/// Whether the sentence has parts, and the part with the page's value has its own words and few of those that tell the
/// claim, which stand in another part.
fn is_of_another_part(case: &Case<'_, '_, '_>, place: &Quantity, sentence: usize) -> bool {
    let (page, text) = (case.index.words_of(sentence, sentence), case.index.text());
    let whole = case.index.span_of(sentence, sentence);
    let ends = |c: char| matches!(c, ';' | '；');
    let start = text[whole.start..place.span.start].rfind(ends).map_or(whole.start, |i| whole.start + i);
    let end = text[place.span.end..whole.end].find(ends).map_or(whole.end, |i| place.span.end + i);
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
    let Some(year) = only_year(case).filter(|_| speaks_of_another_year(case, sentence)) else { return false };
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
