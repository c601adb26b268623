//! A table beside a claim: which of its rows and columns the claim names, by the words that tell them from the others.

use std::collections::HashSet;
use std::sync::PoisonError;

use super::account::{is_alike, words_in};
use super::shown::Shown;
use crate::case::Case;
use crate::cues::{self, Class};
use crate::evidence::{ContextKind, Table};
use cited_text::Span;
use cited_text::quantity::{Measure, Quantity};
use cited_text::words::Word;

/// A row or column is named by this part of the words of its head that tell it from the others.
const NAMED: f64 = 0.5;
/// A word in the heads of this part of the rows or columns tells nothing of one of them.
const SHARED: f64 = 0.6;
/// Larger tables are data for programs.
const MOST_CELLS: usize = 4_000;
/// A claim that names more rows or columns speaks of none of them.
const MOST_NAMED: usize = 6;

/// A row or a column that the claim names.
#[derive(Debug, Clone)]
pub(super) struct Line {
    /// Its place in the table.
    pub(super) at: usize,
    /// The part of its telling words that the claim has.
    pub(super) named: f64,
    /// These words, by their places in the claim, ascending.
    pub(super) words: Vec<usize>,
}

impl Line {
    /// Whether a value of the claim is part of its name: *version 3.2*.
    pub(super) fn is_named_by(&self, case: &Case<'_>, q: &Quantity) -> bool {
        // Its unit may stand in the head of a column: *126 m²*.
        let figure = |word: &Word| (word.span.start..word.span.end).contains(&q.span.start);
        self.words.iter().filter_map(|at| case.claim.words.get(*at)).any(figure)
    }
}

/// A row and a column.
pub(super) type GridCell = (usize, usize);

/// A table beside a claim.
pub(super) struct Grid<'t> {
    pub(super) case: &'t Case<'t>,
    number: usize,
    pub(super) table: &'t Table,
    /// The rows that the claim names.
    pub(super) rows: Vec<Line>,
    /// The columns with values that it names.
    pub(super) columns: Vec<Line>,
    /// All rows below the heads.
    pub(super) all_rows: Vec<usize>,
    /// All columns with values.
    pub(super) all_columns: Vec<usize>,
    /// The column that names the rows, where it is not that of their labels.
    names: Option<usize>,
    /// What stands over the whole table: headings, titles, the head over the labels.
    pub(super) over: Vec<Span>,
}

/// What a row that stands for others is called by: *all districts*, *mean*, *together*.
const OF_OTHERS: [Class; 3] = [Class::All, Class::Mean, Class::Together];

/// A row is the total of the others when it differs from their sum by this part at most …
const ROUNDED: f64 = 0.005;
/// … and there are more than so many.
const FEWEST: usize = 3;

/// So many tables, those of which a row with its heads has most of the claim, are read.
const MOST_GRIDS: usize = 6;

/// Figures that are no further apart are the same.
const SAME_FIGURES: f64 = 1e-6;

/// What it counts that a table has a figure of the claim, beside the part of its words.
const FIGURES: f64 = 0.3;

/// The tables of a page that have most of the claim.
pub(super) fn grids<'t>(case: &'t Case<'t>) -> Vec<Grid<'t>> {
    let evidence = case.source.evidence();
    let weigh = |table: &Table| {
        let sentences = |span: Span| {
            let last = case.source.index.sentence_at(span.end.saturating_sub(1).max(span.start));
            (case.source.index.sentence_at(span.start), last)
        };
        let (first, last) = sentences(table.span);
        let heads = table.head_rows().flat_map(|row| &row.cells);
        let over = heads.map(|cell| cell.span).chain(table.titles.iter().copied()).filter(|span| !span.is_empty());
        let over = over.map(sentences).fold(0, |all, (first, last)| all | case.lookup.mask(first, last));
        let rows = case.lookup.sentences(first, last).map(|(_, mask)| case.lookup.weigh(mask | over));
        rows.fold(case.lookup.weigh(over), f64::max)
    };
    // One that has the claim's figures comes first, whatever their magnitude.
    let leading = |q: &Quantity| q.raw.abs() / 10f64.powf(q.raw.abs().log10().floor());
    let amounts = case.claim.quantities.iter().filter(|q| !q.is_temporal() && !q.is_label() && q.raw != 0.0);
    let all = case.source.leading.get_or_init(|| {
        let figures = case.source.index.quantities.iter().filter(|other| other.raw != 0.0);
        let mut all: Vec<(f64, usize)> = figures.map(|other| (leading(other), other.span.start)).collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        all
    });
    let with_figures = |own: f64| {
        let from = all.partition_point(|(other, _)| *other < own - SAME_FIGURES);
        let rest = all.get(from..).unwrap_or_default().iter();
        rest.take_while(move |(other, _)| *other <= own + SAME_FIGURES)
            .filter(move |(other, _)| (own - other).abs() < SAME_FIGURES)
    };
    let mut figures: Vec<usize> = amounts.map(leading).flat_map(with_figures).map(|(_, at)| *at).collect();
    figures.sort_unstable();
    let has_figures = |table: &Table| {
        let from = figures.partition_point(|at| *at < table.span.start);
        figures.get(from).is_some_and(|at| *at < table.span.end)
    };
    let rank = |table: &Table| weigh(table) + if has_figures(table) { FIGURES } else { 0.0 };
    let mut tables: Vec<(f64, usize)> =
        evidence.tables.iter().enumerate().map(|(number, table)| (rank(table), number)).collect();
    // Of few tables one may be meant that has the words in other forms.
    tables.retain(|(weight, _)| *weight > 0.0 || evidence.tables.len() <= MOST_GRIDS);
    tables.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    tables.truncate(MOST_GRIDS);
    tables.sort_by_key(|(_, number)| *number);
    tables.into_iter().filter_map(|(_, number)| Grid::new(case, number)).collect()
}

impl<'t> Grid<'t> {
    fn new(case: &'t Case<'t>, number: usize) -> Option<Self> {
        let table = case.source.evidence().tables.get(number)?;
        if table.rows.len() * table.columns > MOST_CELLS {
            return None;
        }
        let all_rows: Vec<usize> = table.body().map(|(at, _)| at).collect();
        let has_values = |column: &usize| {
            let cells: Vec<Span> =
                table.column(*column).map(|(_, cell)| cell).filter(|cell| !cell.is_empty()).collect();
            // *WB-101* is a name.
            let has_value = |cell: &&Span| case.source.index.quantities_in(**cell).iter().any(|q| !q.is_label());
            let valued = cells.iter().filter(has_value).count();
            // Beside a name may stand anything: *Built: 1874*, *Keeper: Harald Moen*.
            valued * 2 > cells.len() || table.columns == 2 && *column == 1 && valued > 0
        };
        let all_columns: Vec<usize> = (0..table.columns).filter(has_values).collect();
        // What stands over a group of rows tells none of them from the others of the group, but from those of other groups.
        let row_heads = all_rows.iter().map(|row| (*row, table.row_heads(*row).collect())).collect();
        let column_heads = all_columns.iter().map(|column| (*column, table.column_heads(*column).collect())).collect();
        let (mut rows, columns) = (find_named(case, row_heads), find_named(case, column_heads));
        // Behind keys and ranks stands what people call a row.
        let mut others = (0..table.columns).filter(|column| rows.is_empty() && !all_columns.contains(column));
        let named = others.find_map(|column| Some((named_in(case, table, column)?, column)));
        let names = named.as_ref().map(|(_, column)| *column);
        rows = named.map_or(rows, |(rows, _)| rows);
        if rows.len() > MOST_NAMED || columns.len() > MOST_NAMED {
            return None;
        }
        let unit = case.source.evidence().unit_at(table.span.start);
        let headings = unit.into_iter().flat_map(|unit| unit.hangs_on(ContextKind::Heading));
        let over = headings.chain(table.titles.iter().copied()).chain(table.corner()).collect();
        Some(Grid { case, number, table, rows, columns, all_rows, all_columns, names, over })
    }

    /// Whether a value of the claim is part of the name of a row or column: *version 3.2*.
    pub(super) fn is_named_by(&self, q: &Quantity) -> bool {
        self.rows.iter().chain(&self.columns).any(|line| line.is_named_by(self.case, q))
    }

    /// The places of the claim's words that name rows and columns.
    pub(super) fn naming(&self) -> Vec<usize> {
        self.rows.iter().chain(&self.columns).flat_map(|line| line.words.iter().copied()).collect()
    }

    /// Those of some rows or columns that the claim names next to a value, by the words that not all of them have.
    pub(super) fn nearest<'l>(&self, lines: &'l [Line], q: &Quantity) -> Vec<&'l Line> {
        let own = |line: &Line| -> Option<usize> {
            let telling = line.words.iter().filter(|word| !lines.iter().all(|other| other.words.contains(word)));
            let spans = telling.filter_map(|word| self.case.claim.words.get(*word)).map(|word| word.span);
            let away = |span: Span| span.start.saturating_sub(q.span.end).max(q.span.start.saturating_sub(span.end));
            spans.map(away).min()
        };
        if lines.len() < 2 {
            return lines.iter().collect();
        }
        let least = lines.iter().filter_map(own).min();
        lines.iter().filter(|line| own(line) == least).collect()
    }

    /// The one value of a cell, for a value of the claim. What a title makes of the figures of a table holds for those that are of its kind: beside
    /// *output (tonnes)* may stand a column of mills.
    pub(super) fn value(&self, q: &Quantity, row: usize, column: usize) -> Option<Quantity> {
        let scaled = self.scaled(row, column)?;
        let mut heads = self.table.column_heads(column).chain(self.table.row_heads(row));
        if q.measure != Measure::Count || scaled.measure == Measure::Count || heads.any(|head| self.has_scale(head)) {
            return Some(scaled);
        }
        match self.case.source.index.quantities_in(self.span(row, column)?) {
            [bare] if bare.measure == Measure::Count => Some(bare.clone()),
            _ => Some(scaled),
        }
    }

    /// The one value of a cell, with the unit and magnitude that its heads and the titles of its table give it.
    pub(super) fn scaled(&self, row: usize, column: usize) -> Option<Quantity> {
        let cell = (self.number, row, column);
        let mut known = self.case.source.scaled.lock().unwrap_or_else(PoisonError::into_inner);
        let read = || self.case.source.evidence().value(&self.case.source.index, cell);
        known.entry(cell).or_insert_with(read).clone()
    }

    /// Whether a head gives the figures below it a unit or a magnitude.
    fn has_scale(&self, head: Span) -> bool {
        crate::evidence::names_a_scale(head.slice(self.case.source.index.text()))
    }

    /// What a row is called.
    pub(super) fn row_heads(&self, row: usize) -> impl Iterator<Item = Span> + '_ {
        let name = self.names.and_then(|column| self.span(row, column));
        let heads = self.table.row_heads(row).filter(move |_| name.is_none());
        heads.chain(name)
    }

    /// Whether a column says what the rows are called.
    pub(super) fn names_rows(&self, column: usize) -> bool {
        let is_head = |row: &usize| {
            self.table.rows.get(*row).and_then(|row| row.cells.get(column)).is_some_and(|cell| cell.is_head)
        };
        self.names == Some(column) || self.all_rows.iter().any(is_head)
    }

    /// The rows that are things of their own: none that adds the others up, or tells their mean.
    pub(super) fn things(&self) -> Vec<usize> {
        let mut rows = self.all_rows.clone();
        rows.retain(|row| {
            let mut words = self.row_heads(*row).flat_map(|head| self.words(head));
            !words.any(|word| OF_OTHERS.iter().any(|class| cues::has(word, *class)))
        });
        let total = |column: &usize| {
            let values: Vec<f64> = rows.iter().map_while(|row| Some(self.scaled(*row, *column)?.value)).collect();
            let sum: f64 = values.iter().sum();
            let is_total = |value: &f64| *value != 0.0 && (sum - 2.0 * value).abs() <= ROUNDED * value.abs();
            values.iter().position(is_total).filter(|_| values.len() == rows.len() && values.len() > FEWEST)
        };
        if let Some(total) = self.all_columns.iter().find_map(total) {
            rows.remove(total);
        }
        rows
    }

    /// Where the claim has the very words of a cell.
    pub(super) fn place_in_claim(&self, cell: &str) -> Option<Span> {
        let (claim, cell) = (self.case.claim.text.to_lowercase(), cell.to_lowercase());
        // Few letters have more bytes in the other case; of such text no place is known.
        let start = claim.find(&cell).filter(|_| !cell.is_empty() && claim.len() == self.case.claim.text.len())?;
        Some(Span::new(start, start + cell.len()))
    }

    /// The text of the page.
    pub(super) fn text(&self) -> &'t str {
        self.case.source.index.text()
    }

    /// The words of a part of the table.
    pub(super) fn words(&self, span: Span) -> impl Iterator<Item = &'t Word> + use<'t> {
        words_in(self.case, span)
    }

    /// Where a cell stands.
    pub(super) fn span(&self, row: usize, column: usize) -> Option<Span> {
        self.table.rows.get(row)?.cells.get(column).map(|cell| cell.span)
    }

    /// By how much what stands over a cell multiplies its figure.
    pub(super) fn scale(&self, q: &Quantity, (row, column): &GridCell) -> f64 {
        let bare = self.span(*row, *column).map(|cell| self.case.source.index.quantities_in(cell));
        match (self.value(q, *row, *column), bare) {
            (Some(value), Some([bare])) if bare.value != 0.0 => (value.value / bare.value).abs(),
            _ => 1.0,
        }
    }

    /// The title that multiplies the figure of a cell.
    pub(super) fn title_with_a_scale(&self, q: &Quantity, row: usize, column: usize) -> Option<Span> {
        let mut titles = self.table.titles.iter().copied().filter(|title| self.has_scale(*title));
        let mut heads = self.table.column_heads(column).chain(self.table.row_heads(row));
        titles.next().filter(|_| !self.is_bare(q, row, column) && !heads.any(|head| self.has_scale(head)))
    }

    /// Whether nothing gives the figure of a cell a magnitude.
    pub(super) fn is_bare(&self, q: &Quantity, row: usize, column: usize) -> bool {
        (self.scale(q, &(row, column)) - 1.0).abs() < 1e-9
    }

    /// Whether a word of a class stands over some cells.
    pub(super) fn has_over(&self, cells: &[GridCell], class: Class) -> bool {
        let (_, over) = self.round(cells);
        let mut words = over.iter().flat_map(|span| words_in(self.case, *span));
        words.any(|word| cues::has(word, class))
    }

    /// The year that stands over a column.
    pub(super) fn year_over(&self, column: usize) -> Option<i32> {
        let mut heads = self.table.column_heads(column).flat_map(|head| self.case.source.index.quantities_in(head));
        heads.find_map(Quantity::year)
    }

    /// That something follows from some cells, as it is written: what stands round those `of` which it is said shows it.
    pub(super) fn show(&self, written: String, cells: impl IntoIterator<Item = GridCell>, of: &[GridCell]) -> Shown {
        let operands = cells.into_iter().filter_map(|(row, column)| self.span(row, column)).collect();
        let (parts, over) = self.round(of);
        let year = of.first().and_then(|(_, column)| self.year_over(*column));
        Shown { derived: true, written, operands, parts, over, in_a_table: true, year }
    }

    /// The heads of cells, and what stands beside each in its row: it is said of the same thing.
    pub(super) fn round(&self, cells: &[GridCell]) -> (Vec<Span>, Vec<Span>) {
        let beside = cells.iter().filter_map(|(row, _)| self.table.rows.get(*row)).flat_map(|row| &row.cells);
        let mut parts: Vec<Span> = beside.map(|cell| cell.span).filter(|span| !span.is_empty()).collect();
        parts.dedup();
        let heads =
            cells.iter().flat_map(|(row, column)| self.table.row_heads(*row).chain(self.table.column_heads(*column)));
        (parts, heads.chain(self.over.iter().copied()).collect())
    }
}

/// The rows that the claim names by what stands in a column, which has a name of its own for each row.
fn named_in(case: &Case<'_>, table: &Table, column: usize) -> Option<Vec<Line>> {
    let cells: Vec<(usize, Vec<Span>)> =
        table.column(column).filter(|(_, cell)| !cell.is_empty()).map(|(row, cell)| (row, vec![cell])).collect();
    let written: HashSet<&str> = cells.iter().map(|(_, cell)| cell[0].slice(case.source.index.text()).trim()).collect();
    let names = cells.len() > 1 && written.len() == cells.len() && cells.len() == table.body().count();
    Some(find_named(case, cells)).filter(|rows| names && !rows.is_empty())
}

/// The rows or columns with these heads that the claim names, without those of which another one has all the words and more: *North*,
/// beside *North Harbour*.
fn find_named(case: &Case<'_>, heads: Vec<(usize, Vec<Span>)>) -> Vec<Line> {
    let lines: Vec<Line> = lines(case, heads).into_iter().filter(|line| line.named >= NAMED).collect();
    let outdone = |line: &Line| {
        lines.iter().any(|other| {
            other.at != line.at
                && other.named >= line.named
                && line.words.iter().all(|word| other.words.contains(word))
                && (line.words.len() < other.words.len() || other.named > line.named)
        })
    };
    lines.iter().filter(|line| !outdone(line)).cloned().collect()
}

/// What the claim has of the heads of each row or column.
fn lines(case: &Case<'_>, heads: Vec<(usize, Vec<Span>)>) -> Vec<Line> {
    let text = case.source.index.text();
    let keys = |spans: &[Span]| -> Vec<u64> {
        let mut keys: Vec<u64> = spans.iter().flat_map(|span| words_in(case, *span)).map(|word| word.key).collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    };
    let all: Vec<Vec<u64>> = heads.iter().map(|(_, spans)| keys(spans)).collect();
    let shared = |key: u64| {
        let count = all.iter().filter(|own| own.binary_search(&key).is_ok()).count();
        count > 1 && count as f64 >= SHARED * all.len() as f64
    };
    let mine: Vec<String> =
        case.claim.words.iter().map(|word| word.span.slice(case.claim.text).to_lowercase()).collect();
    let place = |key: u64, written: &str| {
        // *FY2025* is named by *fiscal 2025*.
        let figures = written.trim_start_matches(char::is_alphabetic);
        case.claim.words.iter().zip(&mine).position(|(word, own)| {
            word.key == key
                || !word.stop && !word.number && is_alike(own, written)
                || figures.len() == 4 && figures.len() < written.len() && own == figures
        })
    };
    // The head next to the cells tells it, where no other line has the same; else those above have to.
    let inner: Vec<Vec<u64>> =
        heads.iter().map(|(_, spans)| keys(spans.last().map_or(&[], std::slice::from_ref))).collect();
    let line = |(n, (at, heads)): (usize, (usize, Vec<Span>))| {
        let alone = inner.iter().enumerate().all(|(other, keys)| other == n || *keys != inner[n]);
        let near = heads.last().filter(|_| alone && !inner[n].is_empty());
        let read = |spans: &[Span]| -> Vec<&Word> {
            spans.iter().flat_map(|span| words_in(case, *span)).filter(|word| !word.stop).collect()
        };
        let words = read(near.map_or(heads.as_slice(), std::slice::from_ref));
        let own: Vec<&Word> = words.iter().filter(|word| !shared(word.key)).copied().collect();
        // *Kite* beside *Kite Max* has no word of its own.
        let telling = if own.is_empty() { words } else { own };
        let found_in = |words: &[&Word]| -> Vec<usize> {
            words.iter().filter_map(|word| place(word.key, &word.span.slice(text).to_lowercase())).collect()
        };
        let count = found_in(&telling).len();
        let named = if telling.is_empty() { 0.0 } else { count as f64 / telling.len() as f64 };
        let mut found = if near.is_some() { found_in(&read(&heads)) } else { found_in(&telling) };
        found.sort_unstable();
        found.dedup();
        Line { at, named, words: found }
    };
    heads.into_iter().enumerate().map(line).collect()
}
