//! What a look at a page can mean.

use cited_core::outcome::Outcome;
use cited_core::rule::Rule;

/// What a look means. What is dead is so if a second look says the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ruling {
    /// The state.
    pub outcome: Outcome,
    /// In words.
    pub reason: String,
    /// The rule that decided.
    pub rule: Rule,
    /// The signs that it rests on.
    pub signs: Vec<String>,
}

/// What speaks against a page, as long as no sibling was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doubt {
    /// The rule that it would be dead by.
    pub rule: Rule,
    /// In words for a reader.
    pub reason: String,
    /// The signs that raise it.
    pub signs: Vec<String>,
    /// Whether it is dead though its site knows the address: the page says so of the item itself.
    pub stands: bool,
    /// Whether it is dead where no sibling can be asked.
    pub sure: bool,
}
