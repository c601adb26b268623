//! What the labels and addresses of a document mean.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use super::author_year::Works;
use super::label::{Label, LabelStyle};
use super::marker::{MarkerForm, Target};
use super::source_list::{Entry, EntryId, ListKind, SourceList};
use crate::address::identity::{Key, key_of};

/// Labels and addresses that files other than the document give a meaning: those of the research files.
#[derive(Debug, Clone, Default)]
pub struct KnownLabels {
    pub(crate) labels: HashSet<Label>,
    addresses: HashSet<Key>,
    pub(super) works: Works,
}

impl KnownLabels {
    /// Takes in the labels and addresses of the entries of a file, such as one of research, with its text.
    pub fn add_file(&mut self, entries: &[Entry], text: &str) {
        self.labels.extend(entries.iter().filter_map(|entry| entry.label.clone()));
        entries.iter().flat_map(|entry| &entry.addresses).for_each(|address| self.add_address(address));
        self.works.add_of_a_file(entries, text);
    }

    /// Takes in one address.
    pub fn add_address(&mut self, address: &str) {
        self.addresses.insert(key_of(address));
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty() && self.addresses.is_empty()
    }
}

/// The labels of a document with their entries, and its addresses.
pub(crate) struct Vocabulary<'a> {
    entries: HashMap<&'a Label, Vec<EntryId>>,
    footnotes: HashMap<&'a Label, EntryId>,
    lists: &'a [SourceList],
    known: &'a KnownLabels,
    addresses: HashSet<Key>,
    /// Whether citations may be written `\[1\]`.
    pub escaped: bool,
    /// The highest number of the lists.
    pub highest: u32,
    /// Whether a list is numbered in brackets, or research files are and there is no list: citations are numbers.
    pub numbered: bool,
    /// The works that are cited by author and year.
    pub works: Works,
    /// Whether the document lists nothing that a reader sees, so that its links may be its citations.
    pub(crate) lists_nothing: bool,
    /// How two names of the lists at least begin that go on with a number: the `s` of `[S1]`, `[S2]`.
    series: HashSet<&'a str>,
}

impl<'a> Vocabulary<'a> {
    pub fn new(lists: &'a [SourceList], known: &'a KnownLabels) -> Self {
        let labels = || lists.iter().flat_map(|list| &list.entries).filter_map(|entry| entry.label.as_ref());
        let is_number = |label: &Label| label.number().is_some();
        let has_number =
            |list: &SourceList| list.entries.iter().any(|entry| entry.label.as_ref().is_some_and(is_number));
        let (mut once, mut series) = (HashSet::new(), HashSet::new());
        series.extend(labels().filter_map(series_and_place).filter(|series| !once.insert(*series)));
        let mut vocabulary = Vocabulary {
            entries: HashMap::new(),
            footnotes: HashMap::new(),
            lists,
            known,
            addresses: known.addresses.clone(),
            escaped: lists.iter().flat_map(|list| &list.entries).any(|entry| entry.style == LabelStyle::Escaped),
            highest: labels().chain(&known.labels).filter_map(Label::number).max().unwrap_or_default(),
            numbered: lists.iter().any(|list| list.is_bracketed() && has_number(list))
                || lists.iter().all(|list| list.entries.is_empty()) && known.labels.iter().any(is_number),
            works: Works::read(lists, &known.works, false),
            lists_nothing: lists.iter().all(SourceList::is_unseen),
            series,
        };
        for (l, list) in lists.iter().enumerate() {
            for (e, entry) in list.entries.iter().enumerate() {
                vocabulary.addresses.extend(entry.addresses.iter().map(|address| key_of(address)));
                let Some(label) = &entry.label else { continue };
                let id = EntryId { list: l as u32, entry: e as u32 };
                if list.kind == ListKind::Footnotes {
                    vocabulary.footnotes.entry(label).or_insert(id);
                } else {
                    vocabulary.entries.entry(label).or_default().push(id);
                }
            }
        }
        vocabulary
    }

    /// Whether nothing has a meaning: no list, and no research file.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.footnotes.is_empty() && self.lists_nothing && self.known.is_empty()
    }

    /// Whether no label has a meaning, though addresses may.
    pub(crate) fn has_no_labels(&self) -> bool {
        self.entries.is_empty() && self.footnotes.is_empty() && self.known.labels.is_empty()
    }

    /// What `label` means at the byte `at`.
    pub fn target(&self, label: &Label, at: usize) -> Option<Target> {
        self.entry(label, at)
            .or_else(|| self.entries.is_empty().then(|| self.footnotes.get(label).copied()).flatten())
            .map(Target::Entry)
            .or_else(|| self.known.labels.contains(label).then(|| Target::Label(label.clone())))
    }

    /// The labels among what a citation points at that nothing gives a meaning.
    pub fn missing(&self, targets: &[Target]) -> Vec<Label> {
        let label = |target: &Target| if let Target::Label(label) = target { Some(label.clone()) } else { None };
        targets.iter().filter_map(label).filter(|label| !self.known.labels.contains(label)).collect()
    }

    /// The source that a footnote with this label is defined as.
    pub(crate) fn source_footnote(&self, label: &Label) -> Option<Target> {
        self.footnotes.get(label).copied().map(Target::Entry)
    }

    fn entry(&self, label: &Label, at: usize) -> Option<EntryId> {
        let ids = self.entries.get(label)?;
        let list_of = |id: EntryId| &self.lists[id.list as usize];
        let within = ids.iter().take(MOST_LISTS).copied().filter(|id| list_of(*id).scope.has(at));
        // The section inside wins over the section around; of two lists of one section, the one written alike.
        let has_addresses = |list: &SourceList| list.entries.iter().any(|entry| !entry.addresses.is_empty());
        let found = within.min_by_key(|id| {
            let list = list_of(*id);
            (list.scope.len(), Reverse((list.is_bracketed(), has_addresses(list))))
        });
        // A section without a list of its own may use a number that only one list has; in one that has a list, labels are those of that
        // list, unless the other list has no text of its own.
        let only = || match ids.as_slice() {
            [only] if !list_of(*only).cited_above || !self.lists.iter().any(|list| list.scope.has(at)) => Some(*only),
            _ => None,
        };
        found.or_else(only)
    }

    /// Whether a label that no list has is written like those that they have: `[S9]` beside `[S1]` and `[S2]`, `[1a]` beside `[1]`,
    /// `[^wave]` beside footnotes that are sources.
    pub(crate) fn may_be_listed(&self, label: &Label, form: MarkerForm) -> bool {
        let is_part = self.highest > 0 && label.is_number_with_letter();
        let is_footnote = form == MarkerForm::Footnote && !self.footnotes.is_empty();
        is_part || is_footnote || series_and_place(label).is_some_and(|series| self.series.contains(series))
    }

    /// Whether a list or a research file has this address.
    pub fn knows(&self, address: &str) -> bool {
        !self.addresses.is_empty() && self.addresses.contains(&key_of(address))
    }
}

/// What stands before the number that a name ends with.
fn series_and_place(label: &Label) -> Option<&str> {
    let Label::Name(name) = label else { return None };
    let series = name.trim_end_matches(|c: char| c.is_ascii_digit());
    (series.len() < name.len() && !series.is_empty()).then_some(series)
}

/// Entries with one label that are looked at: a document with more is broken, and reading stays linear.
const MOST_LISTS: usize = 1000;
