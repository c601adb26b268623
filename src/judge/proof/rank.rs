//! Who has the most of something, and who the least: a claim names a row and a column, and the column says whether any other row has more.

use super::grid::{Grid, Line};
use super::shown::Shown;
use super::top::Top;
use crate::judge::case::Case;
use crate::judge::cues::{self, Class};
use crate::quantity::Quantity;

/// So many rows are compared at least: of one or two nobody says that it has the most.
const FEWEST_ROWS: usize = 3;
/// A row is the total of the others when it differs from their sum by this part at most.
const ROUNDED: f64 = 0.005;

/// What a table says of a superlative.
pub(super) struct Ranked {
    pub(super) told: Shown,
    /// Whether the row of the claim is at the top.
    pub(super) as_claimed: bool,
}

/// Whether the row that the claim names has the most, or the least, in the column that it names.
pub(super) fn show(grid: &Grid<'_>, case: &Case<'_, '_, '_>, top: &Top<'_>) -> Option<Ranked> {
    let greatest = top.greatest?;
    let ([row], [column]) = (grid.rows.as_slice(), grid.columns.as_slice()) else { return None };
    if compares_something_else(grid, case, top) {
        return None;
    }
    let values = values(grid, column.at);
    let own = values.iter().find(|(at, _)| *at == row.at).map(|(_, value)| value)?;
    let kind = values.iter().all(|(_, value)| value.measure == own.measure && value.upper.is_none());
    if values.len() < FEWEST_ROWS || !kind {
        return None;
    }
    let beyond = |value: &Quantity| if greatest { value.value >= own.value } else { value.value <= own.value };
    let outdone = values.iter().find(|(at, value)| *at != row.at && beyond(value));
    let surely = row.named >= 1.0 && column.named >= 1.0 && !is_the_top_of_its_row(grid, row, column.at, greatest);
    if outdone.is_some() && !surely {
        return None;
    }
    // A tie is no proof, and no refutation.
    if outdone.is_some_and(|(_, value)| (value.value - own.value).abs() <= f64::EPSILON * own.value.abs()) {
        return None;
    }
    let text = case.index.text();
    let places: Vec<(usize, usize)> =
        std::iter::once(row.at).chain(outdone.map(|(at, _)| *at)).map(|at| (at, column.at)).collect();
    let written = |(row, column): &(usize, usize)| {
        let heads: Vec<&str> = grid.row_heads(*row).map(|head| head.of(text).trim()).collect();
        Some(format!("{} ({})", grid.span(*row, *column)?.of(text).trim(), heads.join(", ")))
    };
    let written: Vec<String> = places.iter().filter_map(written).collect();
    let sign = if outdone.is_some() == greatest { " < " } else { " > " };
    let written = if outdone.is_some() {
        written.join(sign)
    } else {
        format!("{}{sign}{} others", written.concat(), values.len() - 1)
    };
    let own_place = [(row.at, column.at)];
    let operands = places.iter().filter_map(|(row, column)| grid.span(*row, *column)).collect();
    let (parts, over) = grid.round(&own_place);
    let told = Shown { derived: true, written, operands, parts, over, in_a_table: true, ..Shown::default() };
    Some(Ranked { told, as_claimed: outdone.is_none() })
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

/// The values of a column by their rows, without that of a row that has their sum.
fn values(grid: &Grid<'_>, column: usize) -> Vec<(usize, Quantity)> {
    let mut values: Vec<(usize, Quantity)> =
        grid.all_rows.iter().filter_map(|row| Some((*row, grid.scaled(*row, column)?))).collect();
    let sum: f64 = values.iter().map(|(_, value)| value.value).sum();
    let is_total = |value: f64| value != 0.0 && (sum - 2.0 * value).abs() <= ROUNDED * value.abs();
    if values.len() > FEWEST_ROWS
        && let Some(total) = values.iter().position(|(_, value)| is_total(value.value))
    {
        values.remove(total);
    }
    values
}

/// Whether a cell has the most of its row among those of other years: *output in Tarn was the highest in 2022* may compare years.
fn is_the_top_of_its_row(grid: &Grid<'_>, row: &Line, column: usize, greatest: bool) -> bool {
    let value = |column: usize| grid.scaled(row.at, column);
    let (Some(own), Some(_)) = (value(column), grid.year_over(column)) else { return false };
    let years = grid.all_columns.iter().filter(|other| **other != column && grid.year_over(**other).is_some());
    let others = years.filter_map(|other| value(*other));
    let mut others = others.filter(|other| other.measure == own.measure).peekable();
    others.peek().is_some()
        && others.all(|other| if greatest { other.value <= own.value } else { other.value >= own.value })
}
