//! `cited render`: cited prose from a record alone, without any network.

use std::path::Path;

use super::input::STANDARD;
use super::verify::outcome_of;
use super::{input, output};
use crate::cli::{Exit, say};
use cited_core::error::{Error, Result};
use cited_report::prose;
use cited_report::record::RunVerdict;
use cited_report::summary;
use cited_report::wording::{counted, listed};

/// The ending of prose; a file without an ending gets prose, too.
const PROSE: &str = "md";

/// Writes the prose of a record.
///
/// # Errors
/// When the record cannot be read or is malformed, or the prose cannot be written.
pub fn run(named: &Path, output: Option<&Path>, quiet: bool) -> Result<Exit> {
    let record = input::read(named)?;
    let target = output.filter(|path| *path != Path::new(STANDARD));
    if let Some(path) = target {
        output::vet([path], &[named])?;
        if path.extension().is_some_and(|ending| ending != PROSE) {
            // A report of its run, in the format that the ending names.
            let reports = output::reports(&[path.to_path_buf()])?;
            let record = input::record(&record)?;
            let blocked = (record.verdict == RunVerdict::Blocked).then_some("checking could not be completed");
            let outcome = outcome_of(&record, &record.input(), &[], (blocked, record.not_written.as_deref()));
            output::write_reports(&reports, &outcome)?;
            if !quiet {
                say(format_args!("wrote {}\n", path.display()));
            }
            return Ok(Exit::Done);
        }
    }
    let name = "name the NAME.record.json that `cited verify` wrote";
    let no_record = |why| Error::input(format!("{}: is no record of a run ({why}); {name}", record.path));
    let mapping = prose::read(&record.text).map_err(no_record)?;
    let faults = prose::faults(&mapping);
    if !faults.is_empty() {
        let told =
            faults.iter().map(|fault| format!("refused: {}\n", summary::shown(fault))).collect::<Vec<_>>().concat();
        let (path, count) = (summary::shown(&record.path), counted(faults.len(), "fault"));
        say(format_args!("{told}{path}: {count}; nothing was written\n"));
        return Ok(Exit::FallsShort);
    }
    let prose = prose::write(&mapping).map_err(Error::defect)?;
    match target {
        Some(path) => output::write(&[(path, prose.text.as_bytes())])?,
        None => output::print_bytes(prose.text.as_bytes())?,
    }
    if !quiet {
        let told = listed([
            (prose.written, format!("{} written", prose.written)),
            (prose.conflicts, format!("{} with sources that differ", prose.conflicts)),
            (prose.gaps, format!("{} unverified", prose.gaps)),
            (prose.left_out, format!("{} in need of no source and left out", prose.left_out)),
        ]);
        say(format_args!("{} claims: {told}\n", mapping.verifications.len()));
    }
    Ok(Exit::Done)
}
