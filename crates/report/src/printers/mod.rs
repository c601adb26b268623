//! The one table of printers: what a command has found, as text for people and programs.
//!
//! A format is a row in [`PRINTERS`] with a file of its own where it has an escape or a schema to keep: `--format`, the endings of `--report`, their help and their error
//! messages are read from the table.

pub mod github;
pub mod junit;
pub mod sarif;

use std::path::Path;

use crate::Record;
use crate::findings::{self, Stream};
use crate::html::sheet::Sheet;
use crate::html::{checked, verified};
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
    /// The report that a command has of its own, such as the gate: its JSON, and the same for people.
    pub own: Option<(String, Sheet)>,
}

impl Outcome<'_> {
    /// It for people, entry by entry.
    fn on_sheet(&self, write: fn(&Sheet) -> String) -> String {
        match &self.own {
            Some((_, sheet)) => write(sheet),
            None => write(&checked::sheet(&self.stream, self.record)),
        }
    }
}

/// All printers, in the order in which they are listed. Text has ANSI sequences, which whoever prints it takes out where they are not wanted.
/// Record and side-car are those of a verified draft: of anything else their endings mean JSON and Markdown as others do.
pub static PRINTERS: &[Printer] = &[
    row(Some("text"), &[".txt"], |outcome, notes| Ok(text(outcome, notes))),
    row(Some("json"), &[".json"], |outcome, _| json(outcome)),
    row(Some("sarif"), &[".sarif", ".sarif.json"], |outcome, _| pretty(&sarif::log(&outcome.stream))),
    row(Some("junit"), &[".xml"], |outcome, _| junit::render(&outcome.stream)),
    row(Some("github"), &[], |outcome, _| Ok(github::render(&outcome.stream))),
    row(Some("markdown"), &[".md"], |outcome, _| Ok(outcome.on_sheet(Sheet::markdown))),
    row(None, &[".html"], |outcome, _| {
        Ok(outcome.record.map_or_else(|| outcome.on_sheet(Sheet::html), verified::report))
    }),
    row(None, &[".record.json"], |outcome, _| outcome.record.map_or_else(|| json(outcome), pretty)),
    row(None, &[".provenance.md"], |outcome, _| {
        Ok(if outcome.provenance.is_empty() {
            outcome.on_sheet(Sheet::markdown)
        } else {
            outcome.provenance.to_owned()
        })
    }),
];

const fn row(name: Option<&'static str>, endings: &'static [&'static str], print: Print) -> Printer {
    Printer { name, endings, print }
}

/// Text for people.
pub static TEXT: &Printer = &PRINTERS[0];

/// The printer of the file at `path`, by its ending; where several fit, by the longest.
///
/// # Errors
/// When the ending means nothing.
pub fn of_file(path: &Path) -> Result<&'static Printer> {
    let name = path.to_string_lossy();
    let endings = || PRINTERS.iter().flat_map(|row| row.endings.iter().map(move |ending| (*ending, row)));
    let fits = endings().filter(|(ending, _)| name.ends_with(ending));
    fits.max_by_key(|(ending, _)| ending.len()).map(|(_, row)| row).ok_or_else(|| {
        let endings: Vec<&str> = endings().map(|(ending, _)| ending).collect();
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

/// The help of `--report`: the endings.
pub fn help_of_reports() -> String {
    // Record and side-car are written beside a brief anyway.
    let endings = PRINTERS.iter().filter_map(|row| row.endings.first().copied());
    let endings: Vec<&str> = endings.filter(|ending| ending.matches('.').count() == 1).collect();
    format!("Also write a report: {} (repeatable)", endings.join(", "))
}

/// A value as readable JSON that ends with a line end. `cited schema` prints the shapes.
///
/// # Errors
/// When it has no form in JSON: a fault of cited.
pub fn pretty(value: &impl serde::Serialize) -> Result<String> {
    let text = serde_json::to_string_pretty(value).map_err(|error| Error::defect(error.to_string()))?;
    Ok(text + "\n")
}

fn json(outcome: &Outcome<'_>) -> Result<String> {
    match &outcome.own {
        Some((json, _)) => Ok(json.clone()),
        None => pretty(&findings::checked::report(&outcome.stream, outcome.record)),
    }
}

fn text(outcome: &Outcome<'_>, notes: bool) -> String {
    if let Some((_, sheet)) = &outcome.own {
        return sheet.text();
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
        let names: Vec<&str> = names().collect();
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
        let check = |path: &str, expected: Option<&str>| {
            let found = of_file(Path::new(path)).ok().map(|row| row.endings[0]);
            assert_eq!(found, expected, "{path}");
        };
        check("a.record.json", Some(".record.json"));
        check("a.sarif.json", Some(".sarif"));
        check("a.json", Some(".json"));
        check("a.provenance.md", Some(".provenance.md"));
        check("a.yaml", None);
    }

    #[test]
    fn a_record_and_a_side_car_are_those_of_a_run() {
        let outcome = Outcome::default();
        for (special, plain) in [("a.record.json", "a.json"), ("a.provenance.md", "a.md")] {
            let print = |path: &str| (of_file(Path::new(path)).unwrap().print)(&outcome, true).unwrap();
            assert_eq!(print(special), print(plain));
        }
    }
}
