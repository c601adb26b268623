//! A claim without quantities: every content word is accounted for in one part of the page, in the same order.

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
        asked.units.iter().find(|unit| !has_values && asked.accounts_for(unit) && !guards::is_objected(asked, unit))?;
    let reason = "the source says it in nearly the same words".to_owned();
    Some(Found { span: Some(unit.span), reason, ..Found::default() })
}
