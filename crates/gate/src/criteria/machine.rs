//! The states of a gate, as types. What the types do not have cannot be written:
//!
//! ```compile_fail,E0599
//! use cited_gate::criteria::machine::Gate;
//! let completed = Gate::start().complete();
//! ```
//!
//! ```
//! use cited_gate::criteria::machine::Gate;
//! use cited_gate::criteria::Status;
//! let validating = Gate::start().validate();
//! let validated = validating.conclude([Status::Passed], false).unwrap();
//! let completed = validated.complete();
//! ```

use std::marker::PhantomData;

use serde::{Deserialize, Serialize};

use super::result::Status;

/// Rounds of rework that may fail before an artifact is disputed.
pub const ROUNDS: u32 = 3;

/// A gate in the state `S`. It is made by [`Gate::start`] and changed by what its state allows.
#[derive(Debug)]
pub struct Gate<S> {
    /// Rounds of rework so far.
    rework: u32,
    state: PhantomData<S>,
}

macro_rules! states {
    ($($(#[doc = $doc:literal])+ $name:ident;)+) => {
        $($(#[doc = $doc])+ #[derive(Debug)] pub enum $name {})+

        /// The states by name, as events have them.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum State { $($(#[doc = $doc])+ $name,)+ }
    };
}

states! {
    /// Work is under way.
    Running;
    /// The criteria are being evaluated.
    Validating;
    /// Every criterion has passed.
    Validated;
    /// One has not.
    ValidationFailed;
    /// What failed is being reworked.
    Fixing;
    /// The artifact is taken.
    Completed;
    /// Three rounds of rework have failed.
    Disputed;
}

impl<S> Gate<S> {
    fn with(rework: u32) -> Self {
        Gate { rework, state: PhantomData }
    }

    /// Rounds of rework so far.
    pub fn rework_rounds(&self) -> u32 {
        self.rework
    }
}

impl Gate<Running> {
    /// A gate before anything was checked.
    pub fn start() -> Self {
        Gate::with(0)
    }

    /// Begins to evaluate.
    pub fn validate(self) -> Gate<Validating> {
        Gate::with(self.rework)
    }
}

impl Gate<Validating> {
    /// Ends the round: validated if every criterion passed, and in no other case. What was skipped or went wrong has not passed;
    /// nothing at all has only when the caller says so.
    ///
    /// # Errors
    /// The gate whose validation failed.
    pub fn conclude(
        self,
        results: impl IntoIterator<Item = Status>,
        allow_empty: bool,
    ) -> Result<Gate<Validated>, Gate<ValidationFailed>> {
        let mut results = results.into_iter().peekable();
        let passes = (allow_empty || results.peek().is_some()) && results.all(|status| status == Status::Passed);
        if passes { Ok(Gate::with(self.rework)) } else { Err(Gate::with(self.rework)) }
    }
}

impl Gate<ValidationFailed> {
    /// A gate whose validation failed in an earlier run, after so many rounds of rework.
    pub fn failed(rework: u32) -> Self {
        Gate::with(rework)
    }

    /// Begins a round of rework.
    ///
    /// # Errors
    /// The disputed gate, when there were [`ROUNDS`] of them.
    pub fn rework(self) -> Result<Gate<Fixing>, Gate<Disputed>> {
        if self.rework >= ROUNDS { Err(Gate::with(self.rework)) } else { Ok(Gate::with(self.rework + 1)) }
    }
}

impl Gate<Fixing> {
    /// Evaluates again what was reworked.
    pub fn validate(self) -> Gate<Validating> {
        Gate::with(self.rework)
    }
}

impl Gate<Validated> {
    /// Takes the artifact.
    pub fn complete(self) -> Gate<Completed> {
        Gate::with(self.rework)
    }
}
