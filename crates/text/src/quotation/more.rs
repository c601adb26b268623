//! Quotations between marks that documents mostly use otherwise.

use std::sync::LazyLock;

use super::{FEWEST_WORDS, Quotation};
use crate::Span;
use crate::lexicon::table;
use crate::words::words;

static MARKS: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    table::words(include_str!("data/marks.tsv"), "mark").filter_map(|pair| pair.split_once('/')).collect()
});

/// The quotations between marks that documents mostly use otherwise, apart from those that are `known`.
pub fn more_quotations(text: &str, known: &[Quotation]) -> Vec<Quotation> {
    let mut found: Vec<Quotation> = Vec::new();
    let mut at = 0;
    let mut next_known = known.iter().peekable();
    while let Some(c) = text[at..].chars().next() {
        if let Some(quotation) = next_known.next_if(|quotation| quotation.span.start <= at) {
            at = at.max(quotation.span.end);
            continue;
        }
        let limit = next_known.peek().map_or(text.len(), |quotation| quotation.span.start);
        match opened(text, at, limit) {
            Some(quotation) => {
                at = quotation.span.end;
                found.push(quotation);
            }
            None => at += c.len_utf8(),
        }
    }
    found
}

/// The quotation that opens at `at` and closes before `limit` in its paragraph.
fn opened(text: &str, at: usize, limit: usize) -> Option<Quotation> {
    /// The longest quotation that is looked for, in bytes.
    const LONGEST: usize = 1_000;
    if text[..at].ends_with(char::is_alphanumeric) {
        return None;
    }
    for (open, close) in MARKS.iter() {
        let Some(rest) = text[at..limit].strip_prefix(open) else { continue };
        if !rest.starts_with(char::is_alphanumeric) {
            continue;
        }
        let start = at + open.len();
        let closes = |place: &usize| {
            let end = start + place + close.len();
            !text[..start + place].ends_with(char::is_whitespace) && !text[end..].starts_with(char::is_alphanumeric)
        };
        let reach = rest.floor_char_boundary(LONGEST);
        let within = &rest[..reach];
        let within = &within[..within.find("\n\n").unwrap_or(within.len())];
        let place = within.match_indices(close).map(|(place, _)| place).find(closes);
        let Some(place) = place else { continue };
        let inner = Span::new(start, start + place);
        let count = words(inner.slice(text)).count();
        if count >= FEWEST_WORDS {
            let span = Span::new(at, start + place + close.len());
            return Some(Quotation { span, inner, words: count, title: false });
        }
    }
    None
}
