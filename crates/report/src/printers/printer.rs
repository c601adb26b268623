//! What a printer is, and what it is handed.

use crate::Record;
use crate::findings::Stream;
use cited_core::error::{Error, Result};
use cited_core::finding::Depth;

/// A way to print an outcome.
#[derive(Debug)]
pub struct Printer {
    /// Its name for `--format`; `None` for what is only written into files.
    pub name: Option<&'static str>,
    /// The endings of the files that hold it.
    pub endings: &'static [&'static str],
    /// What it prints, in a few words.
    pub about: &'static str,
    /// How.
    pub print: Print,
}

/// How an outcome becomes text: of every walk, or of one that has what the printer shows.
#[derive(Debug, Clone, Copy)]
pub enum Print {
    /// What every walk has.
    Any(fn(&Outcome<'_>, Manner) -> Result<String>),
    /// What only a verified draft has.
    Run(fn(&RunOutcome<'_>) -> Result<String>),
}

/// How much is printed, and for which eyes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Manner {
    /// Notes too, not only what matters.
    pub notes: bool,
    /// With colours, as ANSI sequences.
    pub color: bool,
}

impl Manner {
    /// How a file is written: whole and plain.
    pub const FILE: Manner = Manner { notes: true, color: false };
}

/// What a command has found.
#[derive(Debug)]
pub struct Outcome<'a> {
    /// The findings, document by document.
    pub stream: Stream<'a>,
    /// What else there is, by the walk.
    pub of: WalkReport<'a>,
}

/// What a walk gives beside findings.
#[derive(Debug)]
pub enum WalkReport<'a> {
    /// A verified draft.
    Run(RunOutcome<'a>),
    /// Checked documents.
    Check {
        /// How deep the check looked.
        depth: Depth,
    },
    /// A command with a report of its own, such as the gate.
    Own(&'a dyn OwnReport),
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
pub trait OwnReport: std::fmt::Debug {
    /// The report as JSON.
    ///
    /// # Errors
    /// When it cannot be written as JSON: a fault of cited.
    fn json(&self) -> Result<String>;

    /// The report as text. With `color`, as ANSI sequences.
    fn text(&self, color: bool) -> String;

    /// The report as a page. `stream` has the texts that its findings point into.
    fn html(&self, stream: &Stream<'_>) -> String;

    /// The report as Markdown; `None` where its findings say it all.
    fn markdown(&self) -> Option<String> {
        None
    }
}

impl Printer {
    /// The outcome as text.
    ///
    /// # Errors
    /// When it cannot be written in this format: a fault of cited.
    pub fn print(&self, outcome: &Outcome<'_>, manner: Manner) -> Result<String> {
        match (self.print, &outcome.of) {
            (Print::Any(print), _) => print(outcome, manner),
            (Print::Run(print), WalkReport::Run(run)) => print(run),
            (Print::Run(_), _) => Err(Error::defect(format!("{}: asked of what is no verified draft", self.about))),
        }
    }
}
