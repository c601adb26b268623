//! The checks: what is asked of a claim beside a page, in the order of one table. The first that finds something decides; no
//! verdict comes from anywhere else.
//!
//! A check of support asks each part of the page that accounts for the claim, and the guards may object to it there: one question each about
//! what has no counterpart on the other side.

mod denied;
mod exchanged;
mod found;
mod guards;
mod limits;
mod number_not_found;
mod other_number;
mod quotation;
mod table;
#[cfg(test)]
mod tests;

use super::pair::Pair;
use cited_core::verdict::CheckKind;
pub use found::{Check, Strength};
pub(super) use found::{Clash, Found};
pub(crate) use guards::stands_in;

macro_rules! check {
    ($id:literal, $strength:ident, $kind:ident, $right:literal, $look:expr) => {
        Check {
            id: $id,
            strength: Strength::$strength,
            kind: CheckKind::$kind,
            right: $right,
            page: include_str!(concat!("pages/", $id, ".md")),
            look: $look,
        }
    };
}

/// The checks, in the order in which they decide.
pub static CHECKS: &[Check] = &[
    check!("verbatim", Supports, Wording, 0.98, Some(verbatim)),
    check!("no-such-quotation", Contradicts, Quotation, 0.98, Some(quotation::find_missing)),
    check!("cut-quotation", Lacks, Quotation, 0.90, Some(quotation::find_cut)),
    check!("other-cell", Contradicts, Derived, 0.98, Some(table::find_other)),
    check!("derived", Supports, Derived, 0.95, Some(table::find_support)),
    check!("other-number", Contradicts, Quantity, 0.98, Some(other_number::look)),
    check!("number-not-found", Lacks, Quantity, 0.80, Some(number_not_found::look)),
    check!("denied", Denies, Polarity, 0.85, Some(denied::look)),
    check!("denial", Weakens, Polarity, 0.60, None),
    check!("possibility", Weakens, Polarity, 0.60, None),
    check!("quantifier", Weakens, Polarity, 0.60, None),
    check!("limit", Weakens, Polarity, 0.60, None),
    check!("direction", Weakens, Polarity, 0.60, None),
    check!("comparison", Weakens, Polarity, 0.60, None),
    check!("speaker", Weakens, Polarity, 0.60, None),
    check!("roles", Weakens, Polarity, 0.60, None),
    check!("other-value", Weakens, Quantity, 0.60, None),
    check!("quotation", Supports, Quotation, 0.92, Some(quotation::find_support)),
    check!("value", Supports, Quantity, 0.85, Some(|pair| guards::find_support(pair, true))),
    check!("aligned", Supports, Wording, 0.80, Some(|pair| guards::find_support(pair, false))),
];

/// The claim is a sentence of the page.
fn verbatim(pair: &Pair<'_>) -> Option<Found> {
    let at = crate::verbatim::find_sentence(pair)?;
    Some(Found { span: Some(at), reason: "the source says it word for word".to_owned(), ..Found::default() })
}

/// The check of this id.
pub fn check(id: &str) -> Option<&'static Check> {
    CHECKS.iter().find(|check| check.id == id)
}

/// The names of all checks with their pages, in the order in which they are asked.
pub fn pages() -> impl Iterator<Item = (&'static str, &'static str)> {
    CHECKS.iter().map(|check| (check.id, check.page))
}

/// The first check that finds something.
pub(super) fn decide(pair: &Pair<'_>) -> Option<(&'static Check, Found)> {
    CHECKS.iter().filter(|check| !pair.without.contains(check.id)).find_map(|check| {
        let found = check.look.map_or_else(|| guards::objects(pair, check.id), |look| look(pair));
        Some((check, found?))
    })
}
