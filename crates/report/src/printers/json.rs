//! An outcome as one JSON object for programs. `cited schema` prints the shapes.

use super::{Outcome, OwnReport, Printer};
use crate::findings::checked;
use cited_core::error::{Error, Result};

/// The row of the table.
pub static PRINTER: Printer = Printer { name: Some("json"), endings: &[".json"], about: "JSON for programs", print };

fn print(outcome: &Outcome<'_>, _: bool) -> Result<String> {
    let record = outcome.run.map(|run| run.record);
    outcome.own.map_or_else(|| pretty(&checked::report(&outcome.stream, record)), OwnReport::json)
}

/// A value as readable JSON that ends with a line end.
///
/// # Errors
/// When it has no form in JSON: a fault of cited.
pub fn pretty(value: &impl serde::Serialize) -> Result<String> {
    let text = serde_json::to_string_pretty(value).map_err(|error| Error::defect(error.to_string()))?;
    Ok(text + "\n")
}
