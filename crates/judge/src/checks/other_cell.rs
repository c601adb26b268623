//! The one cell that the claim names has another value.

use super::found::Found;
use crate::pair::Pair;
use crate::proof::Refuted;

pub(super) fn look(pair: &Pair<'_>) -> Option<Found> {
    let Refuted { claimed, reason, shown } = pair.proof().refuted.clone()?;
    let at = shown.first_span().map(|at| pair.sentence_round(at));
    Some(Found { span: at, reason, claimed, on_page: shown.written, ..Found::default() })
}
