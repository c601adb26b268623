//! The findings of a run over any number of documents, as all printers for pipelines take them.

use serde::{Deserialize, Serialize};

use super::{Located, Texts};
use crate::wording::{counted, listed};
use cited_core::check::results::{RequestedAddress, Tally};
use cited_core::check::{self, Item, State};
use cited_core::finding::{Code, Depth, Finding, Severity};
use cited_core::input::Input;

/// What a run over documents found.
#[derive(Debug, Clone, Default)]
pub struct Stream {
    /// The documents, in order, those without findings too.
    pub documents: Vec<Checked>,
    /// How deep it looked.
    pub depth: Depth,
    /// What could not be checked.
    pub incomplete: Vec<Incomplete>,
    /// Whether findings were compared with earlier ones.
    pub with_baseline: bool,
    /// The severity from which a new finding makes the run fall short; `None` for never.
    pub fail_on: Option<Severity>,
    /// The codes of which a new finding makes the run fall short, whatever its severity.
    pub fail_on_codes: Vec<Code>,
}

/// A document with what was found in it.
#[derive(Debug, Clone, Default)]
pub struct Checked {
    /// The document. Its text may be left out when nothing was found in it.
    pub document: Input,
    /// Other files that its findings may be in.
    pub others: Vec<Input>,
    /// What was found, in order of place.
    pub items: Vec<Item>,
    /// What of it was asked on the web.
    pub asked: Vec<RequestedAddress>,
    /// Its links, counted.
    pub links: Tally,
}

/// Something that could not be checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Incomplete {
    /// The document; `None` for the whole run.
    pub file: Option<String>,
    /// Why.
    pub reason: String,
}

impl Checked {
    /// A document with these findings, which are in it or in one of `others`.
    pub fn new(document: Input, others: &[Input], findings: &[Finding]) -> Self {
        let items = check::items(findings, |finding| {
            let has_it = |text: &&Input| finding.file.as_ref().is_none_or(|path| *path == text.path);
            std::iter::once(&document).chain(others).find(has_it).map(|text| &*text.text)
        });
        Checked { document, others: others.to_vec(), items, ..Checked::default() }
    }

    /// The texts that its findings point into.
    pub fn texts(&self) -> Texts<'_> {
        Texts::new(&self.document, &self.others)
    }
}

impl Stream {
    /// Whether an item makes the run fall short.
    pub fn fails(&self, item: &Item) -> bool {
        let finding = &item.finding;
        let counts = self.fail_on.is_some_and(|least| finding.severity >= least);
        item.state == State::New && (counts || self.fail_on_codes.contains(&finding.code))
    }

    /// All items of all documents.
    pub fn items(&self) -> impl Iterator<Item = &Item> {
        self.documents.iter().flat_map(|document| &document.items)
    }

    /// All items with their places as people count.
    pub fn located(&self) -> impl Iterator<Item = (&Item, Located)> {
        self.documents.iter().filter(|document| !document.items.is_empty()).flat_map(|document| {
            let texts = document.texts();
            document.items.iter().map(move |item| (item, texts.locate(&item.finding)))
        })
    }

    /// Whether the run falls short of what was asked.
    pub fn falls_short(&self) -> bool {
        self.items().any(|item| self.fails(item))
    }

    /// The links of all documents, counted.
    pub fn links(&self) -> Tally {
        let mut links = Tally::default();
        self.documents.iter().for_each(|document| links.add(&document.links));
        links
    }

    /// How many there are of each.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts { files: self.documents.len(), ..Counts::default() };
        for item in self.items() {
            match (&item.state, item.finding.severity) {
                (State::Suppressed(_), _) => counts.suppressed += 1,
                (State::Known, _) => counts.known += 1,
                (State::New, Severity::Error) => counts.errors += 1,
                (State::New, Severity::Warning) => counts.warnings += 1,
                (State::New, Severity::Note) => counts.notes += 1,
            }
        }
        counts
    }
}

/// Counts of a run over documents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Counts {
    /// Documents that were checked.
    pub files: usize,
    /// New findings that are errors.
    pub errors: usize,
    /// New findings that are warnings.
    pub warnings: usize,
    /// New findings that are notes.
    pub notes: usize,
    /// Findings that a comment allows.
    pub suppressed: usize,
    /// Findings that the baseline has.
    pub known: usize,
}

impl Counts {
    /// The counts in words: `12 files: 3 errors, 1 note, 2 suppressed`.
    pub fn in_words(&self) -> String {
        let found = listed([
            (self.errors, counted(self.errors, "error")),
            (self.warnings, counted(self.warnings, "warning")),
            (self.notes, counted(self.notes, "note")),
            (self.suppressed, format!("{} suppressed", self.suppressed)),
            (self.known, format!("{} in the baseline", self.known)),
        ]);
        match self.files {
            0 if found.is_empty() => "nothing was checked".to_owned(),
            files if found.is_empty() => format!("{}: no findings", counted(files, "file")),
            files => format!("{}: {found}", counted(files, "file")),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use cited_text::Span;

    /// Documents with one finding each, for the tests of printers: path, text, marked words, message, state.
    pub(crate) struct Sample(Vec<Checked>);

    impl Sample {
        pub(crate) fn new(found: &[(&str, &str, &str, &str, State)]) -> Self {
            let of = |(path, text, marked, message, state): &(&str, &str, &str, &str, State)| {
                let start = text.find(marked).expect("the marked words are in the text");
                let finding = Finding::new(Code::OrphanCitation, *message)
                    .at(Span::new(start, start + marked.len()))
                    .remedy("add the source");
                let item = Item { finding, state: state.clone(), fingerprint: "f-1".into() };
                let document = Input { path: (*path).into(), text: (*text).into() };
                Checked { document, items: vec![item], ..Checked::default() }
            };
            Sample(found.iter().map(of).collect())
        }

        pub(crate) fn stream(&self) -> Stream {
            Stream { documents: self.0.clone(), fail_on: Some(Severity::Error), ..Stream::default() }
        }
    }

    #[test]
    fn only_new_findings_fail_a_run() {
        let sample = |state| Sample::new(&[("a.md", "x [9]", "[9]", "m", state)]);
        assert!(sample(State::New).stream().falls_short());
        assert!(!sample(State::Known).stream().falls_short());
        assert!(!sample(State::Suppressed("r".into())).stream().falls_short());
        let new = sample(State::New);
        assert!(!Stream { fail_on: None, ..new.stream() }.falls_short());
        assert_eq!(new.stream().counts().in_words(), "1 file: 1 error");
        assert_eq!(Stream::default().counts().in_words(), "nothing was checked");
    }
}
