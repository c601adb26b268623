//! A night of an audit as text: a file a format, and one table of them.
//!
//! Nothing here asks what time it is or who reads: all of it is in the report. What came from outside (addresses, titles, sentences,
//! names of files) goes through the escape of its format.

pub mod html;
pub mod json;
pub mod junit;
pub mod markdown;
#[cfg(test)]
mod sample;
pub mod sarif;
pub mod text;
mod words;

use cited_audit::AuditReport;
use cited_core::error::Result;

/// A format that a report is written in.
#[derive(Debug, Clone, Copy)]
pub struct Printer {
    /// Its name for `--format`.
    pub name: &'static str,
    /// What it is for, in a few words.
    pub about: &'static str,
    /// How the names of files end that are written in it; none for what is only printed.
    pub endings: &'static [&'static str],
    /// Writes a report.
    pub print: fn(&AuditReport) -> Result<String>,
}

/// The name of the format for people.
pub const TEXT: &str = "text";

/// All formats. The first that has an ending that fits counts.
pub const PRINTERS: &[Printer] = &[
    Printer {
        name: TEXT,
        about: "text for people",
        endings: &[".txt"],
        print: |report| Ok(text::render(report, false)),
    },
    Printer {
        name: "markdown",
        about: "the text of an issue that closes itself",
        endings: &[".md"],
        print: |report| Ok(markdown::render(report)),
    },
    Printer {
        name: "sarif",
        about: "SARIF 2.1.0 for code scanning",
        endings: &[".sarif", ".sarif.json"],
        print: sarif::render,
    },
    Printer { name: "json", about: "JSON for programs", endings: &[".json"], print: json::render },
    Printer { name: "junit", about: "JUnit XML for test reports", endings: &[".xml"], print: junit::render },
    Printer {
        name: "html",
        about: "a page for people, with charts over time",
        endings: &[".html"],
        print: |report| Ok(html::render(report)),
    },
];

/// The format of the file of this name.
pub fn of_file(name: &str) -> Option<&'static Printer> {
    PRINTERS.iter().find(|printer| printer.endings.iter().any(|ending| name.ends_with(ending)))
}

/// The endings that mean something.
pub fn endings() -> Vec<&'static str> {
    PRINTERS.iter().flat_map(|printer| printer.endings.iter().copied()).collect()
}

/// The help of `--report`.
pub fn help_of_reports() -> String {
    let short: Vec<&str> = PRINTERS.iter().filter_map(|printer| printer.endings.first().copied()).collect();
    format!("Also write it: {}", short.join(", "))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_and_endings_are_each_of_one_format() {
        let names: HashSet<&str> = PRINTERS.iter().map(|printer| printer.name).collect();
        assert_eq!(names.len(), PRINTERS.len());
        let unique: HashSet<&str> = endings().into_iter().collect();
        assert_eq!(unique.len(), endings().len());
        let of = |name: &str| of_file(name).map(|printer| printer.name);
        assert_eq!(of("a.sarif.json"), Some("sarif"));
        assert_eq!(of("a.json"), Some("json"));
        assert_eq!(of("a.yaml"), None);
    }

    #[test]
    fn a_night_as_text_and_as_json() {
        let report = sample::report();
        let text = text::render(&report, false);
        sample::snapshot("text.txt", &text);
        assert!(!text.contains(|c: char| c != '\n' && cited_text::escape::is_unsafe(c)), "{text:?}");
        // What one has written another can read, and nothing is lost.
        let json = json::render(&report).unwrap();
        assert_eq!(serde_json::from_str::<AuditReport>(&json).unwrap(), report);
    }
}
