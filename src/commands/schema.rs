//! `cited schema`: the JSON Schema of an output, made from the types that write it.

use super::output;
use crate::cli::args::{Schema, SchemaName};
use crate::cli::exit::Exit;
use crate::error::{Error, Result};
use crate::gate;

/// Prints a schema.
///
/// # Errors
/// When standard output takes nothing.
pub fn run(args: &Schema) -> Result<Exit> {
    let schema = match args.name {
        SchemaName::Record => schemars::schema_for!(crate::render::Record),
        SchemaName::Findings => schemars::schema_for!(crate::render::findings::json::Report),
        SchemaName::Gate => schemars::schema_for!(gate::report::Report),
        SchemaName::GateEvent => schemars::schema_for!(gate::criteria::events::Line),
        SchemaName::Ledger => schemars::schema_for!(gate::shape::Ledger),
        SchemaName::Manifest => schemars::schema_for!(gate::shape::Manifest),
        SchemaName::Criteria => schemars::schema_for!(gate::criteria::read::CriteriaFile),
        SchemaName::Plugin => schemars::schema_for!(gate::criteria::plugin::Plugin),
        SchemaName::JudgeQuestion => schemars::schema_for!(gate::criteria::agent::Question),
        SchemaName::JudgeAnswer => schemars::schema_for!(gate::criteria::agent::Answer),
    };
    let text = serde_json::to_string_pretty(&schema).map_err(|error| Error::defect(error.to_string()))?;
    output::print(&format!("{text}\n"))?;
    Ok(Exit::Done)
}
