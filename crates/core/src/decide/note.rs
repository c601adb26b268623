//! What is worth saying of a claim that stays.

use std::fmt;

use crate::finding::Code;
use crate::verdict::Standing;

/// A note on a claim: as text what the brief and the record say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// What a finding of this code tells; without a code a finding on the source tells it, once.
    Told(Option<Code>, String),
    /// Anything else: where the claim falls short, its reason says it.
    Other(String),
}

impl Note {
    /// A source that was read decides nothing, for this reason: `not confirmed: not found in the source: ADDRESS`.
    pub fn unsure(standing: Standing, reason: &str) -> Note {
        Note::Told(standing.code(), format!("{}: {reason}", standing.in_words()))
    }

    /// The research note of these words has the numbers of the claim, in other words, so that its source is not cited.
    pub fn near(words: &str) -> Note {
        let told = format!("no source is cited; the research note nearest to it: “{words}”");
        Note::Told(Some(Code::Unanchored), told)
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Note::Told(_, words) | Note::Other(words)) = self;
        f.write_str(words)
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
        let unsure = |standing| Note::unsure(standing, "why: https://a.example/");
        let check = |note: Note, expected: &str| assert_eq!(note.to_string(), expected);
        check(unsure(Standing::Weak), "not confirmed: why: https://a.example/");
        check(unsure(Standing::Unverifiable), "not confirmed: why: https://a.example/");
        check(unsure(Standing::Contradicted), "conflicts: why: https://a.example/");
        check(unsure(Standing::Unchecked), "not checked: why: https://a.example/");
        check(Note::Other("weak support".into()), "weak support");
        assert_eq!(joined(&[Note::Other("a".into()), Note::Told(None, "b".into())]), "a; b");
    }
}
