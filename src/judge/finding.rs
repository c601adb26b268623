//! What a page has of a value of a claim.

use super::verdict::CheckResult;
use crate::quantity::Quantity;
use crate::text::Span;

/// How many numbers describe whether a value belongs to the claim's thing.
pub const FEATURES: usize = 37;

/// What the page has of one quantity of the claim.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The claim's quantity.
    pub quantity: Quantity,
    /// What was found.
    pub result: CheckResult,
    /// Whether the result proves something: see [`Verdict::hard`](super::Verdict::hard).
    pub hard: bool,
    /// The sentence of the page that decided.
    pub sentence: Option<usize>,
    /// Whether the value is anywhere on the page, bound or not.
    pub on_page: bool,
    /// What the value may have been worked out from, where the page does not have it itself.
    pub working: Option<Working>,
    /// What its place was described by, when that was asked.
    pub binding: Option<[f32; FEATURES]>,
    /// Whether it stands in a cell whose row and column the claim names: then no words round it have to say what it is of.
    pub named: bool,
}

/// What a value may have been worked out from.
#[derive(Debug, Clone, PartialEq)]
pub struct Working {
    /// The claim's value, as it is written.
    pub value: String,
    /// The values of the page, as they are written there, the first ones first.
    pub from: Vec<String>,
    /// Where they stand.
    pub places: Vec<Span>,
    /// The sentence of the page that the first of them stands in.
    pub sentence: usize,
}
