//! A night of an audit as text: a file a format, and one table of them.
//!
//! Nothing here asks what time it is or who reads: all of it is in the report. What came from outside (addresses, titles, sentences,
//! names of files) goes through the escape of its format.

pub mod atom;
pub mod github;
pub mod json;
pub mod junit;
pub mod markdown;
pub mod prometheus;
#[cfg(test)]
mod sample;
pub mod sarif;
pub mod text;
mod words;

use crate::audit::AuditReport;
use crate::error::Result;

/// A format that a report is written in.
#[derive(Debug, Clone, Copy)]
pub struct Printer {
    /// Its name for `--format`.
    pub name: &'static str,
    /// How the names of files end that are written in it; none for what is only printed.
    pub endings: &'static [&'static str],
    /// Writes a report.
    pub print: fn(&AuditReport) -> Result<String>,
}

/// The name of the format for people.
pub const TEXT: &str = "text";

/// All formats. The first that has an ending that fits counts.
pub const PRINTERS: &[Printer] = &[
    Printer { name: TEXT, endings: &[".txt"], print: |report| Ok(text::render(report, false)) },
    Printer { name: "markdown", endings: &[".md"], print: |report| Ok(markdown::render(report)) },
    Printer { name: "sarif", endings: &[".sarif", ".sarif.json"], print: sarif::render },
    Printer { name: "json", endings: &[".json"], print: json::render },
    Printer { name: "junit", endings: &[".xml"], print: junit::render },
    Printer { name: "github", endings: &[], print: |report| Ok(github::render(report)) },
    Printer { name: "prometheus", endings: &[".prom"], print: |report| Ok(prometheus::render(report)) },
    Printer { name: "atom", endings: &[".atom"], print: |report| Ok(atom::render(report)) },
];

/// The format of the file of this name.
pub fn of_file(name: &str) -> Option<&'static Printer> {
    PRINTERS.iter().find(|printer| printer.endings.iter().any(|ending| name.ends_with(ending)))
}

/// The endings that mean something.
pub fn endings() -> Vec<&'static str> {
    PRINTERS.iter().flat_map(|printer| printer.endings.iter().copied()).collect()
}
