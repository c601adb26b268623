//! What research notes say of how good a source or a finding is: its type, and how sure they are of it.

use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Serialize};

use cited_text::lexicon;
use cited_text::lexicon::table::Row;
use cited_text::script::is_cjk;

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
        self.confidence.as_deref().filter(|words| is_in_doubt(words))
    }
}

/// Whether words say that nobody has read it, as whole words.
fn is_in_doubt(words: &str) -> bool {
    static DOUBT: LazyLock<Regex> = LazyLock::new(|| {
        let forms = lexicon::rows(TABLE).flat_map(Row::forms);
        let bound = |form: &str| if form.chars().all(is_cjk) { form.to_owned() } else { format!(r"\b{form}\b") };
        let forms: Vec<String> = forms.map(|form| bound(&form.replace(['-', ' '], r"[^\p{L}\p{N}]+"))).collect();
        Regex::new(&format!("(?i){}", forms.join("|"))).expect("a fixed pattern")
    });
    DOUBT.is_match(words)
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
