//! The labels that agents put on their own findings: `[VERIFIED]`, `(inferred)`.

/// Labels that agents put on their own findings, in upper or lower case.
pub(crate) const EVIDENCE_LABELS: &[&str] = &[
    "verified",
    "unverified",
    "inferred",
    "inference",
    "blocked",
    "confirmed",
    "unconfirmed",
    "disputed",
    "contested",
    "speculative",
    "assumed",
    "assumption",
    "estimate",
    "estimated",
    "partially verified",
    "partly verified",
    "not verified",
    "single source",
    "conflicting",
];

/// Whether words are a label that agents put on their own findings.
pub(crate) fn is_evidence_label(words: &str) -> bool {
    let words = words.trim().trim_matches(['*', '_']);
    EVIDENCE_LABELS.iter().any(|label| label.eq_ignore_ascii_case(words))
}
