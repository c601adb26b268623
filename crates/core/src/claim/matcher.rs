//! A note that may carry a claim, and how well it fits.

/// The score from which a note carries a claim whose quantities it has.
pub const THRESHOLD_WITH_QUANTITY: f64 = 0.45;

/// A note that may carry a claim.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    /// Position of the note.
    pub note: usize,
    /// How well it fits, 0 to 1.
    pub score: f64,
    /// How much the words say that both have: each from 0 to 1 by how rare it is.
    pub weight: f64,
    /// Whether the claim has several names and the note has them all.
    pub named: bool,
    /// How many of the claim's measured quantities it has.
    pub carried: usize,
    /// How many of them it has when each number of the note stands for one of the claim.
    pub paired: usize,
    /// How many of them it lacks.
    pub lacking: usize,
    /// How many of those it tells from the other side: the claim has a share, the note what is left of the whole.
    pub turned: usize,
    /// How many words and quantities both have.
    pub shared: usize,
    /// Whether claim and note say the same thing, neither more than the other.
    pub same: bool,
}
