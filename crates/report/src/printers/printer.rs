//! What a printer is, and what it is handed.

use crate::Record;
use crate::findings::Stream;
use crate::html::View;
use crate::html::sheet::Sheet;
use cited_core::error::Result;

/// A way to print an outcome.
#[derive(Debug)]
pub struct Printer {
    /// Its name for `--format`; `None` for what is only written into files.
    pub name: Option<&'static str>,
    /// The endings of the files that hold it.
    pub endings: &'static [&'static str],
    /// What it prints, in a few words.
    pub about: &'static str,
    /// How: with notes, or only what matters.
    pub print: Print,
}

type Print = fn(&Outcome<'_>, bool) -> Result<String>;

impl Printer {
    pub(super) const fn new(
        name: Option<&'static str>,
        endings: &'static [&'static str],
        about: &'static str,
        print: Print,
    ) -> Printer {
        Printer { name, endings, about, print }
    }
}

/// What a command has found.
pub struct Outcome<'a> {
    /// The findings, document by document.
    pub stream: Stream,
    /// The verified draft that they are of.
    pub run: Option<RunOutcome<'a>>,
    /// The report that a command has of its own, such as the gate.
    pub own: Option<&'a dyn OwnReport>,
}

/// A verified draft. The stream has it as its only document.
#[derive(Debug, Clone, Copy)]
pub struct RunOutcome<'a> {
    /// The record.
    pub record: &'a Record,
    /// The provenance side-car.
    pub provenance: &'a str,
}

/// A report with a shape of its own for people and for programs.
pub trait OwnReport {
    /// The report as JSON.
    ///
    /// # Errors
    /// When it cannot be written as JSON: a fault of cited.
    fn json(&self) -> Result<String>;

    /// The report for people.
    fn sheet(&self) -> Sheet;

    /// What a page has behind it. `stream` has the texts that its findings point into.
    fn view(&self, stream: &Stream) -> View;

    /// The report as Markdown; `None` where its findings say it all.
    fn markdown(&self) -> Option<String> {
        None
    }
}
