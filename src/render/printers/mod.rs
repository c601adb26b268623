//! The one table of printers: what a command has found, as text for people and programs.
//!
//! A format is a file here and a row in [`PRINTERS`]: `--format`, the endings of `--report`, their help and their error
//! messages are read from the table.

pub mod github;
pub mod html;
pub mod json;
pub mod junit;
pub mod markdown;
pub mod record;
pub mod sarif;
pub mod text;

use std::path::Path;

use super::Record;
use super::findings::Stream;
use crate::check::Depth;
use crate::error::{Error, Result};

/// All printers, in the order in which they are listed.
pub static PRINTERS: &[&Printer] = &[
    &text::PRINTER,
    &json::PRINTER,
    &sarif::PRINTER,
    &junit::PRINTER,
    &github::PRINTER,
    &markdown::PRINTER,
    &html::PRINTER,
    &record::RECORD,
    &record::PROVENANCE,
];

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

/// The walks whose outcome is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Walk {
    /// `cited verify`.
    Verify,
    /// `cited check`.
    Check,
    /// `cited gate`.
    Gate,
}

/// What a command has found.
#[derive(Debug)]
pub struct Outcome<'a> {
    /// The findings, document by document.
    pub stream: Stream<'a>,
    /// What else there is, by the walk.
    pub of: Of<'a>,
}

/// What a walk gives beside findings.
#[derive(Debug)]
pub enum Of<'a> {
    /// A verified draft.
    Run(RunOutcome<'a>),
    /// Checked documents.
    Check {
        /// How deep the check looked.
        depth: Depth,
        /// Whether findings were compared with earlier ones.
        with_baseline: bool,
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
}

impl Printer {
    /// Whether the outcome of `walk` can be printed so.
    pub fn prints(&self, walk: Walk) -> bool {
        match self.print {
            Print::Any(_) => true,
            Print::Run(_) => walk == Walk::Verify,
        }
    }

    /// The outcome as text.
    ///
    /// # Errors
    /// When it cannot be written in this format: a fault of cited.
    pub fn print(&self, outcome: &Outcome<'_>, manner: Manner) -> Result<String> {
        match (self.print, &outcome.of) {
            (Print::Any(print), _) => print(outcome, manner),
            (Print::Run(print), Of::Run(run)) => print(run),
            (Print::Run(_), _) => Err(Error::defect(format!("{}: asked of what is no verified draft", self.about))),
        }
    }
}

/// The printer of the file at `path`, by its ending; where several fit, by the longest.
///
/// # Errors
/// When an ending means nothing to `walk`.
pub fn of_file(path: &Path, walk: Walk) -> Result<&'static Printer> {
    let name = path.to_string_lossy();
    let fits = rows(walk).filter_map(|row| {
        let longest = row.endings.iter().filter(|ending| name.ends_with(**ending)).map(|ending| ending.len()).max()?;
        Some((longest, row))
    });
    fits.max_by_key(|(longest, _)| *longest).map(|(_, row)| row).ok_or_else(|| {
        Error::usage(format!(
            "--report {name}: the ending says what is written; it must be one of {}",
            endings(walk).join(", ")
        ))
    })
}

/// The names that `--format` takes for `walk`.
pub fn names(walk: Walk) -> Vec<&'static str> {
    rows(walk).filter_map(|row| row.name).collect()
}

/// The help of `--format`.
pub fn help_of_formats(walk: Walk) -> String {
    let shown = |name: &&str| if *name == text::NAME { format!("{name} (default)") } else { (*name).to_owned() };
    names(walk).iter().map(shown).collect::<Vec<_>>().join(", ")
}

/// The short help of `--report`: the endings that all walks know.
pub fn help_of_reports(walk: Walk) -> String {
    let for_all = rows(walk).filter(|row| matches!(row.print, Print::Any(_)));
    let short: Vec<&str> = for_all.filter_map(|row| row.endings.first().copied()).collect();
    format!("Also write a report: {} (repeatable)", short.join(", "))
}

/// The whole help of `--report`: what each ending means.
pub fn long_help_of_reports(walk: Walk) -> String {
    let of = |row: &Printer| {
        let endings: Vec<String> = row.endings.iter().map(|ending| format!("`{ending}`")).collect();
        format!("{} {}", endings.join(" or "), row.about)
    };
    let meanings: Vec<String> = rows(walk).filter(|row| !row.endings.is_empty()).map(of).collect();
    format!("{}\n\nIts ending says which: {}.", help_of_reports(walk), meanings.join("; "))
}

fn endings(walk: Walk) -> Vec<&'static str> {
    rows(walk).flat_map(|row| row.endings.iter().copied()).collect()
}

fn rows(walk: Walk) -> impl Iterator<Item = &'static Printer> {
    PRINTERS.iter().copied().filter(move |row| row.prints(walk))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_and_endings_are_each_of_one_printer() {
        let names: Vec<&str> = PRINTERS.iter().filter_map(|row| row.name).collect();
        assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len());
        let endings: Vec<&str> = PRINTERS.iter().flat_map(|row| row.endings.iter().copied()).collect();
        assert_eq!(endings.iter().collect::<HashSet<_>>().len(), endings.len());
        assert!(
            PRINTERS.iter().all(|row| row.name.is_some() || !row.endings.is_empty()),
            "a printer nobody can ask for"
        );
    }

    #[test]
    fn the_longest_ending_counts() {
        let check = |path: &str, walk, expected: Option<&str>| {
            let found = of_file(Path::new(path), walk).ok().map(|row| row.about);
            assert_eq!(found, expected, "{path}");
        };
        check("a.record.json", Walk::Verify, Some(record::RECORD.about));
        check("a.record.json", Walk::Check, Some(json::PRINTER.about));
        check("a.sarif.json", Walk::Gate, Some(sarif::PRINTER.about));
        check("a.provenance.md", Walk::Check, Some(markdown::PRINTER.about));
        check("a.yaml", Walk::Verify, None);
    }
}
