//! Numbers for citations: 1 to n in order of first appearance.

use std::collections::HashMap;

use crate::source::SourceId;

/// The numbers of the sources that are cited.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Numbering {
    order: Vec<SourceId>,
    numbers: HashMap<SourceId, u32>,
}

impl Numbering {
    /// Numbers `sources` in the order in which they first appear.
    pub fn of_appearance(sources: impl IntoIterator<Item = SourceId>) -> Self {
        let mut numbering = Numbering::default();
        for source in sources {
            if let std::collections::hash_map::Entry::Vacant(entry) = numbering.numbers.entry(source) {
                numbering.order.push(source);
                entry.insert(numbering.order.len() as u32);
            }
        }
        numbering
    }

    /// The number of a source; `None` when nothing cites it.
    pub fn get(&self, source: SourceId) -> Option<u32> {
        self.numbers.get(&source).copied()
    }

    /// The sources in order of their numbers.
    pub fn sources(&self) -> &[SourceId] {
        &self.order
    }

    /// The citation of `sources`: `[2]`, `[1, 4]`; numbers ascending, each once. Empty for no sources.
    pub fn citation(&self, sources: &[SourceId]) -> String {
        let mut numbers: Vec<u32> = sources.iter().filter_map(|source| self.get(*source)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        if numbers.is_empty() {
            return String::new();
        }
        let numbers: Vec<String> = numbers.iter().map(u32::to_string).collect();
        format!("[{}]", numbers.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_first_appearance() {
        let [a, b, c] = [SourceId(7), SourceId(2), SourceId(4)];
        let numbering = Numbering::of_appearance([b, a, b, c, a]);
        assert_eq!(numbering.sources(), [b, a, c]);
        assert_eq!(numbering.citation(&[c, b, c]), "[1, 3]");
        assert_eq!(numbering.citation(&[]), "");
        assert_eq!(numbering.citation(&[SourceId(9)]), "");
    }
}
