//! The quotation leaves out, in a gap, what turns it round, or joins two paragraphs.

use super::found::Found;
use crate::pair::Pair;
use crate::quotations::QuotationMatch;

pub(super) fn look(pair: &Pair<'_>) -> Option<Found> {
    pair.quoted.iter().find_map(|quoted| {
        let QuotationMatch::Cut(span, word) = &quoted.found else { return None };
        let what =
            if word.is_empty() { "joins what stands apart".to_owned() } else { format!("leaves out “{word}”") };
        let claimed = quoted.quotation.inner.slice(pair.claim.text).to_owned();
        let reason = format!("the quotation {what}");
        Some(Found { span: Some(*span), reason, claimed, on_page: span.slice(pair.page()).into(), ..Found::default() })
    })
}
