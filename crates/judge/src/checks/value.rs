//! All quantities of the claim stand in one part of the page, which accounts for the rest of it.

use super::found::Found;
use super::guards;
use crate::pair::Pair;

pub(super) fn look(pair: &Pair<'_>) -> Option<Found> {
    guards::find_support(pair, true, "the source has the numbers for the same thing")
}
