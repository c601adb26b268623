//! A sentence accounts for everything, and one of the two denies it.

use super::found::Found;
use super::guards;
use crate::align::{Account, Aligned};
use crate::pair::Pair;
use crate::{polarity, verbatim};

/// A sentence is the claim's with this part of its words, in the same order.
const COVERED: f64 = 0.9;

pub(super) fn look(pair: &Pair<'_>) -> Option<Found> {
    let claim = pair.spoken();
    let mine = polarity::stance_of(claim, pair.claim.words.iter().copied());
    // A denial is of what its own sentence says, and not of the headings that stand over it.
    let is_own = |unit: &Aligned<'_>| {
        unit.accounts.iter().filter(|account| **account == Account::Over).count() * 2 <= unit.accounts.len()
    };
    let near = |unit: &&Aligned<'_>| {
        let is_sentence = unit.first == unit.last && is_own(unit) && guards::is_plain(pair, unit);
        is_sentence && unit.covered >= COVERED && unit.ordered >= COVERED
    };
    // What says it as it is outweighs what seems to deny it.
    if guards::says_it(pair) || verbatim::find_sentence(pair).is_some() {
        return None;
    }
    pair.units.iter().filter(near).find_map(|unit| {
        let page = guards::spoken(pair, unit, unit.region());
        let (claimed, found) = polarity::denies_the_other(claim, &mine, page)?;
        let reason = match (claimed.as_str(), found.as_str()) {
            ("", found) => format!("source says the opposite: it denies it (“{found}”)"),
            (claimed, _) => format!("source says the opposite: it does not deny it (the claim has “{claimed}”)"),
        };
        Some(Found { span: Some(unit.span), reason, claimed, on_page: found, ..Found::default() })
    })
}
