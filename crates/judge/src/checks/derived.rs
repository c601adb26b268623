//! The values of the claim stand in cells of a table that it names, or follow from cells of one column.

use super::found::Found;
use crate::asked::Asked;
use crate::quotations::Place;

pub(super) fn look(asked: &Asked<'_>) -> Option<Found> {
    let quoted = asked.quoted.iter().all(|quoted| matches!(quoted.place, Place::Found(_)));
    let shown = asked.proof().whole().filter(|_| quoted)?;
    let at = shown.place().map(|at| asked.sentence_round(at));
    Some(Found { span: at, reason: shown.reason(), shown: Some(shown.clone()), ..Found::default() })
}
