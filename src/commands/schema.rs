//! `cited schema`: the JSON Schema of an output, made from the types that write it.

use super::output;
use crate::cli::args::{Schema, SchemaName};
use crate::cli::exit::Exit;
use crate::error::{Error, Result};

/// Prints a schema.
///
/// # Errors
/// When standard output takes nothing.
pub fn run(args: &Schema) -> Result<Exit> {
    let schema = match args.name {
        SchemaName::Record => schemars::schema_for!(crate::render::Record),
        SchemaName::Findings => schemars::schema_for!(crate::render::findings::json::Report),
        SchemaName::Gate => schemars::schema_for!(crate::gate::report::Report),
    };
    let text = serde_json::to_string_pretty(&schema).map_err(|error| Error::defect(error.to_string()))?;
    output::print(&format!("{text}\n"))?;
    Ok(Exit::Done)
}
