//! Passages: which words of a source speak to a claim.

pub mod passage;
pub mod search;

pub use passage::Passage;
pub use search::SourceIndex;
