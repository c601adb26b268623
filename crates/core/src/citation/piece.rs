//! The pieces of a document that may make up a source list: its blocks, and runs of link definitions.

use crate::markdown::{Block, BlockId, BlockKind, Document};
use cited_text::Span;

/// A block of the document or a run of link reference definitions, in document order.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    pub(super) span: Span,
    pub(super) kind: PieceKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PieceKind {
    Block(BlockId),
    /// Positions in [`Document::definitions`].
    Definitions(usize, usize),
}

/// The pieces of a document; with `quoted`, what stands in a quotation instead of the quotation.
pub(super) fn pieces_of(document: &Document, quoted: bool) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut open: Vec<BlockId> = document.roots().iter().rev().copied().collect();
    while let Some(id) = open.pop() {
        let block = document.block(id);
        if quoted && block.kind == BlockKind::Quote {
            open.extend(block.children.iter().rev());
        } else {
            pieces.push(Piece { span: block.span, kind: PieceKind::Block(id) });
        }
    }
    // Definitions inside another block are read with that block.
    let holder = |at: usize| {
        let after = document.roots().partition_point(|id| document.block(*id).span.start <= at);
        let block = document.block(*document.roots().get(after.checked_sub(1)?)?);
        let holds = matches!(block.kind, BlockKind::List(_) | BlockKind::Quote | BlockKind::FootnoteDefinition(_));
        // To the parser a list with blank lines in it goes on through the definitions below it, which stand at the margin.
        let at_margin = at == 0 || document.text().as_bytes()[at - 1] == b'\n';
        (holds && block.span.has(at) && !at_margin).then_some(())
    };
    let definitions = document.definitions();
    let mut first = 0;
    for i in 1..=definitions.len() {
        let apart = definitions.get(i).is_none_or(|next| {
            let gap = Span::new(definitions[i - 1].span.end, next.span.start);
            !document.slice(gap).trim().is_empty() || holder(next.span.start).is_some()
        });
        if apart {
            if holder(definitions[first].span.start).is_none() {
                let span = definitions[first].span.cover(definitions[i - 1].span);
                pieces.push(Piece { span, kind: PieceKind::Definitions(first, i) });
            }
            first = i;
        }
    }
    pieces.sort_by_key(|piece| (piece.span.start, piece.span.end));
    pieces
}

pub(super) fn block_of<'a>(document: &'a Document, piece: &Piece) -> Option<(BlockId, &'a Block)> {
    match piece.kind {
        PieceKind::Block(id) => Some((id, document.block(id))),
        PieceKind::Definitions(..) => None,
    }
}
