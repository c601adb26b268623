//! What the page has of the quotations of a claim.

use super::found::Found;
use crate::align::{Account, Aligned, words_over};
use crate::pair::Pair;
use crate::quotations::QuotationMatch;
use cited_text::Span;
use cited_text::words::words;

/// This part of what stands beside the quotations has to be accounted for near them.
const ENOUGH: f64 = 0.6;
/// Fewer words may be anybody's.
const FEWEST_WORDS: usize = 5;
/// A page with fewer words is an excerpt, and proves nothing by what it lacks.
const EXCERPT: usize = 60;
/// This part of the words, in percent, makes a quotation in other words.
const NEARLY: u8 = 60;

/// Every quotation of the claim stands on the page, who says it is who the claim says, and the rest of the claim is accounted for.
pub(super) fn find_support(pair: &Pair<'_>) -> Option<Found> {
    let mut spans = Vec::new();
    for quoted in pair.quoted.iter().filter(|quoted| quoted.quotation.is_verbatim()) {
        let QuotationMatch::Found(span) = &quoted.found else { return None };
        spans.push((*span, quoted.quotation));
    }
    let (first, _) = *spans.first()?;
    let index = &pair.source.index;
    let (low, high) = (index.sentence_at(first.start), index.sentence_at(first.end.saturating_sub(1)));
    let range = (low.saturating_sub(1), (high + 1).min(index.len().saturating_sub(1)));
    let over = words_over(pair.source, low);
    let unit = Aligned::new(&pair.claim, index, range, &over);
    let beside = |i: usize| {
        let span = pair.claim.tokens[i].span();
        !spans.iter().any(|(_, quotation)| quotation.span.contains(span))
    };
    let outside: Vec<usize> = (0..unit.accounts.len()).filter(|i| beside(*i)).collect();
    // That somebody says it, the quotation itself accounts for; who it is, the page has to say beside it.
    let said = pair.attributions();
    let mut said = said.iter().filter_map(|said| Some((said.name()?, said.span)));
    let is_there = |i: &usize| unit.accounts[*i] != Account::Missing;
    let lies_in = |i: &usize, span: Span| span.contains(pair.claim.tokens[*i].span());
    let mut there = outside.iter().filter(|i| is_there(i)).count();
    if let Some((_, span)) = said.find(|(name, _)| outside.iter().all(|i| is_there(i) || !lies_in(i, *name))) {
        there += outside.iter().filter(|i| lies_in(i, span) && !is_there(i)).count();
    }
    let values = outside.iter().all(|i| !pair.claim.tokens[*i].is_value() || unit.accounts[*i] != Account::Missing);
    let accounted = outside.is_empty() || there as f64 >= ENOUGH * outside.len() as f64;
    let own = Aligned::new(&pair.claim, index, (low, high), &over);
    // Whom the page has say it is somebody whom the claim names.
    let named: Vec<u64> = outside.iter().filter_map(|i| pair.claim.tokens[*i].key()).collect();
    let speakers = pair.speakers_of(&own);
    let says = |name: &Span| words(name.slice(pair.page())).any(|word| named.contains(&word.key));
    let names_another = outside.iter().any(|i| pair.claim.tokens[*i].is_name()) && !speakers.is_empty();
    if names_another && !speakers.iter().any(says) {
        return None;
    }
    (values && accounted).then(|| Found {
        span: Some(first),
        reason: "the source has the quotation".to_owned(),
        ..Found::default()
    })
}

/// The page, read whole, has nothing like the quotation; or it has its words with a denial among them.
pub(super) fn find_missing(pair: &Pair<'_>) -> Option<Found> {
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

/// The quotation leaves out, in a gap, what turns it round, or joins two paragraphs.
pub(super) fn find_cut(pair: &Pair<'_>) -> Option<Found> {
    pair.quoted.iter().find_map(|quoted| {
        let QuotationMatch::Cut(span, word) = &quoted.found else { return None };
        let what =
            if word.is_empty() { "joins what stands apart".to_owned() } else { format!("leaves out “{word}”") };
        let claimed = quoted.quotation.inner.slice(pair.claim.text).to_owned();
        let reason = format!("the quotation {what}");
        Some(Found { span: Some(*span), reason, claimed, on_page: span.slice(pair.page()).into(), ..Found::default() })
    })
}
