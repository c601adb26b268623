//! Where a document puts its citations, and which links stand there as citations by themselves.

use super::marker::{Marker, MarkerForm, Placement};
use super::nearby::{begins_a_sentence, ends_with_a_stop, is_stop, near_end, near_start, only_separates};
use crate::markdown::{BlockId, BlockKind, Document};
use cited_text::Span;
use cited_text::quantity::is_measured;

/// Where the document puts its citations: what most markers at a full stop do.
pub(super) fn of(document: &Document, markers: &[Marker]) -> Placement {
    let text = document.text();
    let (mut before, mut after) = (0usize, 0usize);
    for marker in markers.iter().filter(|marker| marker.standalone) {
        if matches!(document.block(marker.block).kind, BlockKind::Heading(_) | BlockKind::TableCell) {
            continue;
        }
        let head = near_end(&text[..marker.span.start]);
        let tail = near_start(&text[marker.span.end..]);
        let head = head.trim_end_matches([' ', '*', '_', '"', '”', '’']);
        if tail.starts_with(is_stop) {
            before += 1;
        } else if head.ends_with(is_stop) {
            after += 1;
        }
    }
    if after > before { Placement::AfterStop } else { Placement::BeforeStop }
}

/// How a link stands that the words of its sentence do not need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stand {
    /// Behind a sentence, and the last thing of its block.
    Last,
    /// Behind a sentence, and another one follows.
    Between,
    /// Behind the value of a cell, and the last thing of it.
    Value,
}

/// Links to sources that stand by themselves behind a sentence are its citations: *Wind grew 7%. [Report](url)*. Where another sentence
/// follows, the link could as well begin it: then one that ends a block shows how the document cites.
pub(super) fn stand_behind_sentences(document: &Document, markers: &mut [Marker]) {
    let is_link = |m: &Marker| matches!(m.form, MarkerForm::Address | MarkerForm::TitleLink) && !m.standalone;
    let joined = |a: &Marker, b: &Marker| {
        let gap = document.text().get(a.span.end..b.span.start);
        is_link(a) && is_link(b) && a.block == b.block && gap.is_some_and(only_separates)
    };
    let mut runs: Vec<(&mut [Marker], Option<Stand>)> = Vec::new();
    for run in markers.chunk_by_mut(joined) {
        let stand = is_link(&run[0]).then(|| stand(document, run[0].block, run[0].span.cover(run[run.len() - 1].span)));
        runs.push((run, stand.flatten()));
    }
    let cites_so = runs.iter().any(|(_, stand)| *stand == Some(Stand::Last));
    for (run, stand) in runs {
        let cites = stand.is_some_and(|stand| stand != Stand::Between || cites_so);
        run.iter_mut().for_each(|marker| marker.standalone |= cites);
    }
}

fn stand(document: &Document, block: BlockId, span: Span) -> Option<Stand> {
    let content = document.content_span(block);
    let before = near_end(Span::new(content.start.min(span.start), span.start).of(document.text()));
    let after = near_start(Span::new(span.end, content.end.max(span.end)).of(document.text()));
    // In a cell a value needs no stop: *33% [board](url)*.
    let in_cell = document.block(block).kind == BlockKind::TableCell;
    if in_cell && after.trim().is_empty() && before.ends_with(' ') && is_measured(before) {
        return Some(Stand::Value);
    }
    if !ends_with_a_stop(before) {
        return None;
    }
    if after.trim_matches(['.', ' ', '\n', '\r', '。']).is_empty() {
        return Some(Stand::Last);
    }
    begins_a_sentence(after).then_some(Stand::Between)
}
