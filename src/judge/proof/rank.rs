//! Who has the most of something, and who the least: a claim names a row and a column, and the column says whether any other row has more.

use std::collections::HashSet;

use super::grid::Grid;
use super::shown::Shown;
use super::top::{End, Top};
use crate::judge::case::Case;
use crate::judge::cues::{self, Class};
use crate::judge::years;
use crate::quantity::Quantity;

/// So many are compared at least: of one or two nobody says that it has the most.
const FEWEST: usize = 3;
/// A row is the total of the others when it differs from their sum by this part at most.
const ROUNDED: f64 = 0.005;

/// What a table says of a superlative.
pub(super) struct Ranked {
    pub(super) told: Shown,
    /// Whether the row of the claim is at the top.
    pub(super) as_claimed: bool,
}

/// Whether the row that the claim names has the most, or the least, in the column that it names, or that has the value which it gives with
/// it; where it is compared with itself, among the years of its row.
pub(super) fn show(grid: &Grid<'_>, case: &Case<'_, '_, '_>, top: &Top<'_>, shown: &[Option<Shown>]) -> Option<Ranked> {
    let end = top.end?;
    let greatest = matches!(end, End::Greatest | End::Latest);
    // *Ardglen Castle* is not *Ardglen*.
    let [row] = grid.rows.as_slice() else { return None };
    if row.named < 1.0 || compares_something_else(grid, case, top) {
        return None;
    }
    let (column, named) = match grid.columns.as_slice() {
        [column] => (column.at, column.named),
        _ => (column_of(grid, row.at, shown)?, 0.0),
    };
    let cells = if top.of_itself { in_years(grid, row.at, column)? } else { values(grid, column) };
    let own = cells.iter().find(|(place, _)| *place == (row.at, column)).map(|(_, value)| value)?;
    let kind = cells.iter().all(|(_, value)| value.measure == own.measure && value.upper.is_none());
    let of_years = matches!(end, End::Earliest | End::Latest);
    let are_years = cells.iter().all(|(_, value)| years::year_of(value).is_some());
    if cells.len() < FEWEST || !kind || of_years != are_years {
        return None;
    }
    let beyond = |value: &Quantity| if greatest { value.value >= own.value } else { value.value <= own.value };
    let outdone = cells.iter().find(|(place, value)| *place != (row.at, column) && beyond(value));
    let surely = || {
        let in_its_years = || {
            in_years(grid, row.at, column)
                .is_some_and(|cells| cells.iter().all(|(_, value)| !beyond(value) || value == own))
        };
        named >= 1.0 && (top.of_itself || !in_its_years())
    };
    // A tie is no proof, and no refutation.
    let tie =
        |(_, value): &&((usize, usize), Quantity)| (value.value - own.value).abs() <= f64::EPSILON * own.value.abs();
    if outdone.is_some_and(|other| tie(&other)) || outdone.is_some() && !surely() {
        return None;
    }
    let text = case.index.text();
    let written = |(row, column): (usize, usize)| {
        let head = if top.of_itself { grid.table.column_heads(column).last() } else { grid.row_heads(row).last() };
        let head = head.map_or("", |head| head.of(text).trim());
        grid.span(row, column).map(|cell| format!("{} ({head})", cell.of(text).trim())).unwrap_or_default()
    };
    let sign = if outdone.is_some() == greatest { '<' } else { '>' };
    let others = outdone.map_or_else(|| format!("{} others", cells.len() - 1), |(place, _)| written(*place));
    let written = format!("{} {sign} {others}", written((row.at, column)));
    let places = std::iter::once((row.at, column)).chain(outdone.map(|(place, _)| *place));
    let operands = places.filter_map(|(row, column)| grid.span(row, column)).collect();
    let (parts, over) = grid.round(&[(row.at, column)]);
    let told = Shown { derived: true, written, operands, parts, over, in_a_table: true, ..Shown::default() };
    Some(Ranked { told, as_claimed: outdone.is_none() })
}

/// The column of the cell of a row that has a value of the claim.
fn column_of(grid: &Grid<'_>, row: usize, shown: &[Option<Shown>]) -> Option<usize> {
    let stands = |column: &&usize| {
        let cell = grid.span(row, **column);
        let is_it = |one: &Shown| one.in_a_table && !one.derived && one.operands.first() == cell.as_ref();
        cell.is_some() && shown.iter().flatten().any(is_it)
    };
    let mut columns = grid.all_columns.iter().filter(stands);
    columns.next().filter(|_| columns.next().is_none()).copied()
}

/// Whether a claim denies, ranks below the top, or speaks of a change or a share where the heads do not: *the largest rise in output*.
fn compares_something_else(grid: &Grid<'_>, case: &Case<'_, '_, '_>, top: &Top<'_>) -> bool {
    const OTHERS: [Class; 9] = [
        Class::Negator,
        Class::Up,
        Class::Down,
        Class::Change,
        Class::Share,
        Class::Per,
        Class::Mean,
        Class::Gap,
        Class::Than,
    ];
    const BELOW: [Class; 3] = [Class::Rank, Class::OneOf, Class::Nearly];
    let naming = grid.naming();
    let mut words =
        case.words.iter().enumerate().filter(|(at, word)| !naming.contains(at) && word.span != top.word.span);
    let others = words.any(|(_, word)| OTHERS.into_iter().chain(BELOW).any(|class| cues::has(word, class)));
    others
        || cues::moves_in_a_phrase(case.claim)
        || case.quantities.iter().any(|q| !q.is_measured() && !q.is_temporal())
}

/// A cell of a table by its row and column, with its value.
type Valued = ((usize, usize), Quantity);

/// The values of a column, without that of a row that has their sum.
fn values(grid: &Grid<'_>, column: usize) -> Vec<Valued> {
    let mut values: Vec<Valued> =
        grid.all_rows.iter().filter_map(|row| Some(((*row, column), grid.scaled(*row, column)?))).collect();
    let sum: f64 = values.iter().map(|(_, value)| value.value).sum();
    let is_total = |value: f64| value != 0.0 && (sum - 2.0 * value).abs() <= ROUNDED * value.abs();
    if values.len() > FEWEST
        && let Some(total) = values.iter().position(|(_, value)| is_total(value.value))
    {
        values.remove(total);
    }
    values
}

/// The values of a row by years, where `column` is one of them and each year has one column: *output in Tarn was the highest in 2022* may
/// compare years.
fn in_years(grid: &Grid<'_>, row: usize, column: usize) -> Option<Vec<Valued>> {
    grid.year_over(column)?;
    let columns = || grid.all_columns.iter().filter_map(|column| Some((*column, grid.year_over(*column)?)));
    let distinct: HashSet<i32> = columns().map(|(_, year)| year).collect();
    let values = columns().filter_map(|(column, _)| Some(((row, column), grid.scaled(row, column)?)));
    (distinct.len() == columns().count()).then(|| values.collect())
}
