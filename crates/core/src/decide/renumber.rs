//! Numbers for citations: 1 to n in order of first appearance.

use std::collections::HashMap;

use crate::source::SourceId;

/// The numbers of the sources that are cited.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Numbering {
    order: Vec<SourceId>,
    numbers: HashMap<SourceId, u32>,
    /// Whether the numbers are those of the draft.
    kept: bool,
}

impl Numbering {
    /// Numbers `sources` in the order in which they first appear.
    pub fn of_appearance(sources: impl IntoIterator<Item = SourceId>) -> Self {
        let mut numbering = Numbering::default();
        for source in sources {
            numbering.numbers.entry(source).or_insert_with(|| {
                numbering.order.push(source);
                numbering.order.len() as u32
            });
        }
        numbering
    }

    /// The numbers that a draft's own list gives its sources, all of them, and the next ones for those of `others` that it does not have.
    pub fn keep(mut listed: Vec<(u32, SourceId)>, others: &[SourceId]) -> Self {
        listed.sort_unstable();
        let first = listed.last().map_or(1, |(last, _)| last + 1);
        let is_new = |source: &&SourceId| !listed.iter().any(|(_, known)| known == *source);
        let new: Vec<SourceId> = others.iter().filter(is_new).copied().collect();
        listed.extend((first..).zip(new));
        let order = listed.iter().map(|(_, source)| *source).collect();
        let numbers = listed.into_iter().map(|(number, source)| (source, number)).collect();
        Numbering { order, numbers, kept: true }
    }

    /// Whether the numbers are those of the draft: a number of the text that is no citation would point at another work.
    pub fn is_kept(&self) -> bool {
        self.kept
    }

    /// The number of a source; `None` when nothing cites it.
    pub fn get(&self, source: SourceId) -> Option<u32> {
        self.numbers.get(&source).copied()
    }

    /// The sources in order of their numbers.
    pub fn sources(&self) -> &[SourceId] {
        &self.order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_are_kept_are_those_of_the_list() {
        let [a, b, c] = [SourceId(7), SourceId(2), SourceId(4)];
        let numbering = Numbering::keep(vec![(3, a), (1, b)], &[c, a]);
        assert_eq!(numbering.sources(), [b, a, c]);
        assert_eq!([a, b, c].map(|source| numbering.get(source)), [Some(3), Some(1), Some(4)]);
        assert!(numbering.is_kept());
    }

    #[test]
    fn numbers_follow_first_appearance() {
        let [a, b, c] = [SourceId(7), SourceId(2), SourceId(4)];
        let numbering = Numbering::of_appearance([b, a, b, c, a]);
        assert_eq!(numbering.sources(), [b, a, c]);
        assert_eq!([c, b, SourceId(9)].map(|source| numbering.get(source)), [Some(3), Some(1), None]);
    }
}
