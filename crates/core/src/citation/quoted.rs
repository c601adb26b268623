//! Citations that a quotation brought with it: the source's own `[13]`, in words whose own citation stands behind the closing mark, or in
//! the middle of a sentence of a block quote that closes with its own, or that is introduced or signed with its own; and a
//! number that is quoted alone.

use super::nearby::is_stop;
use super::scan::{Candidate, Shape};
use crate::markdown::{BlockId, BlockKind, Document};
use cited_text::Span;
use cited_text::quotation::quotations;

/// The candidates without those.
pub(super) fn drop_quoted(document: &Document, candidates: Vec<Candidate>) -> Vec<Candidate> {
    let mut own = vec![false; candidates.len()];
    let mut from = 0;
    for run in candidates.chunk_by(|one, other| one.block == other.block) {
        let (before, own) = (&candidates[..from], &mut own[from..from + run.len()]);
        from += run.len();
        mark_in_block_quote(document, before, run, own);
        let content = document.content_span(run[0].block);
        for quotation in quotations(document.slice(content)) {
            let at = |span: Span| Span::new(content.start + span.start, content.start + span.end);
            let (whole, inner) = (at(quotation.span), at(quotation.inner));
            let behind = run.iter().find(|c| c.span.start >= whole.end).filter(|c| cites(c));
            let gap = behind.and_then(|c| document.text().get(whole.end..c.span.start));
            let is_cited = gap
                .is_some_and(|gap| gap.chars().all(|c| is_stop(c) || matches!(c, ' ' | ',' | ')' | '*' | '_' | '(')));
            for (c, own) in run.iter().zip(&mut *own) {
                // What is quoted alone is spoken of: *a key marked "[1]"*.
                *own |= (is_cited && inner.contains(c.span) || inner == c.span) && is_number(c);
            }
        }
    }
    candidates.into_iter().zip(own).filter(|(_, own)| !own).map(|(c, _)| c).collect()
}

/// Marks those in a block quote whose last citation closes it, behind a stop: the ones inside of its sentences, however they are written,
/// since all that cited writes is a number. And the numbers of one whose work is cited in the line that introduces it, *The report `[1]`
/// says:*, or in the one that signs it, *— the report `[1]`*, where nothing explains one of them.
fn mark_in_block_quote(document: &Document, before: &[Candidate], candidates: &[Candidate], own: &mut [bool]) {
    let text = document.text();
    let Some(last) = candidates.last() else { return };
    let is_quote = |id: &BlockId| document.block(*id).kind == BlockKind::Quote;
    let Some(quote) = document.ancestors(last.block).find(is_quote) else { return };
    let content = document.content_span(last.block);
    let behind_stop = |c: &Candidate| text[content.start..c.span.start].trim_end().ends_with(is_stop);
    let before_stop = |c: &Candidate| text[c.span.end..content.end].trim_start().starts_with(is_stop);
    let closes = behind_stop(last) && text[last.span.end..content.end].trim().is_empty() && last.missing.is_empty();
    let introduces = |id: &BlockId| {
        document.slice(document.content_span(*id)).ends_with([':', '：'])
            && before.iter().rev().take_while(|c| c.block >= *id).any(|c| c.block == *id && cites(c))
    };
    let signs = |c: &Candidate| {
        let line = text[..c.span.start].rsplit('\n').next().unwrap_or_default();
        line.trim_start_matches(['>', ' ']).starts_with(['—', '–', '-']) && cites(c)
    };
    let signed = candidates.iter().position(signs).unwrap_or(candidates.len());
    let words = if closes { &candidates[..candidates.len() - 1] } else { &candidates[..signed] };
    let is_cited = signed < candidates.len() || document.neighbours(quote).0.last().is_some_and(introduces);
    let is_foreign = is_cited && words.iter().any(|c| is_number(c) && !c.missing.is_empty());
    for (c, own) in words.iter().zip(own) {
        *own |= closes && c.standalone && !behind_stop(c) && !before_stop(c) || is_foreign && is_number(c);
    }
}

fn cites(c: &Candidate) -> bool {
    c.missing.is_empty() && !c.targets.is_empty()
}

fn is_number(c: &Candidate) -> bool {
    matches!(c.shape, Shape::Single | Shape::Group)
}
