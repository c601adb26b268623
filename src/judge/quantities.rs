//! Whether a page has the quantities of a claim, for the same thing.
//!
//! A value counts only where it stands near the claim's words and, in a sentence with several values, beside the same
//! words as in the claim. Another value in the place of the claim's is a contradiction only where nearly all of the
//! claim stands; a value that is nowhere is absent only on a page that was read whole.

use std::cell::{LazyCell, OnceCell};

use crate::judge::agreement::compare_here;
use crate::judge::case::{Case, may_agree, same_kind};
pub use crate::judge::changes::{Order, order};
use crate::judge::derived;
use crate::judge::difference::{differs, restricted};
use crate::judge::finding::Finding;
use crate::judge::spot::Spot;
use crate::judge::verdict::CheckResult;
use crate::judge::{absence, apart, cells, clock, cues, labels, parallel, rates, scale, slips, slots, worked_out};
use crate::quantity::{Agreement, Bound, Measure, Quantity, Role, compare, quantities};
use crate::text::Span;
use crate::text::words::Word;

/// A value belongs to the claim when the sentences round it have this part of the claim's words …
const BOUND_RECALL: f64 = 0.34;
/// … or this part of what the best passage has.
const BOUND_SHARE: f64 = 0.6;
/// Another value contradicts only in a sentence with this part of the claim's words …
const RIVAL_RECALL: f64 = 0.72;
/// … more for years and dates, of which a sentence about the same thing may have several.
const RIVAL_RECALL_TEMPORAL: f64 = 0.86;
/// The claim has to have this part of the words of the sentence with the other value.
const RIVAL_PRECISION: f64 = 0.3;
/// See [`RIVAL_PRECISION`]; for years and dates.
const RIVAL_PRECISION_TEMPORAL: f64 = 0.5;
/// The claim's own value elsewhere on the page forbids a contradiction unless its place has less than this part of
/// the words that the place of the other value has.
const ELSEWHERE_SHARE: f64 = 0.55;
/// More places of one value than this are not looked at: a table full of one number binds nothing.
const MOST_PLACES: usize = 400;

/// So many places of a value, those with most of the claim's words, are read for what stands round them.
const MOST_BOUND: usize = 12;

/// So many sentences behind another one may go on about its thing without naming it.
const GOES_ON: usize = 2;

/// Whether a value of the claim is worth looking for.
pub fn is_checked(q: &Quantity) -> bool {
    q.is_measured() || q.measure == Measure::Ratio
}

/// The figure that a claim is about, as it is written: its first measured quantity, a date only when there is no other.
///
/// ```
/// use cited::judge::quantities::stat;
/// assert_eq!(stat("In 2024 churn fell to 3.1% in May."), Some("3.1%".to_owned()));
/// ```
pub fn stat(claim: &str) -> Option<String> {
    let all: Vec<Quantity> = quantities(claim).into_iter().filter(Quantity::is_measured).collect();
    let chosen = all.iter().find(|q| !q.is_temporal()).or(all.first())?;
    Some(chosen.span.of(claim).trim().to_owned())
}

/// Looks every measured quantity of the claim up.
pub fn check(case: &Case<'_, '_, '_>) -> Vec<Finding> {
    let looked_for = case
        .quantities
        .iter()
        .filter(|q| is_checked(q) && !is_in_a_name(case, q) && !labels::names_a_work(case.claim, q));
    let mut found: Vec<Finding> = looked_for.map(|q| find(case, q)).collect();
    found.extend(labels::check(case));
    found
}

/// Whether a number is part of a name that the page has as well, and with no other number: *a Falcon 9 launch* has no nine
/// launches.
fn is_in_a_name(case: &Case<'_, '_, '_>, q: &Quantity) -> bool {
    let Some(name) = slots::name_before(case.claim, q.span).filter(|_| q.measure == Measure::Count) else {
        return false;
    };
    let text = case.index.text();
    let figures = q.span.of(case.claim);
    let mut numbers = slots::behind_a_name(case, name.key).peekable();
    numbers.peek().is_some() && numbers.all(|other| other.span.of(text).starts_with(figures))
}

/// A place of a value on the page.
struct Place<'q> {
    sentence: usize,
    agreement: Agreement,
    quantity: &'q Quantity,
    /// Part of the claim's words in the sentence, and in it and its neighbours.
    own: f64,
    near: f64,
    /// See [`Place::is_named`].
    named: OnceCell<bool>,
}

impl<'q> Place<'q> {
    /// Whether it stands in a cell whose row and column the claim names: they are what a table says of a value.
    fn is_named(&self, case: &Case<'_, '_, '_>) -> bool {
        let named = || self.agreement == Agreement::Same && cells::is_named(case, self.quantity.span);
        *self.named.get_or_init(named)
    }

    /// The place beside a value of the claim.
    fn spot<'s, 'i>(&self, case: &'s Case<'s, 'i, 'i>, q: &'s Quantity) -> Spot<'s, 'i>
    where
        'q: 's,
    {
        Spot::new(case, q, self.quantity, self.sentence)
    }
}

fn find(case: &Case<'_, '_, '_>, q: &Quantity) -> Finding {
    let last = case.index.len().saturating_sub(1);
    let mut places: Vec<Place> = Vec::new();
    let left = cues::takes_out(q.span.before(case.claim));
    for other in case.index.agreeing(q) {
        if places.len() >= MOST_PLACES || !may_agree(q, other) || bounds_less(other, q) {
            continue;
        }
        let agreement = compare_here(case, q, other);
        // *All but three of them* are not three.
        if agreement >= Agreement::Compatible && left == cues::takes_out(other.span.before(case.index.text())) {
            let sentence = case.index.sentence_at(other.span.start);
            let own = case.lookup.recall(sentence, sentence);
            let near = case.lookup.recall(sentence.saturating_sub(1), (sentence + 1).min(last));
            places.push(Place { sentence, agreement, quantity: other, own, near, named: OnceCell::new() });
        }
    }
    let on_page = places.iter().any(|place| place.agreement == Agreement::Same);
    let (quantity, claimed) = (q.clone(), q.written(case.claim).to_owned());
    let unknown = Finding {
        quantity,
        result: CheckResult::Unknown,
        hard: false,
        sentence: None,
        on_page,
        working: None,
        binding: None,
        named: false,
    };
    let enough = BOUND_RECALL.min(case.best * BOUND_SHARE).max(0.15);
    let mut ranked: Vec<&Place> = places.iter().collect();
    ranked.sort_by(|a, b| (b.own + b.near).total_cmp(&(a.own + a.near)));
    let bound = ranked
        .into_iter()
        .filter(|place| {
            let near = place.near >= enough || is_accompanied(case, q, place);
            place.agreement == Agreement::Same && (near || place.is_named(case))
        })
        .filter(|place| {
            let spot = place.spot(case, q);
            place.is_named(case)
                || !restricted(&spot)
                    && !rates::is_for_another_span(&spot)
                    && (!apart::words_belong_elsewhere(&spot) || apart::has_its_name(&spot))
        })
        .filter(|place| {
            let own = place.own >= BOUND_RECALL || is_accompanied(case, q, place) || place.is_named(case);
            // *Below 6 mg/dL* of something else is no *6 mg/dL*, where the sentence of the claim's thing has a value of its own.
            let bound = q.bound == Bound::Exact && matches!(place.quantity.bound, Bound::AtLeast | Bound::AtMost);
            own && !bound || !absence::overshadowed(case, q)
        });
    let bound: Vec<&Place> = bound.take(MOST_BOUND).collect();
    let same = places.iter().filter(|place| place.agreement == Agreement::Same);
    let same: Vec<(usize, Span)> = same.map(|place| (place.sentence, place.quantity.span)).collect();
    let in_a_table = scale::may_stand_in_a_table(case, q) || worked_out::is_a_sum_in_a_row(case, q);
    // *Two tickets cost 10 euros* does not differ from *a ticket costs 5*.
    let is_open = LazyCell::new(|| {
        // A year at the head of a column is that of its cells.
        let heads = |place: &Place<'_>| {
            let year = q.is_temporal() && place.agreement == Agreement::Same;
            year && cells::row_at(case.index.text(), place.quantity.span).is_some()
        };
        in_a_table || places.iter().any(heads) || !on_page && worked_out::may_be_worked_out(case, q)
    });
    if let Some((sentence, other)) = parallel::said_with_another_number(case, q, &same) {
        let found = other.written(case.index.text()).to_owned();
        let result = CheckResult::Differs { claimed, found };
        return Finding { result, hard: !*is_open, sentence: Some(sentence), ..unknown };
    }
    let mut likely = bound.iter();
    let is_the_claims = |place: &&&Place<'_>| {
        let elsewhere = || cells::is_of_another(case, place.quantity.span);
        place.is_named(case) || !(apart::is_of_something_else(&place.spot(case, q)) || elsewhere())
    };
    if let Some(place) = likely.find(is_the_claims) {
        let (sentence, named) = (Some(place.sentence), place.is_named(case));
        return Finding { result: CheckResult::Agrees, hard: true, sentence, named, ..unknown };
    }
    // A table that says its unit elsewhere has the value, or may have it.
    if let Some(at) = stands_in_a_cell(case, q) {
        let sentence = Some(case.index.sentence_at(at.start));
        return Finding { result: CheckResult::Agrees, hard: true, sentence, named: true, ..unknown };
    }
    let other_than = |claimed: String, sentence: usize, other: &Quantity| {
        let found = other.written(case.index.text()).to_owned();
        Finding {
            result: CheckResult::Differs { claimed, found },
            hard: !*is_open,
            sentence: Some(sentence),
            ..unknown.clone()
        }
    };
    // That the value is rather of something else is a sign, and no proof of another one.
    if !bound.is_empty() {
        return unknown;
    }
    // A range or a bound of something else has nearly every value in it.
    let counts = |place: &Place<'_>| {
        place.agreement == Agreement::Same
            || absence::is_rounded(q, place.quantity)
            || (place.near >= enough || q.is_temporal()) && absence::has_of_it(case, q, place.quantity)
    };
    let placed = places.iter().any(counts);
    if q.spelled || matches!(q.bound, Bound::AtLeast | Bound::AtMost) && placed {
        return unknown;
    }
    // *Im Vorjahr 41 Prozent*, of *44 Prozent, drei Punkte mehr*: nor does another 41% of the page make it wrong.
    if let Some(working) = derived::working(case, q, on_page) {
        return Finding { working: Some(working), ..unknown };
    }
    let alone = case.quantities.iter().filter(|other| other.measure == q.measure).count() == 1;
    if let ([place], true) = (places.as_slice(), alone && !q.is_temporal())
        && let Some(other) = named_rival(case, q, place).filter(|_| place.own >= RIVAL_RECALL)
    {
        return other_than(claimed, place.sentence, other);
    }
    let best_place = places.iter().map(|place| place.own).fold(0.0, f64::max);
    if let (Some((sentence, other)), true) =
        (slips::same_day(case, q).or_else(|| slips::same_figures(case, q)), places.is_empty())
    {
        return other_than(claimed, sentence, other);
    }
    // *In 2019 it had 2.3 million. In 2020 only 690,000 came*: a sentence close behind has the words of the first in mind.
    let goes_on = |sentence: usize| {
        let close = |place: &Place<'_>| {
            place.agreement == Agreement::Same && (sentence..=sentence + GOES_ON).contains(&place.sentence)
        };
        places.iter().any(close)
    };
    if let Some((sentence, other)) = rival(case, q) {
        let there = case.lookup.recall(sentence, sentence);
        let misplaced = !places.is_empty() && best_place < ELSEWHERE_SHARE * there && !q.is_temporal();
        if places.is_empty() || misplaced {
            let found = other_than(claimed, sentence, other);
            return Finding { hard: found.hard && !goes_on(sentence), ..found };
        }
    }
    // Beside a sentence with another value for the claim's thing, the neighbours say nothing of the claim's own.
    let near = if absence::overshadowed(case, q) {
        best_place
    } else {
        places.iter().map(|place| place.near).fold(0.0, f64::max)
    };
    if let Some((sentence, other)) = slots::rival(case, q, (!places.is_empty()).then_some(near)) {
        let found = other_than(claimed, sentence, other);
        return Finding { hard: found.hard && !goes_on(sentence), ..found };
    }
    // A ratio is told in many ways: *one in four*, *four to one*.
    if q.measure == Measure::Ratio {
        return unknown;
    }
    if case.complete && !in_a_table && absence::is_nowhere(case, q, !placed) {
        let proves = absence::proves(case, q) || q.measure == Measure::Time && clock::absence_proves(case, q);
        let hard = places.is_empty() && proves && !*is_open;
        return Finding { result: CheckResult::Absent { claimed }, hard, ..unknown };
    }
    if let Some((sentence, other)) = absence::displaced(case, q, near) {
        return Finding { hard: false, ..other_than(claimed, sentence, other) };
    }
    unknown
}

/// Where a value stands in a cell that the claim names, or a year above or before a cell that has another value of the claim.
fn stands_in_a_cell(case: &Case<'_, '_, '_>, q: &Quantity) -> Option<Span> {
    if !q.is_temporal() {
        return scale::cell_of(case, q).map(|(_, at)| at);
    }
    let year = q.span.of(case.claim).trim();
    let values = case.quantities.iter().filter(|own| !own.is_temporal() && own.is_measured());
    let mut cells = values.filter_map(|own| scale::cell_of(case, own));
    cells.find(|(cell, _)| cell.said_of_it().contains(year)).map(|(_, at)| at)
}

/// Whether a year stands in one sentence with an amount of the claim: *in 2020 only 690,000 came*.
fn is_accompanied(case: &Case<'_, '_, '_>, q: &Quantity, place: &Place<'_>) -> bool {
    let there = case.index.quantities_of(place.sentence, place.sentence);
    let amounts = case.quantities.iter().filter(|own| !own.is_temporal() && absence::proves_by_itself(own));
    q.is_temporal() && amounts.into_iter().any(|own| there.iter().any(|other| compare(own, other) == Agreement::Same))
}

/// Whether a bound of the page is of the sort of the claim's and says less: *over 3,000* is no word for *over 3,400*.
fn bounds_less(theirs: &Quantity, q: &Quantity) -> bool {
    let spare = theirs.tolerance.max(q.tolerance);
    match (q.bound, theirs.bound) {
        (Bound::AtLeast, Bound::AtLeast) => theirs.value + spare < q.value,
        (Bound::AtMost, Bound::AtMost) => theirs.value - spare > q.value,
        _ => false,
    }
}

/// In a sentence that has the claim's value beside another name, the value that it has beside the claim's name.
fn named_rival<'i>(case: &Case<'_, 'i, '_>, q: &Quantity, place: &Place<'_>) -> Option<&'i Quantity> {
    let text = case.index.text();
    let name = name_after(case.claim, case.words.iter().copied(), q.span.end)?;
    let there = case.index.words_of(place.sentence, place.sentence);
    let other = name_after(text, there.iter().copied(), place.quantity.span.end)?;
    if name == other {
        return None;
    }
    let values = case.index.quantities_of(place.sentence, place.sentence).iter();
    let mut named = values.filter(|value| {
        value.measure == place.quantity.measure
            && compare(q, value) == Agreement::Different
            && name_after(text, there.iter().copied(), value.span.end) == Some(name)
    });
    named.next().filter(|_| named.next().is_none())
}

/// Another value of the same measure in the sentence that has nearly all of the claim.
fn rival<'i>(case: &Case<'_, 'i, '_>, q: &Quantity) -> Option<(usize, &'i Quantity)> {
    if q.role != Role::Alone && q.is_temporal() {
        return None;
    }
    let needed = if q.is_temporal() { RIVAL_RECALL_TEMPORAL } else { RIVAL_RECALL };
    let mut best: Option<(f64, usize, &Quantity)> = None;
    for window in case.windows.iter().take(3) {
        for sentence in window.first..=window.last {
            let recall = case.lookup.recall(sentence, sentence);
            if recall < needed || best.as_ref().is_some_and(|(most, ..)| recall <= *most) {
                continue;
            }
            if !speaks_of_the_same(case, q, sentence) {
                continue;
            }
            let like: Vec<&Quantity> =
                case.index.quantities_of(sentence, sentence).iter().filter(|other| same_kind(case, q, other)).collect();
            // Values that agree with another quantity of the claim are taken.
            let free: Vec<&&Quantity> = like
                .iter()
                .filter(|other| {
                    !case.quantities.iter().any(|mine| mine != q && compare(mine, other) >= Agreement::Compatible)
                })
                .collect();
            let chosen = match free.as_slice() {
                [one] => Some(**one),
                [] => None,
                many => {
                    let elsewhere = |other| apart::words_belong_elsewhere(&Spot::new(case, q, other, sentence));
                    let fitting: Vec<_> = many.iter().filter(|other| !elsewhere(other)).collect();
                    match fitting.as_slice() {
                        [one] if !q.is_temporal() => Some(***one),
                        _ => None,
                    }
                }
            };
            if let Some(other) = chosen.filter(|other| differs(&Spot::new(case, q, other, sentence))) {
                best = Some((recall, sentence, other));
            }
        }
    }
    best.map(|(_, sentence, other)| (sentence, other))
}

/// Whether a sentence with nearly all of the claim's words is about the same thing: it has the claim's dates, and for a
/// value of time not much that the claim does not have.
fn speaks_of_the_same(case: &Case<'_, '_, '_>, q: &Quantity, sentence: usize) -> bool {
    let last = case.index.len().saturating_sub(1);
    let near = case.index.quantities_of(sentence.saturating_sub(1), (sentence + 1).min(last));
    let dated = case
        .quantities
        .iter()
        .filter(|other| other.is_temporal() && *other != q)
        .all(|date| near.iter().any(|theirs| compare(date, theirs) >= Agreement::Compatible));
    let content: Vec<&Word> =
        case.index.words_of(sentence, sentence).iter().filter(|word| !word.stop && !word.number).collect();
    let shared = content.iter().filter(|word| case.lookup.terms().iter().any(|term| term.key == word.key)).count();
    let precision = shared as f64 / content.len().max(1) as f64;
    dated && precision >= if q.is_temporal() { RIVAL_PRECISION_TEMPORAL } else { RIVAL_PRECISION }
}

/// The name right after a value: *94.2% on MMLU*.
fn name_after(text: &str, words_after: impl Iterator<Item = Word>, end: usize) -> Option<u64> {
    let near = words_after.skip_while(|word| word.span.start < end).take(3);
    let mut last = end;
    for word in near {
        if text.get(last..word.span.start).is_some_and(|gap| gap.contains([',', ';', '.', '('])) {
            return None;
        }
        if word.capital && !word.stop {
            return Some(word.key);
        }
        last = word.span.end;
    }
    None
}
