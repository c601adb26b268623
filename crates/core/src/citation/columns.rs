//! What the columns of a table of sources hold, and the named fields of an entry.

use std::collections::HashMap;
use std::sync::OnceLock;

use cited_text::lexicon::table;

/// The header words; the file says how they are compared.
const COLUMNS: &str = include_str!("data/columns.tsv");

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Column {
    Label,
    Title,
    Author,
    Address,
    Claim,
    Quote,
    Type,
    Confidence,
    Coverage,
    Weight,
    Date,
}

/// What a column or a field of this name holds.
pub(crate) fn column_named(name: &str) -> Option<Column> {
    let name = name.trim().trim_matches(['*', '_', ':', '：']).trim().to_lowercase();
    column_names().get(name.as_str()).copied()
}

fn column_names() -> &'static HashMap<&'static str, Column> {
    static NAMES: OnceLock<HashMap<&'static str, Column>> = OnceLock::new();
    NAMES.get_or_init(|| {
        table::rows(COLUMNS)
            .flat_map(|row| row.forms().map(move |word| (row.class, word)))
            .filter_map(|(kind, word)| {
                let column = match kind {
                    "label" => Column::Label,
                    "title" => Column::Title,
                    "author" => Column::Author,
                    "address" => Column::Address,
                    "claim" => Column::Claim,
                    "quote" => Column::Quote,
                    "type" => Column::Type,
                    "confidence" => Column::Confidence,
                    "coverage" => Column::Coverage,
                    "weight" => Column::Weight,
                    "date" => Column::Date,
                    _ => return None,
                };
                Some((word, column))
            })
            .collect()
    })
}
