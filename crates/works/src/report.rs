//! What a run found of works, as data: `cited works --format json`.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;

use super::entry::Entry;
use super::kind::Kind;
use super::look::{Account, AnswerKind, Look, Outcome};
use super::question::Index;
use super::verdict::Lookups;
use cited_core::finding::Finding;

/// The version of this shape.
pub const SCHEMA: &str = "cited/works/1";

/// The verdict of a run that could not look.
const BLOCKED: &str = "BLOCKED";

/// What a run found of works.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Report {
    /// The version of this shape.
    pub schema: &'static str,
    /// `PASS`, `PASS WITH NOTES`, `FAIL` or `BLOCKED`.
    pub verdict: &'static str,
    /// Every entry, in order.
    pub entries: Vec<Listed>,
    /// What became of each index.
    pub indexes: BTreeMap<String, Account>,
    /// What is worth telling.
    pub findings: Vec<Finding>,
}

/// An entry with what became of it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Listed {
    /// The entry.
    #[serde(flatten)]
    pub entry: Entry,
    /// What became of it.
    #[serde(flatten)]
    pub look: Look,
}

/// What became of each index that was to be asked.
pub fn accounts<'l>(looks: impl Iterator<Item = &'l Look>, indexes: &[&dyn Index]) -> BTreeMap<String, Account> {
    let mut accounts: BTreeMap<String, Account> =
        indexes.iter().map(|index| (index.name().to_owned(), index.account())).collect();
    for look in looks {
        let mut waits = BTreeSet::new();
        for asked in &look.asked {
            let account = accounts.entry(asked.index.clone()).or_default();
            let silent = asked.answer == AnswerKind::Unasked;
            account.answers += usize::from(!silent);
            account.failures += usize::from(silent);
            account.reason = account.reason.take().or_else(|| asked.reason.clone());
            // One that was found waits for whoever was to say what its DOI leads to.
            let waiting = silent && (look.outcome == Outcome::Unasked || look.reason.is_some());
            account.waiting += usize::from(waiting && waits.insert(&asked.index));
        }
    }
    accounts
}

impl Report {
    /// Whether no index could be asked, or the way to them is at fault.
    pub fn is_blocked(&self) -> bool {
        self.verdict == BLOCKED
    }

    /// The report of entries and what became of each; `findings` words what is worth telling of one.
    pub fn build(
        entries: &[Entry],
        looked: Lookups,
        indexes: &[&dyn Index],
        findings: fn(&Entry, &Look) -> Vec<Finding>,
    ) -> Report {
        let indexes = accounts(looked.looks.iter(), indexes);
        let listed = |(entry, look): (&Entry, Look)| Listed { entry: entry.clone(), look };
        let entries: Vec<Listed> = entries.iter().zip(looked.looks).map(listed).collect();
        let asked = indexes.values().any(|account| account.answers + account.failures > 0);
        let is_blocked = asked && indexes.values().all(|account| account.answers == 0) || looked.at_fault.is_some();
        let is_noted = |Listed { entry, look }: &Listed| {
            let is_silent = look.outcome == Outcome::Unasked && !look.asked.is_empty();
            is_silent || look.outcome == Outcome::NotFound || entry.kind == Kind::Unlisted
        };
        let verdict = match &entries {
            _ if is_blocked => BLOCKED,
            all if all.iter().any(|listed| listed.look.outcome == Outcome::Differs) => "FAIL",
            all if all.iter().any(is_noted) => "PASS WITH NOTES",
            _ => "PASS",
        };
        let findings = entries.iter().flat_map(|listed| findings(&listed.entry, &listed.look)).collect();
        Report { schema: SCHEMA, verdict, entries, indexes, findings }
    }
}
