//! The states of a gate. What has not been validated cannot be completed: nothing but [`Validating::conclude`] makes what can be.
//!
//! ```compile_fail,E0599
//! use cited_gate::criteria::machine::Validating;
//! let completed = Validating::start().complete();
//! ```
//!
//! ```
//! use cited_gate::criteria::machine::{State, Validating};
//! use cited_gate::criteria::Status;
//! let validated = Validating::start().conclude([Status::Passed], false).unwrap();
//! assert_eq!(validated.complete(), State::Completed);
//! ```

use serde::{Deserialize, Serialize};

use super::result::Status;

/// Rounds of rework that may fail before an artifact is disputed.
pub const ROUNDS: u32 = 3;

/// The states by name, as events have them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Work is under way.
    Running,
    /// The criteria are being evaluated.
    Validating,
    /// Every criterion has passed.
    Validated,
    /// One has not.
    ValidationFailed,
    /// What failed is being reworked.
    Fixing,
    /// The artifact is taken.
    Completed,
    /// Three rounds of rework have failed.
    Disputed,
}

/// A gate that evaluates its criteria, after so many rounds of rework.
#[derive(Debug)]
pub struct Validating(u32);

/// A gate in which every criterion has passed.
#[derive(Debug)]
pub struct Validated(());

/// A gate in which one has not, after so many rounds of rework.
#[derive(Debug, PartialEq, Eq)]
pub struct Failed(pub u32);

impl Validating {
    /// A gate whose criteria are evaluated for the first time.
    pub fn start() -> Self {
        Validating(0)
    }

    /// Ends the round: validated if every criterion passed, and in no other case. What was skipped or went wrong has not passed;
    /// nothing at all has only when the caller says so.
    ///
    /// # Errors
    /// The gate whose validation failed.
    pub fn conclude(self, results: impl IntoIterator<Item = Status>, allow_empty: bool) -> Result<Validated, Failed> {
        let mut results = results.into_iter().peekable();
        let passes = (allow_empty || results.peek().is_some()) && results.all(|status| status == Status::Passed);
        if passes { Ok(Validated(())) } else { Err(Failed(self.0)) }
    }
}

impl Failed {
    /// The gate in its next round of rework; none when there were [`ROUNDS`] of them: then it is disputed.
    pub fn rework(self) -> Option<Validating> {
        (self.0 < ROUNDS).then_some(Validating(self.0 + 1))
    }
}

impl Validated {
    /// Takes the artifact.
    pub fn complete(self) -> State {
        State::Completed
    }
}
