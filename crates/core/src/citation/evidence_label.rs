//! The labels that agents put on their own findings: `[VERIFIED]`, `(inferred)`.

use std::sync::LazyLock;

use cited_text::lexicon::table;

static LABELS: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| table::words(include_str!("data/evidence_labels.tsv"), "label").collect());

/// Whether words are a label that agents put on their own findings, in upper or lower case.
pub(crate) fn is_evidence_label(words: &str) -> bool {
    let words = words.trim().trim_matches(['*', '_']);
    LABELS.iter().any(|label| label.eq_ignore_ascii_case(words))
}
