//! What the ledger and the manifest of a gate give when they are looked at.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::evidence;
use crate::cli::gate_args::Gate;
use crate::commands::input;
use cited_core::error::{Error, Result};
use cited_core::finding::{Code, Finding};
use cited_core::input::Input;
use cited_core::page::sha256_hex;
use cited_gate::examine::{Examined, Metrics, examine};
use cited_gate::ledger::{self, Ledger};
use cited_gate::manifest::{Manifest, ManifestClaim};
use cited_gate::report::is_own_output;

/// What the ledger and the manifest gave when they were last looked at.
#[derive(Default)]
pub struct Judged {
    pub ledger: Option<(Input, Examined)>,
    pub manifest: Option<(Input, Manifest)>,
    /// By their place in the manifest.
    pub claims: BTreeMap<usize, ManifestClaim>,
}

/// Examines the ledger at `path`. One that is not there, or is no text, falls short.
pub fn examine_ledger(path: &Path, args: &Gate) -> Result<(Input, Examined)> {
    let (input, fault) = read_judged(path, "the ledger")?;
    let missing = fault.is_some();
    let ledger = match fault {
        Some(fault) => Ledger { faults: vec![fault], ..Ledger::default() },
        None => ledger::read(&input.text),
    };
    let flags = &args.evidence;
    let sources = evidence::sources(flags, &checked(args))?;
    let callers = evidence::callers_metrics(&flags.metrics)?;
    let metrics = Metrics::collect(&ledger, &input.path, &callers, flags.trusted_metrics_only);
    let evidence = evidence::load(&flags.data)?.evidence(metrics, sources, args.criteria.allow_empty)?;
    let sha256 = (!missing).then(|| sha256_hex(input.text.as_bytes()));
    let examined = examine(&ledger, &input.path, sha256, evidence);
    Ok((input, examined))
}

/// The files that are checked.
pub fn checked(args: &Gate) -> Vec<&Path> {
    let criteria = &args.criteria;
    let files = args.ledger.iter().chain(&criteria.manifest).chain(&criteria.criteria).chain(&criteria.artifact);
    files.map(PathBuf::as_path).collect()
}

/// What is judged, with a fault when it is not there or is no text: what should have written it did not, so it falls short,
/// which is no error of ours.
pub fn read_judged(path: &Path, what: &str) -> Result<(Input, Option<Finding>)> {
    let nothing = |message: String| {
        let input = Input { path: path.display().to_string(), text: "".into() };
        (input, Some(Finding::new(Code::LedgerMalformed, message)))
    };
    if path != Path::new(input::STANDARD) && !path.exists() {
        return Ok(nothing(format!("{what} is not there: nothing is verified; write it, or check the path")));
    }
    let input = match input::read(path) {
        Err(error) if error.is_not_text() => return Ok(nothing(format!("{what} is no text: {error}"))),
        input => input?,
    };
    refuse_own_output(&input)?;
    Ok((input, None))
}

/// A gate never runs on its own output: a report says "accepted" and is no evidence for anything.
pub fn refuse_own_output(input: &Input) -> Result<()> {
    if is_own_output(&input.text) {
        return Err(Error::usage(format!(
            "{}: is what a gate has written; a gate never runs on its own output",
            input.path
        )));
    }
    Ok(())
}
