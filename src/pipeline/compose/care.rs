//! Which leaves of a draft are written with more care when its brief is not understood as it was meant.

use crate::pipeline::read::Read;
use cited_core::decide::Manner;
use cited_core::markdown::{BlockId, Document};

/// Writes the last edited leaf at or before each of these places of the draft with more care, or where that is not enough those around it,
/// from near to far: what is difficult about one leaf is none of the others' business. Says whether there was one that could have more.
pub(super) fn more_care_around(read: &Read, places: &[usize], manner: &mut Manner) -> bool {
    /// Leaves on either side, step by step; beyond them nothing of a leaf is felt.
    const REACHES: [usize; 4] = [0, 1, 3, 12];
    let leaves = Leaves::collect(&read.document);
    REACHES.into_iter().any(|reach| {
        let around = places.iter().flat_map(|place| {
            let before = leaves.back_from(*place).filter(|leaf| is_edited(read, *leaf)).take(reach + 1);
            let behind = leaves.leaves_after(*place).filter(|leaf| is_edited(read, *leaf)).take(reach);
            before.chain(behind).collect::<Vec<_>>()
        });
        // All of a step, not only the first.
        around.filter(|leaf| hold(*leaf, manner)).count() > 0
    })
}

/// Whether a leaf has claims or citations, which may be edited.
fn is_edited(read: &Read, leaf: BlockId) -> bool {
    let at = read.claims.partition_point(|claim| claim.block < leaf);
    read.claims.get(at).is_some_and(|claim| claim.block == leaf)
        || !read.citations.markers_in(read.document.content_span(leaf)).is_empty()
}

/// Holds a leaf; says whether it was not held before.
pub(super) fn hold(leaf: BlockId, manner: &mut Manner) -> bool {
    !manner.holds_all && manner.held.insert(leaf)
}

/// The next way to write the whole document; each changes less of what stands around the edits than the one before.
pub(super) fn more_care(manner: &mut Manner) -> bool {
    match (manner.holds_all, manner.list_moves) {
        (_, false) => manner.list_moves = true,
        (true, true) => return false,
        (false, true) => (manner.holds_all, manner.list_moves) = (true, false),
    }
    true
}

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
