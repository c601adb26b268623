//! Numbers for citations: 1 to n in order of first appearance.

use std::fmt::Write;

use crate::source::SourceId;

/// The numbers of the sources that are cited.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Numbering {
    order: Vec<SourceId>,
    /// By position of the source; 0 for one that nothing cites.
    numbers: Vec<u32>,
}

impl Numbering {
    /// Numbers `sources` in the order in which they first appear.
    pub fn of_appearance(sources: impl IntoIterator<Item = SourceId>) -> Self {
        let mut numbering = Numbering::default();
        for source in sources {
            let at = source.0 as usize;
            if numbering.numbers.len() <= at {
                numbering.numbers.resize(at + 1, 0);
            }
            if numbering.numbers[at] == 0 {
                numbering.order.push(source);
                numbering.numbers[at] = numbering.order.len() as u32;
            }
        }
        numbering
    }

    /// The number of a source; `None` when nothing cites it.
    pub fn get(&self, source: SourceId) -> Option<u32> {
        self.numbers.get(source.0 as usize).copied().filter(|number| *number > 0)
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
        let mut citation = String::with_capacity(8 * numbers.len());
        for number in numbers {
            citation.push_str(if citation.is_empty() { "[" } else { ", " });
            let _ = write!(citation, "{number}");
        }
        citation.push(']');
        citation
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
