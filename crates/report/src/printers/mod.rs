//! The one table of printers: what a command has found, as text for people and programs.
//!
//! A format is a row in [`PRINTERS`] with a file of its own where it has an escape or a schema to keep: `--format`, the endings of `--report`, their help and their error
//! messages are read from the table.

pub mod github;
pub mod json;
pub mod junit;
pub mod markdown;
pub mod sarif;

use std::path::Path;

use self::json::pretty;
use crate::Record;
use crate::findings::{self, Stream};
use crate::html::sheet::Sheet;
use crate::html::{View, checked, verified};
use cited_core::check::State;
use cited_core::error::{Error, Result};
use cited_core::finding::{Finding, Severity};

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

/// What a command has found.
#[derive(Default)]
pub struct Outcome<'a> {
    /// The findings, document by document.
    pub stream: Stream,
    /// The record of the verified draft that they are of, which the stream has as its only document.
    pub record: Option<&'a Record>,
    /// The provenance side-car of that draft.
    pub provenance: &'a str,
    /// The report that a command has of its own, such as the gate.
    pub own: Option<&'a dyn OwnReport>,
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

/// All printers, in the order in which they are listed. Text has ANSI sequences, which whoever prints it takes out where they are not wanted.
pub static PRINTERS: &[Printer] = &[
    row(Some("text"), &[".txt"], "text for people", |outcome, notes| Ok(text(outcome, notes))),
    row(Some("json"), &[".json"], "JSON for programs", |outcome, _| match outcome.own {
        Some(own) => own.json(),
        None => pretty(&findings::checked::report(&outcome.stream, outcome.record)),
    }),
    row(Some("sarif"), &[".sarif", ".sarif.json"], "SARIF 2.1.0 for code scanning", |outcome, _| {
        pretty(&sarif::log(&outcome.stream))
    }),
    row(Some("junit"), &[".xml"], "JUnit XML for test reports", |outcome, _| junit::render(&outcome.stream)),
    row(Some("github"), &[], "annotations for GitHub Actions", |outcome, _| Ok(github::render(&outcome.stream))),
    row(Some("markdown"), &[".md"], "a page of Markdown for the summary of a job", |outcome, _| {
        let own = outcome.own.and_then(OwnReport::markdown);
        Ok(own.unwrap_or_else(|| markdown::render(&outcome.stream, outcome.record)))
    }),
    row(None, &[".html"], "a page to look at", |outcome, _| {
        Ok(match (outcome.record, outcome.own) {
            (Some(record), _) => verified::report(record),
            (_, Some(own)) => own.sheet().html(own.view(&outcome.stream)),
            (None, None) => checked::report(&outcome.stream),
        })
    }),
];

/// Those of a verified draft alone.
static OF_RUN: &[Printer] = &[
    row(None, &[".record.json"], "the record of the run", |outcome, _| {
        pretty(outcome.record.ok_or_else(|| Error::defect("asked of what is no verified draft"))?)
    }),
    row(None, &[".provenance.md"], "the provenance of each claim", |outcome, _| Ok(outcome.provenance.to_owned())),
];

const fn row(
    name: Option<&'static str>,
    endings: &'static [&'static str],
    about: &'static str,
    print: Print,
) -> Printer {
    Printer { name, endings, about, print }
}

/// Text for people.
pub static TEXT: &Printer = &PRINTERS[0];

/// The printer of the file at `path`, by its ending; where several fit, by the longest. `is_run` says that a draft is verified.
///
/// # Errors
/// When the ending means nothing.
pub fn of_file(path: &Path, is_run: bool) -> Result<&'static Printer> {
    let name = path.to_string_lossy();
    let fits = rows(is_run).filter_map(|row| {
        let longest = row.endings.iter().filter(|ending| name.ends_with(**ending)).map(|ending| ending.len()).max()?;
        Some((longest, row))
    });
    fits.max_by_key(|(longest, _)| *longest).map(|(_, row)| row).ok_or_else(|| {
        let endings: Vec<&str> = rows(is_run).flat_map(|row| row.endings.iter().copied()).collect();
        Error::usage(format!("{name}: the ending says what is written; it must be one of {}", endings.join(", ")))
    })
}

/// The names that `--format` takes.
pub fn names() -> impl Iterator<Item = &'static str> {
    PRINTERS.iter().filter_map(|row| row.name)
}

/// The help of `--format`.
pub fn help_of_formats() -> String {
    let shown = |name: &str| if Some(name) == TEXT.name { format!("{name} (default)") } else { name.to_owned() };
    names().map(shown).collect::<Vec<_>>().join(", ")
}

/// The short help of `--report`: the endings that all commands know.
pub fn help_of_reports() -> String {
    let short: Vec<&str> = rows(false).filter_map(|row| row.endings.first().copied()).collect();
    format!("Also write a report: {} (repeatable)", short.join(", "))
}

/// The whole help of `--report`: what each ending means.
pub fn long_help_of_reports(is_run: bool) -> String {
    let of = |row: &Printer| {
        let endings: Vec<String> = row.endings.iter().map(|ending| format!("`{ending}`")).collect();
        format!("{} {}", endings.join(" or "), row.about)
    };
    let meanings: Vec<String> = rows(is_run).filter(|row| !row.endings.is_empty()).map(of).collect();
    format!("{}\n\nIts ending says which: {}.", help_of_reports(), meanings.join("; "))
}

fn rows(is_run: bool) -> impl Iterator<Item = &'static Printer> {
    PRINTERS.iter().chain(OF_RUN.iter().filter(move |_| is_run))
}

fn text(outcome: &Outcome<'_>, notes: bool) -> String {
    if let Some(own) = outcome.own {
        return own.sheet().text();
    }
    // What makes the run fall short is shown whatever was asked.
    let least = outcome.stream.fail_on.unwrap_or(Severity::Warning).min(Severity::Warning);
    let held_back = outcome.record.and_then(|record| record.not_written.as_ref());
    let mut out = held_back.map(|why| format!("not written: {why}\n")).unwrap_or_default();
    for document in &outcome.stream.documents {
        let new = document.items.iter().filter(|item| item.state == State::New).map(|item| &item.finding);
        let shown: Vec<&Finding> = new.filter(|finding| notes || finding.severity >= least).collect();
        if !shown.is_empty() {
            out.push_str(&findings::text::render(shown, &document.texts()));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_and_endings_are_each_of_one_printer() {
        let names: Vec<&str> = rows(true).filter_map(|row| row.name).collect();
        assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len());
        let endings: Vec<&str> = rows(true).flat_map(|row| row.endings.iter().copied()).collect();
        assert_eq!(endings.iter().collect::<HashSet<_>>().len(), endings.len());
        assert!(rows(true).all(|row| row.name.is_some() || !row.endings.is_empty()), "a printer nobody can ask for");
    }

    #[test]
    fn the_longest_ending_counts() {
        let check = |path: &str, is_run, expected: Option<&str>| {
            let found = of_file(Path::new(path), is_run).ok().map(|row| row.about);
            assert_eq!(found, expected, "{path}");
        };
        check("a.record.json", true, Some("the record of the run"));
        check("a.record.json", false, Some("JSON for programs"));
        check("a.sarif.json", false, Some("SARIF 2.1.0 for code scanning"));
        check("a.provenance.md", false, Some("a page of Markdown for the summary of a job"));
        check("a.yaml", true, None);
    }
}
