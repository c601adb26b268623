//! The labels that agents put on their own findings: `[VERIFIED]`, `(inferred)`.

use cited_text::lexicon::Classes;

static LABELS: Classes = Classes::new(include_str!("data/evidence_labels.tsv"));

/// Whether words are a label that agents put on their own findings, in upper or lower case.
pub(crate) fn is_evidence_label(words: &str) -> bool {
    let words = words.trim().trim_matches(['*', '_']);
    LABELS.of("label").iter().any(|label| label.eq_ignore_ascii_case(words))
}
