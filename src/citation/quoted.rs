//! Citations that a quotation brought with it: the source's own `[13]`, in words whose own citation stands behind the closing mark.

use super::nearby::is_stop;
use super::scan::{Candidate, Shape};
use crate::markdown::Document;
use crate::quotation::quotations;
use crate::text::Span;

/// The candidates without those.
pub(super) fn without(document: &Document, candidates: Vec<Candidate>) -> Vec<Candidate> {
    let mut own = vec![false; candidates.len()];
    let mut from = 0;
    while let Some(first) = candidates.get(from) {
        let count = candidates[from..].iter().take_while(|c| c.block == first.block).count();
        let to = from + count;
        if count > 1 {
            let content = document.content_span(first.block);
            for quotation in quotations(document.slice(content)) {
                let at = |span: Span| Span::new(content.start + span.start, content.start + span.end);
                let (whole, inner) = (at(quotation.span), at(quotation.inner));
                let cites = |c: &&Candidate| c.missing.is_empty() && !c.targets.is_empty();
                let behind = candidates[from..to].iter().find(|c| c.span.start >= whole.end).filter(cites);
                let gap = behind.and_then(|c| document.text().get(whole.end..c.span.start));
                if !gap.is_some_and(|gap| {
                    gap.chars().all(|c| is_stop(c) || matches!(c, ' ' | ',' | ')' | '*' | '_' | '('))
                }) {
                    continue;
                }
                for (c, own) in candidates[from..to].iter().zip(&mut own[from..to]) {
                    *own |= inner.contains(c.span) && matches!(c.shape, Shape::Single | Shape::Group);
                }
            }
        }
        from = to;
    }
    candidates.into_iter().zip(own).filter(|(_, own)| !own).map(|(c, _)| c).collect()
}
