//! All quantities of the claim stand in one part of the page, which accounts for the rest of it.

use super::found::Found;
use super::guards;
use crate::align::Token;
use crate::asked::Asked;

pub(super) fn look(asked: &Asked<'_>) -> Option<Found> {
    let has_values = asked.claim.tokens.iter().any(Token::is_value);
    if !guards::quotes_rightly(asked) {
        return None;
    }
    let unit =
        asked.units.iter().find(|unit| has_values && asked.accounts_for(unit) && !guards::is_objected(asked, unit))?;
    let reason = "the source has the numbers for the same thing".to_owned();
    Some(Found { span: Some(unit.span), reason, ..Found::default() })
}
