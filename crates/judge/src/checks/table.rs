//! What tables of the page have of the values of a claim.

use super::found::Found;
use crate::pair::Pair;
use crate::proof::Refuted;
use crate::quotations::QuotationMatch;

/// The one cell that the claim names has another value.
pub(super) fn find_other(pair: &Pair<'_>) -> Option<Found> {
    let Refuted { claimed, reason, shown } = pair.proof().refuted.clone()?;
    let at = shown.first_span().map(|at| pair.sentence_round(at));
    Some(Found { span: at, reason, claimed, on_page: shown.written, ..Found::default() })
}

/// The values of the claim stand in cells of a table that it names, or follow from cells of one column.
pub(super) fn find_support(pair: &Pair<'_>) -> Option<Found> {
    let quoted = pair.quoted.iter().all(|quoted| matches!(quoted.found, QuotationMatch::Found(_)));
    let shown = pair.proof().whole.as_ref().filter(|_| quoted)?;
    let at = shown.first_span().map(|at| pair.sentence_round(at));
    Some(Found { span: at, reason: shown.reason(), shown: Some(shown.clone()), ..Found::default() })
}
