//! What is compared: the column whose values a superlative or a comparative is about, and what is told of two rows, or two columns.

use super::account::{Account, MOST_MISSING, TABLED, stands_over};
use super::grid::{Grid, Line};
use super::shown::Shown;
use super::top::{Degree, End};
use crate::case::Case;
use crate::cues::{self, Class};
use crate::years;
use cited_text::Span;
use cited_text::quantity::Quantity;
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
    pub(super) fn by(degree: &Degree, grid: &Grid<'_>, row: usize, shown: &[Option<Shown>]) -> Option<Self> {
        let called = |column: usize| {
            let heads = grid.table.column_heads(column).map(|head| head.of(grid.text()).to_lowercase());
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
    let mut columns = grid.all_columns.iter().filter(stands);
    columns.next().filter(|_| columns.next().is_none()).copied()
}

/// The only column with years below a head that is none.
fn column_of_years(grid: &Grid<'_>) -> Option<usize> {
    let has_year = |row: &usize, column: usize| grid.scaled(*row, column).is_some_and(|q| years::year_of(&q).is_some());
    let of_years =
        |column: &&usize| grid.year_over(**column).is_none() && grid.all_rows.iter().all(|row| has_year(row, **column));
    let mut columns = grid.all_columns.iter().filter(of_years);
    columns.next().filter(|_| columns.next().is_none()).copied()
}

/// Whether a word denies, or says that something else is compared than values of a column: *the largest rise in output*.
pub(super) fn is_of_another_kind(word: &Word) -> bool {
    const KINDS: [Class; 9] = [
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
    // *De* and *um* stand before how much something changed, and before much else.
    KINDS.iter().any(|class| cues::has(word, *class) && !(word.stop && matches!(class, Class::Change)))
}

/// What a table says of a comparison.
pub(super) struct Outcome {
    pub(super) told: Shown,
    /// How the claim says it.
    pub(super) claimed: String,
    pub(super) as_claimed: bool,
    /// Whether the table accounts for all else that the claim says.
    pub(super) surely: bool,
}

/// A comparative of a claim: *more* … *than*.
pub(super) struct Comparative<'c> {
    word: &'c Word,
    degree: Degree,
    /// Before what it is compared with.
    than: &'c Word,
}

/// The only comparative of a claim.
pub(super) fn comparative<'c>(case: &'c Case<'_, '_, '_>) -> Option<Comparative<'c>> {
    let comparative = |(at, word): (usize, &'c Word)| {
        let than = case.words[at + 1..].iter().find(|word| cues::compares(word))?;
        Some(Comparative { word, degree: Degree::of_comparative(case.claim, word)?, than })
    };
    let mut all = case.words.iter().enumerate().filter_map(comparative);
    all.next().filter(|_| all.next().is_none())
}

impl Comparative<'_> {
    /// Which of two columns has to have more for a row to be as the claim says: those of the one time and of the other, *more in 2023 than
    /// in 2022*.
    pub(super) fn columns(&self, grid: &Grid<'_>, case: &Case<'_, '_, '_>) -> Option<(usize, usize)> {
        let [a, b] = grid.columns.as_slice() else { return None };
        let greatest = self.degree.end.map(|end| end == End::Greatest)?;
        let (first, second) = match (self.is_behind(case, a, &grid.columns)?, self.is_behind(case, b, &grid.columns)?) {
            (false, true) => (a.at, b.at),
            (true, false) => (b.at, a.at),
            _ => return None,
        };
        grid.year_over(first).zip(grid.year_over(second))?;
        Some(if greatest { (first, second) } else { (second, first) })
    }

    /// What it says of what is compared.
    pub(super) fn degree(&self) -> &Degree {
        &self.degree
    }

    /// Whether a word is its *than*.
    pub(super) fn is_right_before(&self, word: &Word) -> bool {
        self.than.span == word.span
    }

    /// All of the claim that says so, but for what is compared.
    pub(super) fn spans(&self) -> [Span; 2] {
        [self.word.span, self.than.span]
    }

    /// Whether a row or column is named behind *than*, by the words that not all of them have.
    fn is_behind(&self, case: &Case<'_, '_, '_>, line: &Line, all: &[Line]) -> Option<bool> {
        let own = line.words().iter().filter(|at| all.len() < 2 || !all.iter().all(|line| line.words().contains(at)));
        let spans: Vec<Span> = own.filter_map(|at| case.words.get(*at)).map(|word| word.span).collect();
        let behind = |span: &Span| span.start > self.than.span.start;
        if spans.iter().all(behind) { Some(!spans.is_empty()) } else { (!spans.iter().any(behind)).then_some(false) }
    }
}

/// Whether the one row of a table that the claim names has more, or less, than the others that it names behind *than*, each or together; or
/// than it has itself in another column.
pub(super) fn show(grid: &Grid<'_>, case: &Case<'_, '_, '_>, title: u128) -> Option<Outcome> {
    let comparative = comparative(case)?;
    let naming = grid.naming();
    let mut words = case.words.iter().enumerate().filter(|(at, _)| !naming.contains(at)).map(|(_, word)| word);
    if words.any(|word| is_of_another_kind(word) && word.span != comparative.than.span)
        || grid.rows.iter().any(|row| row.named < 1.0)
    {
        return None;
    }
    // *12% more than*.
    let over = |q: &Quantity| {
        let heads = grid.columns.iter().flat_map(|column| grid.table.column_heads(column.at));
        let rows = grid.rows.iter().flat_map(|row| grid.row_heads(row.at));
        heads.chain(rows).chain(grid.over.iter().copied()).any(|head| stands_over(case, q, head))
    };
    if !case.quantities.iter().all(|q| q.is_label() || over(q)) {
        return None;
    }
    let (left, right, named) = match (comparative.columns(grid, case), grid.rows.as_slice()) {
        (Some((more, less)), [row]) => ((row.at, more), vec![(row.at, less)], 1.0),
        (None, [_, _, ..]) => {
            let mut behind = Vec::new();
            for row in &grid.rows {
                behind.push(comparative.is_behind(case, row, &grid.rows)?);
            }
            let mut first = grid.rows.iter().zip(&behind).filter(|(_, behind)| !**behind).map(|(row, _)| row.at);
            let (row, None) = (first.next()?, first.next()) else { return None };
            let Compared { column, named, end } = Compared::by(&comparative.degree, grid, row, &[])?;
            let others = grid.rows.iter().zip(&behind).filter(|(_, behind)| **behind);
            let others: Vec<(usize, usize)> = others.map(|(row, _)| (row.at, column)).collect();
            let more = matches!(end, End::Greatest | End::Latest);
            return outcome(grid, case, &comparative, title, ((row, column), &others, more, named));
        }
        _ => return None,
    };
    outcome(grid, case, &comparative, title, (left, &right, true, named))
}

/// A cell, those that it is compared with, whether it has to have more, and how surely the claim names their column.
type Sides<'s> = ((usize, usize), &'s [(usize, usize)], bool, f64);

fn outcome(
    grid: &Grid<'_>,
    case: &Case<'_, '_, '_>,
    by: &Comparative<'_>,
    title: u128,
    (left, right, more, named): Sides<'_>,
) -> Option<Outcome> {
    let value = |place: &(usize, usize)| grid.scaled(place.0, place.1);
    let own = value(&left)?;
    let theirs: Option<Vec<Quantity>> = right.iter().map(value).collect();
    let theirs = theirs?;
    let of_years = years::year_of(&own).is_some();
    let kind = |other: &Quantity| {
        (of_years && years::year_of(other).is_some() || own.measure == other.measure) && other.upper.is_none()
    };
    if own.upper.is_some() || theirs.is_empty() || !theirs.iter().all(kind) {
        return None;
    }
    let together = theirs.len() > 1
        && (case.words.iter().any(|word| cues::has(word, Class::Together)) || cues::adds_up_in_a_phrase(case.claim));
    let numbers: Vec<f64> = theirs.iter().map(years::number).collect();
    let numbers = if together { vec![numbers.iter().sum()] } else { numbers };
    let own = years::number(&own);
    if numbers.iter().any(|other| (other - own).abs() <= f64::EPSILON * own.abs()) {
        return None;
    }
    let as_claimed = numbers.iter().all(|other| (own > *other) == more);
    let text = case.index.text();
    let told = |place: &(usize, usize)| grid.span(place.0, place.1).map_or("", |cell| cell.of(text).trim());
    let sign = if numbers.iter().all(|other| own > *other) {
        '>'
    } else if numbers.iter().all(|other| own < *other) {
        '<'
    } else {
        '≷'
    };
    let others: Vec<&str> = right.iter().map(told).collect();
    let written = format!("{} {sign} {}", told(&left), others.join(if together { " + " } else { ", " }));
    let places: Vec<(usize, usize)> = std::iter::once(left).chain(right.iter().copied()).collect();
    let (parts, over) = grid.round(&places);
    let operands = places.iter().filter_map(|(row, column)| grid.span(*row, *column)).collect();
    let granted = by.spans().to_vec();
    let account = Account::new(case, &parts, &over, title, true).granting(case, granted);
    let accounted = account.is_of_the_whole(case, TABLED, MOST_MISSING);
    let surely = named >= 1.0 && account.missing(case) == 0;
    let told = Shown { derived: true, written, operands, parts, over, in_a_table: true, ..Shown::default() };
    let claimed = by.word.span.of(case.claim).to_owned();
    accounted.then_some(Outcome { told, claimed, as_claimed, surely })
}
