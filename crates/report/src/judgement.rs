//! What one page says about one claim, as data and as text: `cited judge`.

use serde::Serialize;

use super::wording::one_line;
use super::words::{self, Verdict as OfClaim};
use cited_core::decide::Action;
use cited_core::outcome::Outcome;
use cited_core::verdict::Verdict;
use cited_text::Span;

/// The version of this shape.
pub const SCHEMA: &str = "cited/judgement/1";

/// One claim, one page, and the verdict.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct Judgement<'a> {
    /// The version of this shape.
    pub schema: &'static str,
    /// The claim as given.
    pub claim: &'a str,
    /// The page: its address, or the path of the file.
    pub page: &'a str,
    /// What asking for the page gave; none for a file.
    pub outcome: Option<Outcome>,
    /// What `verify` does with a claim that this page alone speaks of.
    pub action: Action,
    /// What the page says about the claim, and why.
    #[serde(flatten)]
    pub verdict: &'a Verdict,
}

impl Judgement<'_> {
    /// For people.
    pub fn text(&self) -> String {
        let verdict = self.verdict;
        let standing = OfClaim::from(verdict.standing).shown().word;
        let pinned = |words: &str, Span { start, end }: Span| format!("{start}..{end} “{words}”");
        let mut told = vec![("page", self.page.to_owned())];
        told.extend(self.outcome.map(|outcome| ("outcome", outcome.as_str().to_owned())));
        told.push(("verdict", format!("{standing}, support {:.0}%", verdict.confidence * 100.0)));
        told.extend(Some(("reason", verdict.reason.clone())).filter(|(_, reason)| !reason.is_empty()));
        told.extend(verdict.checks.iter().map(|check| ("check", words::result(check).1)));
        told.extend(verdict.check.iter().map(|check| ("decided", check.clone())));
        told.push(("action", self.action.word().to_owned()));
        told.extend(verdict.passage.iter().map(|passage| ("passage", pinned(&passage.text, passage.offsets))));
        let operands = verdict.derivation.iter().flat_map(|derivation| &derivation.operands);
        told.extend(operands.map(|operand| ("from", pinned(&operand.text, operand.offsets))));
        let lines: Vec<_> = told.iter().map(|(name, value)| format!("{name:<11}{}\n", one_line(value))).collect();
        lines.concat()
    }
}
