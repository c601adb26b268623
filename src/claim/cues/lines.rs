//! The syntax of a line of the cue tables: see the head of `data/cues.txt`.

use std::collections::BTreeMap;

use super::{Cue, Signs};
use crate::lexicon::Languages;
use crate::text::script::is_cjk;

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
