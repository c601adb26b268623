//! The one table of printers: what a command has found, as text for people and programs.
//!
//! A format is a file here and a row in [`PRINTERS`]: `--format`, the endings of `--report`, their help and their error
//! messages are read from the table.

pub mod github;
pub mod html;
pub mod json;
pub mod junit;
pub mod markdown;
mod printer;
pub mod record;
pub mod sarif;
pub mod text;

use std::path::Path;

pub use self::printer::{Manner, Of, Outcome, OwnReport, Print, Printer, RunOutcome, Walk};
use cited_core::error::{Error, Result};

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
        Error::usage(format!("{name}: the ending says what is written; it must be one of {}", endings(walk).join(", ")))
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
