//! `cited works`: whether the references of files exist, and as written, by indexes of works.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use super::{input, output};
use crate::cli::args::{LookUp, WorksFailOn, WorksFormat};
use crate::cli::exit::Exit;
use crate::cli::say;
use crate::cli::settings::{Flags, Settings};
use crate::setup::{SILENT, Setup, block_on};
use cited_core::error::{Error, Result};
use cited_core::input::Input;
use cited_report::{difference, works};
use cited_works::{Entry, Index, Outcome, Report, edit, edited, entries_of, look_up};

/// Looks the entries of files up.
///
/// # Errors
/// When a file cannot be read, has no entries, or the settings cannot be used.
pub fn run(args: LookUp) -> Result<Exit> {
    let LookUp { files, format, fail_on, write, diff, network } = args;
    let fail_on = fail_on.unwrap_or_default();
    let settings = Settings::resolve(Flags { network, ..Flags::default() })?;
    let read: Vec<Input> = files.iter().map(|file| input::read(file)).collect::<Result<_>>()?;
    let mut entries: Vec<Entry> = Vec::new();
    for file in &read {
        entries.extend(entries_in(file)?);
    }
    let setup = Setup::asking(&settings, &SILENT)?;
    let works = setup.options().works;
    let indexes: Vec<&dyn Index> = works.indexes.iter().map(AsRef::as_ref).collect();
    let year = setup.web.now.to_zoned(jiff::tz::TimeZone::UTC).year();
    let looked = block_on(async { Ok(look_up(&entries, &indexes, year).await) })?;
    let report = Report::of(&entries, looked, &indexes);
    setup.web.network.finish()?;
    let changed = if write || diff { changes(&files, &read, &report) } else { Vec::new() };
    if diff {
        let color = std::io::stdout().is_terminal();
        for (_, before, after) in &changed {
            output::print(&difference::changes(&before.path, &before.text, after, color))?;
        }
    } else if write {
        let written: Vec<(&Path, &[u8])> = changed.iter().map(|(path, _, after)| (*path, after.as_bytes())).collect();
        output::write(&written)?;
    }
    let printed = match format.unwrap_or_default() {
        WorksFormat::Text => works::text(&report),
        WorksFormat::Json => {
            serde_json::to_string_pretty(&report).map_err(|error| Error::defect(error.to_string()))? + "\n"
        }
        WorksFormat::Bibtex => works::bibtex(&report),
    };
    if !diff {
        output::print(&printed)?;
    }
    let any = |outcome: Outcome| report.entries.iter().any(|entry| entry.look.outcome == outcome);
    let fails = any(Outcome::Differs) && fail_on != WorksFailOn::Never
        || any(Outcome::NotFound) && fail_on == WorksFailOn::NotFound;
    Ok(if report.is_blocked() {
        Exit::Blocked
    } else if fails {
        Exit::FallsShort
    } else {
        Exit::Done
    })
}

/// The files into which addresses are to be written, with what they held and are to hold. What changed since it was read is left as it is.
fn changes<'a>(files: &'a [PathBuf], read: &'a [Input], report: &Report) -> Vec<(&'a Path, &'a Input, String)> {
    let mut changed = Vec::new();
    for (path, before) in files.iter().zip(read).filter(|(path, _)| path.as_os_str() != "-") {
        let own = report.entries.iter().filter(|entry| entry.file == before.path);
        let edits: Vec<_> = own.filter_map(|entry| edit(&before.text, entry.span, &entry.look)).collect();
        if edits.is_empty() {
            continue;
        }
        if input::read(path).is_ok_and(|now| now.text == before.text) {
            changed.push((path.as_path(), before, edited(&before.text, edits)));
        } else {
            say(format_args!("{}: changed while cited was working; it was not written\n", before.path));
        }
    }
    changed
}

fn entries_in(read: &Input) -> Result<Vec<Entry>> {
    let entries = entries_of(&read.path, &read.text);
    if entries.is_empty() {
        return Err(Error::input(format!("{}: no references were found in it", read.path)));
    }
    Ok(entries)
}
