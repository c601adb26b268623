//! How tidily removals are written: by default so that nothing shows, with more care where that would be misread.
//!
//! A brief is read again before it is given out. Where it is not understood as it was meant, the leaf in question is
//! written with more care; the rest of the document stays as tidy as it can be.

use std::collections::HashSet;

use crate::markdown::BlockId;

/// Where a brief is written with care, and where the source list stands.
///
/// What is left closes up, emptied blocks go, and citations stay where the author put them. In a leaf that is held the sign of an
/// omission, `[…]`, stands for what went and for a citation of which nothing is left, and the block stays: nothing that stays has another
/// neighbour than before. That is for the rare text in which closing the gap would change what the words around it are.
#[derive(Debug, Clone, Default)]
pub struct Manner {
    /// Whether all leaves are held.
    pub holds_all: bool,
    /// The leaves that are held.
    pub held: HashSet<BlockId>,
    /// The source list is written anew after the text even where the draft's own could stay in its place.
    pub list_moves: bool,
}

impl Manner {
    /// Whether a leaf is held.
    pub fn holds(&self, leaf: BlockId) -> bool {
        self.holds_all || self.held.contains(&leaf)
    }
}
