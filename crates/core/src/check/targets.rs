//! The links of documents, counted: as good, as leading nowhere, or as not looked at, with the reason.
//!
//! Links inside a tree are looked up by who may read its files, those to the web by who may ask it.

use crate::pattern::Pattern;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use strum::EnumMessage as _;

/// Why a link was not looked at: in words after a number, and for one link, of which some are told elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[derive(strum::EnumMessage)]
pub enum Skip {
    /// A template makes it, or the heading that it may lead to.
    #[strum(message = "of templates", detailed_message = "a template makes it, or the heading that it leads to")]
    Template,
    /// The settings leave it out.
    #[strum(message = "excluded", detailed_message = "")]
    Excluded,
    /// It is on the web, and nobody asked for that.
    #[strum(message = "on the web, which --online asks", detailed_message = "")]
    Web,
    /// It was asked on the web, and could not be looked at.
    #[strum(message = "could not be read", detailed_message = "")]
    Unreachable,
    /// It leads out of the tree.
    #[strum(message = "outside of the tree", detailed_message = "it leads out of the tree")]
    Outside,
    /// The generator or one of its plugins may make it.
    #[strum(message = "of plugins", detailed_message = "the site or a plugin of it may make what it leads to")]
    Plugin,
    /// It is not there, and `.gitignore` names it.
    #[strum(message = "generated", detailed_message = "it is not there, and .gitignore names it: it is generated")]
    Generated,
    /// The document is shown as a part of others.
    #[strum(
        message = "in included parts",
        detailed_message = "this document is shown as a part of others, which may have the anchor"
    )]
    Snippet,
}

impl Skip {
    /// The reason in words, after a number.
    pub fn in_words(self) -> &'static str {
        self.get_message().unwrap_or_default()
    }

    /// What is told of one link.
    pub fn of_link(self, address: &str) -> Option<String> {
        let why = self.get_detailed_message().filter(|why| !why.is_empty())?;
        Some(format!("`{address}` was not looked at: {why}"))
    }
}

/// The links of documents, counted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Tally {
    /// Links that lead somewhere.
    pub good: usize,
    /// Links that lead nowhere.
    pub nowhere: usize,
    /// Links that were not looked at, by reason.
    pub not_looked_at: BTreeMap<Skip, usize>,
}

impl Tally {
    /// Takes note of a link that was not looked at.
    pub fn pass(&mut self, why: Skip) {
        *self.not_looked_at.entry(why).or_default() += 1;
    }

    /// Takes note of the links to the web that were asked: whether each is good, leads nowhere, or could not be looked at.
    pub fn answered(&mut self, links: &Tally) {
        if links.count_all() > 0 {
            self.not_looked_at.remove(&Skip::Web);
        }
        self.add(links);
    }

    /// All links.
    pub fn count_all(&self) -> usize {
        self.good + self.nowhere + self.not_looked_at.values().sum::<usize>()
    }

    /// The sum of two counts.
    pub fn add(&mut self, other: &Tally) {
        self.good += other.good;
        self.nowhere += other.nowhere;
        for (why, count) in &other.not_looked_at {
            *self.not_looked_at.entry(*why).or_default() += count;
        }
    }
}

static EVERYWHERE: Pattern = Pattern::new(r"^(?:(?i:top))?$|^[:/!?]|^L[0-9]");

/// Whether a fragment leads somewhere in any document: to its top, to words or lines of it, or to what a script makes of it.
pub fn is_everywhere(fragment: &str) -> bool {
    EVERYWHERE.is_match(fragment)
}
