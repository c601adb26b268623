//! Whether a page has the quantities of a claim, for the same thing.
//!
//! A value counts only where it stands near the claim's words and, in a sentence with several values, beside the same
//! words as in the claim. Another value in the place of the claim's is a contradiction only where nearly all of the
//! claim stands; a value that is nowhere is absent only on a page that was read whole.

use std::cell::OnceCell;

use crate::judge::agreement::compare_here;
use crate::judge::case::{Case, may_agree, same_kind};
pub use crate::judge::changes::{Order, order};
use crate::judge::derived;
use crate::judge::difference::{differs, restricted};
use crate::judge::finding::Finding;
use crate::judge::spot::Spot;
use crate::judge::verdict::CheckResult;
use crate::judge::{
    absence, apart, cells, clock, cues, labels, names, parallel, rates, scale, slips, slots, worked_out,
};
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
    let Some(name) = names::name_before(case.claim, q.span).filter(|_| q.measure == Measure::Count) else {
        return false;
    };
    let text = case.index.text();
    let figures = q.span.of(case.claim);
    let mut numbers = names::behind_a_name(case, name.key).peekable();
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

/// What the page has of one value: it, another one, nothing, or what does not tell.
fn find(case: &Case<'_, '_, '_>, q: &Quantity) -> Finding {
    let places = places_of(case, q);
    let sought = Sought {
        case,
        q,
        places: &places,
        enough: BOUND_RECALL.min(case.best * BOUND_SHARE).max(0.15),
        in_a_table: scale::may_stand_in_a_table(case, q) || worked_out::is_a_sum_in_a_row(case, q),
        is_open: OnceCell::new(),
    };
    let bound = sought.bound();
    sought
        .another_in_its_form()
        .or_else(|| sought.agrees(&bound))
        .or_else(|| sought.left_open(&bound))
        .or_else(|| sought.another())
        .or_else(|| sought.missing())
        .unwrap_or_else(|| sought.unknown())
}

/// The places of the page that have a value, or one that agrees with it in some way.
fn places_of<'i>(case: &Case<'_, 'i, '_>, q: &Quantity) -> Vec<Place<'i>> {
    let last = case.index.len().saturating_sub(1);
    let left = cues::takes_out(q.span.before(case.claim));
    let mut places: Vec<Place> = Vec::new();
    for other in case.agreeing(q) {
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
    places
}

/// A value of the claim that is looked for.
struct Sought<'s, 'i> {
    case: &'s Case<'s, 'i, 'i>,
    q: &'s Quantity,
    /// Where the page has it, or what agrees with it in some way.
    places: &'s [Place<'i>],
    /// This part of the claim's words round a place is enough for its value to be the claim's.
    enough: f64,
    /// Whether it may stand in a table that says its unit elsewhere, or be a sum of one.
    in_a_table: bool,
    is_open: OnceCell<bool>,
}

impl<'s, 'i> Sought<'s, 'i> {
    fn unknown(&self) -> Finding {
        Finding {
            quantity: self.q.clone(),
            result: CheckResult::Unknown,
            hard: false,
            sentence: None,
            on_page: self.is_on_the_page(),
            working: None,
            binding: None,
            named: false,
        }
    }

    fn found_at(&self, sentence: usize, named: bool) -> Finding {
        let sentence = Some(sentence);
        Finding { result: CheckResult::Agrees, hard: true, sentence, named, ..self.unknown() }
    }

    fn other_than(&self, sentence: usize, other: &Quantity) -> Finding {
        let (claimed, found) = (self.written(), other.written(self.case.index.text()).to_owned());
        let result = CheckResult::Differs { claimed, found };
        Finding { result, hard: !self.is_open(), sentence: Some(sentence), ..self.unknown() }
    }

    fn written(&self) -> String {
        self.q.written(self.case.claim).to_owned()
    }

    fn same(&self) -> impl Iterator<Item = &'s Place<'i>> + use<'s, 'i> {
        self.places.iter().filter(|place| place.agreement == Agreement::Same)
    }

    fn is_on_the_page(&self) -> bool {
        self.same().next().is_some()
    }

    /// Whether the page may have the value in another way, so that another one proves nothing: *two tickets cost 10 euros* does not
    /// differ from *a ticket costs 5*.
    fn is_open(&self) -> bool {
        let (case, q) = (self.case, self.q);
        // A year at the head of a column is that of its cells.
        let heads =
            |place: &Place<'_>| q.is_temporal() && cells::row_at(case.index.text(), place.quantity.span).is_some();
        let may_be_worked_out = || !self.is_on_the_page() && worked_out::may_be_worked_out(case, q);
        *self.is_open.get_or_init(|| self.in_a_table || self.same().any(heads) || may_be_worked_out())
    }

    /// The places whose words are those of the claim, those with most of them first.
    fn bound(&self) -> Vec<&'s Place<'i>> {
        let (case, q) = (self.case, self.q);
        let mut ranked: Vec<&Place> = self.places.iter().collect();
        ranked.sort_by(|a, b| (b.own + b.near).total_cmp(&(a.own + a.near)));
        let is_near = |place: &&Place<'_>| {
            let near = place.near >= self.enough || is_accompanied(case, q, place);
            place.agreement == Agreement::Same && (near || place.is_named(case))
        };
        let is_of_it = |place: &&'s Place<'i>| {
            let spot = place.spot(case, q);
            place.is_named(case)
                || !restricted(&spot)
                    && !rates::is_for_another_span(&spot)
                    && (!apart::words_belong_elsewhere(&spot) || apart::has_its_name(&spot))
        };
        let is_alone = |place: &&Place<'_>| {
            let own = place.own >= BOUND_RECALL || is_accompanied(case, q, place) || place.is_named(case);
            // *Below 6 mg/dL* of something else is no *6 mg/dL*, where the sentence of the claim's thing has a value of its own.
            let bound = q.bound == Bound::Exact && matches!(place.quantity.bound, Bound::AtLeast | Bound::AtMost);
            own && !bound || !absence::overshadowed(case, q)
        };
        ranked.into_iter().filter(is_near).filter(is_of_it).filter(is_alone).take(MOST_BOUND).collect()
    }

    /// The claim's sentence with another number, beside others of its form with the claim's.
    fn another_in_its_form(&self) -> Option<Finding> {
        let same: Vec<(usize, Span)> = self.same().map(|place| (place.sentence, place.quantity.span)).collect();
        let (sentence, other) = parallel::said_with_another_number(self.case, self.q, &same)?;
        Some(self.other_than(sentence, other))
    }

    /// A place that has the value for the claim's thing.
    fn agrees(&self, bound: &[&'s Place<'i>]) -> Option<Finding> {
        let (case, q) = (self.case, self.q);
        let is_the_claims = |place: &&&'s Place<'i>| {
            let elsewhere = || cells::is_of_another(case, place.quantity.span);
            place.is_named(case) || !(apart::is_of_something_else(&place.spot(case, q)) || elsewhere())
        };
        if let Some(place) = bound.iter().find(is_the_claims) {
            return Some(self.found_at(place.sentence, place.is_named(case)));
        }
        // A table that says its unit elsewhere has the value, or may have it.
        let at = stands_in_a_cell(case, q)?;
        Some(self.found_at(case.index.sentence_at(at.start), true))
    }

    /// What the page has tells nothing, or gives the value by a step.
    fn left_open(&self, bound: &[&Place<'_>]) -> Option<Finding> {
        let (case, q) = (self.case, self.q);
        // That the value is rather of something else is a sign, and no proof of another one.
        if !bound.is_empty() || q.spelled || matches!(q.bound, Bound::AtLeast | Bound::AtMost) && self.is_placed() {
            return Some(self.unknown());
        }
        // *Im Vorjahr 41 Prozent*, of *44 Prozent, drei Punkte mehr*: nor does another 41% of the page make it wrong.
        let working = derived::working(case, q, self.is_on_the_page())?;
        Some(Finding { working: Some(working), ..self.unknown() })
    }

    /// Whether a place has anything of the value. A range or a bound of something else has nearly every value in it.
    fn is_placed(&self) -> bool {
        let (case, q) = (self.case, self.q);
        let counts = |place: &Place<'_>| {
            place.agreement == Agreement::Same
                || absence::is_rounded(q, place.quantity)
                || (place.near >= self.enough || q.is_temporal()) && absence::has_of_it(case, q, place.quantity)
        };
        self.places.iter().any(counts)
    }

    /// The value that the page has for the claim's thing instead.
    fn another(&self) -> Option<Finding> {
        let (case, q, places) = (self.case, self.q, self.places);
        let alone = case.quantities.iter().filter(|other| other.measure == q.measure).count() == 1;
        if let ([place], true) = (places, alone && !q.is_temporal())
            && let Some(other) = named_rival(case, q, place).filter(|_| place.own >= RIVAL_RECALL)
        {
            return Some(self.other_than(place.sentence, other));
        }
        if let (Some((sentence, other)), true) =
            (slips::same_day(case, q).or_else(|| slips::same_figures(case, q)), places.is_empty())
        {
            return Some(self.other_than(sentence, other));
        }
        // *In 2019 it had 2.3 million. In 2020 only 690,000 came*: a sentence close behind has the words of the first in mind.
        let goes_on =
            |sentence: usize| self.same().any(|place| (sentence..=sentence + GOES_ON).contains(&place.sentence));
        let told = |(sentence, other): (usize, &Quantity)| {
            let found = self.other_than(sentence, other);
            Finding { hard: found.hard && !goes_on(sentence), ..found }
        };
        if let Some((sentence, other)) = rival(case, q) {
            let there = case.lookup.recall(sentence, sentence);
            let misplaced = self.best_own() < ELSEWHERE_SHARE * there && !q.is_temporal();
            if places.is_empty() || misplaced {
                return Some(told((sentence, other)));
            }
        }
        slots::rival(case, q, (!places.is_empty()).then(|| self.nearest())).map(told)
    }

    /// The most of the claim's words in a sentence that has the value.
    fn best_own(&self) -> f64 {
        self.places.iter().map(|place| place.own).fold(0.0, f64::max)
    }

    /// The same with the sentences beside it. Beside a sentence with another value for the claim's thing, these say nothing of the
    /// claim's own.
    fn nearest(&self) -> f64 {
        if absence::overshadowed(self.case, self.q) {
            return self.best_own();
        }
        self.places.iter().map(|place| place.near).fold(0.0, f64::max)
    }

    /// That the value is nowhere, or only where the page speaks of something else. A ratio is told in many ways: *one in four*, *four to
    /// one*.
    fn missing(&self) -> Option<Finding> {
        let (case, q) = (self.case, self.q);
        if q.measure == Measure::Ratio {
            return None;
        }
        if case.complete && !self.in_a_table && absence::is_nowhere(case, q, !self.is_placed()) {
            let proves = absence::proves(case, q) || q.measure == Measure::Time && clock::absence_proves(case, q);
            let hard = self.places.is_empty() && proves && !self.is_open();
            return Some(Finding { result: CheckResult::Absent { claimed: self.written() }, hard, ..self.unknown() });
        }
        let (sentence, other) = absence::displaced(case, q, self.nearest())?;
        Some(Finding { hard: false, ..self.other_than(sentence, other) })
    }
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
