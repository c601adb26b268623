//! The verdict on a claim as a whole, and what a report calls it, its kind, and what was done with it.

use maud::{Markup, html};

use super::{Tone, words};
use crate::record::Verification;
use crate::wording::word_of;
use cited_core::claim::ClaimKind;
use cited_core::outcome::Outcome;
use cited_core::verdict::Standing;

/// What is said of a claim as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, strum::VariantArray)]
pub(super) enum Verdict {
    /// A passage supports it.
    Supported,
    /// The best that a source says.
    Weak,
    /// See `Weak`.
    Unverifiable,
    /// See `Weak`.
    Contradicted,
    /// All its sources are proven gone.
    Gone,
    /// No source could be read or judged.
    Unchecked,
    /// It must have a source and has none.
    Unsourced,
    /// It needs none.
    Exempt,
}

impl Verdict {
    /// All, the best first.
    pub(super) const ALL: &[Verdict] = <Verdict as strum::VariantArray>::VARIANTS;

    /// `outcome` is that of a source, by its address.
    pub(super) fn of(claim: &Verification, outcome: impl Fn(&str) -> Option<Outcome>) -> Verdict {
        if claim.verified {
            return Verdict::Supported;
        }
        let mut outcomes = claim.sources_reconciled.iter().map(|source| outcome(&source.source_url)).peekable();
        if outcomes.peek().is_some() && outcomes.all(|outcome| outcome == Some(Outcome::Dead)) {
            return Verdict::Gone;
        }
        match claim.sources_reconciled.iter().map(|source| source.verdict).min() {
            Some(Standing::Unchecked) if !claim.kind.is_factual() => Verdict::Exempt,
            Some(standing) => standing.into(),
            None if claim.kind.must_have_source() => Verdict::Unsourced,
            None => Verdict::Exempt,
        }
    }

    /// What a report shows of it.
    pub(super) fn shown(self) -> Shown {
        let (key, words, short, tone, class, sign) = match self {
            Verdict::Supported => ("supported", "supported", "supported", Tone::Good, "s", "✓"),
            Verdict::Weak => ("weak", "weakly supported", "weak", Tone::Doubtful, "w", "≈"),
            Verdict::Unverifiable => ("unverifiable", "not shown by its source", "not shown", Tone::Doubtful, "v", "?"),
            Verdict::Contradicted => ("contradicted", "contradicted", "contradicted", Tone::Bad, "x", "✗"),
            Verdict::Gone => ("gone", "its source is gone", "source gone", Tone::Bad, "g", "∅"),
            Verdict::Unchecked => ("unchecked", "not checked", "not checked", Tone::Neutral, "u", "–"),
            Verdict::Unsourced => ("unsourced", "without a source", "no source", Tone::Doubtful, "o", "○"),
            Verdict::Exempt => ("exempt", "needs no source", "none needed", Tone::Neutral, "e", "·"),
        };
        Shown { key, words, short, tone, class, sign }
    }

    /// Its sign and words, in its colour.
    pub(super) fn badge(self) -> Markup {
        let Shown { tone, sign, words, .. } = self.shown();
        html! { b.(tone.class()) { (sign) " " (words) } }
    }
}

impl From<Standing> for Verdict {
    fn from(standing: Standing) -> Verdict {
        match standing {
            Standing::Supported => Verdict::Supported,
            Standing::Weak => Verdict::Weak,
            Standing::Unverifiable => Verdict::Unverifiable,
            Standing::Contradicted => Verdict::Contradicted,
            Standing::Unchecked => Verdict::Unchecked,
        }
    }
}

/// What a report shows of a verdict.
pub(super) struct Shown {
    /// How filters name it.
    pub(super) key: &'static str,
    /// What it means for the claim.
    pub(super) words: &'static str,
    /// The same in a word or two.
    pub(super) short: &'static str,
    /// How good it is.
    pub(super) tone: Tone,
    /// The class of what is underlined.
    pub(super) class: &'static str,
    /// The sign that says it without colour.
    pub(super) sign: &'static str,
}

/// What was done with a claim, by the name of the action; or would be, where nothing was written.
pub(super) fn action_words(action: &str, is_done: bool) -> String {
    let words = words::first(&format!("action {action}")).unwrap_or_default();
    if is_done { words.to_owned() } else { ["would be ", words].concat() }
}

/// What kind of statement a claim is.
pub(super) fn kind_words(kind: ClaimKind) -> &'static str {
    words::first(&format!("kind {}", word_of(kind))).unwrap_or_default()
}
