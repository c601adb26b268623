//! Passages: which words of a source speak to a claim.

pub mod passage;

pub use passage::Passage;
