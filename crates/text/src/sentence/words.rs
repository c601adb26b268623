//! What sentence ends have to know of languages, read once from the tables in `data`.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use crate::ascii::lowered;
use crate::lexicon::table;

/// When the full stop of an abbreviation ends a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Abbreviation {
    /// Never.
    Never,
    /// Unless a number or label follows.
    BeforeNumber,
    /// Only before a word that starts sentences.
    Maybe,
}

/// The tables of all languages together: a document's language is not known, and the words hardly collide.
pub(super) struct Words {
    abbreviations: HashMap<&'static str, Abbreviation>,
    /// The other words, by their class.
    classes: HashMap<&'static str, HashSet<&'static str>>,
}

/// The tables, read at the first use.
pub(super) static WORDS: LazyLock<Words> = LazyLock::new(Words::read);

/// The longest key of the abbreviation table, in bytes: longer tokens are not looked up.
pub(super) const LONGEST: usize = 24;

impl Words {
    fn read() -> Self {
        let mut abbreviations = HashMap::new();
        let mut classes: HashMap<_, HashSet<_>> = HashMap::new();
        let tables = [include_str!("../data/abbreviations.tsv"), include_str!("../data/sentences.tsv")];
        for row in tables.into_iter().flat_map(table::rows) {
            let kind = match row.class {
                "never" => Abbreviation::Never,
                "number" => Abbreviation::BeforeNumber,
                "maybe" => Abbreviation::Maybe,
                class => {
                    classes.entry(class).or_default().extend(row.forms());
                    continue;
                }
            };
            for word in row.forms() {
                // The first mention wins: `never` before `number` before `maybe`.
                abbreviations.entry(word).or_insert(kind);
            }
        }
        Words { abbreviations, classes }
    }

    /// What `token` is, without its last full stop; spaces as `_`.
    pub(super) fn abbreviation(&self, token: &str) -> Option<Abbreviation> {
        lowered(token, |key| self.abbreviations.get(key).copied()).flatten()
    }

    /// Whether `word`, as written, is of a class.
    pub(super) fn has(&self, class: &str, word: &str) -> bool {
        self.classes.get(class).is_some_and(|words| words.contains(word))
    }

    /// Whether `word`, however it is written, is of a class.
    pub(super) fn has_lowered(&self, class: &str, word: &str) -> bool {
        lowered(word, |key| self.has(class, key)).unwrap_or(false)
    }

    /// Whether a sentence goes on after the quotation that `rest` stands behind.
    pub(super) fn goes_on(&self, rest: &str) -> bool {
        self.classes.get("quotative").is_some_and(|words| words.iter().any(|word| rest.starts_with(word)))
    }
}
