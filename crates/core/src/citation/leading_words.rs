//! Words that lead to a citation, in the language of the document: `see [2]`.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::sync::LazyLock;

use super::nearby::word_at_end;
use cited_text::language::languages_in;
use cited_text::lexicon::Languages;
use cited_text::lexicon::table;

/// Words that make a link the object of the sentence, lower-case, with the languages that they are words of.
static LEADING: LazyLock<HashMap<&'static str, Languages>> =
    LazyLock::new(|| table::by_language(include_str!("data/leading_words.tsv"), "lead"));

/// The languages of a document, told when a word asks for them: those of its own text, whatever its list and an earlier run add.
#[derive(Default)]
pub(super) struct DocumentLanguages {
    pub(super) text: String,
    pub(super) told: OnceCell<Languages>,
}

impl DocumentLanguages {
    /// Whether the text before a citation ends with a word that leads to it: *in*, *see*, 参见. *y* does in Spanish; elsewhere it
    /// is a name.
    pub(super) fn ends_in_leading_word(&self, before: &str) -> bool {
        /// Characters of the longest one without spaces around.
        const LONGEST: usize = 3;
        let word = word_at_end(before, LONGEST, |word| LEADING.contains_key(word)).map(str::to_lowercase);
        word.and_then(|word| LEADING.get(word.as_str())).is_some_and(|languages| {
            let document = self.told.get_or_init(|| languages_in(&self.text, Languages::ALL));
            languages.meet(languages_in(before, *document))
        })
    }
}
