//! What a look at a page can mean.

use cited_core::outcome::Outcome;
use cited_core::rule::Rule;

/// What a look means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ruling {
    /// Decided, and not dead.
    Settled {
        /// The state.
        outcome: Outcome,
        /// In words.
        reason: String,
        /// The rule that decided.
        rule: Rule,
        /// The signs that it rests on.
        signs: Vec<String>,
    },
    /// Gone, if a second look says so too.
    Gone {
        /// In words.
        reason: String,
        /// The rule that decided.
        rule: Rule,
        /// The signs that it rests on.
        signs: Vec<String>,
    },
    /// A sibling has to tell.
    Doubtful(Doubt),
}

/// What is known beside a look: what the document says of the source, for telling the right page from another.
#[derive(Clone, Copy, Default)]
pub struct Cited<'a> {
    /// Titles of its entries.
    pub titles: &'a [String],
    /// Sentences that cite it.
    pub claims: &'a [&'a str],
    /// Whether a text supports one of them.
    pub supports: Option<&'a (dyn Fn(&str) -> bool + Send + Sync)>,
    /// Whether other addresses of the run ended at the same page.
    pub in_company: bool,
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
