//! Claims: the smallest pieces of a draft that are kept or dropped as one.

pub mod kind;

pub use kind::ClaimKind;
