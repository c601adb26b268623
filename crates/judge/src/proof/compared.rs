//! What is compared: the column whose values a superlative is about.

use super::grid::Grid;
use super::shown::Shown;
use super::top::{Degree, End};
use crate::cues::{self, Class};
use crate::years;
use cited_text::words::Word;

/// The column that is compared.
pub(super) struct Compared {
    pub(super) column: usize,
    /// How surely the claim names it.
    pub(super) named: f64,
    pub(super) end: End,
}

impl Compared {
    /// The column that is called after a degree (*the deepest* in *depth*), that the claim names, that has the value which the claim gives of
    /// a row, or the only one of years.
    pub(super) fn compare_by(degree: &Degree, grid: &Grid<'_>, row: usize, shown: &[Option<Shown>]) -> Option<Self> {
        let called = |column: usize| {
            let heads = grid.table.column_heads(column).map(|head| head.slice(grid.text()).to_lowercase());
            let heads: Vec<String> = heads.collect();
            let words = || heads.iter().flat_map(|head| head.split(|c: char| !c.is_alphabetic()));
            let is_of = |(quality, _): &&(&str, bool)| words().any(|word| word.ends_with(quality));
            let (_, greatest) = degree.qualities.iter().find(is_of)?;
            Some(Compared { column, named: 1.0, end: if *greatest { End::Greatest } else { End::Least } })
        };
        let mut all: Vec<Self> = grid.all_columns.iter().filter_map(|column| called(*column)).collect();
        if all.len() > 1 {
            all.retain(|one| grid.columns.iter().any(|column| column.at == one.column));
            return all.pop().filter(|_| all.is_empty());
        }
        if let Some(only) = all.pop() {
            return Some(only);
        }
        let end = degree.end?;
        let its_years = || column_of_years(grid).filter(|_| matches!(end, End::Earliest | End::Latest));
        let (column, named) = match (grid.columns.as_slice(), column_of(grid, row, shown)) {
            ([column], _) => (column.at, column.named),
            (_, Some(column)) => (column, 0.0),
            _ => (its_years()?, 1.0),
        };
        Some(Compared { column, named, end })
    }
}

/// The column of the cell of a row that has a value of the claim.
fn column_of(grid: &Grid<'_>, row: usize, shown: &[Option<Shown>]) -> Option<usize> {
    let stands = |column: &&usize| {
        let cell = grid.span(row, **column);
        let is_it = |one: &Shown| one.in_a_table && !one.derived && one.operands.first() == cell.as_ref();
        cell.is_some() && shown.iter().flatten().any(is_it)
    };
    crate::only::only(grid.all_columns.iter().filter(stands)).copied()
}

/// The only column with years below a head that is none.
fn column_of_years(grid: &Grid<'_>) -> Option<usize> {
    let has_year = |row: &usize, column: usize| grid.scaled(*row, column).is_some_and(|q| years::year_of(&q).is_some());
    let of_years =
        |column: &&usize| grid.year_over(**column).is_none() && grid.all_rows.iter().all(|row| has_year(row, **column));
    crate::only::only(grid.all_columns.iter().filter(of_years)).copied()
}

/// Whether a word denies, or says that something else is compared than values of a column: *the largest rise in output*.
pub(super) fn is_of_another_kind(word: &Word) -> bool {
    use Class::{Change, Down, Gap, Mean, Negator, Per, Share, Than, Up};
    let mut kinds = [Negator, Up, Down, Change, Share, Per, Mean, Gap, Than].into_iter();
    // *De* and *um* stand before how much something changed, and before much else.
    kinds.any(|class| cues::has(word, class) && !(word.stop && matches!(class, Change)))
}
