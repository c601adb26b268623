//! How two quantities can stand to each other.

/// How two quantities stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Agreement {
    /// Of different kinds: nothing follows.
    Unrelated,
    /// Of one kind, with different values.
    Different,
    /// Not the same as written, but both can be true: one is coarser, a bound, or a range around the other.
    Compatible,
    /// The same at the claim's own precision.
    Same,
}
