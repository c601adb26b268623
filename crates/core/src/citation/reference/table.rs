//! Words of the layouts of entries, and round the names of authors.

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;

use cited_text::lexicon::table;

const TABLE: &str = include_str!("../data/names.tsv");

/// Words by class: every word of the beginning of a page is held against some of them.
pub(super) static PARTICLES: LazyLock<HashSet<&str>> = LazyLock::new(|| table::words(TABLE, "particle").collect());
static SUFFIXES: LazyLock<HashSet<&str>> = LazyLock::new(|| table::words(TABLE, "suffix").collect());
pub(super) static BODIES: LazyLock<Vec<&str>> = LazyLock::new(|| table::words(TABLE, "body").collect());
/// Words that open the name of a body, and may end that of a person: *Der Bote*, *Ayan Das*.
pub(super) static OPENS: LazyLock<Vec<&str>> = LazyLock::new(|| table::words(TABLE, "opens").collect());
/// Words of the names of bodies that stand among authors, or in their place.
pub(super) static COLLECTIVES: LazyLock<Vec<&str>> = LazyLock::new(|| table::words(TABLE, "collective").collect());
/// The same, which may stand elsewhere in a title: the last word alone.
pub(super) static CLOSING: LazyLock<Vec<&str>> = LazyLock::new(|| table::words(TABLE, "closing").collect());
pub(super) static OTHERS: LazyLock<Vec<&str>> = LazyLock::new(|| table::words(TABLE, "others").collect());
pub(super) static AND: LazyLock<Vec<&str>> = LazyLock::new(|| table::words(TABLE, "and").collect());
/// What stands behind the names of editors.
pub(super) static EDITORS: LazyLock<Vec<&str>> = LazyLock::new(|| table::words(TABLE, "editors").collect());
/// Words whose stop ends no title.
pub(super) static SHORTENED: LazyLock<Vec<&str>> = LazyLock::new(|| table::words(TABLE, "shortened").collect());
/// Names of venues in small letters: a title may end before them.
pub(super) static SMALL: LazyLock<Vec<&str>> = LazyLock::new(|| table::words(TABLE, "small").collect());
/// What parts a title from what follows, beside a stop.
pub(super) static ENDS: LazyLock<Vec<&str>> = LazyLock::new(|| table::words(TABLE, "ends").collect());
/// What stands before the number of a page.
pub(super) static PAGE_WORDS: LazyLock<Vec<&str>> = LazyLock::new(|| table::words(TABLE, "page").collect());
/// What stands before the number of an issue.
pub(super) static ISSUES: LazyLock<Vec<&str>> = LazyLock::new(|| table::words(TABLE, "issue").collect());

/// Whether a word of a list of names says that there are more.
pub fn is_others(text: &str) -> bool {
    let bare = |text: &str| text.trim_matches(['.', ' ']).to_lowercase();
    let text = bare(text);
    OTHERS.iter().any(|form| bare(form) == text)
}

/// Whether a word is part of a family name wherever it stands.
pub fn is_particle(word: &str) -> bool {
    PARTICLES.contains(word.to_lowercase().trim_end_matches('.'))
}

/// Whether a word stands behind a name and is none: *Jr.*, *III*.
pub fn is_suffix(word: &str) -> bool {
    SUFFIXES.contains(word.trim_matches(['.', ',', ' ']).to_lowercase().as_str())
}

/// A pattern of which the digits are those of ASCII: others are in no number that is read here, and take most of the time that building
/// it takes.
///
/// # Panics
/// When the text is no pattern: it is to be a fixed one.
pub fn pattern(text: &str) -> Regex {
    Regex::new(&text.replace(r"\d", "[0-9]")).expect("the pattern is fixed")
}
