//! What happens in a gate, one JSON line each, and how far a log has come.

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
    },
}

/// How far a log has come whose last validation failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Past {
    /// Its events.
    pub events: u64,
    /// Rounds of rework that it had.
    pub rework_rounds: u32,
}

/// Reads how far a log has come.
///
/// # Errors
/// Why nothing can be reworked after it, in words.
pub fn read(log: &str) -> Result<Past, String> {
    let mut past = Past::default();
    let mut failed = false;
    for line in log.lines() {
        past.events += 1;
        let line = serde_json::from_str::<Line>(line).ok().filter(|line| line.seq == past.events);
        let line = line.ok_or_else(|| format!("line {} is no event of a gate, or out of order", past.events))?;
        failed = matches!(line.event, Event::StateChanged { to: State::ValidationFailed, .. });
        past.rework_rounds += u32::from(matches!(line.event, Event::StateChanged { to: State::Fixing, .. }));
    }
    if failed && log.ends_with('\n') { Ok(past) } else { Err("it does not end in a failed validation".to_owned()) }
}
