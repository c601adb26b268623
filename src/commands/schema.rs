//! `cited schema`: the JSON Schemas of all inputs and outputs, made from the types that read and write them.

use super::output;
use crate::cli::args::Schema as Args;
use crate::cli::exit::Exit;
use crate::cli::layers::advice;
use crate::schemas::{PUBLISHED, Published, schema};
use cited_core::error::{Error, Result};
use cited_report::printers::json::pretty;

/// Prints a schema, or the names of all.
///
/// # Errors
/// When there is none of that name, or standard output takes nothing.
pub fn run(args: &Args) -> Result<Exit> {
    let Some(asked) = args.name.as_deref() else {
        let width = PUBLISHED.iter().map(|schema| schema.name().len()).max().unwrap_or(0);
        let lines = PUBLISHED.iter().map(|schema| format!("{:width$}  {}\n", schema.name(), schema.about));
        output::print(&lines.collect::<String>())?;
        return Ok(Exit::Done);
    };
    let Some(published) = PUBLISHED.iter().find(|schema| schema.name() == asked) else {
        let advice = advice(asked, PUBLISHED.iter().map(Published::name), "schema");
        return Err(Error::usage(format!("no schema is named `{asked}`; {advice}")));
    };
    output::print(&pretty(&schema(published))?)?;
    Ok(Exit::Done)
}
