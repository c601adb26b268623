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
    common: HashSet<&'static str>,
    starters: HashSet<&'static str>,
    after_ordinal: HashSet<&'static str>,
    before_ordinal: HashSet<&'static str>,
    exclaimed: HashSet<&'static str>,
    lettered: HashSet<&'static str>,
    quotative: Vec<&'static str>,
}

/// The tables, read at the first use.
pub(super) static WORDS: LazyLock<Words> = LazyLock::new(Words::read);

/// The longest key of the abbreviation table, in bytes: longer tokens are not looked up.
pub(super) const LONGEST: usize = 24;

impl Words {
    fn read() -> Self {
        let mut abbreviations = HashMap::new();
        let mut common = HashSet::new();
        for row in table::rows(include_str!("../data/abbreviations.tsv")) {
            let kind = match row.class {
                "never" => Abbreviation::Never,
                "number" => Abbreviation::BeforeNumber,
                "common" => {
                    common.extend(row.forms());
                    continue;
                }
                _ => Abbreviation::Maybe,
            };
            for word in row.forms() {
                // The first mention wins: `never` before `number` before `maybe`.
                abbreviations.entry(word).or_insert(kind);
            }
        }
        let words = |class| table::words(include_str!("../data/sentences.tsv"), class);
        let of = |class| words(class).collect();
        Words {
            abbreviations,
            common,
            starters: of("starts"),
            after_ordinal: of("after-ordinal"),
            before_ordinal: of("before-ordinal"),
            exclaimed: of("exclaimed"),
            lettered: of("lettered"),
            quotative: words("quotative").collect(),
        }
    }

    /// What `token` is, without its last full stop; spaces as `_`.
    pub(super) fn abbreviation(&self, token: &str) -> Option<Abbreviation> {
        lowered(token, |key| self.abbreviations.get(key).copied()).flatten()
    }

    /// Whether an abbreviation, as written, is also a common word or a symbol.
    pub(super) fn is_common(&self, token: &str) -> bool {
        self.common.contains(token)
    }

    /// Whether `word`, as written, starts sentences.
    pub(super) fn starts_sentences(&self, word: &str) -> bool {
        self.starters.contains(word)
    }

    /// Whether a number before `word` is an ordinal.
    pub(super) fn follows_ordinal(&self, word: &str) -> bool {
        self.after_ordinal.contains(word)
    }

    /// Whether a number after `word` is an ordinal when a capital follows it.
    pub(super) fn precedes_ordinal(&self, word: &str) -> bool {
        lowered(word, |key| self.before_ordinal.contains(key)).unwrap_or(false)
    }

    /// Whether a single letter behind `word` names it more closely: *vitamin C*.
    pub(super) fn is_lettered(&self, word: &str) -> bool {
        lowered(word, |key| self.lettered.contains(key)).unwrap_or(false)
    }

    /// Whether a sentence goes on after the quotation that `rest` stands behind.
    pub(super) fn goes_on(&self, rest: &str) -> bool {
        self.quotative.iter().any(|word| rest.starts_with(word))
    }

    /// Whether `token` is a name that ends in an exclamation mark.
    pub(super) fn is_exclaimed(&self, token: &str) -> bool {
        lowered(token, |key| self.exclaimed.contains(key)).unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read() {
        assert_eq!(WORDS.abbreviation("E.g"), Some(Abbreviation::Never));
        assert_eq!(WORDS.abbreviation("Fig"), Some(Abbreviation::BeforeNumber));
        assert_eq!(WORDS.abbreviation("млрд"), Some(Abbreviation::Maybe));
        assert_eq!(WORDS.abbreviation("house"), None);
        assert!(WORDS.abbreviations.keys().all(|key| key.len() <= LONGEST));
        assert!(WORDS.starts_sentences("The") && !WORDS.starts_sentences("the"));
        assert!(WORDS.follows_ordinal("Mai") && WORDS.precedes_ordinal("Im"));
    }
}
