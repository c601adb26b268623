//! Tables of sources: the table form of a source list, and the evidence table of a research file.

use std::collections::HashMap;

use super::accessed;
use super::columns::{Column, column_named};
use super::each_once;
use super::label::{Label, LabelStyle};
use super::layout;
use super::line_label;
use super::shown::Shown;
use super::source_list::Entry;
use crate::markdown::{BlockId, BlockKind, Document};
use cited_text::Span;

/// A row of a table of sources.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    pub entry: Entry,
    /// The words of the columns that say something of it or of its claim.
    pub words: HashMap<Column, String>,
}

/// The columns of a table by position, from its header row; `None` where the word says nothing.
pub(crate) fn columns_of(document: &Document, table: BlockId) -> Vec<Option<Column>> {
    let head = document.block(table).children.iter().find(|id| document.block(**id).kind == BlockKind::TableHead);
    let Some(head) = head else { return Vec::new() };
    let mut columns: Vec<Option<Column>> = Vec::new();
    for cell in &document.block(*head).children {
        let words = crate::markdown::Rendered::render(document, *cell, &[]).text;
        let column = column_named(&words);
        // Two columns of one kind: the first has it.
        columns.push(column.filter(|column| !columns.contains(&Some(*column))));
    }
    columns
}

/// The rows of a table as entries; none when no column holds addresses or titles with links.
pub(crate) fn entries_of(document: &Document, table: BlockId) -> Vec<Row> {
    let rows = document.block(table).children.iter().filter(|id| document.block(**id).kind == BlockKind::TableRow);
    let rows: Vec<BlockId> = rows.copied().collect();
    let mut columns = columns_of(document, table);
    if !columns.iter().any(|column| matches!(column, Some(Column::Address | Column::Title))) {
        match columns_by_content(document, &rows) {
            Some(told) => columns = told,
            None => return Vec::new(),
        }
    }
    rows.into_iter().filter_map(|row| row_of(document, row, &columns)).collect()
}

/// The columns of a table whose head says nothing to us, by what stands in them: one has a number of its own in each row, another an
/// address in each; the first of the others has the titles.
fn columns_by_content(document: &Document, rows: &[BlockId]) -> Option<Vec<Option<Column>>> {
    let cells: Vec<Vec<Shown>> = rows
        .iter()
        .map(|row| {
            let cells = document.block(*row).children.iter().filter(|id| document.block(**id).is_leaf());
            cells.map(|id| Shown::leaf(document, *id)).collect()
        })
        .collect();
    let count = cells.first()?.len();
    if cells.len() < 2 || cells.iter().any(|row| row.len() != count) {
        return None;
    }
    let column = |at: usize| cells.iter().map(move |row| &row[at]);
    let number = |cell: &Shown| Label::parse(cell.text.trim().trim_matches(['[', ']', '#', '.']))?.number();
    let label = (0..count).find(|at| {
        let numbers: Option<Vec<u32>> = column(*at).map(number).collect();
        numbers.is_some_and(|numbers| numbers.windows(2).all(|pair| pair[0] < pair[1]))
    })?;
    let address = (0..count).find(|at| column(*at).all(|cell| !cell.found.is_empty()))?;
    let mut columns = vec![None; count];
    columns[label] = Some(Column::Label);
    columns[address] = Some(Column::Address);
    if let Some(title) = columns.iter().position(Option::is_none) {
        columns[title] = Some(Column::Title);
    }
    Some(columns)
}

fn row_of(document: &Document, row: BlockId, columns: &[Option<Column>]) -> Option<Row> {
    let cells = &document.block(row).children;
    let cell = |wanted: Column| {
        let at = columns.iter().position(|column| *column == Some(wanted))?;
        cells.get(at).copied().filter(|id| document.block(*id).is_leaf())
    };
    let said = |shown: &Shown| Some(shown.line()).filter(|text| !text.is_empty() && !is_blank(text));
    let words = |wanted: Column| said(&Shown::leaf(document, cell(wanted)?));
    let block = document.block(row);
    let text = document.slice(block.span);
    let span = Span::new(block.span.start, block.span.start + text.trim_end().len());
    let label = words(Column::Label).and_then(|text| {
        let label = line_label::line_label(&format!("{text} ")).map(|found| found.label);
        label.or_else(|| Label::parse(text.trim_matches(['[', ']', '#', '.', ' '])))
    });
    let mut addresses = Vec::new();
    let mut title = String::new();
    let mut date = None;
    for column in [Column::Address, Column::Title] {
        let Some(id) = cell(column) else { continue };
        let parsed = layout::entry_of(Shown::leaf(document, id), None, span);
        addresses.extend(parsed.addresses);
        if title.is_empty() || column == Column::Title {
            title = parsed.title;
        }
        date = date.or(parsed.accessed);
    }
    if let Some(author) = words(Column::Author) {
        title = if title.is_empty() { author } else { format!("{author}, {title}") };
    }
    let addresses = each_once(addresses);
    if title.is_empty() && addresses.is_empty() {
        return None;
    }
    let date =
        date.or_else(|| words(Column::Date).and_then(|text| accessed::leading_date(&text)).map(|(date, _)| date));
    // What other columns say is the entry's, too.
    let others = columns.iter().zip(cells).filter(|(column, _)| matches!(column, None | Some(Column::Date)));
    let others = others.filter(|(_, id)| document.block(**id).is_leaf()).filter_map(|(_, id)| {
        let shown = Shown::leaf(document, *id);
        said(&shown).filter(|text| text.contains(char::is_alphanumeric) && shown.found.is_empty())
    });
    let note = Some(others.collect::<Vec<_>>().join(", ")).filter(|note| !note.is_empty());
    let (style, is_pure) = (label.as_ref().map_or(LabelStyle::None, |_| LabelStyle::Dot), !addresses.is_empty());
    let entry = Entry { label, style, span, title, addresses, accessed: date, note, is_pure, ..Entry::default() };
    let said = [Column::Claim, Column::Quote, Column::Confidence, Column::Type];
    Some(Row { entry, words: said.into_iter().filter_map(|column| Some((column, words(column)?))).collect() })
}

/// Cells that say that there is nothing: `-`, `—`, `n/a`.
fn is_blank(text: &str) -> bool {
    matches!(text.to_lowercase().as_str(), "-" | "–" | "—" | "n/a" | "na" | "none" | "无" | "—/—")
}
