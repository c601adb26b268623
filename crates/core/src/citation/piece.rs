//! The pieces of a document that may make up a source list: its blocks, and runs of link definitions.

use crate::markdown::{Block, BlockId, BlockKind, Definition, Document};
use cited_text::Span;

/// A block of the document or a run of link reference definitions, in document order.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece<'d> {
    pub(super) span: Span,
    pub(super) block: Option<(BlockId, &'d Block)>,
    /// Those of a run, which is no block.
    pub(super) definitions: &'d [Definition],
}

/// The pieces of a document; with `quoted`, what stands in a quotation instead of the quotation.
pub(super) fn pieces_of(document: &Document, quoted: bool) -> Vec<Piece<'_>> {
    let mut pieces: Vec<Piece<'_>> = Vec::new();
    let mut open: Vec<BlockId> = document.roots.iter().rev().copied().collect();
    while let Some(id) = open.pop() {
        let block = document.block(id);
        if quoted && block.kind == BlockKind::Quote {
            open.extend(block.children.iter().rev());
        } else {
            pieces.push(Piece { span: block.span, block: Some((id, block)), definitions: &[] });
        }
    }
    // Definitions inside another block are read with that block.
    let is_held = |at: usize| {
        let after = document.roots.partition_point(|id| document.block(*id).span.start <= at);
        let block = after.checked_sub(1).map(|at| document.block(document.roots[at]));
        // To the parser a list with blank lines in it goes on through the definitions below it, which stand at the margin.
        let at_margin = at == 0 || document.text().as_bytes()[at - 1] == b'\n';
        let holds =
            |kind: &BlockKind| matches!(kind, BlockKind::List(_) | BlockKind::Quote | BlockKind::FootnoteDefinition(_));
        block.is_some_and(|block| holds(&block.kind) && block.span.has(at) && !at_margin)
    };
    let follows = |one: &Definition, next: &Definition| {
        document.slice(Span::new(one.span.end, next.span.start)).trim().is_empty() && !is_held(next.span.start)
    };
    let runs = document.definitions.chunk_by(follows).filter(|run| !is_held(run[0].span.start));
    pieces.extend(runs.map(|run| {
        let span = run[0].span.cover(run[run.len() - 1].span);
        Piece { span, block: None, definitions: run }
    }));
    pieces.sort_by_key(|piece| (piece.span.start, piece.span.end));
    pieces
}
