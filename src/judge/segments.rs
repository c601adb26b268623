//! The segment of a sentence that a value is said in: *338 patients were admitted and seven died* has no 338 who died.
//!
//! A sentence with several values of a kind is cut between them, at the word or mark that parts them. Where the claim's words
//! stand in the segment of another value rather than in that of its own, it is the other that they are of. A sign, and no proof.

use crate::judge::case::{counted, same_kind};
use crate::judge::cues;
use crate::judge::neighbours::{is_content, parted};
use crate::judge::spot::Spot;
use crate::quantity::{Agreement, Measure, Quantity, compare};
use crate::text::Span;
use crate::text::words::Word;

/// The values that are said in one go, and where.
struct Segment<'i> {
    values: Vec<&'i Quantity>,
    span: Span,
}

impl Segment<'_> {
    /// Its words, without those of its values.
    fn words<'w>(&'w self, all: &'w [Word]) -> impl Iterator<Item = &'w Word> {
        let outside = |word: &&Word| !self.values.iter().any(|value| value.span.contains(word.span));
        all.iter().filter(|word| self.span.contains(word.span)).filter(outside)
    }
}

/// Whether the claim's words stand in the segment of another value.
pub(super) fn is_of_another_segment(spot: &Spot<'_, '_>) -> bool {
    let segments = segments(spot);
    let holds = |segment: &Segment<'_>| segment.values.iter().any(|value| value.span == spot.place.span);
    let Some(at) = segments.iter().position(holds) else { return false };
    let own = &segments[at];
    segments.iter().enumerate().any(|(i, other)| {
        let differs =
            |value: &&Quantity| compare(spot.place, value) < Agreement::Compatible && !spot.case.has_value(value);
        let order = Order { is_first: i == 0, is_later: i > at };
        i != at
            && other.values.iter().any(differs)
            && (has_its_words(spot, own, other, order) || has_its_extreme(spot, own, other))
    })
}

/// Where another segment stands.
#[derive(Clone, Copy)]
struct Order {
    is_first: bool,
    is_later: bool,
}

/// Whether another segment has more words that only the claim and it have than the value's own, which speaks of something else;
/// of one that leaves out what was said before, as *with a balcony from 1,340*, all words have to be the claim's.
fn has_its_words(spot: &Spot<'_, '_>, own: &Segment<'_>, other: &Segment<'_>, order: Order) -> bool {
    let (case, page) = (spot.case, spot.words());
    let thing = counted(case.claim, spot.q);
    let claimed = |word: &Word| case.words.iter().any(|mine| mine.key == word.key);
    let telling = |word: &&Word| is_content(word) && Some(word.key) != thing;
    let only = |word: &Word, not: &Segment<'_>| !not.words(page).any(|there| there.key == word.key);
    let first = |segment: &Segment<'_>| segment.values.first().map_or(0, |value| value.span.start);
    let leads = |segment: &Segment<'_>| {
        segment.words(page).filter(telling).any(|word| word.span.end <= first(segment) && !claimed(word))
    };
    // What stands before the first value is said of all of them, unless the own segment begins with something else.
    let is_shared = |word: &Word| order.is_first && word.span.end <= first(other) && !leads(own);
    let theirs =
        other.words(page).filter(telling).filter(|word| claimed(word) && only(word, own) && !is_shared(word)).count();
    let mine = own.words(page).filter(telling).filter(|word| claimed(word) && only(word, other)).count();
    let misses = own.words(page).filter(telling).filter(|word| !claimed(word) && only(word, other)).count();
    let elliptic = order.is_later && other.words(page).filter(|word| is_content(word)).all(claimed);
    theirs > 0 && misses > 0 && (theirs > mine || elliptic)
}

/// Whether a superlative of the claim stands in the sentence once, in the segment of another value.
fn has_its_extreme(spot: &Spot<'_, '_>, own: &Segment<'_>, other: &Segment<'_>) -> bool {
    let extremes = spot.case.words.iter().filter(|word| cues::is_extreme(word));
    extremes.into_iter().any(|extreme| {
        let mut same = spot.words().iter().filter(|word| word.key == extreme.key);
        let once = same.next().filter(|_| same.next().is_none());
        once.is_some_and(|once| other.span.contains(once.span) && !own.span.contains(once.span))
    })
}

/// The sentence, cut between its values of the kind of the claim's.
fn segments<'i>(spot: &Spot<'_, 'i>) -> Vec<Segment<'i>> {
    let kin = |value: &&Quantity| {
        value.span == spot.place.span
            || match (spot.q.measure, value.measure) {
                // What is counted may be left out: *and seven died*; so may a unit that was said before.
                (Measure::Count, Measure::Count) => {
                    !value.spelled || value.value >= 2.0 || stands_alone(spot.text(), value)
                }
                (Measure::Money(_) | Measure::Physical(_), Measure::Count) => !value.spelled,
                (Measure::Date(_), Measure::Date(_)) => true,
                _ => same_kind(spot.case, spot.q, value),
            }
    };
    let values: Vec<&Quantity> = spot.values().iter().filter(kin).collect();
    if values.len() < 2 {
        return Vec::new();
    }
    let whole = spot.whole();
    let mut found: Vec<Segment<'i>> = Vec::with_capacity(values.len());
    let mut open = Segment { values: Vec::new(), span: Span::new(whole.start, whole.start) };
    for (i, value) in values.iter().enumerate() {
        open.values.push(value);
        let end = match values.get(i + 1) {
            Some(next) => match cut(spot, value.span.end, next.span.start) {
                Some(end) => end,
                // Nothing parts them: they are said in one go.
                None => continue,
            },
            None => whole.end.max(value.span.end),
        };
        let start = open.span.start.min(open.values[0].span.start);
        found.push(Segment { values: std::mem::take(&mut open.values), span: Span::new(start, end) });
        open.span = Span::new(end, end);
    }
    found
}

/// Whether nothing stands behind a value, so that what it counts was named before: *won five games and lost one*.
fn stands_alone(text: &str, value: &Quantity) -> bool {
    text.get(value.span.end..).is_some_and(|rest| rest.starts_with(['.', ',', ';']))
}

/// Where two values are parted: at the first word that joins, else at the last mark.
fn cut(spot: &Spot<'_, '_>, start: usize, end: usize) -> Option<usize> {
    let text = spot.text();
    let between = text.get(start..end).unwrap_or_default();
    if let Some(at) = between.find([';', '；']) {
        return Some(start + at);
    }
    let inside = |word: &&Word| word.span.start >= start && word.span.end <= end;
    let joiner = spot.words().iter().filter(inside).find(|word| cues::joins(word));
    joiner.map(|word| word.span.start).or_else(|| parted(text, start, end).map(|marks| marks.end))
}

#[cfg(test)]
mod tests {
    use crate::judge::tests::check_support as check;

    #[test]
    fn what_is_said_of_another_value_is_not_said_of_this_one() {
        let page = "During the outbreak 338 patients were admitted to hospital and seven died.";
        check(page, "338 patients were admitted to hospital during the outbreak.", true);
        check(page, "During the outbreak 338 patients died.", false);
    }

    #[test]
    fn a_year_is_of_what_is_said_beside_it() {
        let page = "She studied in Oslo from 1930 to 1934 and took her doctorate in Göttingen in 1938.";
        check(page, "She took her doctorate in Göttingen in 1938.", true);
        check(page, "She took her doctorate in Oslo in 1934.", false);
    }

    #[test]
    fn a_superlative_is_of_the_value_beside_it() {
        let page = "The largest item is social services with 236 million, followed by schools with 198 million.";
        check(page, "The largest item is social services with 236 million.", true);
        check(page, "The largest item is schools with 198 million.", false);
    }

    #[test]
    fn what_is_left_out_of_a_later_segment_was_said_before() {
        let page = "A week in an inside cabin of the ship costs from 890 euros, with a balcony from 1,340.";
        check(page, "A week in an inside cabin of the ship costs from 890 euros.", true);
        check(page, "A week in a cabin with a balcony costs from 890 euros.", false);
    }

    #[test]
    fn values_that_nothing_parts_are_said_in_one_go() {
        let page = "The county has 86 primary schools with 19,400 pupils and 31 secondary schools with 14,800.";
        check(page, "The primary schools of the county have 19,400 pupils.", true);
        check(page, "The secondary schools of the county have 19,400 pupils.", false);
    }
}
