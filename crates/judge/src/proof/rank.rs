//! Who has the most of something, and who the least: a claim names a row and a column, and the column says whether any other row has more.

use std::collections::HashSet;

use super::compared::{Compared, is_of_another_kind};
use super::condition::{Condition, Rows};
use super::grid::Grid;
use super::shown::Shown;
use super::top::{End, Rank, Top};
use crate::cues::{self, Class};
use crate::years;
use cited_text::Span;
use cited_text::quantity::Quantity;

/// So many are compared at least: of one or two nobody says that it has the most.
const FEWEST: usize = 3;

/// What a table says of a superlative.
pub(super) struct Ranked {
    pub(super) shown: Shown,
    /// Whether the row of the claim is at the top.
    pub(super) as_claimed: bool,
}

/// Whether the rows that the claim names have the place, from the top or the bottom, that it gives them in the column that it names, or
/// that has the value which it gives with it; where a row is compared with itself, among the years of the row.
pub(super) fn show(grid: &Grid<'_>, top: &Top<'_>, shown: &[Option<Shown>]) -> Option<Ranked> {
    let rows: Vec<usize> = grid.rows.iter().map(|row| row.at).collect();
    let named = match top.rank {
        Rank::At(_) => rows.len() == 1,
        Rank::Within(first) => (1..=first).contains(&rows.len()),
        Rank::Near => false,
    };
    // *Ardglen Castle* is not *Ardglen*.
    let things = Rows { grid, at: grid.things() };
    let groups = things.categories()?;
    let named = named && grid.rows.iter().all(|row| row.named >= 1.0);
    if !named || compares_something_else(grid, top, &groups) {
        return None;
    }
    let first = *rows.first()?;
    let Compared { column, named, end } = Compared::compare_by(&top.degree, grid, first, shown)?;
    let greatest = matches!(end, End::Greatest | End::Latest);
    let of_years = matches!(end, End::Earliest | End::Latest);
    // *The oldest lighthouse of the north coast* is compared with those of that coast.
    let meets = |at: &usize| groups.iter().all(|group| group.met[*at] == Some(true));
    let things: Vec<usize> = (0..things.at.len()).filter(meets).map(|at| things.at[at]).collect();
    let cells = if top.of_itself { in_years(grid, first, column)? } else { values(grid, &things, column) };
    let value = |row: &usize| cells.iter().find(|(place, _)| *place == (*row, column)).map(|(_, value)| value);
    let own: Option<Vec<&Quantity>> = rows.iter().map(value).collect();
    let own = own?;
    let are_years = cells.iter().all(|(_, value)| years::year_of(value).is_some());
    let same = |own: &&Quantity, value: &Quantity| are_years || value.measure == own.measure;
    let kind = |value: &Quantity| own.iter().all(|own| same(own, value)) && value.upper.is_none();
    if cells.len() < FEWEST || !cells.iter().all(|(_, value)| kind(value)) || of_years != are_years {
        return None;
    }
    let at = |value: &Quantity| years::number(value);
    let beyond = |own: &Quantity, value: &Quantity| if greatest { at(value) >= at(own) } else { at(value) <= at(own) };
    // The one of them that is furthest from the top.
    let (row, own) = rows.iter().zip(own).reduce(|a, b| if beyond(b.1, a.1) { b } else { a })?;
    let others = || cells.iter().filter(|(place, _)| *place != (*row, column));
    let further: Vec<&Valued> = others().filter(|(_, value)| beyond(own, value)).collect();
    // A tie is no proof, and no refutation.
    if further.iter().any(|(_, value)| (at(value) - at(own)).abs() <= f64::EPSILON * at(own).abs()) {
        return None;
    }
    let (as_claimed, too_low) = match top.rank {
        Rank::At(place) => (further.len() + 1 == place, further.len() + 1 > place),
        Rank::Within(first) => (further.len() < first, further.len() >= first),
        Rank::Near => return None,
    };
    let surely = || {
        let in_its_years = || {
            in_years(grid, *row, column)
                .is_some_and(|cells| cells.iter().all(|(_, value)| !beyond(own, value) || value == own))
        };
        named >= 1.0 && (top.of_itself || !in_its_years())
    };
    if !(as_claimed || too_low && surely()) {
        return None;
    }
    let text = grid.text();
    let written = |(row, column): (usize, usize)| {
        let head = if top.of_itself { grid.table.column_heads(column).last() } else { grid.row_heads(row).last() };
        let head = head.map_or("", |head| head.slice(text).trim());
        grid.span(row, column).map(|cell| format!("{} ({head})", cell.slice(text).trim())).unwrap_or_default()
    };
    let mine = written((*row, column));
    let told = match (top.rank, further.first()) {
        (Rank::At(1), None) => format!("{mine} {} {} others", if greatest { '>' } else { '<' }, cells.len() - 1),
        (Rank::At(1), Some((place, _))) => format!("{mine} {} {}", if greatest { '<' } else { '>' }, written(*place)),
        _ => format!("{mine} is number {} of {}", further.len() + 1, cells.len()),
    };
    let places = rows.iter().map(|row| (*row, column)).chain(further.iter().map(|(place, _)| *place));
    let operands = places.filter_map(|(row, column)| grid.span(row, column)).collect();
    let (parts, over) = grid.round(&rows.iter().map(|row| (*row, column)).collect::<Vec<_>>());
    let told = Shown { derived: true, written: told, operands, parts, over, in_a_table: true, ..Shown::default() };
    Some(Ranked { shown: told, as_claimed })
}

/// Whether a claim denies, ranks below the top, or speaks of a change or a share where the heads do not: *the largest rise in output*.
fn compares_something_else(grid: &Grid<'_>, top: &Top<'_>, groups: &[Condition]) -> bool {
    let case = grid.case;
    const BELOW: [Class; 3] = [Class::Rank, Class::OneOf, Class::Nearly];
    let naming = grid.naming();
    let in_a_group = |span: Span| groups.iter().any(|group| group.spans.iter().any(|own| own.overlaps(span)));
    let told = |at: &usize, span: Span| naming.contains(at) || span.overlaps(top.span) || in_a_group(span);
    let mut words = case.words.iter().enumerate().filter(|(at, word)| !told(at, word.span));
    let others =
        words.any(|(_, word)| is_of_another_kind(word) || BELOW.into_iter().any(|class| cues::has(word, class)));
    others
        || cues::moves_in_a_phrase(case.claim)
        || case
            .quantities
            .iter()
            .any(|q| !q.is_measured() && !q.is_temporal() && !q.is_label() && !q.span.overlaps(top.span))
}

/// A cell of a table by its row and column, with its value.
type Valued = ((usize, usize), Quantity);

/// The values of a column in some rows.
fn values(grid: &Grid<'_>, rows: &[usize], column: usize) -> Vec<Valued> {
    rows.iter().filter_map(|row| Some(((*row, column), grid.scaled(*row, column)?))).collect()
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
