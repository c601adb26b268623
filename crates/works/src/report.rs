//! What a run found of works, as data: `cited works --format json`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::entry::Entry;
use super::kind::Kind;
use super::look::{Account, AnswerKind, Look, Outcome};
use super::lookup::Looked;
use super::question::Index;
use cited_text::Span;

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
}

/// An entry with what became of it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Listed {
    /// The label as written.
    pub label: Option<String>,
    /// The key of a bibliography.
    pub key: Option<String>,
    /// The file.
    pub file: String,
    /// Its first line, from 1.
    pub line: usize,
    /// Where it stands in the file, in bytes.
    pub span: Span,
    /// The kind of work.
    pub kind: Kind,
    /// What was read.
    pub read: ReadFields,
    /// What became of it.
    #[serde(flatten)]
    pub look: Look,
}

/// The fields that were read in an entry.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ReadFields {
    /// The title.
    pub title: Option<String>,
    /// The authors, `Family, Given`.
    pub authors: Vec<String>,
    /// Whether it says that there are more.
    pub others: bool,
    /// The journal, conference or book.
    pub container: Option<String>,
    /// The year.
    pub year: Option<i16>,
    /// DOI.
    pub doi: Option<String>,
}

/// What became of each index that was to be asked.
pub fn accounts<'l>(looks: impl Iterator<Item = &'l Look>, indexes: &[&dyn Index]) -> BTreeMap<String, Account> {
    let mut accounts: BTreeMap<String, Account> =
        indexes.iter().map(|index| (index.name().to_owned(), index.account())).collect();
    for look in looks {
        for asked in &look.asked {
            let account = accounts.entry(asked.index.clone()).or_default();
            let silent = asked.answer == AnswerKind::Unasked;
            account.answers += usize::from(!silent);
            account.failures += usize::from(silent);
            account.waiting += usize::from(silent && look.outcome == Outcome::Unasked);
        }
    }
    accounts
}

impl Report {
    /// Whether no index could be asked, or the way to them is at fault.
    pub fn is_blocked(&self) -> bool {
        self.verdict == BLOCKED
    }

    /// The report of entries and what became of each.
    pub fn of(entries: &[Entry], looked: Looked, indexes: &[&dyn Index]) -> Report {
        let indexes = accounts(looked.looks.iter(), indexes);
        let listed = |(entry, look): (&Entry, Look)| Listed {
            label: entry.label.clone(),
            key: entry.key.clone(),
            file: entry.file.clone(),
            line: entry.line,
            span: entry.span,
            kind: entry.kind,
            read: ReadFields {
                title: entry.read.title.clone(),
                authors: entry.read.authors.iter().map(super::name::Name::shown).collect(),
                others: entry.read.others,
                container: entry.read.container.clone(),
                year: entry.read.year,
                doi: entry.read.ids.doi.clone(),
            },
            look,
        };
        let entries: Vec<Listed> = entries.iter().zip(looked.looks).map(listed).collect();
        let verdict = verdict(&entries, &indexes, looked.at_fault.is_some());
        Report { schema: SCHEMA, verdict, entries, indexes }
    }
}

fn verdict(entries: &[Listed], indexes: &BTreeMap<String, Account>, at_fault: bool) -> &'static str {
    let any = |outcome: Outcome| entries.iter().any(|entry| entry.look.outcome == outcome);
    let asked = indexes.values().any(|account| account.answers + account.failures > 0);
    let waits = |entry: &Listed| entry.look.outcome == Outcome::Unasked && !entry.look.asked.is_empty();
    if asked && indexes.values().all(|account| account.answers == 0) || at_fault {
        BLOCKED
    } else if any(Outcome::Differs) {
        "FAIL"
    } else if any(Outcome::NotFound) || entries.iter().any(waits) {
        "PASS WITH NOTES"
    } else {
        "PASS"
    }
}
