//! The verdict on a claim as a whole, and what a report calls it, its kind, and what was done with it.

use std::collections::HashSet;

use super::record::{Record, Verification};
use super::tone::Tone;
use super::wording::word_of;
use super::words;
use cited_core::claim::ClaimKind;
use cited_core::decide::Action;
use cited_core::finding::Code;
use cited_core::outcome::Outcome;
use cited_core::verdict::Standing;
use cited_text::Span;

/// What became of a claim, or what is said of it as a whole, what weighs most first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verdict {
    /// It went.
    Removed,
    /// A task stands in its place.
    Task,
    /// The run fails because of it.
    Failed,
    /// It stays with a mark.
    Marked,
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
    /// What became of each claim of a record, so that the counts add up; what is said of those that stay as they are.
    pub(crate) fn outcomes(record: &Record) -> Vec<Verdict> {
        let of = |(claim, verdict): (&Verification, Verdict)| match claim.action {
            Action::Drop => Verdict::Removed,
            Action::Todo => Verdict::Task,
            Action::Fail => Verdict::Failed,
            Action::Mark => Verdict::Marked,
            _ => verdict,
        };
        record.verifications.iter().zip(Verdict::all_of(record)).map(of).collect()
    }

    /// What is said of each claim of a record, whatever was done with it.
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
        let (of, key, tone, class, sign) = match self {
            Verdict::Removed => ("action", Action::Drop.word(), Tone::Bad, "", ""),
            Verdict::Task => ("action", Action::Todo.word(), Tone::Doubtful, "", ""),
            Verdict::Failed => ("action", Action::Fail.word(), Tone::Bad, "", ""),
            Verdict::Marked => ("action", Action::Mark.word(), Tone::Doubtful, "", ""),
            Verdict::Confirmed => ("verdict", "confirmed", Tone::Good, "s", "✓"),
            Verdict::Unconfirmed => ("verdict", "unconfirmed", Tone::Doubtful, "w", "≈"),
            Verdict::Conflicts => ("verdict", "conflicts", Tone::Bad, "x", "✗"),
            Verdict::Gone => ("verdict", "gone", Tone::Bad, "g", "∅"),
            Verdict::Unchecked => ("verdict", "unchecked", Tone::Neutral, "u", "–"),
            Verdict::Unsourced => ("verdict", "unsourced", Tone::Doubtful, "o", "○"),
            Verdict::Exempt => ("verdict", "exempt", Tone::Neutral, "e", "·"),
        };
        let word = words::word(of, key).unwrap_or_default();
        Shown { key, word, counted: words::counted(of, key), tone, class, sign }
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
    /// The same behind a number of claims.
    pub(crate) counted: &'static str,
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
