//! Where a document puts its citations, and which links stand there as citations by themselves.

use super::leading_words::DocumentLanguages;
use super::linked::{self, LinkPosition};
use super::marker::{Marker, MarkerForm, Placement};
use super::nearby::{is_stop, near_end, near_start, only_separates};
use crate::markdown::{BlockKind, Document};

/// Where the document puts its citations: what most markers at a full stop do.
pub(super) fn detect(document: &Document, markers: &[Marker]) -> Placement {
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

/// Links to sources that stand by themselves behind a sentence are its citations: *Wind grew 7%. [Report](url)*. Where another sentence
/// follows, the link could as well begin it: then one that ends a block shows how the document cites. In a cell a value needs no stop:
/// *33% [board](url)*.
pub(super) fn stand_behind_sentences(document: &Document, spoken: &DocumentLanguages, markers: &mut [Marker]) {
    let is_link = |m: &Marker| matches!(m.form, MarkerForm::Address | MarkerForm::TitleLink) && !m.standalone;
    let joined = |a: &Marker, b: &Marker| {
        let gap = document.text().get(a.span.end..b.span.start);
        is_link(a) && is_link(b) && a.block == b.block && gap.is_some_and(only_separates)
    };
    let mut runs: Vec<(&mut [Marker], LinkPosition)> = Vec::new();
    for run in markers.chunk_by_mut(joined).filter(|run| is_link(&run[0])) {
        let (first, span) = (&run[0], run[0].span.cover(run[run.len() - 1].span));
        let place = linked::find_position(document, spoken, (first.block, first.form, first.link), span);
        runs.push((run, place));
    }
    let cites_so = runs.iter().any(|(_, place)| *place == LinkPosition::Last);
    for (run, place) in runs {
        let in_cell = document.block(run[0].block).kind == BlockKind::TableCell;
        let cites = match place {
            LinkPosition::Last => true,
            LinkPosition::Between => cites_so,
            place => place == LinkPosition::Unstopped && in_cell,
        };
        run.iter_mut().for_each(|marker| marker.standalone |= cites);
    }
}
