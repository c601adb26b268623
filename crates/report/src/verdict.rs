//! The verdict on a claim as a whole, and what a report calls it, its kind, and what was done with it.

use std::collections::HashSet;

use super::record::{Record, Verification};
use super::tone::Tone;
use super::wording::word_of;
use super::words;
use cited_core::claim::ClaimKind;
use cited_core::finding::Code;
use cited_core::outcome::Outcome;
use cited_core::verdict::Standing;
use cited_text::Span;

/// What is said of a claim as a whole, what weighs most first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verdict {
    /// A source says something else.
    Conflicts,
    /// All its sources are proven gone.
    Gone,
    /// No source could be read or judged.
    Unchecked,
    /// It must have a source and has none.
    Unsourced,
    /// Its sources were read, and none says just this.
    Unconfirmed,
    /// A passage supports it.
    Confirmed,
    /// It needs no source.
    Exempt,
}

impl Verdict {
    /// Those of the claims of a record.
    pub(crate) fn all_of(record: &Record) -> Vec<Verdict> {
        let gone = record.sources.iter().filter(|source| source.outcome == Outcome::Dead);
        let gone: HashSet<&str> = gone.map(|source| source.url.as_str()).collect();
        let orphans = record.findings.iter().filter(|told| told.code == Code::OrphanCitation && told.file.is_none());
        let orphans: Vec<Span> = orphans.filter_map(|told| told.span).collect();
        let of = |claim: &Verification| {
            let sources = &claim.sources_reconciled;
            let is_gone = !sources.is_empty() && sources.iter().all(|source| gone.contains(source.source_url.as_str()));
            match sources.iter().map(|source| source.verdict).min() {
                _ if claim.verified => Verdict::Confirmed,
                _ if is_gone => Verdict::Gone,
                Some(Standing::Unchecked) if !claim.kind.is_factual() => Verdict::Exempt,
                Some(standing) => standing.into(),
                None if claim.kind.must_have_source() => Verdict::Unsourced,
                // What cites by what means nothing wants a source and has none.
                None if claim.kind.is_factual() && orphans.iter().any(|span| claim.span.contains(*span)) => {
                    Verdict::Unsourced
                }
                None => Verdict::Exempt,
            }
        };
        record.verifications.iter().map(of).collect()
    }

    /// What a report shows of it.
    pub(crate) fn shown(self) -> Shown {
        let (key, tone, class, sign) = match self {
            Verdict::Confirmed => ("confirmed", Tone::Good, "s", "✓"),
            Verdict::Unconfirmed => ("unconfirmed", Tone::Doubtful, "w", "≈"),
            Verdict::Conflicts => ("conflicts", Tone::Bad, "x", "✗"),
            Verdict::Gone => ("gone", Tone::Bad, "g", "∅"),
            Verdict::Unchecked => ("unchecked", Tone::Neutral, "u", "–"),
            Verdict::Unsourced => ("unsourced", Tone::Doubtful, "o", "○"),
            Verdict::Exempt => ("exempt", Tone::Neutral, "e", "·"),
        };
        Shown { key, word: words::word("verdict", key).unwrap_or_default(), tone, class, sign }
    }
}

impl From<Standing> for Verdict {
    fn from(standing: Standing) -> Verdict {
        match standing {
            Standing::Supported => Verdict::Confirmed,
            Standing::Weak | Standing::Unverifiable => Verdict::Unconfirmed,
            Standing::Contradicted => Verdict::Conflicts,
            Standing::Unchecked => Verdict::Unchecked,
        }
    }
}

/// What a report shows of a verdict.
pub(crate) struct Shown {
    /// How filters and the table of words name it.
    pub(crate) key: &'static str,
    /// What everybody calls it: the one word for it.
    pub(crate) word: &'static str,
    /// How good it is.
    pub(crate) tone: Tone,
    /// The class of what is underlined.
    pub(crate) class: &'static str,
    /// The sign that says it without colour.
    pub(crate) sign: &'static str,
}

/// What was done with a claim, by the name of the action; or would be, where nothing was written.
pub(crate) fn action_words(action: &str, is_done: bool) -> String {
    let words = words::counted("action", action);
    if is_done { words.to_owned() } else { ["would be ", words].concat() }
}

/// What kind of statement a claim is.
pub(crate) fn kind_words(kind: ClaimKind) -> &'static str {
    words::word("kind", &word_of(kind)).unwrap_or_default()
}
