//! `cited works`: whether the references of files exist, and as written, by indexes of works.

use std::path::Path;

use super::{input, output};
use crate::cli::args::{LookUp, WorksFailOn, WorksFormat};
use crate::cli::exit::Exit;
use crate::cli::settings::{Flags, Settings};
use crate::setup::{SILENT, Setup, block_on};
use cited_core::error::{Error, Result};
use cited_report::works;
use cited_works::{Entry, Index, Outcome, Report, entries_of, look_up};

/// Looks the entries of files up.
///
/// # Errors
/// When a file cannot be read, has no entries, or the settings cannot be used.
pub fn run(args: LookUp) -> Result<Exit> {
    let LookUp { files, format, fail_on, network } = args;
    let settings = Settings::resolve(Flags { network, ..Flags::default() })?;
    let mut entries: Vec<Entry> = Vec::new();
    for file in &files {
        entries.extend(entries_in(file)?);
    }
    let setup = Setup::asking(&settings, &SILENT)?;
    let works = setup.options().works;
    let indexes: Vec<&dyn Index> = works.indexes.iter().map(AsRef::as_ref).collect();
    let year = setup.web.now().to_zoned(jiff::tz::TimeZone::UTC).year();
    let looked = block_on(async { Ok(look_up(&entries, &indexes, year).await) })?;
    let report = Report::of(&entries, looked, &indexes);
    setup.web.close()?;
    output::print(&match format {
        WorksFormat::Text => works::text(&report),
        WorksFormat::Json => {
            serde_json::to_string_pretty(&report).map_err(|error| Error::defect(error.to_string()))? + "\n"
        }
        WorksFormat::Bibtex => works::bibtex(&report),
    })?;
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

fn entries_in(file: &Path) -> Result<Vec<Entry>> {
    let read = input::read(file)?;
    let entries = entries_of(&read.path, &read.text);
    if entries.is_empty() {
        return Err(Error::input(format!("{}: no references were found in it", read.path)));
    }
    Ok(entries)
}
