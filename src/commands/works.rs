//! `cited works`: whether the references of files exist, and as written, by indexes of works.

use std::path::PathBuf;

use super::input;
use super::output::{self, Rewrite};
use crate::cli::Exit;
use crate::cli::args::{BIBTEX, LookUp};
use crate::cli::settings::Settings;
use crate::setup::{SILENT, Setup, block_on};
use cited_core::decide::apply;
use cited_core::error::{Error, Result};
use cited_core::finding::{Depth, Finding, Severity};
use cited_core::input::Input;
use cited_report::findings::{Checked, Stream};
use cited_report::printers::{Outcome, PRINTERS, TEXT, pretty};
use cited_report::works;
use cited_works::{Entry, Kind, Report, edit, entries_of};

/// Looks the entries of files up.
///
/// # Errors
/// When a file cannot be read, has no entries, or the settings cannot be used.
pub fn run(args: LookUp, settings: &Settings) -> Result<Exit> {
    let LookUp { files, format, fail_on, write, diff, .. } = args;
    let read: Vec<Input> = files.iter().map(|file| input::read(file)).collect::<Result<_>>()?;
    let mut entries: Vec<Entry> = Vec::new();
    for file in &read {
        let own = entries_of(&file.path, &file.text);
        if own.iter().all(|entry| entry.kind == Kind::Unlisted) {
            return Err(Error::input(format!(
                "{}: no references were found in it; name a BibTeX file, or a document with a list of sources under a heading such as “References”",
                file.path
            )));
        }
        entries.extend(own);
    }
    let setup = Setup::asking(settings, &SILENT)?;
    let report = block_on(async { Ok(setup.look_up(&entries, &[]).await) })?;
    setup.finish()?;
    if diff {
        output::show_changes(&changes(&files, &read, &report)?)?;
    } else if write {
        output::write_changes(changes(&files, &read, &report)?, false)?;
    }
    output::print_beside(&printed(&report, &read, format.as_deref())?, diff)?;
    let any = |outcome: cited_works::Outcome| report.entries.iter().any(|entry| entry.look.outcome == outcome);
    let fails = any(cited_works::Outcome::Differs) && fail_on != "never"
        || any(cited_works::Outcome::NotFound) && fail_on == "not-found";
    Ok(match (report.is_blocked(), fails) {
        (true, _) => Exit::Blocked,
        (_, true) => Exit::FallsShort,
        _ => Exit::Done,
    })
}

/// The report in a format.
fn printed(report: &Report, read: &[Input], format: Option<&str>) -> Result<String> {
    if format == Some(BIBTEX) {
        return Ok(works::bibtex(report));
    }
    let printer = PRINTERS.iter().find(|printer| printer.name.is_some() && printer.name == format).unwrap_or(TEXT);
    // A file with what was found in it.
    let documents = read.iter().map(|file| {
        let own = report.findings.iter().filter(|finding| finding.file.as_ref() == Some(&file.path));
        let own: Vec<Finding> = own.map(|finding| Finding { file: None, ..finding.clone() }).collect();
        Checked::new(file.clone(), &[], &own)
    });
    let (fail_on, depth) = (Some(Severity::Warning), Depth::Sources);
    let stream = Stream { documents: documents.collect(), depth, fail_on, ..Stream::default() };
    let own = Some((pretty(report)?, works::sheet(report)));
    (printer.print)(&Outcome { stream, own, ..Outcome::default() }, true)
}

/// The files into which addresses are to be written.
fn changes(files: &[PathBuf], read: &[Input], report: &Report) -> Result<Vec<Rewrite>> {
    let mut changed = Vec::new();
    for (path, before) in files.iter().zip(read).filter(|(path, _)| path.as_os_str() != "-") {
        let own = report.entries.iter().filter(|listed| listed.entry.file == before.path);
        let edits: Vec<_> = own.filter_map(|listed| edit(&before.text, listed.entry.span, &listed.look)).collect();
        if !edits.is_empty() {
            let changes = vec![output::addresses(edits.len())];
            let after = apply(&before.text, &edits).map_err(Error::defect)?;
            changed.push(Rewrite { path: path.clone(), before: before.clone(), after, changes });
        }
    }
    Ok(changed)
}
