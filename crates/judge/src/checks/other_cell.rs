//! The one cell that the claim names has another value.

use super::found::Found;
use crate::pair::Pair;

pub(super) fn look(pair: &Pair<'_>) -> Option<Found> {
    let refuted = pair.proof().refuted.as_ref()?;
    let at = refuted.first_span().map(|at| pair.sentence_round(at));
    let (claimed, told) = refuted.words();
    Some(Found { span: at, reason: refuted.reason(), claimed, on_page: told, ..Found::default() })
}
