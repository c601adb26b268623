//! `cited ledger`: the skeleton of a claim ledger for a draft.

use super::{input, output};
use crate::cli::exit::Exit;
use crate::cli::gate_args::MakeLedger;
use cited_core::error::{Error, Result};
use cited_gate::skeleton::skeleton;
use cited_report::printers::json::pretty as json;

/// Writes the skeleton.
///
/// # Errors
/// When the draft cannot be read, or the ledger cannot be written.
pub fn run(args: &MakeLedger) -> Result<Exit> {
    let draft = input::read_draft(&args.draft)?;
    let ledger = json(&skeleton(&draft.text))?;
    match args.output.as_deref().filter(|path| *path != std::path::Path::new(input::STANDARD)) {
        None => output::print(&ledger)?,
        Some(path) => {
            if input::same_file(path, &args.draft) {
                return Err(Error::usage(format!("{}: is the draft; name another output with -o", path.display())));
            }
            output::write(&[(path, ledger.as_bytes())])?;
        }
    }
    Ok(Exit::Done)
}
