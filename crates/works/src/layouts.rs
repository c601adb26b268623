//! Words of the layouts of entries.

use std::sync::LazyLock;

use super::fold::letters;
use cited_text::lexicon::table;

/// Words of layouts.
const TABLE: &str = include_str!("data/layouts.tsv");
pub(super) static OTHERS: LazyLock<Vec<&str>> = LazyLock::new(|| table::words(TABLE, "others").collect());
pub(super) static AND: LazyLock<Vec<&str>> = LazyLock::new(|| table::words(TABLE, "and").collect());

/// What stands behind the names of editors.
pub(super) static EDITORS: LazyLock<Vec<&str>> = LazyLock::new(|| table::words(TABLE, "editors").collect());
/// Words whose stop ends no title.
pub(super) static SHORTENED: LazyLock<Vec<&str>> = LazyLock::new(|| table::words(TABLE, "shortened").collect());

/// What stands before the number of an issue.
pub(super) static ISSUES: LazyLock<Vec<&str>> = LazyLock::new(|| table::words(TABLE, "issue").collect());

/// Whether folded letters say that there are more authors.
pub(super) fn is_others(folded: &str) -> bool {
    OTHERS.iter().any(|form| letters(form) == folded)
}

/// Whether a part is a place and a publisher rather than a venue: *Washington, DC*, *Vienna*.
pub(super) fn is_place(text: &str) -> bool {
    text.split([',', '.']).all(|part| part.split_whitespace().count() <= 2)
}
