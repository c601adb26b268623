//! An outcome as one JSON object for programs. `cited schema` prints the shapes.

use super::{Outcome, Print, Printer, WalkReport};
use crate::findings::{checked, json};
use cited_core::error::{Error, Result};

/// The row of the table.
pub static PRINTER: Printer =
    Printer { name: Some("json"), endings: &[".json"], about: "JSON for programs", print: Print::Any(print) };

fn print(outcome: &Outcome<'_>, _: bool) -> Result<String> {
    match &outcome.of {
        WalkReport::Run(run) => {
            let texts = outcome.stream.documents.first().map(super::super::findings::Checked::texts);
            let texts = texts.ok_or_else(|| Error::defect("a run without a document"))?;
            pretty(&json::report(run.record, &texts))
        }
        WalkReport::Check { depth, .. } => pretty(&checked::report(&outcome.stream, *depth)),
        WalkReport::Own(report) => report.json(),
    }
}

/// A value as readable JSON that ends with a line end.
///
/// # Errors
/// When it has no form in JSON: a fault of cited.
pub fn pretty(value: &impl serde::Serialize) -> Result<String> {
    let text = serde_json::to_string_pretty(value).map_err(|error| Error::defect(error.to_string()))?;
    Ok(text + "\n")
}
