//! Words of a finding that say nothing of the world: labels of evidence, quotation marks, what leads to a source.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::citation::evidence_label::is_evidence_label;
use cited_text::lexicon::table;
use cited_text::marks;

/// Words before the address of a source.
static ADDRESS_WORDS: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| table::words(include_str!("data/address_words.tsv"), "leads").collect());

/// The rest of a text behind a word that names the source, and a colon: *URL: https://…*.
pub(super) fn behind_address_word(text: &str) -> Option<&str> {
    let words = text.trim_start_matches([' ', '*', '_', '\n', '(', '（']);
    ADDRESS_WORDS.iter().find_map(|word| {
        let named = words.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
        let rest = words.get(word.len()..).filter(|_| named)?;
        rest.trim_start().strip_prefix([':', '：'])
    })
}

/// A text without the word at its end that leads to a source, and whether there was one: *… tokens. Source:*.
pub(super) fn without_lead(text: &str) -> (&str, bool) {
    let Some(end) = text.trim_end().strip_suffix([':', '：']) else { return (text, false) };
    // *The source: …* is a sentence.
    let parted = |before: &str| {
        before.ends_with('\n') || !before.trim_end().ends_with(|c: char| c.is_alphanumeric() || c == ',')
    };
    let end = end.trim_end();
    let before = ADDRESS_WORDS.iter().filter_map(|word| {
        let at = end.len().checked_sub(word.len())?;
        let (before, last) = (end.get(..at)?, &end[at..]);
        (last.eq_ignore_ascii_case(word) && parted(before)).then_some(before)
    });
    match before.min_by_key(|before| before.len()) {
        Some(before) => (before.trim_end_matches(['(', '（', '—', '–', ' ', '\n']), true),
        None => (text, false),
    }
}

/// Whether a text is a label of evidence, and nothing else.
pub(super) fn is_only_a_label(text: &str) -> bool {
    let (words, label) = without_label(text);
    label.is_some() && !words.contains(char::is_alphanumeric)
}

pub(super) fn unquoted(text: &str) -> &str {
    let text = text.trim();
    marks::unquoted(text).map_or(text, str::trim)
}

/// The words without the author's own label, and the label: `[VERIFIED] …`, `… (inferred)`, `UNVERIFIED: …`,
/// `… — blocked`.
pub fn without_label(text: &str) -> (String, Option<String>) {
    /// What stands in brackets, with the spaces before it; a label with its remark has so many characters at most.
    static ASIDES: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r" *[\[(（［【〔]([^\[\]()（）［］【】〔〕]{1,80})[\])）］】〕]").expect("a fixed pattern")
    });
    let mut label = None;
    let kept = ASIDES.replace_all(text, |found: &Captures<'_>| {
        let words = &found[1];
        if !is_evidence_label(words.split([',', ';', ':', '—', '–']).next().unwrap_or(words)) {
            return found[0].to_owned();
        }
        label.get_or_insert_with(|| words.trim().to_owned());
        String::new()
    });
    let mut kept = kept.into_owned();
    if label.is_none() {
        if let Some((first, after)) = kept.split_once([':', '—', '–', '：'])
            && is_evidence_label(first)
        {
            label = Some(first.trim().trim_matches('*').to_owned());
            kept = after.to_owned();
        } else if let Some((before, last)) = kept.trim_end_matches(['.', ' ']).rsplit_once(['—', '–'])
            && is_evidence_label(last)
        {
            label = Some(last.trim().to_owned());
            kept = before.to_owned();
        }
    }
    (kept.split_whitespace().collect::<Vec<_>>().join(" "), label)
}
