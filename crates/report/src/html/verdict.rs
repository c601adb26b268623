//! The verdict on a claim as a whole, and what a report calls it, its kind, and what was done with it.

use maud::{Markup, html};

use super::Tone;
use crate::record::Verification;
use cited_core::claim::ClaimKind;
use cited_core::decide::Action;
use cited_core::outcome::Outcome;
use cited_core::verdict::Standing;

/// What is said of a claim as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    pub(super) const ALL: [Verdict; 8] = [
        Verdict::Supported,
        Verdict::Weak,
        Verdict::Unverifiable,
        Verdict::Contradicted,
        Verdict::Gone,
        Verdict::Unchecked,
        Verdict::Unsourced,
        Verdict::Exempt,
    ];

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
            Some(Standing::Supported) => Verdict::Supported,
            Some(Standing::Weak) => Verdict::Weak,
            Some(Standing::Unverifiable) => Verdict::Unverifiable,
            Some(Standing::Contradicted) => Verdict::Contradicted,
            Some(Standing::Unchecked) if claim.kind.is_factual() => Verdict::Unchecked,
            None if claim.kind.must_have_source() => Verdict::Unsourced,
            Some(Standing::Unchecked) | None => Verdict::Exempt,
        }
    }

    /// Its name in addresses and in the page.
    pub(super) fn key(self) -> &'static str {
        match self {
            Verdict::Supported => "supported",
            Verdict::Weak => "weak",
            Verdict::Unverifiable => "unverifiable",
            Verdict::Contradicted => "contradicted",
            Verdict::Gone => "gone",
            Verdict::Unchecked => "unchecked",
            Verdict::Unsourced => "unsourced",
            Verdict::Exempt => "exempt",
        }
    }

    /// For readers.
    pub(super) fn words(self) -> &'static str {
        match self {
            Verdict::Supported => "supported",
            Verdict::Weak => "weakly supported",
            Verdict::Unverifiable => "not shown by its source",
            Verdict::Contradicted => "contradicted",
            Verdict::Gone => "its source is gone",
            Verdict::Unchecked => "not checked",
            Verdict::Unsourced => "without a source",
            Verdict::Exempt => "needs no source",
        }
    }

    /// How good it is.
    pub(super) fn tone(self) -> Tone {
        match self {
            Verdict::Supported => Tone::Good,
            Verdict::Weak | Verdict::Unverifiable | Verdict::Unsourced => Tone::Doubtful,
            Verdict::Contradicted | Verdict::Gone => Tone::Bad,
            Verdict::Unchecked | Verdict::Exempt => Tone::Neutral,
        }
    }

    /// The class that underlines it in the document.
    pub(super) fn class(self) -> &'static str {
        match self {
            Verdict::Supported => "s",
            Verdict::Weak => "w",
            Verdict::Unverifiable => "v",
            Verdict::Contradicted => "x",
            Verdict::Gone => "g",
            Verdict::Unchecked => "u",
            Verdict::Unsourced => "o",
            Verdict::Exempt => "e",
        }
    }

    /// The sign of it, each another one.
    pub(super) fn sign(self) -> &'static str {
        match self {
            Verdict::Supported => "✓",
            Verdict::Weak => "≈",
            Verdict::Unverifiable => "?",
            Verdict::Contradicted => "✗",
            Verdict::Gone => "∅",
            Verdict::Unchecked => "–",
            Verdict::Unsourced => "○",
            Verdict::Exempt => "·",
        }
    }

    /// Sign and words.
    pub(super) fn badge(self) -> Markup {
        html! { b.(self.tone().class()) { (self.sign()) " " (self.words()) } }
    }
}

/// What was done with a claim.
pub(super) fn action_words(action: Action) -> &'static str {
    match action {
        Action::Keep => "kept",
        Action::Cite => "given a source",
        Action::Recite => "given another source",
        Action::Mark => "marked",
        Action::Todo => "replaced by a task",
        Action::Drop => "removed",
        Action::Fail => "makes the run fail",
    }
}

/// What kind of statement a claim is.
pub(super) fn kind_words(kind: ClaimKind) -> &'static str {
    match kind {
        ClaimKind::Quantitative => "number",
        ClaimKind::Quotation => "quotation",
        ClaimKind::Attribution => "attribution",
        ClaimKind::Comparison => "comparison",
        ClaimKind::Certainty => "certainty",
        ClaimKind::Plain => "statement",
        ClaimKind::Hedged => "hedged",
        ClaimKind::Opinion => "opinion",
        ClaimKind::Question => "question",
        ClaimKind::Instruction => "instruction",
        ClaimKind::Heading => "heading",
        ClaimKind::Transition => "transition",
        ClaimKind::Todo => "task",
        ClaimKind::Chatter => "chatter",
    }
}

/// How good it is what one source says.
pub(super) fn standing_tone(standing: Standing) -> Tone {
    match standing {
        Standing::Supported => Tone::Good,
        Standing::Weak | Standing::Unverifiable => Tone::Doubtful,
        Standing::Contradicted => Tone::Bad,
        Standing::Unchecked => Tone::Neutral,
    }
}

/// The sign of what one source says, and its words: those of the claim's own verdict, so that nobody learns two names for one thing.
pub(super) fn standing_words(standing: Standing) -> (&'static str, &'static str) {
    let verdict = match standing {
        Standing::Supported => Verdict::Supported,
        Standing::Weak => Verdict::Weak,
        Standing::Unverifiable => Verdict::Unverifiable,
        Standing::Contradicted => Verdict::Contradicted,
        Standing::Unchecked => Verdict::Unchecked,
    };
    (verdict.sign(), short(verdict))
}

/// A name that fits beside a bar.
pub(super) fn short(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Weak => "weak",
        Verdict::Unverifiable => "not shown",
        Verdict::Gone => "source gone",
        Verdict::Unsourced => "no source",
        Verdict::Exempt => "none needed",
        other => other.words(),
    }
}
