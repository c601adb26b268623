//! Sources: one thing in the world that can be cited, after merging all entries that mean it.

pub mod registry;
pub mod research;
#[cfg(test)]
mod tests;

pub use crate::address::{Key, better_address, key_of};
pub use registry::{Origin, Registry, Source, SourceId};
pub use research::{ResearchFile, ResearchNote};
