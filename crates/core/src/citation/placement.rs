//! Where a document puts its citations, and which links stand there as citations by themselves.

use super::leading_words::DocumentLanguages;
use super::linked::{self, LinkPosition};
use super::marker::{Marker, MarkerForm, Placement};
use super::nearby::{is_stop, near_end, near_start};
use crate::markdown::{BlockKind, Document};

/// Where the document puts its citations: what most markers at a full stop do.
pub(super) fn detect(document: &Document, markers: &[Marker]) -> Placement {
    let text = document.text();
    let is_text = |marker: &&Marker| {
        marker.standalone && !matches!(document.block(marker.block).kind, BlockKind::Heading(_) | BlockKind::TableCell)
    };
    let sides = markers.iter().filter(is_text).map(|marker| {
        let head = near_end(&text[..marker.span.start]).trim_end_matches([' ', '*', '_', '"', '”', '’']);
        match (near_start(&text[marker.span.end..]).starts_with(is_stop), head.ends_with(is_stop)) {
            (true, _) => -1,
            (false, is_behind) => i32::from(is_behind),
        }
    });
    if sides.sum::<i32>() > 0 { Placement::AfterStop } else { Placement::BeforeStop }
}

/// Links to sources that stand by themselves behind a sentence are its citations: *Wind grew 7%. [Report](url)*. Where another sentence
/// follows, the link could as well begin it: then one that ends a block shows how the document cites. In a cell a value needs no stop:
/// *33% [board](url)*.
pub(super) fn stand_behind_sentences(document: &Document, spoken: &DocumentLanguages, markers: &mut [Marker]) {
    let is_link = |m: &Marker| matches!(m.form, MarkerForm::Address | MarkerForm::TitleLink) && !m.standalone;
    let links: Vec<&Marker> = markers.iter().filter(|marker| is_link(marker)).collect();
    let positions = linked::find_positions(document, spoken, &links);
    let cites_so = positions.contains(&LinkPosition::Last);
    for (marker, position) in markers.iter_mut().filter(|marker| is_link(marker)).zip(positions) {
        let in_cell = document.block(marker.block).kind == BlockKind::TableCell;
        marker.standalone = match position {
            LinkPosition::Last => true,
            LinkPosition::Between => cites_so,
            position => position == LinkPosition::Unstopped && in_cell,
        };
    }
}
