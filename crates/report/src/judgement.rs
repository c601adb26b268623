//! What one page says about one claim, as data and as text: `cited judge`.

use std::fmt::Write as _;

use serde::Serialize;

use super::verdict::Verdict as OfClaim;
use super::wording::one_line;
use super::words;
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
    #[serde(skip_serializing_if = "Option::is_none")]
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
        let mut out = String::new();
        // Writing to a String cannot fail.
        let mut line = |name: &str, value: &str| {
            let _ = writeln!(out, "{name:<11}{}", one_line(value));
        };
        line("page", self.page);
        if let Some(outcome) = self.outcome {
            line("outcome", outcome.as_str());
        }
        let verdict = self.verdict;
        let standing = OfClaim::from(verdict.standing).shown().word;
        line("verdict", &format!("{standing}, support {:.0}%", verdict.confidence * 100.0));
        if !verdict.reason.is_empty() {
            line("reason", &verdict.reason);
        }
        for check in &verdict.checks {
            line("check", &words::result(check).1);
        }
        if let Some(check) = &verdict.check {
            line("decided", check);
        }
        line("action", self.action.word());
        if let Some(passage) = &verdict.passage {
            let Span { start, end } = passage.offsets;
            line("passage", &format!("{start}..{end} “{}”", passage.text));
        }
        for operand in verdict.derivation.iter().flat_map(|derivation| &derivation.operands) {
            let Span { start, end } = operand.offsets;
            line("from", &format!("{start}..{end} “{}”", operand.text));
        }
        out
    }
}
