//! The title of an entry: its words without what only leads to the address.

use super::brackets;
use super::shown::SEPARATORS;
use crate::address::in_text;
use crate::pattern::{Pattern, any_of};
use cited_text::lexicon::Classes;

/// Words round addresses: those that introduce one, texts of links that say nothing about what is linked (`empty`), and ends of titles and authors
/// whose stop is their own (`stopped`).
static WORDS: Classes = Classes::new(include_str!("data/address_words.tsv"));

/// A word that introduces an address and is no part of the title: a word of the title itself is not set off.
static INTRODUCING: Pattern =
    Pattern::made(|| format!("(?i)(?:^|[.,;:(\\[—–|。，；：（·\"”»」》-]) *({})$", any_of(WORDS.of("introducing"))));

pub(super) fn is_empty_text(words: &str) -> bool {
    WORDS.has("empty", &words.trim().trim_matches(['[', ']']).to_lowercase())
}

/// A title as it is read again from the line of a source list that gives it, before an address or alone: what it is written
/// as, so that a list that is read and written says the same.
pub fn title_in_line(title: &str, before_address: bool) -> String {
    // At its start an address would be the entry's own.
    let mut words = title.trim_start();
    while in_text::is_at_start(words) {
        words = words.split_once("//").map_or("", |(_, rest)| rest);
    }
    if before_address { tidy_title(&format!("{words} —")) } else { tidy_title(words) }
}

/// A title without separators, brackets that its address stood in, introducing words, and line ends.
pub(super) fn tidy_title(title: &str) -> String {
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut kept = title
        .trim_start_matches(SEPARATORS)
        .trim_start_matches([')', ']', '>', '）', '.', '。'])
        .trim_start_matches(SEPARATORS);
    let (mut explicit, mut introduced) = (false, false);
    loop {
        let before = kept;
        kept = kept.trim_end_matches(SEPARATORS);
        explicit |= kept.len() + 1 < before.len() || before.ends_with(['—', '–', '-', ':', '：', '|', ',', '，']);
        if let Some(open) = kept.strip_suffix(|c| c == '<' || brackets::opens_aside(c)) {
            kept = open;
            explicit = true;
        }
        if let Some(word) = INTRODUCING.captures(kept).and_then(|found| found.get(1)) {
            kept = &kept[..word.start()];
            introduced = true;
        }
        if kept.len() == before.len() {
            break;
        }
    }
    // `Title. URL`, `Title. Available at URL`: the stop was the separator, unless it is that of the last word: of *et al.*, not of *Kerval.*
    let mut stopped = WORDS.of("stopped").iter().filter_map(|word| kept.strip_suffix(word));
    let mut is_short = || stopped.any(|before| !before.ends_with(char::is_alphanumeric));
    if (!explicit || introduced) && !kept.ends_with("..") && !is_short() {
        kept = kept.strip_suffix(['.', '。']).unwrap_or(kept);
    }
    kept.trim().to_owned()
}

/// A note without the punctuation that set it off.
pub(super) fn tidy_note(note: &str) -> String {
    let note = note.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut kept = note.as_str();
    loop {
        let before = kept.len();
        kept = kept
            .trim_start_matches(|c| SEPARATORS.contains(&c) || ".。)]>）\"".contains(c))
            .trim_end_matches(|c| SEPARATORS.contains(&c) || brackets::opens_aside(c));
        let inner = kept.strip_prefix(brackets::opens_aside).and_then(|rest| rest.strip_suffix([')', '）', ']']));
        kept = inner.unwrap_or(kept);
        if kept.len() == before {
            return kept.to_owned();
        }
    }
}
