//! Citations that a quotation brought with it: the source's own `[13]`, in words whose own citation stands behind the closing mark, or in
//! the middle of a sentence of a block quote that closes with its own; and a number that is quoted alone.

use super::nearby::is_stop;
use super::scan::{Candidate, Shape};
use crate::markdown::{BlockKind, Document};
use cited_text::Span;
use cited_text::quotation::quotations;

/// The candidates without those.
pub(super) fn without(document: &Document, candidates: Vec<Candidate>) -> Vec<Candidate> {
    let mut own = vec![false; candidates.len()];
    let mut from = 0;
    while let Some(first) = candidates.get(from) {
        let count = candidates[from..].iter().take_while(|c| c.block == first.block).count();
        let to = from + count;
        let content = document.content_span(first.block);
        mark_in_block_quote(document, content, &candidates[from..to], &mut own[from..to]);
        for quotation in quotations(document.slice(content)) {
            let at = |span: Span| Span::new(content.start + span.start, content.start + span.end);
            let (whole, inner) = (at(quotation.span), at(quotation.inner));
            let cites = |c: &&Candidate| c.missing.is_empty() && !c.targets.is_empty();
            let behind = candidates[from..to].iter().find(|c| c.span.start >= whole.end).filter(cites);
            let gap = behind.and_then(|c| document.text().get(whole.end..c.span.start));
            let is_cited = gap
                .is_some_and(|gap| gap.chars().all(|c| is_stop(c) || matches!(c, ' ' | ',' | ')' | '*' | '_' | '(')));
            for (c, own) in candidates[from..to].iter().zip(&mut own[from..to]) {
                // What is quoted alone is spoken of: *a key marked "[1]"*.
                let is_brought = is_cited && inner.contains(c.span) || inner == c.span;
                *own |= is_brought && matches!(c.shape, Shape::Single | Shape::Group);
            }
        }
        from = to;
    }
    candidates.into_iter().zip(own).filter(|(_, own)| !own).map(|(c, _)| c).collect()
}

/// Marks those in a block quote whose last citation closes it, behind a stop: the ones inside of its sentences, however they are written,
/// since all that cited writes is a number.
fn mark_in_block_quote(document: &Document, content: Span, candidates: &[Candidate], own: &mut [bool]) {
    let text = document.text();
    let behind_stop = |c: &Candidate| text[content.start..c.span.start].trim_end().ends_with(is_stop);
    let before_stop = |c: &Candidate| text[c.span.end..content.end].trim_start().starts_with(is_stop);
    let Some((last, others)) = candidates.split_last() else { return };
    let is_quoted = document.ancestors(last.block).any(|id| document.block(id).kind == BlockKind::Quote);
    let closes = behind_stop(last) && text[last.span.end..content.end].trim().is_empty();
    if is_quoted && closes && last.missing.is_empty() {
        for (c, own) in others.iter().zip(own) {
            *own |= c.standalone && !behind_stop(c) && !before_stop(c);
        }
    }
}
