//! Values of tables that say their unit and magnitude in a head: *Employed (thousands)*, *Arrivals (x 1,000)*, *per cent*.
//!
//! Text does not tell which head a figure stands under. So a bare figure of a page with such a head is no proof that a claim's value is
//! missing, or another one: it may be the claim's.

use std::sync::LazyLock;

use regex::Regex;

use super::cells::{self, Cell};
use super::cues::{self, Direction};
use super::quantities::Case;
use crate::text::quantity::{Agreement, Measure, Quantity, Role, compare};
use crate::text::{Span, table};

/// How a head writes that its figures are so many times greater, or in per cent: `data/scales.tsv`.
static HEADS: LazyLock<Vec<(f64, Regex)>> = LazyLock::new(|| {
    let rows = table::read(include_str!("data/scales.tsv"));
    let mut heads: Vec<(f64, Regex)> = rows
        .into_iter()
        .filter_map(|(factor, patterns)| {
            let pattern = format!("(?i){}", patterns.join("|"));
            Some((factor.parse().ok()?, Regex::new(&pattern).ok()?))
        })
        .collect();
    heads.sort_by(|a, b| a.0.total_cmp(&b.0));
    heads
});

/// Of more places of a value the first are looked at: a page may have it in a hundred thousand cells.
const MOST_PLACES: usize = 40;

/// The factor of a head in per cent.
const PER_CENT: f64 = 0.01;

/// Whether a page has figures without a unit that are the claim's value under a head which the page has.
pub(super) fn may_stand_in_a_table(case: &Case<'_, '_, '_>, q: &Quantity) -> bool {
    let text = case.index.text();
    readings(q).any(|(factor, head)| {
        case.index.quantities().iter().any(|other| is_times(q, other, factor)) && head.is_match(text)
    })
}

/// Where the claim's value stands in a cell whose row and column the claim names; a bare figure is read by what the head, the label or the line
/// above the table says of it. What something rose or fell *from* stands before the value that it rose or fell to.
pub(super) fn cell_of<'t>(case: &Case<'_, 't, '_>, q: &Quantity) -> Option<(Cell<'t>, Span)> {
    if q.role == Role::From
        && let Some(to) = case.quantities.iter().find(|to| to.role == Role::To && to.span.start > q.span.end)
        && let Some((cell, at)) = cell_of(case, to)
    {
        let line = case.index.text()[..at.start].rfind('\n').map_or(0, |end| end + 1);
        let before = |other: &&Quantity| Span::new(line, at.start).contains(other.span);
        let found = case.index.quantities().iter().filter(before).find(|other| is_read_as(q, other, &cell))?;
        return Some((cell, found.span));
    }
    // Most pages have no such value: then no cell is looked at.
    let like = case.index.quantities().iter().filter(|other| {
        compare(q, other) == Agreement::Same || readings(q).any(|(factor, _)| is_times(q, other, factor))
    });
    let named = like.take(MOST_PLACES).filter(|other| goes_its_way(case, q, other));
    let mut cells = named.filter_map(|other| Some((cells::named_at(case, other.span)?, other)));
    let (cell, found) = cells.find(|(cell, other)| is_read_as(q, other, cell))?;
    Some((cell, found.span))
}

/// Whether a value in a cell is the claim's, by what is said of the cell.
fn is_read_as(q: &Quantity, other: &Quantity, cell: &Cell<'_>) -> bool {
    let said = |(factor, head): (f64, &Regex)| is_times(q, other, factor) && head.is_match(&cell.said_of_it());
    compare(q, other) == Agreement::Same || readings(q).any(said)
}

/// What a head may say of a bare figure that is the claim's value: by what it has to be multiplied (1 where both are in per cent), and how that is
/// written.
fn readings(q: &Quantity) -> impl Iterator<Item = (f64, &'static Regex)> {
    let percent = matches!(q.measure, Measure::Percent | Measure::Points);
    let read = !q.spelled && q.upper.is_none() && (percent || matches!(q.measure, Measure::Count | Measure::Money(_)));
    let heads = HEADS.iter().filter(move |(factor, _)| read && ((factor - PER_CENT).abs() < f64::EPSILON) == percent);
    heads.map(move |(factor, head)| (if percent { 1.0 } else { *factor }, head))
}

/// Whether a bare figure of the page is the claim's value when it is multiplied.
fn is_times(q: &Quantity, other: &Quantity, factor: f64) -> bool {
    let (value, precision) = (q.value.abs() / factor, q.tolerance / factor);
    other.measure == Measure::Count
        && !other.spelled
        && other.upper.is_none()
        && (other.value.abs() - value).abs() <= precision + 1e-9 * value
}

/// Whether a rate of the page has the sign that the claim's words give it: *0.8% lower* is -0.8.
fn goes_its_way(case: &Case<'_, '_, '_>, q: &Quantity, other: &Quantity) -> bool {
    if q.role != Role::Alone
        || (other.value < 0.0) == (q.value < 0.0) && (q.measure != Measure::Percent || other.measure == q.measure)
    {
        return true;
    }
    let falls = case.words.iter().any(|word| cues::direction(word) == Some(Direction::Down));
    (other.value < 0.0) == (q.value < 0.0 || falls)
}

/// By what the figures of a page may have to be multiplied: 1, and what its heads say.
pub(super) fn factors(case: &Case<'_, '_, '_>) -> Vec<f64> {
    let heads = HEADS.iter().filter(|(factor, head)| *factor > 1.0 && head.is_match(case.index.text()));
    std::iter::once(1.0).chain(heads.map(|(factor, _)| *factor)).collect()
}

#[cfg(test)]
mod tests {
    use super::HEADS;
    use crate::claim::ClaimKind;
    use crate::judge::{ClaimText, Settings, SourceText, Standing, judge};
    use crate::text::table;

    #[test]
    fn every_row_of_the_table_is_read() {
        assert_eq!(HEADS.len(), table::read(include_str!("data/scales.tsv")).len());
    }

    #[test]
    fn what_a_table_has_under_its_head_is_not_missing() {
        let arrivals = "Arrivals by country (x 1,000). Germany 1,845. France 912. Every hotel was asked.";
        let rates = "Unemployment rate (per cent), 2023 and 2024. Valdoria 5.7 5.3. Carrow 4.1 3.9.";
        for (page, claim, missing) in [
            (arrivals, "There were 1,845,000 arrivals from Germany.", false),
            (arrivals, "There were 1,548,000 arrivals from Germany.", true),
            (rates, "The unemployment rate in Valdoria was 5.7%.", false),
            (rates, "The unemployment rate in Valdoria was 7.5%.", true),
            ("Germany 1,845. France 912.", "There were 1,845,000 arrivals from Germany.", true),
        ] {
            let source = SourceText::new(page, "");
            let verdict = judge(&ClaimText::new(claim, ClaimKind::Quantitative), &source, &Settings::default());
            let found = verdict.hard && verdict.standing != Standing::Supported;
            assert_eq!(found, missing, "{claim:?} by {page:?}: {verdict:?}");
        }
    }
}
