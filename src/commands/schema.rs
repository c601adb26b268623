//! `cited schema`: the JSON Schemas of all inputs and outputs, made from the types that read and write them.

use super::output;
use crate::cli::args::Schema as Args;
use crate::cli::exit::Exit;
use crate::cli::layers::advice;
use crate::schemas::{PUBLISHED, schema};
use cited_core::error::{Error, Result};

/// Prints a schema, or the names of all.
///
/// # Errors
/// When there is none of that name, or standard output takes nothing.
pub fn run(args: &Args) -> Result<Exit> {
    let Some(asked) = args.name.as_deref() else {
        let width = PUBLISHED.iter().map(|schema| schema.name.len()).max().unwrap_or(0);
        let lines = PUBLISHED.iter().map(|schema| format!("{:width$}  {}\n", schema.name, schema.about));
        output::print(&lines.collect::<String>())?;
        return Ok(Exit::Done);
    };
    let Some(published) = PUBLISHED.iter().find(|schema| schema.name == asked) else {
        let advice = advice(asked, PUBLISHED.iter().map(|schema| schema.name), "schema");
        return Err(Error::usage(format!("no schema is named `{asked}`; {advice}")));
    };
    let text = serde_json::to_string_pretty(&schema(published)).map_err(|error| Error::defect(error.to_string()))?;
    output::print(&format!("{text}\n"))?;
    Ok(Exit::Done)
}
