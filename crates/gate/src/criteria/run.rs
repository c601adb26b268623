//! Running criteria: the machine driven to an end, every step in a log before and after it, one JSON line each.

use serde::{Deserialize, Serialize};

use super::machine::{Failed, ROUNDS, State, Validating};
use super::{CriteriaReport, Criterion, CriterionResult, FixResult, OnFail, Status};

/// What the machine acts on.
pub trait World {
    /// Evaluates a criterion once.
    fn evaluate(&mut self, criterion: &Criterion) -> CriterionResult;
    /// Runs the fixer of a role on what failed.
    fn fix(&mut self, role: &str, failed: &[CriterionResult]) -> FixResult;
    /// Keeps an event, with the next number and the time.
    ///
    /// # Errors
    /// When it cannot be kept: then nothing more is done.
    fn keep(&mut self, event: Event) -> Result<(), String>;
}

impl dyn World + '_ {
    fn state(&mut self, from: State, to: State) -> Result<(), String> {
        self.keep(Event::StateChanged { from, to })
    }
}

/// Runs criteria to an end; with `allow_empty` having nothing to check passes. Where a run `failed` and what failed was mended outside, this
/// is its next round.
///
/// # Errors
/// When an event could not be kept.
pub fn run(
    criteria: &[Criterion],
    allow_empty: bool,
    mut failed: Option<Failed>,
    world: &mut dyn World,
) -> Result<CriteriaReport, String> {
    let (mut results, mut fixes) = (Vec::new(), Vec::<(String, Vec<CriterionResult>)>::new());
    let (state, rework_rounds) = loop {
        let rounds = failed.as_ref().map_or(0, |gate| gate.0 + 1);
        let gate = match failed.map(Failed::rework) {
            None => {
                world.state(State::Running, State::Validating)?;
                Validating::start()
            }
            Some(None) => {
                world.state(State::ValidationFailed, State::Disputed)?;
                break (State::Disputed, rounds - 1);
            }
            Some(Some(gate)) => {
                world.state(State::ValidationFailed, State::Fixing)?;
                for (role, failed) in std::mem::take(&mut fixes) {
                    let names = failed.iter().map(|result| result.name.clone()).collect();
                    world.keep(Event::FixStarted { role: role.clone(), criteria: names })?;
                    let result = world.fix(&role, &failed);
                    world.keep(Event::FixFinished { result })?;
                }
                world.state(State::Fixing, State::Validating)?;
                gate
            }
        };
        results = round(criteria, world)?;
        let gate = match gate.conclude(results.iter().map(|result| result.status), allow_empty) {
            Ok(gate) => {
                world.state(State::Validating, State::Validated)?;
                world.state(State::Validated, State::Completed)?;
                break (gate.complete(), rounds);
            }
            Err(gate) => gate,
        };
        world.state(State::Validating, State::ValidationFailed)?;
        fixes = list_fixes(criteria, &results, rounds);
        // The last round of rework has failed: there is none to come.
        if fixes.is_empty() && rounds < ROUNDS {
            break (State::ValidationFailed, rounds);
        }
        failed = Some(gate);
    };
    Ok(CriteriaReport { state, rework_rounds, results })
}

/// The roles of the fixers that are to mend something, each once, with what failed. What failed beside that is asked again with it: it may have
/// failed for the same reason.
fn list_fixes(criteria: &[Criterion], results: &[CriterionResult], rounds: u32) -> Vec<(String, Vec<CriterionResult>)> {
    let fell_short = |result: &CriterionResult| matches!(result.status, Status::Failed | Status::Error);
    let all = criteria.iter().zip(results);
    let failed = all.filter(|(criterion, result)| criterion.on_fail == OnFail::Fix && fell_short(result));
    let mut fixes: Vec<(String, Vec<CriterionResult>)> = Vec::new();
    for (criterion, _) in failed.clone().filter(|(criterion, _)| criterion.max_retries.is_none_or(|most| rounds < most))
    {
        let role = criterion.role();
        if fixes.iter().all(|(known, _)| known != role) {
            let of_role = failed.clone().filter(|(criterion, _)| criterion.role() == role);
            fixes.push((role.to_owned(), of_role.map(|(_, result)| result.clone()).collect()));
        }
    }
    fixes
}

/// Evaluates every criterion, until one stops it.
fn round(criteria: &[Criterion], world: &mut dyn World) -> Result<Vec<CriterionResult>, String> {
    let mut results: Vec<CriterionResult> = Vec::with_capacity(criteria.len());
    let mut stopped: Option<&str> = None;
    for criterion in criteria {
        let (name, mut attempt) = (&criterion.name, 0);
        if let Some(by) = stopped {
            let result = CriterionResult::new(name, Status::Skipped, format!("`{by}` failed before it"));
            world.keep(Event::CriterionSkipped { result: result.clone() })?;
            results.push(result);
            continue;
        }
        let result = loop {
            attempt += 1;
            world.keep(Event::CriterionStarted { criterion: name.clone(), attempt })?;
            let mut result = CriterionResult { attempt, ..world.evaluate(criterion) };
            if result.status == Status::Skipped {
                // Who evaluates does not skip: what says so was not evaluated.
                result.status = Status::Error;
            }
            let told = result.clone();
            world.keep(match result.status {
                Status::Passed => Event::CriterionPassed { result: told },
                Status::Failed => Event::CriterionFailed { result: told },
                Status::Error | Status::Skipped => Event::CriterionError { result: told },
            })?;
            if result.status == Status::Passed || attempt >= criterion.attempts() {
                break result;
            }
        };
        if result.status != Status::Passed && criterion.on_fail == OnFail::Fail {
            stopped = Some(name);
        }
        results.push(result);
    }
    Ok(results)
}

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

/// Reads how far a log has come whose last validation failed: its events, and the gate after so many rounds of rework.
///
/// # Errors
/// Why nothing can be reworked after it, in words.
pub fn read_log(log: &str) -> Result<(u64, Failed), String> {
    let (mut events, mut rounds, mut failed) = (0, 0, false);
    for line in log.lines() {
        events += 1;
        let line = serde_json::from_str::<Line>(line).ok().filter(|line| line.seq == events);
        let line = line.ok_or_else(|| format!("line {events} is no event of a gate, or out of order"))?;
        failed = matches!(line.event, Event::StateChanged { to: State::ValidationFailed, .. });
        rounds += u32::from(matches!(line.event, Event::StateChanged { to: State::Fixing, .. }));
    }
    if failed && log.ends_with('\n') {
        Ok((events, Failed(rounds)))
    } else {
        Err("it does not end in a failed validation".to_owned())
    }
}
