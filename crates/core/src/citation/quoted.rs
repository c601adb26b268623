//! Citations that a quotation brought with it: the source's own `[13]`, in words whose own citation stands behind the closing mark, or in
//! the middle of a sentence of a block quote that closes with its own, or that is introduced or signed with its own; and a
//! number that is quoted alone.

use super::marker::{Shape, Target};
use super::nearby::is_stop;
use super::scan::Candidate;
use crate::markdown::{BlockId, BlockKind, Document};
use cited_text::Span;
use cited_text::quotation::quotations;

/// The candidates without those.
pub(super) fn drop_quoted(document: &Document, candidates: Vec<Candidate>) -> Vec<Candidate> {
    let mut own = vec![false; candidates.len()];
    mark_in_cited_quotes(document, &candidates, &mut own);
    let mut from = 0;
    for run in candidates.chunk_by(|one, other| one.block == other.block) {
        let own = &mut own[from..from + run.len()];
        from += run.len();
        // In a paragraph of a block quote whose last citation closes it, those inside of the sentences, however they are written, since all
        // that cited writes is a number.
        if let Some((last, others)) = run.split_last().filter(|(last, _)| closes(document, last))
            && quote_of(document, last).is_some()
        {
            for (c, own) in others.iter().zip(&mut *own) {
                let (before, behind) = around(document, c);
                *own |= c.standalone && !before.ends_with(is_stop) && !behind.starts_with(is_stop);
            }
        }
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

fn quote_of(document: &Document, c: &Candidate) -> Option<BlockId> {
    document.ancestors(c.block).find(|id| document.block(*id).kind == BlockKind::Quote)
}

/// What stands before and behind a candidate in its block.
fn around<'d>(document: &'d Document, c: &Candidate) -> (&'d str, &'d str) {
    let (text, content) = (document.text(), document.content_span(c.block));
    // What is read as a citation may go on into the signs that end its block.
    let behind = text.get(c.span.end..content.end).unwrap_or_default();
    (text.get(content.start..c.span.start).unwrap_or_default().trim_end(), behind.trim())
}

/// Whether a candidate closes its block, behind a stop.
fn closes(document: &Document, c: &Candidate) -> bool {
    let (before, behind) = around(document, c);
    before.ends_with(is_stop) && behind.is_empty() && c.missing.is_empty()
}

/// Marks the numbers of block quotes whose work is cited in the line that introduces it, *The report `[1]` says:*, or in the one that signs it,
/// *— the report `[1]`*, where one of them means anything else.
fn mark_in_cited_quotes(document: &Document, candidates: &[Candidate], own: &mut [bool]) {
    let mut from = 0;
    for inside in candidates.chunk_by(|one, other| quote_of(document, one) == quote_of(document, other)) {
        let (before, own) = (&candidates[..from], &mut own[from..from + inside.len()]);
        from += inside.len();
        let Some((quote, last)) = quote_of(document, &inside[0]).zip(inside.last()) else { continue };
        let introduces = |id: &&BlockId| document.slice(document.content_span(**id)).ends_with([':', '：']);
        let introduction = document.neighbours(quote).0.last().filter(introduces);
        let above = before.iter().rev().take_while(|c| introduction.is_some_and(|id| c.block >= *id));
        let introducing = above.filter(|c| Some(&c.block) == introduction && cites(c));
        let signs = |c: &Candidate| {
            let line = document.text()[..c.span.start].rsplit('\n').next().unwrap_or_default();
            let line = line.trim_start_matches(['>', ' ']);
            signs_a_quote(line) && document.block(c.block).parent == Some(quote) && cites(c)
        };
        let signed = inside.iter().position(signs).unwrap_or(inside.len());
        let signing = inside[signed..].iter().filter(|c| cites(c));
        let cited: Vec<&Target> = introducing.chain(signing).flat_map(|c| &c.targets).collect();
        // Where a citation closes the quote, those that the list has may be the draft's own.
        let is_closed = signed == inside.len() && closes(document, last);
        let words = &inside[..signed - usize::from(is_closed)];
        let is_foreign = |c: &Candidate| {
            let explained = is_closed && c.missing.is_empty();
            is_number(c) && !explained && c.targets.iter().any(|target| !cited.contains(&target))
        };
        if !cited.is_empty() && words.iter().any(is_foreign) {
            words.iter().zip(own).for_each(|(c, own)| *own |= is_number(c));
        }
    }
}

fn cites(c: &Candidate) -> bool {
    c.missing.is_empty() && !c.targets.is_empty()
}

fn is_number(c: &Candidate) -> bool {
    matches!(c.shape, Shape::Single | Shape::Group)
}

/// Whether a line of a block quote names whose words they are: *— the fire chief*.
pub(crate) fn signs_a_quote(line: &str) -> bool {
    line.trim_start_matches(['*', '_', ' ', '\\']).starts_with(['—', '–', '―', '-'])
}
