//! A research file as read: its entries, its notes, and what it says of how good a source or a finding is.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::address::{Key, key_of};
use crate::citation::{Entry, Label, each_once};
use crate::finding::Finding;
use crate::pattern::Pattern;
use crate::source::registry::SourceId;
use cited_text::Span;
use cited_text::lexicon;
use cited_text::lexicon::table::Row;
use cited_text::script::is_cjk;

/// A research file as read. Its labels live in it alone.
#[derive(Debug, Clone, Default)]
pub struct ResearchFile {
    /// The file, as given by the user.
    pub path: String,
    /// The sources that it lists: evidence table, lists, bibliography, citation objects.
    pub entries: Vec<Entry>,
    /// What it says with them.
    pub notes: Vec<ResearchNote>,
    /// What it says of how good its sources and findings are: of an entry, by its position, and of a finding of it, empty where it is said of
    /// the source as a whole.
    pub ratings: Vec<(usize, String, Rating)>,
    /// When the research was done, when the file says so.
    pub date: Option<jiff::civil::Date>,
    /// What was odd.
    pub findings: Vec<Finding>,
    /// Why it cannot be read as what it is, when it cannot: what it says is unknown, not nothing.
    pub broken: Option<String>,
    /// Whether it says something beside its sources, of which nothing was read.
    pub unread: bool,
}

/// A statement of a research file: a finding, a key claim of an evidence table, an excerpt.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ResearchNote {
    /// The words, as shown, without markers and labels.
    pub text: String,
    /// Positions in [`ResearchFile::entries`] of the sources it stands on; empty when it has none.
    pub entries: Vec<usize>,
    /// The same sources as the registry knows them, once it has taken in the file: what claims are anchored to.
    pub sources: Vec<SourceId>,
    /// Whether these are words of the source itself.
    pub verbatim: bool,
    /// The author's own label: `VERIFIED`, `INFERRED`, `unverified`, `blocked`, as written.
    pub label: Option<String>,
    /// What the row of an evidence table names beside it: the title and the address. Its words say what the note is about, and
    /// nothing that it states; empty elsewhere.
    pub about: String,
    /// The research file it stands in; empty until the registry has taken that in.
    pub file: String,
    /// Where it stands in the file.
    pub span: Span,
}

/// What notes call a finding that nobody has read.
const TABLE: &str = include_str!("data/doubt.tsv");

/// What notes say of a source or of a finding of it, as they write it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Rating {
    /// What kind of source it is: *primary*, *peer-reviewed*, *blog*.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// How sure they are: *high*, *0.8*, `[INFERRED]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<String>,
}

impl Rating {
    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        *self == Rating::default()
    }

    /// What it says, for readers: *primary, high*.
    pub fn in_words(&self) -> String {
        [&self.kind, &self.confidence].into_iter().flatten().map(String::as_str).collect::<Vec<_>>().join(", ")
    }

    /// What the notes call it, when that is a word for what nobody has read: *inferred*, *unverified*, *blocked*.
    pub fn doubt(&self) -> Option<&str> {
        /// Words for what nobody has read, each as a whole word.
        static DOUBT: Pattern = Pattern::made(|| {
            let forms = lexicon::rows(TABLE).flat_map(Row::forms);
            let bound = |form: &str| if form.chars().all(is_cjk) { form.to_owned() } else { format!(r"\b{form}\b") };
            let forms: Vec<String> = forms.map(|form| bound(&form.replace(['-', ' '], r"[^\p{L}\p{N}]+"))).collect();
            format!("(?i){}", forms.join("|"))
        });
        self.confidence.as_deref().filter(|words| DOUBT.is_match(words))
    }
}

/// A file while it is read, with the entry that each address is of.
#[derive(Default)]
pub(super) struct Reading {
    pub file: ResearchFile,
    addresses: HashMap<Key, usize>,
}

impl Reading {
    /// The entry with an address.
    pub fn entry_of(&self, address: &str) -> Option<usize> {
        self.addresses.get(&key_of(address)).copied()
    }

    /// Adds an entry, or finds the one that says the same: a list repeats the rows of the evidence table. Two names in a bibliography may be
    /// of one work: each is one that a text cites it by.
    pub fn add(&mut self, entry: Entry) -> usize {
        let entries = &mut self.file.entries;
        let keys: Vec<Key> = entry.addresses.iter().map(|address| key_of(address)).collect();
        let fits = |known: &Option<Label>| known.is_none() || entry.label.is_none() || *known == entry.label;
        let same = keys.first().and_then(|key| self.addresses.get(key).copied());
        let at = same.filter(|at| fits(&entries[*at].label)).unwrap_or(entries.len());
        match entries.get_mut(at) {
            Some(known) => {
                known.label = known.label.take().or(entry.label);
                known.addresses = each_once(known.addresses.drain(..).chain(entry.addresses));
                if known.title.is_empty() {
                    known.title = entry.title;
                }
            }
            None => entries.push(entry),
        }
        for (i, key) in keys.into_iter().enumerate() {
            // Another one's further address is the entry's that has it for its own.
            let is_first = |of: usize| entries[of].addresses.first().is_some_and(|address| key_of(address) == key);
            let owner = self.addresses.get(&key).copied().filter(|of| i > 0 || is_first(*of));
            self.addresses.insert(key, owner.unwrap_or(at));
        }
        at
    }

    /// Notes what the file says of how good a source is.
    pub fn rate(&mut self, entry: usize, of: String, rating: Rating) {
        if !rating.is_empty() {
            self.file.ratings.push((entry, of, rating));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Rating;

    #[test]
    fn notes_say_what_nobody_has_read() {
        let is_in_doubt = |words: &str| {
            let rating = Rating { confidence: Some(words.to_owned()), ..Rating::default() };
            rating.doubt() == Some(words)
        };
        for words in ["[INFERRED]", "Unverified", "not verified (paywall)", "推断", "nicht geprüft"] {
            assert!(is_in_doubt(words), "{words}");
        }
        for words in ["high", "verified", "0.8", ""] {
            assert!(!is_in_doubt(words), "{words}");
        }
    }
}
