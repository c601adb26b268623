//! One cue: what it stands for, and how a line of the cue tables writes it (see the head of `data/cues.txt`).

use std::collections::BTreeMap;

use cited_text::lexicon::Languages;
use cited_text::script::is_cjk;

/// Signs that a sentence can show, as bits of a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::claim) struct Signs(u16);

impl Signs {
    pub const ATTRIBUTION: Signs = Signs(1);
    pub const COMPARISON: Signs = Signs(1 << 1);
    pub const CERTAINTY: Signs = Signs(1 << 2);
    pub const HEDGE: Signs = Signs(1 << 3);
    pub const OPINION: Signs = Signs(1 << 4);
    /// Sends the reader elsewhere: *See …*
    pub const POINTER: Signs = Signs(1 << 5);
    pub const INSTRUCTION: Signs = Signs(1 << 6);
    pub const TRANSITION: Signs = Signs(1 << 7);
    pub const TODO: Signs = Signs(1 << 8);
    /// A word that a quantity may be written with.
    pub const NUMBER: Signs = Signs(1 << 9);
    /// Leans on the sentence before.
    pub const LEANS: Signs = Signs(1 << 10);
    /// The agent speaks.
    pub const AGENT: Signs = Signs(1 << 11);
    /// The agent announces what it will do.
    pub const ANNOUNCE: Signs = Signs(1 << 12);
    /// What an agent does to find things out.
    pub const SEARCH: Signs = Signs(1 << 13);
    /// What an agent does with what it found.
    pub const WRITE: Signs = Signs(1 << 14);
    /// The document speaks of itself.
    pub const SELF: Signs = Signs(1 << 15);

    pub(super) fn named(name: &str) -> Option<Signs> {
        Some(match name {
            "attribution" => Signs::ATTRIBUTION,
            "comparison" => Signs::COMPARISON,
            "certainty" => Signs::CERTAINTY,
            "hedge" => Signs::HEDGE,
            "opinion" => Signs::OPINION,
            "pointer" => Signs::POINTER,
            "instruction" => Signs::INSTRUCTION,
            "transition" => Signs::TRANSITION,
            "todo" => Signs::TODO,
            "number" => Signs::NUMBER,
            "leans" => Signs::LEANS,
            "agent" => Signs::AGENT,
            "announce" => Signs::ANNOUNCE,
            "search" => Signs::SEARCH,
            "write" => Signs::WRITE,
            "self" => Signs::SELF,
            _ => return None,
        })
    }

    /// Whether any of `other` is in it.
    pub fn has(self, other: Signs) -> bool {
        self.0 & other.0 != 0
    }

    pub(super) fn add(&mut self, other: Signs) {
        self.0 |= other.0;
    }
}

impl std::ops::BitOr for Signs {
    type Output = Signs;

    fn bitor(self, other: Signs) -> Signs {
        Signs(self.0 | other.0)
    }
}

/// What one cue stands for.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cue {
    /// Shown anywhere.
    pub anywhere: Signs,
    /// Shown only at the start of the sentence.
    pub at_start: Signs,
    /// Whether the word may go on after it.
    pub open: bool,
    /// Whether it starts where a word starts: of a script with spaces.
    pub word: bool,
    /// Whether it counts only as written: in capitals, or in small letters but for the start of the sentence.
    pub case: bool,
    /// Whether it counts only where a clause starts, or before a name.
    pub named: bool,
    /// The languages that it is a cue in.
    pub languages: Languages,
}

/// Adds the cue that a line writes, for a sign in some languages, to a table.
pub(super) fn insert(
    table: &mut BTreeMap<Vec<u8>, Cue>,
    line: &str,
    (sign, languages): (Signs, Languages),
    all_at_start: bool,
) {
    let (line, exception) = match line.strip_prefix('!') {
        Some(rest) => (rest.trim_start(), true),
        None => (line, false),
    };
    let (line, at_start) = match line.strip_prefix('^') {
        Some(rest) => (rest, true),
        None => (line, all_at_start),
    };
    let (line, open) = match line.strip_suffix('*') {
        Some(rest) => (rest, true),
        None => (line, false),
    };
    let (line, case) = match line.strip_prefix('=') {
        Some(rest) => (rest, true),
        None => (line, false),
    };
    let (line, named) = match line.strip_prefix('@') {
        Some(rest) => (rest, true),
        None => (line, false),
    };
    if line.is_empty() {
        return;
    }
    let spaced = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_cjk(c));
    let word = spaced(line.chars().next());
    let ends_in_word = spaced(line.chars().next_back());
    let mut spellings = vec![line.to_ascii_lowercase()];
    // Text is read in lower case where it is ASCII; other capitals are cues of their own.
    if let Some(first) = line.chars().next().filter(|c| !c.is_ascii() && c.is_lowercase()) {
        spellings.push(first.to_uppercase().chain(line.chars().skip(1)).collect());
    }
    for spelling in spellings {
        let cue =
            table.entry(spelling.into_bytes()).or_insert_with(|| Cue { languages: Languages::NONE, ..Cue::default() });
        cue.languages = cue.languages.and(languages);
        cue.word = word;
        cue.open |= open || !ends_in_word;
        cue.case |= case;
        cue.named |= named;
        if exception {
            continue;
        }
        if at_start {
            cue.at_start.add(sign);
        } else {
            cue.anywhere.add(sign);
        }
    }
}
