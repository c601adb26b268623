//! The page, read whole, has nothing like the quotation; or it has its words with a denial among them.

use super::found::Found;
use crate::pair::Pair;
use crate::quotations::QuotationMatch;

/// Fewer words may be anybody's.
const FEWEST_WORDS: usize = 5;
/// A page with fewer words is an excerpt, and proves nothing by what it lacks.
const EXCERPT: usize = 60;
/// This part of the words, in percent, makes a quotation in other words.
const NEARLY: u8 = 60;

pub(super) fn look(pair: &Pair<'_>) -> Option<Found> {
    pair.quoted.iter().find_map(|quoted| {
        let claimed = quoted.quotation.inner.slice(pair.claim.text).to_owned();
        let found = |span, told: String| {
            let reason = "quote not in source".to_owned();
            Some(Found { span, reason, claimed: claimed.clone(), on_page: told, ..Found::default() })
        };
        let outside = (0..pair.claim.tokens.len())
            .filter(|i| !quoted.quotation.span.contains(pair.claim.tokens[*i].span()))
            .collect::<Vec<_>>();
        let about = !outside.is_empty() && pair.is_about(outside.into_iter());
        let words = pair.source.index.words_of(0, pair.source.index.len() - 1).len();
        let whole = words >= EXCERPT || pair.source.data;
        let long = quoted.quotation.words >= FEWEST_WORDS && !quoted.is_layout;
        match &quoted.found {
            QuotationMatch::Nowhere(near)
                if long && about && whole && pair.comparable && near.is_none_or(|(_, share)| share < NEARLY) =>
            {
                found(near.map(|(span, _)| span), String::new())
            }
            QuotationMatch::Denied(span) if long => found(Some(*span), span.slice(pair.page()).to_owned()),
            QuotationMatch::Empty => Some(Found { reason: "empty quotation".to_owned(), ..Found::default() }),
            _ => None,
        }
    })
}
