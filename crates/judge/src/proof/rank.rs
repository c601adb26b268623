//! Who has the most of something, and who the least: a claim names a row and a column, and the column says whether any other row has more.

use std::collections::HashSet;

use super::condition::{Condition, Rows};
use super::grid::{Grid, GridCell};
use super::shown::Shown;
use super::top::{Rank, Top};
use crate::cues::{self, Class};
use cited_text::Span;
use cited_text::quantity::Quantity;
use cited_text::words::Word;

/// So many are compared at least: of one or two nobody says that it has the most.
const FEWEST: usize = 3;

/// Whether the rows that the claim names have the place, from the top or the bottom, that it gives them in the column that it names, or
/// that has the value which it gives with it; where a row is compared with itself, among the years of the row. What shows it or refutes it,
/// with whether it is as the claim says.
pub(super) fn show(grid: &Grid<'_>, top: &Top<'_>, shown: &[Option<Shown>]) -> Option<(Shown, bool)> {
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
    let (column, named, end) = compare_by(top, grid, first, shown)?;
    let greatest = matches!(end, Class::Greatest | Class::Latest);
    let of_years = matches!(end, Class::Earliest | Class::Latest);
    // *The oldest lighthouse of the north coast* is compared with those of that coast.
    let meets = |at: &usize| groups.iter().all(|group| group.met[*at] == Some(true));
    let things: Vec<usize> = (0..things.at.len()).filter(meets).map(|at| things.at[at]).collect();
    let in_rows = things.iter().filter_map(|row| Some(((*row, column), grid.scaled(*row, column)?)));
    let cells = if top.of_itself { in_years(grid, first, column)? } else { in_rows.collect() };
    let value = |row: &usize| cells.iter().find(|(place, _)| *place == (*row, column)).map(|(_, value)| value);
    let own: Option<Vec<&Quantity>> = rows.iter().map(value).collect();
    let own = own?;
    let are_years = cells.iter().all(|(_, value)| value.year().is_some());
    let same = |own: &&Quantity, value: &Quantity| are_years || value.measure == own.measure;
    let kind = |value: &Quantity| own.iter().all(|own| same(own, value)) && value.upper.is_none();
    if cells.len() < FEWEST || !cells.iter().all(|(_, value)| kind(value)) || of_years != are_years {
        return None;
    }
    let at = |value: &Quantity| value.year_or_value();
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
    let is_first = |cells: Vec<Valued>| cells.iter().all(|(_, value)| !beyond(own, value) || value == own);
    let in_its_years = || in_years(grid, *row, column).is_some_and(is_first);
    let surely = || named >= 1.0 && (top.of_itself || !in_its_years());
    if !(as_claimed || too_low && surely()) {
        return None;
    }
    let text = grid.text();
    let written = |(row, column): GridCell| {
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
    let own: Vec<GridCell> = rows.iter().map(|row| (*row, column)).collect();
    let cells = own.iter().copied().chain(further.iter().map(|(place, _)| *place));
    Some((grid.show(told, cells, &own), as_claimed))
}

/// Whether a claim denies, ranks below the top, or speaks of a change or a share where the heads do not: *the largest rise in output*.
fn compares_something_else(grid: &Grid<'_>, top: &Top<'_>, groups: &[Condition]) -> bool {
    use Class::{Change, Down, Gap, Mean, Nearly, Negator, OneOf, Per, Rank, Share, Than, Up};
    const OTHERS: [Class; 12] = [Negator, Up, Down, Change, Share, Per, Mean, Gap, Than, Rank, OneOf, Nearly];
    // *De* and *um* stand before how much something changed, and before much else.
    let is_of = |word: &Word, class| cues::has(word, class) && !(word.stop && matches!(class, Change));
    let case = grid.case;
    let naming = grid.naming();
    let in_a_group = |span: Span| groups.iter().any(|group| group.spans.iter().any(|own| own.overlaps(span)));
    let told = |at: &usize, span: Span| naming.contains(at) || span.overlaps(top.span) || in_a_group(span);
    let mut words = case.claim.words.iter().enumerate().filter(|(at, word)| !told(at, word.span));
    let others = words.any(|(_, word)| OTHERS.into_iter().any(|class| is_of(word, class)));
    let counts = |q: &Quantity| !q.is_measured() && !q.is_temporal() && !q.is_label() && !q.span.overlaps(top.span);
    others || cues::moves_in_a_phrase(case.claim.text) || case.claim.quantities.iter().any(counts)
}

/// A cell of a table by its row and column, with its value.
type Valued = (GridCell, Quantity);

/// The values of a row by years, where `column` is one of them and each year has one column: *output in Tarn was the highest in 2022* may
/// compare years.
fn in_years(grid: &Grid<'_>, row: usize, column: usize) -> Option<Vec<Valued>> {
    grid.year_over(column)?;
    let columns = || grid.all_columns.iter().filter_map(|column| Some((*column, grid.year_over(*column)?)));
    let distinct: HashSet<i32> = columns().map(|(_, year)| year).collect();
    let values = columns().filter_map(|(column, _)| Some(((row, column), grid.scaled(row, column)?)));
    (distinct.len() == columns().count()).then(|| values.collect())
}

/// The column that is compared, how surely the claim names it, and which end of it is meant: the column that is called after a superlative
/// (*the deepest* in *depth*), that the claim names, that has the value which the claim gives of a row, or the only one of years.
fn compare_by(top: &Top<'_>, grid: &Grid<'_>, row: usize, shown: &[Option<Shown>]) -> Option<(usize, f64, Class)> {
    let called = |column: usize| {
        let heads = grid.table.column_heads(column).map(|head| head.slice(grid.text()).to_lowercase());
        let heads: Vec<String> = heads.collect();
        let words = || heads.iter().flat_map(|head| head.split(|c: char| !c.is_alphabetic()));
        let is_of = |(quality, _): &&(&str, bool)| words().any(|word| word.ends_with(quality));
        let (_, greatest) = top.qualities.iter().find(is_of)?;
        Some((column, 1.0, if *greatest { Class::Greatest } else { Class::Least }))
    };
    let mut all: Vec<(usize, f64, Class)> = grid.all_columns.iter().filter_map(|column| called(*column)).collect();
    if all.len() > 1 {
        all.retain(|(at, ..)| grid.columns.iter().any(|column| column.at == *at));
        return all.pop().filter(|_| all.is_empty());
    }
    if let Some(only) = all.pop() {
        return Some(only);
    }
    let end = top.end?;
    // The only column with years below a head that is none.
    let is_year = |row, column| grid.scaled(row, column).is_some_and(|q| q.year().is_some());
    let of_years =
        |column: &&usize| grid.year_over(**column).is_none() && grid.all_rows.iter().all(|row| is_year(*row, **column));
    let only = || crate::only::only(grid.all_columns.iter().filter(of_years)).copied();
    let its_years = || only().filter(|_| matches!(end, Class::Earliest | Class::Latest));
    // The column of the cell of the row that has a value of the claim.
    let stands = |column: &&usize| {
        let cell = grid.span(row, **column);
        let is_it = |one: &Shown| one.in_a_table && !one.derived && one.operands.first() == cell.as_ref();
        cell.is_some() && shown.iter().flatten().any(is_it)
    };
    let with_value = crate::only::only(grid.all_columns.iter().filter(stands)).copied();
    let (column, named) = match (grid.columns.as_slice(), with_value) {
        ([column], _) => (column.at, column.named),
        (_, Some(column)) => (column, 0.0),
        _ => (its_years()?, 1.0),
    };
    Some((column, named, end))
}
