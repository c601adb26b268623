//! What the programs that fit trees and train models ask of the judge.

use super::asked::ClaimText;
use super::examined::examine;
use super::meaning::{self, Entailment, EntailmentModel};
use super::page::SourceText;
use super::{binding, wording};
use crate::text::Span;

/// What an entailment model says of a claim beside a page.
#[derive(Debug, Clone, Copy)]
pub struct ModelReading {
    /// In the best passages together.
    pub together: Entailment,
    /// The mean log-odds of entailment of these passages one by one.
    pub each: f64,
}

/// Asks a model everything that it may be asked about a claim.
///
/// # Errors
/// When the model cannot be loaded or run.
pub fn read_with(
    claim: &ClaimText<'_>,
    source: &SourceText<'_>,
    model: &dyn EntailmentModel,
) -> Result<ModelReading, String> {
    let examined = examine(claim, source, f64::MAX, None);
    let read = meaning::ask(&examined.question(claim), &source.index, true, model)?;
    Ok(ModelReading { together: read.together, each: read.each })
}

/// What an entailment model would read of a page for a claim.
pub fn reading(claim: &ClaimText<'_>, source: &SourceText<'_>) -> String {
    meaning::reading(&source.index, &examine(claim, source, f64::MAX, None).windows)
}

/// Where each number of a claim stands whose place nothing decides, and what that place is described by.
pub fn bindings(claim: &ClaimText<'_>, source: &SourceText<'_>) -> Vec<(Span, [f32; binding::FEATURES])> {
    let found = examine(claim, source, f64::MAX, None).quantities;
    found.into_iter().filter_map(|one| Some((one.quantity.span, one.binding?))).collect()
}

/// The features of a claim on a page.
pub fn features(claim: &ClaimText<'_>, source: &SourceText<'_>) -> [f32; wording::FEATURES] {
    examine(claim, source, f64::MAX, None).features
}
