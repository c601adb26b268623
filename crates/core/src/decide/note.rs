//! What is worth saying of a claim that stays.

use std::fmt;

use crate::fate::Fate;
use crate::verdict::Standing;

/// A note on a claim: as text what the brief and the record say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// A source that was read decides nothing: `not confirmed: not found in the source: ADDRESS`.
    Unsure {
        /// What the source says.
        standing: Standing,
        /// Why, with its address.
        reason: String,
    },
    /// A quotation stops right before a word that turns it round.
    CutShort {
        /// The word, as the source has it.
        word: String,
        /// The address of the source.
        address: String,
    },
    /// The claim leans on a sentence that was removed.
    Leans,
    /// A source says of itself that it was retracted, withdrawn, or is doubted: `the source is retracted: ADDRESS`.
    Retracted {
        /// What became of it.
        fate: Fate,
        /// Its address.
        address: String,
    },
    /// No research note has these parts of the claim, while notes have others.
    Unanchored(Vec<String>),
    /// This research note has the numbers of the claim, in other words, so that its source is not cited.
    Near(String),
    /// What it stands on is inferred, unverified or blocked, by the research notes' own word.
    Graded(String),
    /// One of its sources is gone, or could not be asked: a finding on the source tells it, once.
    OfSource(String),
    /// Anything else.
    Other(String),
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::Unsure { standing, reason } => write!(f, "{}: {reason}", standing.in_words()),
            Note::CutShort { word, address } => {
                write!(f, "quotation cut short, the source goes on with “{word}”: {address}")
            }
            Note::Retracted { fate, address } => write!(f, "the source is {fate}: {address}"),
            Note::Unanchored(parts) => {
                write!(f, "no source in the research files for “{}”", parts.join("” and “"))
            }
            Note::Near(words) => write!(f, "no source is cited; the research note nearest to it: “{words}”"),
            Note::Graded(label) => write!(f, "the research files call it {label}"),
            Note::Leans => f.write_str("leans on a sentence that does not stay"),
            Note::OfSource(note) | Note::Other(note) => f.write_str(note),
        }
    }
}

/// Several notes as one text.
pub fn joined<'a>(notes: impl IntoIterator<Item = &'a Note>) -> String {
    notes.into_iter().map(Note::to_string).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_read_as_in_the_brief() {
        let unsure = |standing| Note::Unsure { standing, reason: "why: https://a.example/".into() };
        let check = |note: Note, expected: &str| assert_eq!(note.to_string(), expected);
        check(unsure(Standing::Weak), "not confirmed: why: https://a.example/");
        check(unsure(Standing::Unverifiable), "not confirmed: why: https://a.example/");
        check(unsure(Standing::Contradicted), "conflicts: why: https://a.example/");
        check(unsure(Standing::Unchecked), "not checked: why: https://a.example/");
        check(Note::Leans, "leans on a sentence that does not stay");
        check(Note::Other("weak support".into()), "weak support");
        assert_eq!(joined(&[Note::Leans, Note::Other("b".into())]), "leans on a sentence that does not stay; b");
    }
}
