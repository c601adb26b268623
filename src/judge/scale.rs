//! Values of tables that say their unit and magnitude in a head: *Employed (thousands)*, *Arrivals (x 1,000)*, *per cent*.
//!
//! Text does not tell which head a figure stands under. So a bare figure of a page with such a head is no proof that a claim's value is
//! missing, or another one: it may be the claim's.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

use super::case::Case;
use super::cells::{self, Cell};
use super::cues::{self, Direction};
use crate::lexicon;
use crate::quantity::{Agreement, Measure, Quantity, Role, compare};
use crate::text::Span;

/// How a head writes that its figures are so many times greater, or in per cent: `data/scales.tsv`.
static HEADS: LazyLock<Vec<(f64, Regex)>> = LazyLock::new(|| {
    let rows = lexicon::rows(include_str!("data/scales.tsv")).map(|row| (row.class, row.written()));
    let mut patterns: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    rows.for_each(|(factor, pattern)| patterns.entry(factor).or_default().push(pattern));
    let mut heads: Vec<(f64, Regex)> = patterns
        .into_iter()
        .filter_map(|(factor, patterns)| {
            let pattern = format!("(?i){}", patterns.join("|"));
            Some((factor.parse().ok()?, Regex::new(&pattern).ok()?))
        })
        .collect();
    heads.sort_by(|a, b| a.0.total_cmp(&b.0));
    heads
});

/// The same without boundaries of words: what it does not find is not there. Boundaries are slow in text that has letters beyond
/// ASCII, where the regular expressions step by step try every way; most pages have such letters and no such head.
static WIDER: LazyLock<Vec<Option<Regex>>> =
    LazyLock::new(|| HEADS.iter().map(|(_, head)| Regex::new(&head.as_str().replace(r"\b", "")).ok()).collect());

/// Of more places of a value the first are looked at: a page may have it in a hundred thousand cells.
const MOST_PLACES: usize = 40;

/// The factor of a head in per cent.
const PER_CENT: f64 = 0.01;

/// Whether a page has figures without a unit that are the claim's value under a head which the page has.
pub(super) fn may_stand_in_a_table(case: &Case<'_, '_, '_>, q: &Quantity) -> bool {
    readings(q).any(|(factor, (head, _))| scales(case).contains(head) && times(case, q, factor).next().is_some())
        || unit_of(case.claim, q)
            .is_some_and(|(unit, _)| MAGNITUDES.iter().any(|magnitude| stands_in_a_row(case, q, magnitude * unit)))
}

/// How many of its unit the figures of a table may be given in.
const MAGNITUDES: [f64; 4] = [1.0, 1e3, 1e6, 1e9];

/// Whether a bare figure in a row of a table is the claim's value when it is multiplied.
fn stands_in_a_row(case: &Case<'_, '_, '_>, q: &Quantity, factor: f64) -> bool {
    times(case, q, factor).take(MOST_PLACES).any(|other| cells::row_at(case.index.text(), other.span).is_some())
}

/// What one of the unit of a measured claim is, and how the claim writes the unit: *kg*, *tonnes*. Heads of tables write it once for all.
fn unit_of<'c>(claim: &'c str, q: &Quantity) -> Option<(f64, &'c str)> {
    let unit = (q.value / q.raw).abs();
    let measured = matches!(q.measure, Measure::Physical(_)) && !q.spelled && q.upper.is_none() && unit.is_finite();
    let written = q.span.of(claim).split_whitespace().next_back()?;
    let word = written.trim_start_matches(|c: char| !c.is_alphabetic());
    (measured && !word.is_empty()).then_some((unit, word))
}

/// Where the claim's value stands in a cell whose row and column the claim names; a bare figure is read by what the head, the label or the line
/// above the table says of it. What something rose or fell *from* stands before the value that it rose or fell to.
pub(super) fn cell_of<'t>(case: &Case<'_, 't, '_>, q: &Quantity) -> Option<(Cell<'t>, Span)> {
    if q.role == Role::From
        && let Some(to) = case.quantities.iter().find(|to| to.role == Role::To && to.span.start > q.span.end)
        && let Some((cell, at)) = cell_of(case, to)
    {
        let line = case.index.text()[..at.start].rfind('\n').map_or(0, |end| end + 1);
        let found = case
            .index
            .quantities_in(Span::new(line, at.start))
            .iter()
            .find(|other| is_read_as(case.claim, q, other, &cell))?;
        return Some((cell, found.span));
    }
    // Most pages have no such value: then no cell is looked at.
    let unit = unit_of(case.claim, q).map(|(unit, _)| unit);
    let in_unit = unit.into_iter().flat_map(|unit| MAGNITUDES.map(|magnitude| magnitude * unit));
    let factors = readings(q).map(|(factor, _)| factor).chain(in_unit);
    let same = case.agreeing(q).filter(|other| compare(q, other) == Agreement::Same);
    let mut like: Vec<&Quantity> = same.chain(factors.flat_map(|factor| times(case, q, factor))).collect();
    like.sort_by_key(|other| other.span.start);
    like.dedup_by_key(|other| other.span.start);
    let named = like.into_iter().take(MOST_PLACES).filter(|other| goes_its_way(case, q, other));
    let mut cells = named.filter_map(|other| Some((cells::named_at(case, other.span)?, other)));
    let (cell, found) = cells.find(|(cell, other)| is_read_as(case.claim, q, other, cell))?;
    Some((cell, found.span))
}

/// Whether a value in a cell is the claim's, by what is said of the cell.
fn is_read_as(claim: &str, q: &Quantity, other: &Quantity, cell: &Cell<'_>) -> bool {
    let said =
        |(factor, (_, head)): (f64, &(f64, Regex))| is_times(q, other, factor) && head.is_match(&cell.said_of_it());
    let bare = other.measure == Measure::Count && !q.has_unit() && is_under_a_head(cell);
    compare(q, other) == Agreement::Same && !bare || readings(q).any(said) || is_in_its_unit(claim, q, other, cell)
}

/// Whether the head, the label or the line above multiplies the figure of a cell.
fn is_under_a_head(cell: &Cell<'_>) -> bool {
    let said = cell.said_of_it();
    HEADS.iter().any(|(factor, head)| *factor > 1.0 && head.is_match(&said))
}

/// Whether the head, the label or the line above has the unit of a claim's value, and with it the bare figure is that value.
fn is_in_its_unit(claim: &str, q: &Quantity, other: &Quantity, cell: &Cell<'_>) -> bool {
    let Some((unit, word)) = unit_of(claim, q) else { return false };
    let said = cell.said_of_it().to_lowercase();
    let word = word.to_lowercase();
    let named =
        said.split(|c: char| !c.is_alphanumeric()).any(|part| part == word || part.trim_end_matches('s') == word);
    let magnitude =
        HEADS.iter().find(|(factor, head)| *factor > 1.0 && head.is_match(&said)).map_or(1.0, |head| head.0);
    named && is_times(q, other, magnitude * unit)
}

/// Whether a bare figure of the page stands in a cell whose head says that it is so many times greater: 12 under *thousands* is not 12.
pub(super) fn is_multiplied(case: &Case<'_, '_, '_>, other: &Quantity) -> bool {
    if other.measure != Measure::Count
        || other.spelled
        || (other.value - other.raw).abs() > f64::EPSILON * other.raw.abs()
    {
        return false;
    }
    let Some(cell) = cells::named_at(case, other.span) else { return false };
    is_under_a_head(&cell)
}

/// What a head may say of a bare figure that is the claim's value: by what it has to be multiplied (1 where both are in per cent), and how that is
/// written.
fn readings(q: &Quantity) -> impl Iterator<Item = (f64, &'static (f64, Regex))> {
    let percent = matches!(q.measure, Measure::Percent | Measure::Points);
    let read = !q.spelled && q.upper.is_none() && (percent || matches!(q.measure, Measure::Count | Measure::Money(_)));
    let heads = HEADS.iter().filter(move |(factor, _)| read && ((factor - PER_CENT).abs() < f64::EPSILON) == percent);
    heads.map(move |head| (if percent { 1.0 } else { head.0 }, head))
}

/// The bare figures of the page that are the claim's value when they are multiplied, in their order.
fn times<'i>(case: &Case<'_, 'i, '_>, q: &Quantity, factor: f64) -> impl Iterator<Item = &'i Quantity> {
    let (value, precision) = divided(q, factor);
    let near = case.index.between(value - precision, value + precision);
    near.into_iter().filter(move |other| is_times(q, other, factor))
}

/// The size of a value, and how far another one may be from it, when both are divided.
fn divided(q: &Quantity, factor: f64) -> (f64, f64) {
    let value = q.value.abs() / factor;
    (value, q.tolerance / factor + 1e-9 * value)
}

/// Whether a bare figure of the page is the claim's value when it is multiplied.
fn is_times(q: &Quantity, other: &Quantity, factor: f64) -> bool {
    let (value, precision) = divided(q, factor);
    other.measure == Measure::Count
        && !other.spelled
        && other.upper.is_none()
        && (other.value.abs() - value).abs() <= precision
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
    let heads = scales(case).iter().copied().filter(|factor| *factor > 1.0);
    std::iter::once(1.0).chain(heads).collect()
}

/// The factors of the heads that the page has.
fn scales<'i>(case: &Case<'_, 'i, '_>) -> &'i [f64] {
    let text = case.index.text();
    let may = |wider: &Option<Regex>| wider.as_ref().is_none_or(|wider| wider.is_match(text));
    let all = || HEADS.iter().zip(WIDER.iter()).filter(|((_, head), wider)| may(wider) && head.is_match(text));
    case.once.scales.get_or_init(|| all().map(|((factor, _), _)| *factor).collect())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::HEADS;
    use crate::claim::ClaimKind;
    use crate::judge::{ClaimText, Settings, SourceText, Standing, judge};
    use crate::lexicon;

    #[test]
    fn every_row_of_the_table_is_read() {
        let factors: BTreeSet<&str> = lexicon::rows(include_str!("data/scales.tsv")).map(|row| row.class).collect();
        assert_eq!(HEADS.len(), factors.len());
    }

    #[test]
    fn what_a_table_has_under_its_head_is_not_missing() {
        let arrivals = "Arrivals by country (x 1,000). Germany 1,845. France 912. Every hotel was asked.";
        let rates = "Unemployment rate (per cent), 2023 and 2024. Valdoria 5.7 5.3. Carrow 4.1 3.9.";
        let ports = "Averill and Tarn together handled 9.5 million tonnes in 2023. Port Tarn is small.\n\n\
            | Port | 2022 (million tonnes) | 2023 (million tonnes) |\n|---|---|---|\n| Averill | 5.9 | 5.6 |\n| Tarn | 4.3 | 3.9 |";
        let weights =
            "| Property | NX-40 | NX-50 |\n|---|---|---|\n| Weight (kg) | 9.5 | 34.2 |\n| Height (mm) | 410 | 455 |";
        for (page, claim, missing) in [
            (ports, "Tarn handled 4.3 million tonnes in 2022.", false),
            (ports, "Tarn handled 3.9 million tonnes in 2023.", false),
            (ports, "Tarn handled 3.7 million tonnes in 2023.", true),
            (weights, "The weight of the NX-50 is 34.2 kg.", false),
            (weights, "The weight of the NX-50 is 32.4 kg.", true),
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
