//! Words of a finding that say nothing of the world: labels of evidence, quotation marks, what leads to a source.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::citation::evidence_label::is_evidence_label;
use crate::pattern::{Pattern, any_of, build};
use cited_text::lexicon::table;

/// The words before the address of a source, with a colon: at the start of a text, and at the end of what they lead from. *The source: …* is a
/// sentence.
static LEADS: LazyLock<[Regex; 2]> = LazyLock::new(|| {
    let words = any_of(table::words(include_str!("data/address_words.tsv"), "leads"));
    [
        format!(r"(?i)^[ *_\n(（]*(?:{words})\s*[:：]"),
        format!(r"(?is)^((?:.*?(?:\n|[^\p{{L}}\p{{N}},\s]))?\s*)(?:{words})\s*[:：]\s*$"),
    ]
    .map(|pattern| build(&pattern))
});

/// The rest of a text behind a word that names the source, and a colon: *URL: https://…*.
pub(super) fn behind_address_word(text: &str) -> Option<&str> {
    LEADS[0].find(text).map(|found| &text[found.end()..])
}

/// A text without the word at its end that leads to a source, and whether there was one: *… tokens. Source:*.
pub(super) fn without_lead(text: &str) -> (&str, bool) {
    let before = LEADS[1].captures(text).and_then(|found| found.get(1));
    before.map_or((text, false), |before| (before.as_str().trim_end_matches(['(', '（', '—', '–', ' ', '\n']), true))
}

/// Whether a text is a label of evidence, and nothing else.
pub(super) fn is_only_a_label(text: &str) -> bool {
    let (words, label) = without_label(text);
    label.is_some() && !words.contains(char::is_alphanumeric)
}

/// The words without the author's own label, and the label: `[VERIFIED] …`, `… (inferred)`, `UNVERIFIED: …`,
/// `… — blocked`.
pub fn without_label(text: &str) -> (String, Option<String>) {
    /// What stands in brackets, with the spaces before it; a label with its remark has so many characters at most.
    static ASIDES: Pattern = Pattern::new(r" *[\[(（［【〔]([^\[\]()（）［］【】〔〕]{1,80})[\])）］】〕]");
    let mut label = None;
    let kept = ASIDES.replace_all(text, |found: &Captures<'_>| {
        let words = &found[1];
        if !is_evidence_label(words.split([',', ';', ':', '—', '–']).next().unwrap_or(words)) {
            return found[0].to_owned();
        }
        label.get_or_insert_with(|| words.trim().to_owned());
        String::new()
    });
    let first = kept.split_once([':', '—', '–', '：']);
    let last = kept.trim_end_matches(['.', ' ']).rsplit_once(['—', '–']).map(|(before, last)| (last, before));
    let mut named = [first, last].into_iter().flatten();
    let named = named.find(|(words, _)| label.is_none() && is_evidence_label(words));
    let (label, kept) = match named {
        Some((words, rest)) => (Some(words.trim().trim_matches('*').to_owned()), rest),
        None => (label, &*kept),
    };
    (kept.split_whitespace().collect::<Vec<_>>().join(" "), label)
}
