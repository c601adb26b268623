//! What sentence ends have to know of languages, read once from the tables in `data`.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::ascii::lowered;
use crate::lexicon::{Classes, table};

/// When the full stop of an abbreviation ends a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString)]
#[strum(serialize_all = "lowercase")]
pub(super) enum Abbreviation {
    /// Never.
    Never,
    /// Unless a number or label follows.
    #[strum(serialize = "number")]
    BeforeNumber,
    /// Only before a word that starts sentences.
    Maybe,
}

/// The words of all languages together: a document's language is not known, and they hardly collide.
pub(super) static WORDS: Classes = Classes::new(include_str!("../data/sentences.tsv"));

/// The abbreviations of all languages. The first mention wins: `never` before `number` before `maybe`.
static ABBREVIATIONS: LazyLock<HashMap<&str, Abbreviation>> = LazyLock::new(|| {
    let mut abbreviations = HashMap::new();
    for (word, kind) in table::named(include_str!("../data/abbreviations.tsv")) {
        abbreviations.entry(word).or_insert(kind);
    }
    abbreviations
});

/// The longest key of the abbreviation table, in bytes: longer tokens are not looked up.
pub(super) const LONGEST: usize = 24;

/// What `token` is, without its last full stop; spaces as `_`.
pub(super) fn abbreviation(token: &str) -> Option<Abbreviation> {
    lowered(token, |key| ABBREVIATIONS.get(key).copied()).flatten()
}

/// Whether `word`, however it is written, is of a class.
pub(super) fn has_lowered(class: &str, word: &str) -> bool {
    lowered(word, |key| WORDS.has(class, key)).unwrap_or(false)
}
