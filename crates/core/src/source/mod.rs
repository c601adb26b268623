//! Sources: one thing in the world that can be cited, after merging all entries that mean it.

pub mod registry;
pub mod research;
#[cfg(test)]
mod tests;

pub use crate::address::{Key, better_address, key_of};
pub use registry::{Origin, Registry, Source, SourceId};
pub use research::{AnchorNote, ResearchFile, ResearchNote};

/// All that come, each once, in the order in which they come first.
pub fn each_once<T: PartialEq>(all: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut once = Vec::new();
    for one in all {
        if !once.contains(&one) {
            once.push(one);
        }
    }
    once
}
