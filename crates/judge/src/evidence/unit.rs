//! Units of evidence: the parts of a page that can say what a claim says, each with what it hangs on.
//!
//! A sentence hangs on the headings above it, on the sentence that introduces its list, on the name that its pronoun stands for, on
//! who is quoted; a cell on the heads of its row and column, on the caption of its table, on the head that gives its unit. Everything is
//! a place in the text of the page, so that whoever reads a verdict can look it up.

use serde::{Deserialize, Serialize};

use cited_text::Span;
pub use cited_text::layout::Cell;

/// How a unit hangs on something that stands elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ContextKind {
    /// It stands below this heading; the nearest comes last.
    Heading,
    /// This sentence introduces the list that it is an item of.
    Introduction,
    /// This caption, or line right above, says what its table is of.
    Caption,
    /// This is the head of the row.
    RowHead,
    /// This is the head of the column.
    ColumnHead,
    /// A pronoun, or *the company*, of it stands for this name.
    Antecedent,
    /// It is said by them.
    Speaker,
}

/// Something that a unit hangs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Context {
    /// How.
    pub kind: ContextKind,
    /// Where it stands in the text of the page.
    pub span: Span,
}

/// A part of a page that can say what a claim says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// Its bytes, verbatim.
    pub span: Span,
    /// What it hangs on.
    pub context: Vec<Context>,
}

impl Unit {
    /// What it hangs on in this way.
    pub fn hangs_on(&self, kind: ContextKind) -> impl Iterator<Item = Span> + '_ {
        self.context.iter().filter(move |context| context.kind == kind).map(|context| context.span)
    }
}

/// A table of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Table {
    /// From its first cell to its last.
    pub span: Span,
    /// What says what it is of: its caption, the line right above it, the heading, in the order of the page.
    pub titles: Vec<Span>,
    /// How many columns it has.
    pub columns: usize,
    /// Its rows, those with the heads of columns first.
    pub rows: Vec<Row>,
    /// The column that gives each row its unit: *Mio.*, *km²*, *%*.
    pub unit_column: Option<usize>,
}

/// A row of a table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Row {
    /// Whether it holds the heads of columns only.
    pub is_head: bool,
    /// The label of the rows that it stands among, when one stands over them: *Europe*.
    pub group: Option<Span>,
    /// Its cells by column; one that reaches over several rows or columns stands in each of them.
    pub cells: Vec<Cell>,
}

impl Table {
    /// The rows with the heads of columns.
    pub fn head_rows(&self) -> impl Iterator<Item = &Row> + '_ {
        self.rows.iter().take_while(|row| row.is_head)
    }

    /// The rows that are no heads and have cells, with their places in [`Table::rows`]: others only say what those below them are of.
    pub fn body(&self) -> impl Iterator<Item = (usize, &Row)> {
        self.rows.iter().enumerate().filter(|(_, row)| !row.is_head && (row.group.is_none() || !row.cells.is_empty()))
    }

    /// The cells of a column that are no heads, with the places of their rows.
    pub fn column(&self, column: usize) -> impl Iterator<Item = (usize, Span)> + '_ {
        let cells = self.body().filter_map(move |(at, row)| Some((at, row.cells.get(column)?)));
        cells.filter(|(_, cell)| !cell.is_head).map(|(at, cell)| (at, cell.span))
    }

    /// The heads of a row, the outermost first.
    pub fn row_heads(&self, row: usize) -> impl Iterator<Item = Span> + '_ {
        let row = self.rows.get(row);
        let cells =
            row.into_iter().flat_map(|row| row.cells.iter()).filter(|cell| cell.is_head && !cell.span.is_empty());
        row.and_then(|row| row.group).into_iter().chain(cells.map(|cell| cell.span))
    }

    /// The cell that gives the figures of a row their unit.
    pub fn unit_of(&self, row: usize) -> Option<Span> {
        let cell = self.rows.get(row)?.cells.get(self.unit_column?)?;
        Some(cell.span).filter(|span| !span.is_empty())
    }

    /// The heads of a column, the outermost first.
    pub fn column_heads(&self, column: usize) -> impl Iterator<Item = Span> + '_ {
        let heads = self.head_rows().filter_map(move |row| row.cells.get(column));
        heads.map(|cell| cell.span).filter(|span| !span.is_empty())
    }

    /// The head over the labels of the rows: *Item (thousand crowns)*.
    pub fn corner(&self) -> Option<Span> {
        self.column_heads(0).last()
    }
}
