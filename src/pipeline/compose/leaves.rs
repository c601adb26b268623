//! The leaves of a document by place.

use cited_core::markdown::{BlockId, Document};

/// The leaves of a document by place.
pub(super) struct Leaves(Vec<(usize, BlockId)>);

impl Leaves {
    pub(super) fn collect(document: &Document) -> Self {
        Leaves(document.leaves().map(|(id, _)| (document.content_span(id).start, id)).collect())
    }

    /// The leaf at a place, or the last one before it, and those before that, backwards.
    pub(super) fn back_from(&self, place: usize) -> impl Iterator<Item = BlockId> + '_ {
        let end = self.0.partition_point(|(start, _)| *start <= place);
        self.0[..end].iter().rev().map(|(_, id)| *id)
    }

    /// The leaves that begin behind a place.
    pub(super) fn leaves_after(&self, place: usize) -> impl Iterator<Item = BlockId> + '_ {
        let start = self.0.partition_point(|(start, _)| *start <= place);
        self.0[start..].iter().map(|(_, id)| *id)
    }
}
