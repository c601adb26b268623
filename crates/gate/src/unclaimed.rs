//! What a draft says outside of the claims that a verifier judges: headings, blocks of HTML, code and front matter.
//!
//! A reader takes a number of them for what the draft says, so that a ledger has to speak for it.

use super::coverage::Summary;
use cited_core::citation::Citations;
use cited_core::claim::Claim;
use cited_core::markdown::{Block, BlockId, BlockKind, Document, Rendered};
use cited_fetch::html;
use cited_text::Span;

/// The headings and the lines of HTML, code and front matter that say numbers or quote. What holds a claim has been said,
/// and lists of sources and the sections of an earlier run say nothing of their own. Each with the place of its block in the draft.
pub(super) fn collect_unclaimed(document: &Document, citations: &Citations, claims: &[Claim]) -> Vec<(usize, String)> {
    let held = citations.held();
    let claimed: std::collections::HashSet<BlockId> = claims.iter().map(|claim| claim.block).collect();
    let mut told = Vec::new();
    for (id, block) in document.blocks() {
        let start = block.span.start;
        if held.overlap(Span::new(start, start + 1)) || claimed.contains(&id) {
            continue;
        }
        let says = |line: &&str| Summary::new(line).states_amounts();
        let shown = shown_text(document, id, block);
        let lines = shown.lines().map(str::trim).filter(says);
        told.extend(lines.map(|line| (start, line.to_owned())));
    }
    told
}

/// What a reader sees of a block that is no prose.
fn shown_text(document: &Document, id: BlockId, block: &Block) -> String {
    let source = document.slice(block.span);
    match block.kind {
        BlockKind::Heading(_) => Rendered::render(document, id, &[]).text,
        BlockKind::Html => {
            let html::Html { main, rest, .. } = html::read_seen(source);
            format!("{main}\n{rest}")
        }
        // The words behind an opening fence name a language.
        BlockKind::Code { fenced: true } => source.split_once('\n').map_or("", |(_, inner)| inner).to_owned(),
        BlockKind::Code { fenced: false } | BlockKind::Metadata => source.to_owned(),
        _ => String::new(),
    }
}
