//! What the rewriting of a draft needs to know: the draft, how tidily it is written, and the numbers of its citations, 1 to n in order of first
//! appearance.
//!
//! Removals are written by default so that nothing shows, with more care where that would be misread. A brief is read again before it is given
//! out. Where it is not understood as it was meant, the leaf in question is written with more care; the rest of the document stays as tidy as it
//! can be.

use std::collections::{HashMap, HashSet};

use crate::citation::stray::Stray;
use crate::citation::{Citations, Label, ListKind};
use crate::claim::Claim;
use crate::input::Input;
use crate::markdown::{BlockId, Document};
use crate::source::{Registry, SourceId};
use cited_text::Span;

/// How the brief cites, as the user asks for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Style {
    /// `[1]`, `[2, 5]`.
    #[default]
    Numeric,
    /// As the draft does: footnotes stay footnotes, links stay links, keys of a bibliography stay keys.
    Keep,
    /// The same, and the list keeps its order: the numbers behind what leaves it close up.
    #[cfg_attr(feature = "cli", value(skip))]
    #[serde(skip)]
    InPlace,
}

/// What the rewriting needs to know.
#[derive(Clone, Copy)]
pub struct Plan<'a> {
    /// The draft.
    pub document: &'a Document,
    /// Its citations.
    pub citations: &'a Citations,
    /// Its claims.
    pub claims: &'a [Claim],
    /// For each marker, the sources that its targets mean, each once.
    pub resolved: &'a [Vec<SourceId>],
    /// The sources of its lists, by entry.
    pub listed: &'a [Vec<SourceId>],
    /// Numbers of its text that a reader takes for citations, and that are not ours to write.
    pub strays: &'a [Stray],
    /// How citations are written.
    pub style: Style,
    /// The sources, for the forms that carry their address.
    pub registry: &'a Registry,
    /// The research files, for the keys of those that are bibliographies.
    pub research: &'a [Input],
}

impl Plan<'_> {
    /// The key that a bibliography has for a source.
    pub(super) fn key_of(&self, source: SourceId) -> Option<&str> {
        self.registry.get(source).key_in(self.research)
    }

    /// The numbers of the draft's own list, where `new` ones would make a stray number mean another work; only one list whose numbers are
    /// all different can keep them.
    /// `goes` says whether something of the draft goes.
    pub(super) fn numbers_to_keep(&self, new: &Numbering, goes: impl Fn(Span) -> bool) -> Option<Numbering> {
        let in_place = self.style == Style::InPlace;
        if self.strays.is_empty() && !in_place {
            return None;
        }
        let lists = self.citations.lists.iter().zip(self.listed);
        let mut numbered = lists.filter(|(list, _)| in_place || list.kind != ListKind::Footnotes);
        let (list, sources) = numbered.next().filter(|_| numbered.next().is_none())?;
        let mut old: Vec<(u32, SourceId)> = Vec::new();
        for (entry, source) in list.entries.iter().zip(sources) {
            let Some(Label::Number(number)) = entry.label else { return None };
            let source = self.registry.resolve(*source);
            if old.iter().any(|(known, other)| *known == number || *other == source) {
                return None;
            }
            old.push((number, source));
        }
        if in_place {
            let stays = old.iter().map(|(_, source)| *source).filter(|source| new.get(*source).is_some());
            return Some(Numbering::keep((1..).zip(stays).collect(), new.sources()));
        }
        let old_of = |number: u32| old.iter().find(|(known, _)| *known == number).map(|(_, source)| *source);
        let new_of = |number: u32| new.sources().get(number.checked_sub(1)? as usize).copied();
        let misleads = |stray: &Stray| {
            if let Some(address) = &stray.address {
                let meant = self.registry.by_address(address);
                return stray.numbers.iter().filter_map(|number| new_of(*number)).any(|source| meant != Some(source));
            }
            let known = stray.numbers.iter().all(|number| old_of(*number).or(new_of(*number)).is_some());
            known && stray.numbers.iter().any(|number| new_of(*number) != old_of(*number))
        };
        self.strays.iter().filter(|stray| !goes(stray.span)).any(misleads).then(|| Numbering::keep(old, new.sources()))
    }
}

/// How the text of a leaf is written around what goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Care {
    /// What is left closes up, and emptied blocks go. Citations stay where the author put them.
    #[default]
    Closed,
    /// The same, and every citation stands inside its claim, before the stop: between two claims it could be read as
    /// the citation of the other one once their neighbours are gone.
    Glued,
    /// The sign of an omission, `[…]`, stands for what went and for a citation of which nothing is left, and the block stays: nothing that
    /// stays has another neighbour than before. For the rare text in which closing the gap would change what the words around it are.
    Held,
}

/// The care of every leaf, and where the source list stands.
#[derive(Debug, Clone, Default)]
pub struct Manner {
    /// The least care of all leaves.
    pub all: Care,
    /// Leaves that need more.
    pub leaves: HashMap<BlockId, Care>,
    /// The source list is written anew after the text even where the draft's own could stay in its place.
    pub list_moves: bool,
}

impl Manner {
    /// The care of one leaf.
    pub fn care_in(&self, leaf: BlockId) -> Care {
        self.leaves.get(&leaf).copied().unwrap_or_default().max(self.all)
    }
}

/// The numbers of the sources that are cited.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Numbering {
    order: Vec<SourceId>,
    numbers: HashMap<SourceId, u32>,
    /// Whether the numbers are those of the draft: a number of the text that is no citation would point at another work.
    pub is_kept: bool,
}

impl Numbering {
    /// Numbers `sources` in the order in which they first appear.
    pub fn of_appearance(sources: impl IntoIterator<Item = SourceId>) -> Self {
        let mut seen = HashSet::new();
        Numbering::new((1..).zip(sources.into_iter().filter(|source| seen.insert(*source))).collect(), false)
    }

    fn new(listed: Vec<(u32, SourceId)>, is_kept: bool) -> Self {
        let order = listed.iter().map(|(_, source)| *source).collect();
        let numbers = listed.into_iter().map(|(number, source)| (source, number)).collect();
        Numbering { order, numbers, is_kept }
    }

    /// The numbers that a draft's own list gives its sources, all of them, and the next ones for those of `others` that it does not have.
    pub fn keep(mut listed: Vec<(u32, SourceId)>, others: &[SourceId]) -> Self {
        listed.sort_unstable();
        let first = listed.last().map_or(1, |(last, _)| last + 1);
        let is_new = |source: &&SourceId| !listed.iter().any(|(_, known)| known == *source);
        let new: Vec<SourceId> = others.iter().filter(is_new).copied().collect();
        listed.extend((first..).zip(new));
        Numbering::new(listed, true)
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
        assert!(numbering.is_kept);
    }

    #[test]
    fn numbers_follow_first_appearance() {
        let [a, b, c] = [SourceId(7), SourceId(2), SourceId(4)];
        let numbering = Numbering::of_appearance([b, a, b, c, a]);
        assert_eq!(numbering.sources(), [b, a, c]);
        assert_eq!([c, b, SourceId(9)].map(|source| numbering.get(source)), [Some(3), Some(1), None]);
    }
}
