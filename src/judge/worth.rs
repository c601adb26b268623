//! Whether a value that a page does not have follows from values that it has: what a writer worked out is not missing.

use super::asked::Asked;
use super::derived;
use crate::quantity::{Agreement, Quantity, compare};

/// What a value that the page lacks may have been worked out from, for a person.
pub(super) fn worked_out(asked: &Asked<'_>) -> Option<(String, usize)> {
    let case = asked.case();
    let index = &asked.source.index;
    let lacking = |q: &&Quantity| {
        q.is_measured() && !index.agreeing(q).into_iter().any(|other| compare(q, other) >= Agreement::Compatible)
    };
    let working = asked.claim.quantities.iter().filter(lacking).find_map(|q| derived::working(&case, q, false))?;
    let from = working.from.join(", ");
    Some((format!("the source has numbers that give {}: {from}", working.value), working.sentence))
}

/// Whether values of the passages that speak to the claim give a value of it by a step of arithmetic.
pub(super) fn follows(asked: &Asked<'_>, q: &Quantity) -> bool {
    derived::working(&asked.case(), q, false).is_some()
}
