//! The values of the claim stand in cells of a table that it names, or follow from cells of one column.

use super::found::Found;
use crate::pair::Pair;
use crate::quotations::QuotationMatch;

pub(super) fn look(pair: &Pair<'_>) -> Option<Found> {
    let quoted = pair.quoted.iter().all(|quoted| matches!(quoted.found, QuotationMatch::Found(_)));
    let shown = pair.proof().whole().filter(|_| quoted)?;
    let at = shown.first_span().map(|at| pair.sentence_round(at));
    Some(Found { span: at, reason: shown.reason(), shown: Some(shown.clone()), ..Found::default() })
}
