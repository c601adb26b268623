//! What a tool is: its name, its schemas, and a plain function from typed input to typed output.

use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::call::Call;
use super::context::Context;
use super::failure::Failure;
use cited_core::shape;
pub use cited_core::shape::{output_schema, schema};
use cited_report::wording::cut;

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
    /// Does it. Blocks its thread; [`super::call()`] gives it one.
    pub run: fn(&Context, Value, &Call) -> Result<Answer, Failure>,
}

/// Reads the arguments of a tool, runs it and writes down what it gives, with its short text.
pub(super) fn typed<I: DeserializeOwned + JsonSchema, O: Serialize>(
    (context, arguments, call): (&Context, Value, &Call),
    run: fn(&Context, &I, &Call) -> Result<O, Failure>,
    text: fn(&O) -> String,
) -> Result<Answer, Failure> {
    let arguments = if arguments.is_null() { Value::Object(serde_json::Map::new()) } else { arguments };
    let input =
        shape::read::<I>(&arguments).map_err(|why| Failure::arguments(format!("the arguments do not fit: {why}")))?;
    let output = run(context, &input, call)?;
    let value = serde_json::to_value(&output).map_err(|error| Failure::defect(error.to_string()))?;
    Ok(Answer { text: text(&output), value })
}

/// A line of a text for a model: without controls, on one line, cut.
pub(super) fn line(text: &str) -> String {
    const LONGEST: usize = 300;
    cut(text, LONGEST)
}
