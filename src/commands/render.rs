//! `cited render`: cited prose from a record alone, without any network.

use std::path::Path;
use std::time::Duration;

use super::input::STANDARD;
use super::{input, output, producer, schema};
use crate::cli::args::Render;
use crate::cli::exit::Exit;
use crate::cli::say;
use cited_core::error::{Error, Result};
use cited_core::input::Input;
use cited_report::html;
use cited_report::prose::{self, Mapping};
use cited_report::summary;

/// How long a producer may take unless the user says otherwise.
const PRODUCER_TIMEOUT: Duration = Duration::from_mins(2);

/// Writes the prose of a record.
///
/// # Errors
/// When the record cannot be read or is malformed, the producer fails, or the prose cannot be written.
pub fn run(args: &Render) -> Result<Exit> {
    let record = input::read(&args.record)?;
    let target = args.output.as_deref().filter(|path| *path != Path::new(STANDARD));
    if let Some(path) = target {
        output::vet(&[path], std::slice::from_ref(&args.record))?;
        if path.extension().is_some_and(|ending| ending == "html") {
            return page(&record, path, args.quiet);
        }
    }
    let (name, mapping) = match (prose::read(&record.text), &args.producer) {
        (Ok(mapping), _) => (record.path, mapping),
        (Err(why), Some(command)) => {
            let timeout = args.producer_timeout.map_or(Ok(PRODUCER_TIMEOUT), Duration::try_from_secs_f64);
            let timeout = timeout.map_err(|error| Error::usage(format!("--producer-timeout: {error}")))?;
            (format!("the answer of `{command}`"), again(command, &record.text, &why, timeout)?)
        }
        (Err(why), None) => return Err(malformed(&record.path, &why)),
    };
    let faults = prose::faults(&mapping);
    if !faults.is_empty() {
        for fault in &faults {
            say(format_args!("refused: {}\n", summary::shown(fault)));
        }
        let counted = if faults.len() == 1 { "1 fault".to_owned() } else { format!("{} faults", faults.len()) };
        say(format_args!("{}: {counted}; nothing was written\n", summary::shown(&name)));
        return Ok(Exit::FallsShort);
    }
    let prose = prose::write(&mapping).map_err(Error::defect)?;
    match target {
        Some(path) => output::write(&[(path, prose.text.as_bytes())])?,
        None => output::print_bytes(prose.text.as_bytes())?,
    }
    if !args.quiet {
        let counts = [
            (prose.written, "written"),
            (prose.unsure, "of them with a confidence under 0.6"),
            (prose.conflicts, "with sources that differ"),
            (prose.gaps, "unverified"),
            (prose.left_out, "in need of no source and left out"),
        ];
        let told: Vec<String> =
            counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
        say(format_args!("{} claims: {}\n", mapping.verifications.len(), told.join(", ")));
    }
    Ok(Exit::Done)
}

/// Writes the report that the run of a record would have written.
fn page(record: &Input, path: &Path, quiet: bool) -> Result<Exit> {
    let read = input::record(record)?;
    let report = html::verified::report(&read);
    output::write(&[(path, report.as_bytes())])?;
    if !quiet {
        say(format_args!("wrote {}\n", path.display()));
    }
    Ok(Exit::Done)
}

/// Asks the producer once more: it is told what was wrong, what it wrote, and the schema of what is wanted.
fn again(command: &str, text: &str, why: &str, timeout: Duration) -> Result<Mapping> {
    let wanted = schema::PUBLISHED.iter().find(|published| published.version == prose::SCHEMA);
    let question = serde_json::json!({
        "error": why,
        "answer": text,
        "schema": wanted.map(|published| schema::schema(published).to_value()),
    });
    let answer = producer::ask(command, &format!("{question}\n"), timeout)?;
    prose::read(&answer).map_err(|why| malformed(&format!("the answer of the producer `{command}`"), &why))
}

fn malformed(name: &str, why: &str) -> Error {
    Error::input(format!("{name}: is no record: {why}; `cited schema mapping` has its shape"))
}
