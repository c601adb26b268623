//! A claim without quantities: every content word is accounted for in one part of the page, in the same order.

use super::found::Found;
use super::guards;
use crate::pair::Pair;

pub(super) fn look(pair: &Pair<'_>) -> Option<Found> {
    guards::find_support(pair, false, "the source says it in nearly the same words")
}
