//! One cue: what it stands for, and how a line of the cue tables writes it (see the head of `data/cues.txt`).

use std::collections::{BTreeMap, BTreeSet};

use cited_text::lexicon::Languages;
use cited_text::script::is_cjk;

/// What a sentence can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString)]
#[strum(serialize_all = "lowercase")]
pub(in crate::claim) enum Sign {
    Attribution,
    Comparison,
    Certainty,
    Hedge,
    Opinion,
    /// Sends the reader elsewhere: *See …*
    Pointer,
    Instruction,
    Transition,
    Todo,
    /// A word that a quantity may be written with.
    Number,
    /// Leans on the sentence before.
    Leans,
    /// The agent speaks.
    Agent,
    /// The agent announces what it will do.
    Announce,
    /// What an agent does to find things out.
    Search,
    /// What an agent does with what it found.
    Write,
    /// The agent talks about its own work: no cue by itself.
    #[strum(disabled)]
    Talk,
    /// The document speaks of itself.
    #[strum(serialize = "self")]
    Itself,
}

/// The signs that a sentence shows, as bits of a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::claim) struct Signs(u32);

impl Signs {
    /// Whether a sign is in it.
    pub fn has(self, sign: Sign) -> bool {
        self.0 & 1 << sign as u32 != 0
    }

    pub(super) fn add(&mut self, other: Signs) {
        self.0 |= other.0;
    }
}

impl From<Sign> for Signs {
    fn from(sign: Sign) -> Signs {
        Signs(1 << sign as u32)
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
    /// Whether it counts only where a clause starts.
    pub opens: bool,
    /// The languages that it is a cue in.
    pub languages: Languages,
}

/// Adds the cue that a line writes, for a sign in some languages, to a table.
pub(super) fn insert<'l>(
    table: &mut BTreeMap<Vec<u8>, Cue>,
    line: &'l str,
    (sign, languages): (Signs, Languages),
    all_at_start: bool,
) {
    let taken = |line: &'l str, rest: Option<&'l str>| rest.map_or((line, false), |rest| (rest.trim_start(), true));
    let (line, exception) = taken(line, line.strip_prefix('!'));
    let (line, at_start) = taken(line, line.strip_prefix('^'));
    let (line, open) = taken(line, line.strip_suffix('*'));
    let (line, case) = taken(line, line.strip_prefix('='));
    let (line, opens) = taken(line, line.strip_prefix('@'));
    let spaced = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_cjk(c));
    let word = spaced(line.chars().next());
    let ends_in_word = spaced(line.chars().next_back());
    let mut spellings = vec![line.to_ascii_lowercase()];
    // Text is read in lower case where it is ASCII; other capitals are cues of their own.
    if let Some(first) = line.chars().next().filter(|c| !c.is_ascii() && c.is_lowercase()) {
        spellings.push(first.to_uppercase().chain(line.chars().skip(1)).collect());
    }
    let curled: Vec<String> = spellings.iter().map(|spelling| spelling.replace('\'', "’")).collect();
    for spelling in spellings.into_iter().chain(curled).collect::<BTreeSet<_>>() {
        let cue =
            table.entry(spelling.into_bytes()).or_insert_with(|| Cue { languages: Languages::NONE, ..Cue::default() });
        cue.languages = cue.languages.and(languages);
        cue.word = word;
        cue.open |= open || !ends_in_word;
        cue.case |= case;
        cue.opens |= opens;
        if exception {
            continue;
        }
        if at_start || all_at_start {
            cue.at_start.add(sign);
        } else {
            cue.anywhere.add(sign);
        }
    }
}
