//! The states of a gate, as types. What the types do not have cannot be written:
//!
//! ```compile_fail,E0599
//! use cited_gate::criteria::machine::Gate;
//! let completed = Gate::start().complete();
//! ```
//!
//! ```
//! use cited_gate::criteria::machine::{Concluded, Gate, Round};
//! use cited_gate::criteria::Status;
//! let validating = Gate::start().validate();
//! let Concluded::Validated(validated) = validating.conclude(Round { results: &[Status::Passed], allow_empty: false })
//!     else { panic!() };
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

/// What a round of evaluation gave.
#[derive(Debug, Clone, Copy)]
pub struct Round<'r> {
    /// The status of every criterion.
    pub results: &'r [Status],
    /// Whether the caller takes having nothing to check for a pass.
    pub allow_empty: bool,
}

impl Round<'_> {
    /// Whether everything passed. What was skipped or went wrong has not; nothing at all has only when the caller says so.
    pub fn passes(&self) -> bool {
        let all = self.results.iter().all(|status| *status == Status::Passed);
        all && (self.allow_empty || !self.results.is_empty())
    }
}

/// The end of a round.
#[derive(Debug)]
pub enum Concluded {
    /// Everything passed.
    Validated(Gate<Validated>),
    /// Something did not.
    Failed(Gate<ValidationFailed>),
}

/// What follows a failed round.
#[derive(Debug)]
pub enum Reworked {
    /// Another round of rework.
    Fixing(Gate<Fixing>),
    /// There were three.
    Disputed(Gate<Disputed>),
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
    /// Ends the round: validated if everything passed, and in no other case.
    pub fn conclude(self, round: Round<'_>) -> Concluded {
        let rework = self.rework;
        if round.passes() { Concluded::Validated(Gate::with(rework)) } else { Concluded::Failed(Gate::with(rework)) }
    }
}

impl Gate<ValidationFailed> {
    /// A gate whose validation failed in an earlier run, after so many rounds of rework.
    pub fn failed(rework: u32) -> Self {
        Gate::with(rework)
    }

    /// Begins a round of rework, unless there were [`ROUNDS`] of them.
    pub fn rework(self) -> Reworked {
        let rounds = self.rework;
        if rounds >= ROUNDS { Reworked::Disputed(Gate::with(rounds)) } else { Reworked::Fixing(Gate::with(rounds + 1)) }
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
