//! The tools that agents and platforms call: one table, one file a tool, each a walk along the pipeline's stages.
//!
//! A tool is a plain function from typed input to typed output. It runs on a thread of its own ([`call()`]), tells of its
//! progress, and ends when its [`Call`] is cancelled. Nothing here knows by which protocol it was asked for.

pub mod call;
mod check_claim;
mod check_sources;
pub mod context;
mod explain;
pub mod failure;
mod find_source;
mod gate;
mod grounding;
mod list;
mod pages;
mod roots;
mod show_source;
mod streams;
#[cfg(test)]
mod tests;
mod verify_citations;
mod verify_draft;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

pub use self::call::{Call, Step, call};
pub use self::context::{Context, Services};
pub use self::failure::{Failure, FailureKind};
pub use self::roots::Roots;

/// What a tool may do, as hints for whoever lets it be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Annotations {
    /// It changes nothing outside.
    pub read_only: bool,
    /// It asks the web.
    pub open_world: bool,
}

/// What a tool gives: a short text for a model and the structure for programs.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// A few lines.
    pub text: String,
    /// A value of the tool's output schema.
    pub value: Value,
}

/// One tool.
#[derive(Debug, Clone, Copy)]
pub struct Tool {
    /// The name that it is called by.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What it does and when to use it.
    pub description: &'static str,
    /// What it may do.
    pub annotations: Annotations,
    /// The schema of its arguments.
    pub input: fn() -> Schema,
    /// The schema of what it gives.
    pub output: fn() -> Schema,
    /// Does it. Blocks its thread; [`call()`] gives it one.
    pub run: fn(&Context, Value, &Call) -> Result<Answer, Failure>,
}

/// All tools.
pub const TOOLS: [Tool; 8] = [
    verify_draft::TOOL,
    verify_citations::TOOL,
    check_claim::TOOL,
    find_source::TOOL,
    check_sources::TOOL,
    show_source::TOOL,
    gate::TOOL,
    explain::TOOL,
];

/// The tool of this name.
pub fn tool(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}

/// What a typed tool is made of.
trait Typed {
    /// Its arguments.
    type Input: DeserializeOwned + JsonSchema;
    /// What it gives.
    type Output: Serialize + JsonSchema;

    /// Does it.
    fn run(context: &Context, input: Self::Input, call: &Call) -> Result<Self::Output, Failure>;

    /// The short text.
    fn text(output: &Self::Output) -> String;
}

/// Reads the arguments of a tool, runs it and writes down what it gives.
fn run<T: Typed>(context: &Context, arguments: Value, call: &Call) -> Result<Answer, Failure> {
    let arguments = if arguments.is_null() { Value::Object(serde_json::Map::new()) } else { arguments };
    let input = serde_json::from_value(arguments).map_err(|error| {
        Failure::arguments(format!(
            "the arguments do not fit the input schema: {error}; look at the schema of this tool"
        ))
    })?;
    let output = T::run(context, input, call)?;
    let value = serde_json::to_value(&output).map_err(|error| Failure::defect(error.to_string()))?;
    Ok(Answer { text: T::text(&output), value })
}

/// The schema of what a tool takes.
fn schema<T: JsonSchema>() -> Schema {
    schemars::schema_for!(T)
}

/// The schema of what a tool gives: what may be left out of it is not required.
fn given<T: JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>()
}

/// A line of a text for a model: without controls, on one line, cut.
fn line(text: &str) -> String {
    /// Longer lines of a summary say no more.
    const LONGEST: usize = 300;
    let one: String = text
        .chars()
        .map(|c| if c == '\n' { ' ' } else { crate::render::findings::shown(c) })
        .take(LONGEST + 1)
        .collect();
    if one.chars().count() > LONGEST { one.chars().take(LONGEST).chain(['…']).collect() } else { one }
}
