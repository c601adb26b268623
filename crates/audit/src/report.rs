//! What a night ends in: one value that every report is made from.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::news::News;
use super::state::{Remembered, State};
use cited_core::finding::Severity;
use cited_core::rule::Rule;

/// The version of the report's shape.
pub const SCHEMA: &str = "cited/audit/2";

/// What a night was, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Nothing is new.
    Quiet,
    /// Something is new.
    News,
    /// The night cannot be believed, or nobody could be asked: no state has changed.
    Blocked,
}

/// One audit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct AuditReport {
    /// `cited/audit/2`.
    pub schema: String,
    /// The time that counts as now.
    pub at: Timestamp,
    /// Number of the round.
    pub round: i64,
    /// What the night was.
    pub verdict: Verdict,
    /// Why the night proves nothing, in words, for [`Verdict::Blocked`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocked: Option<String>,
    /// What could not be read, in words: a folder, a file that is no text. What is known of it is kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<String>,
    /// Documents that were read, now or before.
    pub documents: u64,
    /// What the round gave.
    #[serde(flatten)]
    pub settled: Settled,
    /// What there is to tell, the most urgent first.
    pub entries: Vec<Entry>,
    /// Entries that are left out because there are too many; they come in the next report.
    pub left_out: u64,
    /// The last rounds, this one last: what charts are drawn from.
    pub days: Vec<FinishedRound>,
}

/// A source that there is something to tell of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Entry {
    /// What there is to tell.
    pub news: News,
    /// How grave that is.
    pub severity: Severity,
    /// All that is remembered of it.
    #[serde(flatten)]
    pub source: Remembered,
    /// When it is asked again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<Timestamp>,
    /// What can be done.
    pub remedy: Remedy,
    /// Where documents stand on it, in the order of documents and lines.
    pub places: Vec<CitationPosition>,
    /// How many places there are: more than `places` has when they are very many.
    pub places_in_all: u64,
}

/// A place in a document that stands on a source.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
pub struct CitationPosition {
    /// The document.
    pub document: String,
    /// The line, from 1; 0 where the document has none, such as a record.
    pub line: i64,
    /// The sentence; empty where the source is only listed or linked.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sentence: String,
    /// Whether the sentence is a claim that the page is to support.
    pub is_claim: bool,
}

/// What can be done about a source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Remedy {
    /// Write the new address.
    NewAddress {
        /// It.
        address: String,
    },
    /// Cite the copy that an archive took.
    ArchivedCopy {
        /// Its address.
        address: String,
        /// When it was taken.
        taken: Timestamp,
    },
    /// Say in the text that it was retracted, or cite another source.
    SaySo,
    /// Read the page again: it says something else now, and no copy from before is known.
    ReadAgain,
    /// No archive could be asked: a later night tells.
    ArchiveUnasked,
    /// Nothing is to be done: it is there.
    None,
    /// No archive has a copy: cite another source, or drop what stands on it.
    Replace,
}

impl Remedy {
    /// What can be done about a source in the state that it is in.
    pub fn choose(source: &Remembered) -> Remedy {
        let copy = |otherwise| match &source.snapshot {
            Some(copy) => Remedy::ArchivedCopy { address: copy.url.clone(), taken: copy.taken },
            None => otherwise,
        };
        let unasked = source.last.as_ref().is_some_and(|last| last.rule == Rule::ArchiveUnasked.as_str());
        match (source.state, source.new_address()) {
            (State::Moved, Some(address)) => Remedy::NewAddress { address: address.to_owned() },
            (State::Rotten | State::Suspect, _) if unasked => copy(Remedy::ArchiveUnasked),
            (State::Rotten, _) => copy(Remedy::Replace),
            (State::Retracted, _) => Remedy::SaySo,
            (State::Drifted, _) => copy(Remedy::ReadAgain),
            _ => Remedy::None,
        }
    }
}

/// What a round gave.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Settled {
    /// Sources that were asked.
    pub checked: u64,
    /// Sources that were due and were not reached: they come first in the next round.
    pub carried: u64,
    /// Hosts that failed, and hosts that were expected to answer, where most failed: then no state has changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed_hosts: Option<(usize, usize)>,
    /// Sources by outcome.
    pub outcomes: BTreeMap<String, u64>,
    /// All sources by state, after the round.
    pub states: BTreeMap<State, u64>,
}

/// A round that is over.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct FinishedRound {
    /// Its number.
    pub round: i64,
    /// When it began.
    pub began: Timestamp,
    /// What it gave.
    #[serde(flatten)]
    pub settled: Settled,
}

impl Entry {
    /// What there is to tell of a source: `places` are the first of `places_in_all`.
    pub fn new(
        source: Remembered,
        news: News,
        due: Option<Timestamp>,
        places: Vec<CitationPosition>,
        places_in_all: u64,
    ) -> Entry {
        let remedy = Remedy::choose(&source);
        Entry { news, severity: news.severity(), source, due, remedy, places, places_in_all }
    }
}

impl AuditReport {
    /// Whether there is something that the report before did not tell.
    pub fn has_news(&self) -> bool {
        self.entries.iter().any(|entry| entry.news.is_new())
    }

    /// All sources that documents cite.
    pub fn sources(&self) -> u64 {
        self.settled.states.values().sum()
    }

    /// The entries by document, documents in the order of their names: an entry with each of its places there.
    pub fn by_document(&self) -> BTreeMap<&str, Vec<(&Entry, &CitationPosition)>> {
        let mut all: BTreeMap<&str, Vec<_>> = BTreeMap::new();
        let places = self.entries.iter().flat_map(|entry| entry.places.iter().map(move |place| (entry, place)));
        places.for_each(|(entry, place)| all.entry(place.document.as_str()).or_default().push((entry, place)));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Observation, Seen};
    use cited_core::outcome::{ArchiveCopy, Outcome};

    fn at(day: i64) -> Timestamp {
        Timestamp::from_second(1_767_225_600 + day * 86_400).unwrap()
    }

    fn rotten(archive: Option<&ArchiveCopy>, rule: Rule) -> Remembered {
        let mut source = Remembered::new("https://a.example/", at(0));
        for day in [0, 4, 8] {
            let observation = Observation::new(at(day), Seen::Gone, Outcome::Dead);
            source.take(&Observation { archive: archive.cloned(), rule: rule.as_str().to_owned(), ..observation });
        }
        assert_eq!(source.state, State::Rotten);
        source
    }

    #[test]
    fn what_can_be_done() {
        let copy = ArchiveCopy { url: "https://w.example/1".into(), taken: at(-9), original: String::new() };
        let archived = Remedy::ArchivedCopy { address: "https://w.example/1".into(), taken: at(-9) };
        assert_eq!(Remedy::choose(&rotten(Some(&copy), Rule::Archived)), archived);
        assert_eq!(Remedy::choose(&rotten(None, Rule::HttpGone)), Remedy::Replace);
        assert_eq!(Remedy::choose(&rotten(None, Rule::ArchiveUnasked)), Remedy::ArchiveUnasked);
        let mut moved = Remembered::new("https://a.example/", at(0));
        for day in [0, 1] {
            let observation = Observation::new(at(day), Seen::Moved, Outcome::Moved);
            moved.take(&Observation { final_url: Some("https://b.example/".into()), ..observation });
        }
        assert_eq!(Remedy::choose(&moved), Remedy::NewAddress { address: "https://b.example/".into() });
    }

    #[test]
    fn entries_by_document() {
        let place = |document: &str, line| CitationPosition {
            document: document.into(),
            line,
            sentence: String::new(),
            is_claim: false,
        };
        let places = vec![place("a.md", 3), place("a.md", 5), place("b.md", 1)];
        let entry = Entry::new(rotten(None, Rule::HttpGone), News::NewRot, None, places, 3);
        let report = AuditReport {
            schema: SCHEMA.into(),
            at: at(8),
            round: 1,
            verdict: Verdict::News,
            blocked: None,
            unread: Vec::new(),
            documents: 2,
            settled: Settled { checked: 1, ..Settled::default() },
            entries: vec![entry],
            left_out: 0,
            days: Vec::new(),
        };
        let lines: Vec<(&str, Vec<i64>)> = report
            .by_document()
            .into_iter()
            .map(|(document, places)| (document, places.iter().map(|(_, place)| place.line).collect()))
            .collect();
        assert_eq!(lines, [("a.md", vec![3, 5]), ("b.md", vec![1])]);
        assert!(report.has_news());
    }
}
