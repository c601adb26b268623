//! What the rewriting of a draft needs to know.

use super::renumber::Numbering;
use crate::citation::stray::Stray;
use crate::citation::{Citations, Label, ListKind};
use crate::claim::Claim;
use crate::input::Input;
use crate::markdown::Document;
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
