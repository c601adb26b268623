//! What the columns of a table of sources hold, and the named fields of an entry.

use std::collections::HashMap;
use std::sync::LazyLock;

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
}

/// What a column or a field of this name holds.
pub(crate) fn column_named(name: &str) -> Option<Column> {
    let name = name.trim().trim_matches(['*', '_', ':', '：']).trim().to_lowercase();
    NAMES.get(name.as_str()).copied()
}
