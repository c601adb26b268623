//! The quotation leaves out, in a gap, what turns it round, or joins two paragraphs.

use super::found::Found;
use crate::asked::Asked;
use crate::quotations::Place;

pub(super) fn look(asked: &Asked<'_>) -> Option<Found> {
    asked.quoted.iter().find_map(|quoted| {
        let Place::Cut(span, word) = &quoted.place else { return None };
        let what =
            if word.is_empty() { "joins what stands apart".to_owned() } else { format!("leaves out “{word}”") };
        let claimed = quoted.quotation.inner.of(asked.claim.text).to_owned();
        let reason = format!("the quotation {what}");
        Some(Found { span: Some(*span), reason, claimed, told: span.of(asked.page()).to_owned(), ..Found::default() })
    })
}
