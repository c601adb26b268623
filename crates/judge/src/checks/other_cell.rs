//! The one cell that the claim names has another value.

use super::found::Found;
use crate::asked::Asked;

pub(super) fn look(asked: &Asked<'_>) -> Option<Found> {
    let refuted = asked.proof().refuted.as_ref()?;
    let at = refuted.place().map(|at| asked.sentence_round(at));
    let (claimed, told) = refuted.words();
    Some(Found { span: at, reason: refuted.reason(), claimed, told, ..Found::default() })
}
