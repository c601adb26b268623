//! How tidily removals are written: by default so that nothing shows, with more care where that would be misread.
//!
//! A brief is read again before it is given out. Where it is not understood as it was meant, the leaf in question is
//! written with more care; the rest of the document stays as tidy as it can be.

use std::collections::HashMap;

use crate::markdown::BlockId;

/// How the text of a leaf is written around what goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Care {
    /// What is left closes up, and emptied blocks go. Citations stay where the author put them.
    #[default]
    Closed,
    /// The same, and every citation stands inside its claim, before the stop: between two claims it could be read as
    /// the citation of the other one once their neighbours are gone.
    Glued,
    /// The sign of an omission, `[…]`, stands for what went and for a citation of which nothing is left, and the block stays: nothing that
    /// stays has another neighbour than before. For the rare text in which closing the gap would change what the words around it are.
    Held,
}

/// The care of every leaf, and where the source list stands.
#[derive(Debug, Clone, Default)]
pub struct Manner {
    /// The least care of all leaves.
    pub all: Care,
    /// Leaves that need more.
    pub leaves: HashMap<BlockId, Care>,
    /// The source list is written anew after the text even where the draft's own could stay in its place.
    pub list_moves: bool,
}

impl Manner {
    /// The care of one leaf.
    pub fn care_in(&self, leaf: BlockId) -> Care {
        self.leaves.get(&leaf).copied().unwrap_or_default().max(self.all)
    }
}
