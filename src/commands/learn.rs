//! What cited says of itself: `cited explain` (findings, checks), `cited schema` (of the types that read and write),
//! `cited completions` and `cited man` (of the command line's own description).

use std::path::Path;

use clap::CommandFactory as _;

use super::output;
use crate::cli::Args;
use crate::cli::settings::advice;
use crate::schemas::{PUBLISHED, Published, schema};
use cited_core::error::{Error, Result};
use cited_report::explain::{Explanation, all};
use cited_report::printers::pretty;

/// Prints the section of a code, the page of a check, or, without a name, all codes and checks.
///
/// # Errors
/// When nothing has that name.
pub fn explain(name: &[String]) -> Result<()> {
    let asked = name.join(" ");
    if asked.is_empty() {
        let width = all(false).map(|one| one.name.len()).max().unwrap_or(0);
        let line = |one: Explanation| format!("{:width$}  {:7}  {}\n", one.name, one.about, one.meaning);
        return output::print(&all(false).map(line).collect::<String>());
    }
    let found = all(true).find(|one| one.name == asked);
    let advice = || advice(&asked, all(false).map(|one| one.name), "explain");
    let unknown = || Error::usage(format!("no finding and no check is called `{asked}`; {}", advice()));
    output::print(&found.ok_or_else(unknown)?.text())
}

/// Prints a schema, or the names of all.
///
/// # Errors
/// When there is none of that name, or standard output takes nothing.
pub fn print_schema(name: Option<&str>) -> Result<()> {
    let Some(asked) = name else {
        let width = PUBLISHED.iter().map(|schema| schema.name().len()).max().unwrap_or(0);
        let lines = PUBLISHED.iter().map(|schema| format!("{:width$}  {}\n", schema.name(), schema.about));
        return output::print(&lines.collect::<String>());
    };
    let published = PUBLISHED.iter().find(|schema| schema.name() == asked);
    let advice = || advice(asked, PUBLISHED.iter().map(Published::name), "schema");
    let published = published.ok_or_else(|| Error::usage(format!("no schema is named `{asked}`; {}", advice())))?;
    output::print(&pretty(&schema(published))?)
}

/// Prints a completion script.
///
/// # Errors
/// When standard output takes nothing.
pub fn complete(shell: clap_complete::Shell) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "cited", &mut script);
    output::print_bytes(&script)
}

/// Prints the manual page of the program, or writes one a command into a folder.
///
/// # Errors
/// When it cannot be written.
pub fn man(folder: Option<&Path>) -> Result<()> {
    let Some(folder) = folder else {
        let mut page = Vec::new();
        clap_mangen::Man::new(Args::command()).render(&mut page).map_err(Error::print)?;
        return output::print_bytes(&page);
    };
    let written = std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(Args::command(), folder));
    written.map_err(|error| Error::write(folder, error))
}
