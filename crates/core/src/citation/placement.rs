//! Where a document puts its citations, and which links stand there as citations by themselves.

use super::leading_words::DocumentLanguages;
use super::linked::{self, LinkPosition};
use super::marker::{Marker, MarkerForm, Placement};
use super::nearby::{is_stop, near_end, near_start};
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
    let is_link = |m: &&mut Marker| matches!(m.form, MarkerForm::Address | MarkerForm::TitleLink) && !m.standalone;
    let links: Vec<&mut Marker> = markers.iter_mut().filter(is_link).collect();
    let positions = linked::find_positions(document, spoken, &links, |m| (m.block, m.form, m.link, m.span));
    let cites_so = positions.contains(&LinkPosition::Last);
    for (marker, position) in links.into_iter().zip(positions) {
        let in_cell = document.block(marker.block).kind == BlockKind::TableCell;
        marker.standalone = match position {
            LinkPosition::Last => true,
            LinkPosition::Between => cites_so,
            position => position == LinkPosition::Unstopped && in_cell,
        };
    }
}
