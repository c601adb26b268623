//! A measured value that is nowhere on a page which was read whole, in no writing, and follows from nothing there.

use std::cmp::Reverse;
use std::mem::discriminant;

use super::found::Found;
use super::guards;
use super::other_number::{is_sure, names};
use crate::align::{self, Account};
use crate::case::counted;
use crate::pair::Pair;
use crate::{cues, derived};
use cited_text::Span;
use cited_text::quantity::{Agreement, Bound, Dimension, Measure, Quantity, Step, compare, follow};
use cited_text::words::Word;

/// A bare number with fewer figures may be anything, and follow from others of the page.
const TELLING: f64 = 100.0;
/// A hundred per cent is all, however it is written.
const ALL: f64 = 100.0;
/// Some two of more values than this give any share.
const MOST_VALUES: usize = 60;
/// A sentence has the rest of a claim where the words that it lacks weigh no more than this part of those that it has.
const LEFT: f64 = 0.67;
/// A share may be rounded by this part of it.
const ROUGHLY: f64 = 0.03;

/// So many cells of a column are added up.
const MOST_CELLS: usize = 60;
/// A column may be in thousands or millions, and the claim, too.
const SCALES: [f64; 5] = [1.0, 1e3, 1e6, 1e-3, 1e-6];

pub(super) fn look(pair: &Pair<'_>) -> Option<Found> {
    if !pair.comparable || pair.source.data {
        return None;
    }
    // What the claim says that it worked out, or gives the bounds of, need not stand there where the page has what it could be of. A total
    // or mean that the page itself speaks of stands there.
    let is_own = |word: &Word| {
        cues::says_what_was_done(word)
            && !pair.source.index.has(word.key)
            && !align::bounds(pair.claim.text, &pair.claim.quantities, word)
    };
    let own: Vec<&Word> = pair.claim.words.iter().filter(|&word| is_own(word)).collect();
    let worked_out = !own.is_empty();
    let is_of_others = |q: &Quantity| (worked_out || q.bound != Bound::Exact) && has_others(pair, q, worked_out);
    let missing = pair.claim.quantities.iter().filter(|q| measures(q) && is_nowhere(pair, q) && !is_of_others(q));
    // Of several the one with the most figures says most: it is least likely in another source by chance.
    let missing = missing.min_by_key(|q| Reverse(figures(pair, q).len())).map(|q| (q, None));
    let (q, instead) = missing.or_else(|| told_otherwise(pair, &own))?;
    let claimed = q.written(pair.claim.text).to_owned();
    let there = instead.map_or_else(String::new, |other| format!(" (source has {})", other.written(pair.page())));
    Some(Found {
        span: instead.map_or_else(|| pair.best_span(), |other| Some(pair.sentence_round(other.span))),
        reason: format!("number not in source: {claimed}{there}"),
        claimed,
        ..Found::default()
    })
}

/// A value of the claim that is nowhere on the page, and the one of its kind that the sentence which has the rest of the claim has, with the
/// words of the claim that say what was `done`: *35 hours a week*.
fn told_otherwise<'a>(pair: &'a Pair<'_>, done: &[&Word]) -> Option<(&'a Quantity, Option<&'a Quantity>)> {
    let unit = pair.units.iter().find(|unit| unit.first == unit.last)?;
    let tokens = &pair.claim.tokens;
    let missing = unit.missing().filter_map(|i| Some(&pair.claim.quantities[tokens[i].value()?]));
    let q = crate::only::only(missing)?;
    let weigh = |is_there: bool| -> f64 {
        let words = tokens.iter().zip(&unit.accounts).filter(|(token, _)| !token.is_value());
        words.filter(|(_, account)| (**account != Account::Missing) == is_there).map(|(token, _)| token.weight()).sum()
    };
    let has = |word: &&Word| unit.words.iter().any(|other| other.form == word.form);
    let has_the_rest = done.iter().all(has) && weigh(true) > 0.0 && weigh(false) <= LEFT * weigh(true);
    let is_its_kind = |other: &Quantity| {
        let things = counted(pair.claim.text, q).zip(counted(pair.page(), other));
        compare(q, other) == Agreement::Different
            && (q.measure != Measure::Count || things.is_none_or(|(own, other)| own == other))
    };
    let (_, other) =
        unit.other_values().find(|(j, other)| is_its_kind(other) && !guards::is_of_another(pair, unit, *j))?;
    let free: Vec<Quantity> = unit.quantities.iter().filter(|other| !other.is_temporal()).cloned().collect();
    let is_worked_out = || free.iter().any(|one| gives(q, one, &free, 0.0));
    // *Tiene doce arcos* begins with no name: the number counts something.
    let counts = pair.claim.words.iter().any(|word| q.counted == Some(word.span) && !word.stop);
    let is_value = is_sure(q) && (counts || !names(pair.claim.text, &pair.claim.words, q));
    let is_new = is_value && q.upper.is_none() && is_nowhere(pair, q) && !is_worked_out();
    (has_the_rest && is_new).then_some((q, Some(other)))
}

/// Whether a quantity measures something, so that a page which has it writes it.
fn measures(q: &Quantity) -> bool {
    let whole = q.measure == Measure::Percent && (q.value - ALL).abs() < f64::EPSILON;
    // One with a fraction is measured, too, *4.6 nights*.
    let tells = q.value.abs() >= TELLING || q.value.fract() != 0.0;
    !q.spelled && (q.has_unit() && !whole || q.measure == Measure::Count && tells && q.counted.is_some())
}

/// Whether the page has numbers that a value could be worked out from: for a share, two that give it; for another value, one of its kind. What only
/// bounds others bounds one that the page has.
fn has_others(pair: &Pair<'_>, q: &Quantity, worked_out: bool) -> bool {
    let all = &pair.source.index.quantities;
    let in_tables = !pair.source.evidence().tables.is_empty();
    let is_one = |other: &Quantity| match q.measure {
        Measure::Percent | Measure::Points if worked_out => gives(q, other, all, ROUGHLY),
        // *About 12.5%* is one in eight.
        Measure::Percent if q.bound == Bound::About => other.is_measured() || other.measure == Measure::Count,
        // *23 years ago* is counted from a date.
        Measure::Physical(Dimension::Duration) if matches!(other.measure, Measure::Date(_)) => true,
        // The unit of a cell may stand in the head of its column.
        Measure::Money(_) | Measure::Physical(_) if other.measure == Measure::Count && in_tables => true,
        _ => discriminant(&other.measure) == discriminant(&q.measure),
    };
    let is_bounded = |other: &Quantity| match q.bound {
        Bound::AtLeast => other.value >= q.value,
        Bound::AtMost => other.value <= q.value,
        Bound::About if q.measure != Measure::Percent => gives(q, other, all, ROUGHLY),
        Bound::About | Bound::Exact => true,
    };
    all.iter().any(|other| is_one(other) && (worked_out || is_bounded(other)))
}

/// Whether a value, but for a part of it, follows from one and any other of a page, or is what one leaves of a hundred per cent.
fn gives(q: &Quantity, one: &Quantity, all: &[Quantity], part: f64) -> bool {
    const STEPS: [Step; 5] = [Step::Share, Step::Change, Step::Difference, Step::Sum, Step::Product];
    let is_it = |value: f64| (value - q.value.abs()).abs() <= q.tolerance.max(q.value.abs() * part);
    let follows =
        |other: &Quantity| STEPS.iter().filter_map(|step| follow(*step, &[one, other])).any(|found| is_it(found.value));
    one.measure == Measure::Percent && is_it(100.0 - one.value) || all.len() > MOST_VALUES || all.iter().any(follows)
}

fn is_nowhere(pair: &Pair<'_>, q: &Quantity) -> bool {
    let index = &pair.source.index;
    let figures = figures(pair, q);
    let written = || pair.source.digits().contains(&figures);
    let agrees = index.agreeing(q).next().is_some();
    let is_there = agrees || figures.len() > 1 && written();
    let is_worked_out = || derived::working(&pair.case(), q).is_some() || adds_up(pair, q);
    !is_there && !is_worked_out() && pair.proof().whole.is_none()
}

/// Whether neighbouring cells of a column or a row add up to a value, at its precision: the rows of a group, some years, all of them.
fn adds_up(pair: &Pair<'_>, q: &Quantity) -> bool {
    let value = |cell: Span| pair.source.index.quantities_in(cell).first().map(|value| value.raw.abs());
    let unit = (q.value / q.raw).abs();
    let is_it = |sum: f64| SCALES.iter().any(|scale| (sum * scale - q.raw.abs()).abs() * unit <= q.tolerance);
    let adds_up_from = |values: &[f64]| {
        let sums = values.iter().scan(0.0, |sum, value| {
            *sum += value;
            Some(*sum)
        });
        sums.into_iter().any(is_it)
    };
    let any_add_up = |values: Vec<f64>| (0..values.len()).any(|from| adds_up_from(&values[from..]));
    pair.source.evidence().tables.iter().any(|table| {
        (0..table.columns).any(|column| {
            any_add_up(table.column(column).filter_map(|(_, cell)| value(cell)).take(MOST_CELLS).collect())
        }) || table
            .body()
            .any(|(_, row)| any_add_up(row.cells.iter().filter_map(|cell| value(cell.span)).take(MOST_CELLS).collect()))
    })
}

/// The figures of a value of the claim as they are written.
fn figures(pair: &Pair<'_>, q: &Quantity) -> String {
    q.span.slice(pair.claim.text).chars().filter(char::is_ascii_digit).collect()
}
