//! The checks: what is asked of a claim beside a page, one file each, in the order of one table. The first that finds something decides; no
//! verdict comes from anywhere else.
//!
//! A check of support asks each part of the page that accounts for the claim, and the guards may object to it there: one question each about
//! what has no counterpart on the other side.

mod aligned;
mod cut_quotation;
mod denied;
mod derived;
pub(super) mod guards;
mod no_such_quotation;
mod number_not_found;
mod other_cell;
mod other_number;
mod quotation;
#[cfg(test)]
mod tests;
mod value;
mod verbatim;

use super::align::Aligned;
use super::asked::Asked;
use super::proof::Shown;
use super::verdict::CheckKind;
use crate::text::Span;

/// What a check that finds something says of the claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strength {
    /// The source says it.
    Supports,
    /// The source says something else, and that is proof: the claim goes.
    Contradicts,
    /// The source denies it, as far as a reader of words can tell: the claim is marked.
    Denies,
    /// What the claim rests on is not there: it is marked.
    Lacks,
    /// Part of the claim has no counterpart.
    Weakens,
}

/// What is asked.
#[derive(Clone, Copy)]
pub(super) enum Question {
    /// Of the whole page.
    Page(fn(&Asked<'_>) -> Option<Found>),
    /// Of a part of the page that accounts for the claim: whether something objects.
    Guard(fn(&Asked<'_>, &Aligned<'_>) -> Option<Clash>),
}

/// A check.
pub struct Check {
    /// Its name, as the record and `cited.toml` have it.
    pub id: &'static str,
    /// What it says where it finds something.
    pub strength: Strength,
    /// The kind of check that the record gives it as.
    pub kind: CheckKind,
    /// The share of its verdicts that were right on labelled text.
    pub right: f64,
    /// What it asks, with examples both ways, which are its test. Markdown.
    pub page: &'static str,
    pub(super) question: Question,
}

/// What a check found.
#[derive(Debug, Clone, Default)]
pub(super) struct Found {
    /// Where on the page.
    pub(super) span: Option<Span>,
    /// For a person.
    pub(super) reason: String,
    /// The claim's words, …
    pub(super) claimed: String,
    /// … and those of the page in their place; empty where there are none.
    pub(super) found: String,
    /// How a value follows from others.
    pub(super) shown: Option<Shown>,
}

/// Words of a claim and of a page that do not go together; empty where one side has none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Clash {
    pub(super) claimed: String,
    pub(super) found: String,
}

impl Clash {
    pub(super) fn new(claimed: impl Into<String>, found: impl Into<String>) -> Self {
        Clash { claimed: claimed.into(), found: found.into() }
    }

    /// For a person: what the source does not say, and what it says.
    pub(super) fn reason(&self) -> String {
        match (self.claimed.is_empty(), self.found.is_empty()) {
            (false, false) => format!("the source does not say “{}”; it says “{}”", self.claimed, self.found),
            (false, true) => format!("the source does not say “{}”", self.claimed),
            _ => format!("the source says “{}”, which the claim leaves out", self.found),
        }
    }
}

macro_rules! check {
    ($id:literal, $strength:ident, $kind:ident, $right:literal, $question:expr) => {
        Check {
            id: $id,
            strength: Strength::$strength,
            kind: CheckKind::$kind,
            right: $right,
            page: include_str!(concat!("pages/", $id, ".md")),
            question: $question,
        }
    };
}

/// The checks, in the order in which they decide.
pub static CHECKS: &[Check] = &[
    check!("verbatim", Supports, Wording, 0.98, Question::Page(verbatim::look)),
    check!("no-such-quotation", Contradicts, Quotation, 0.98, Question::Page(no_such_quotation::look)),
    check!("cut-quotation", Lacks, Quotation, 0.90, Question::Page(cut_quotation::look)),
    check!("other-cell", Contradicts, Derived, 0.98, Question::Page(other_cell::look)),
    check!("derived", Supports, Derived, 0.95, Question::Page(derived::look)),
    check!("other-number", Contradicts, Quantity, 0.98, Question::Page(other_number::look)),
    check!("number-not-found", Lacks, Quantity, 0.85, Question::Page(number_not_found::look)),
    check!("denied", Denies, Polarity, 0.85, Question::Page(denied::look)),
    check!("denial", Weakens, Polarity, 0.60, Question::Guard(guards::denial)),
    check!("possibility", Weakens, Polarity, 0.60, Question::Guard(guards::possibility)),
    check!("quantifier", Weakens, Polarity, 0.60, Question::Guard(guards::quantifier)),
    check!("alternatives", Weakens, Polarity, 0.60, Question::Guard(guards::alternatives)),
    check!("limit", Weakens, Polarity, 0.60, Question::Guard(guards::limit)),
    check!("direction", Weakens, Polarity, 0.60, Question::Guard(guards::direction)),
    check!("comparison", Weakens, Polarity, 0.60, Question::Guard(guards::comparison)),
    check!("speaker", Weakens, Polarity, 0.60, Question::Guard(guards::speaker)),
    check!("roles", Weakens, Polarity, 0.60, Question::Guard(guards::roles)),
    check!("other-value", Weakens, Quantity, 0.60, Question::Guard(guards::other_value)),
    check!("quotation", Supports, Quotation, 0.92, Question::Page(quotation::look)),
    check!("value", Supports, Quantity, 0.85, Question::Page(value::look)),
    check!("aligned", Supports, Wording, 0.80, Question::Page(aligned::look)),
];

/// The check of this id.
pub fn check(id: &str) -> Option<&'static Check> {
    CHECKS.iter().find(|check| check.id == id)
}

/// The names of all checks with their pages, in the order in which they are asked.
pub fn pages() -> impl Iterator<Item = (&'static str, &'static str)> {
    CHECKS.iter().map(|check| (check.id, check.page))
}

/// The first check that finds something.
pub(super) fn decide(asked: &Asked<'_>) -> Option<(&'static Check, Found)> {
    CHECKS.iter().filter(|check| asked.asks(check.id)).find_map(|check| {
        let found = match check.question {
            Question::Page(look) => look(asked)?,
            Question::Guard(look) => guards::objects(asked, look)?,
        };
        Some((check, found))
    })
}
