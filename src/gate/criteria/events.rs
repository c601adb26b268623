//! What happens in a gate, one JSON line each, and reading such a log back.

use serde::{Deserialize, Serialize};

use super::machine::State;
use super::result::{CriterionResult, FixResult};

/// One line of an event log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Line {
    /// Its number, from 1.
    pub seq: u64,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
    /// When.
    pub at: jiff::Timestamp,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(tag = "event", rename_all = "snake_case", deny_unknown_fields)]
pub enum Event {
    /// A criterion is about to be evaluated.
    CriterionStarted {
        /// Its name.
        criterion: String,
        /// Which attempt of the round, from 1.
        attempt: u32,
    },
    /// It passed.
    CriterionPassed {
        /// What was found.
        result: CriterionResult,
    },
    /// It did not.
    CriterionFailed {
        /// What was found.
        result: CriterionResult,
    },
    /// It was not evaluated: something before it failed for good.
    CriterionSkipped {
        /// Why.
        result: CriterionResult,
    },
    /// It could not be evaluated.
    CriterionError {
        /// Why.
        result: CriterionResult,
    },
    /// A fixer is about to run.
    FixStarted {
        /// Its role.
        role: String,
        /// What failed.
        criteria: Vec<String>,
    },
    /// A fixer has ended.
    FixFinished {
        /// How.
        result: FixResult,
    },
    /// The gate went from one state to another.
    StateChanged {
        /// From this one.
        from: State,
        /// To this one.
        to: State,
        /// SHA-256 of what is checked, when evaluation begins.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        inputs: Option<String>,
    },
}

/// Reads a log. A last line that was cut by a kill is left out; gives the events, and the bytes that they take.
///
/// # Errors
/// The line, from 1, that is no event or out of order.
pub fn read(log: &str) -> Result<(Vec<Line>, usize), usize> {
    let mut lines: Vec<Line> = Vec::new();
    let mut whole = 0;
    for (index, line) in log.split_inclusive('\n').enumerate() {
        let cut = !line.ends_with('\n');
        match serde_json::from_str::<Line>(line) {
            Ok(event) if event.seq == lines.len() as u64 + 1 && !cut => {
                lines.push(event);
                whole += line.len();
            }
            _ if cut => break,
            _ => return Err(index + 1),
        }
    }
    Ok((lines, whole))
}
