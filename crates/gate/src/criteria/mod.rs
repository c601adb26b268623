//! Acceptance criteria: what an artifact must pass, evaluated by a state machine that keeps a log.

pub mod agent;
mod file;
pub mod machine;
pub mod plugin;
pub mod read;
pub mod result;
pub mod run;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

pub use file::{AgentEntry, Criteria, Criterion, Kind, OnFail, TIMEOUT};
pub use read::{Assertion, Look};
pub use result::{CriterionResult, FixResult, Remark, Status};

/// What became of all criteria.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct CriteriaReport {
    /// The state that the gate ended in: `completed`, `validation_failed` or `disputed`.
    pub state: machine::State,
    /// Rounds of rework.
    pub rework_rounds: u32,
    /// The last result of each criterion, in order.
    pub results: Vec<CriterionResult>,
}
