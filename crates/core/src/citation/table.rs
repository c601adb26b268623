//! Tables of sources: the table form of a source list, and the evidence table of a research file.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::accessed;
use super::each_once;
use super::label::{Label, LabelStyle};
use super::layout;
use super::line_label;
use super::shown::Shown;
use super::source_list::Entry;
use crate::markdown::{BlockId, BlockKind, Document};
use cited_text::Span;
use cited_text::lexicon::table;

/// What the header words stand for; the file says how they are compared.
static NAMES: LazyLock<HashMap<&str, Column>> =
    LazyLock::new(|| table::named(include_str!("data/columns.tsv")).collect());

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumString)]
#[strum(serialize_all = "lowercase")]
pub(crate) enum Column {
    Label,
    Title,
    Author,
    Address,
    Claim,
    Quote,
    Type,
    Confidence,
    /// How much of it was read, or how much rests on it: nothing that is cited.
    Aside,
    Date,
    /// What a cell says that holds nothing.
    Blank,
}

/// What a column of this name holds.
fn column_named(name: &str) -> Option<Column> {
    let name = name.trim().trim_matches(['*', '_', ':', '：']).trim().to_lowercase();
    NAMES.get(name.as_str()).copied()
}

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
    let mut columns: Vec<Option<Column>> = Vec::new();
    for cell in head.into_iter().flat_map(|head| &document.block(*head).children) {
        let column = column_named(&Shown::leaf(document, *cell).text);
        // Two columns of one kind: the first has it.
        columns.push(column.filter(|column| !columns.contains(&Some(*column))));
    }
    columns
}

/// The rows of a table as entries; none when no column holds addresses or titles with links.
pub(crate) fn entries_of(document: &Document, table: BlockId) -> Vec<Row> {
    let rows = document.block(table).children.iter().map(|id| document.block(*id));
    let rows = rows.filter(|row| row.kind == BlockKind::TableRow).map(|row| {
        let end = row.span.start + document.slice(row.span).trim_end().len();
        let cells = row.children.iter().map(|id| Shown::leaf(document, *id)).collect();
        (Span::new(row.span.start, end), cells)
    });
    let rows: Vec<(Span, Vec<Shown>)> = rows.collect();
    let columns = columns_of(document, table);
    let is_named = columns.iter().any(|column| matches!(column, Some(Column::Address | Column::Title)));
    let columns = if is_named { Some(columns) } else { columns_by_content(&rows) };
    columns.map_or_else(Vec::new, |columns| rows.iter().filter_map(|row| row_of(row, &columns)).collect())
}

/// The columns of a table whose head says nothing to us, by what stands in them: one has a number of its own in each row, another an
/// address in each; the first of the others has the titles.
fn columns_by_content(rows: &[(Span, Vec<Shown>)]) -> Option<Vec<Option<Column>>> {
    let count = rows.first()?.1.len();
    if rows.len() < 2 || rows.iter().any(|(_, cells)| cells.len() != count) {
        return None;
    }
    let column = |at: usize| rows.iter().map(move |(_, cells)| &cells[at]);
    let number = |cell: &Shown| Label::parse(cell.text.trim().trim_matches(['[', ']', '#', '.']))?.number();
    let counts = |at: &usize| {
        column(*at).map(number).all(|number| number.is_some()) && column(*at).map(number).is_sorted_by(|a, b| a < b)
    };
    let label = (0..count).find(counts)?;
    let address = (0..count).find(|at| column(*at).all(|cell| !cell.found.is_empty()))?;
    let title = (0..count).find(|at| ![label, address].contains(at));
    let of = |at| match at {
        _ if at == label => Some(Column::Label),
        _ if at == address => Some(Column::Address),
        _ => title.filter(|title| *title == at).map(|_| Column::Title),
    };
    Some((0..count).map(of).collect())
}

fn row_of((span, cells): &(Span, Vec<Shown>), columns: &[Option<Column>]) -> Option<Row> {
    let said = |shown: &Shown| {
        let text = shown.line();
        (!text.is_empty() && column_named(&text) != Some(Column::Blank)).then_some(text)
    };
    let cell =
        |wanted: Column| columns.iter().zip(cells).find(|(column, _)| **column == Some(wanted)).map(|(_, cell)| cell);
    let words = |wanted: Column| said(cell(wanted)?);
    let label = words(Column::Label).and_then(|text| {
        let label = line_label::line_label(&format!("{text} ")).map(|found| found.label);
        label.or_else(|| Label::parse(text.trim_matches(['[', ']', '#', '.', ' '])))
    });
    let read = |column| cell(column).map(|shown| layout::entry_of(shown.clone(), None, *span)).unwrap_or_default();
    let (address, titled) = (read(Column::Address), read(Column::Title));
    let addresses = each_once(address.addresses.into_iter().chain(titled.addresses));
    let title = if titled.title.is_empty() { address.title } else { titled.title };
    let title = [words(Column::Author).unwrap_or_default(), title];
    let title = title.iter().filter(|part| !part.is_empty()).map(String::as_str).collect::<Vec<_>>().join(", ");
    if title.is_empty() && addresses.is_empty() {
        return None;
    }
    let dated = || accessed::leading_date(&words(Column::Date)?).map(|(date, _)| date);
    let date = address.accessed.or(titled.accessed).or_else(dated);
    // What other columns say is the entry's, too.
    let others = columns.iter().zip(cells).filter(|(column, _)| matches!(column, None | Some(Column::Date)));
    let others = others.filter(|(_, cell)| cell.found.is_empty()).filter_map(|(_, cell)| said(cell));
    let others: Vec<String> = others.filter(|text| text.contains(char::is_alphanumeric)).collect();
    let note = Some(others.join(", ")).filter(|note| !note.is_empty());
    let style = label.as_ref().map_or(LabelStyle::None, |_| LabelStyle::Dot);
    let is_pure = !addresses.is_empty();
    let entry =
        Entry { label, style, span: *span, title, addresses, accessed: date, note, is_pure, ..Entry::default() };
    let said = [Column::Claim, Column::Quote, Column::Confidence, Column::Type];
    Some(Row { entry, words: said.into_iter().filter_map(|column| Some((column, words(column)?))).collect() })
}
