//! Running criteria: the machine driven to an end, every step in a log before and after it.
//!
//! To resume is to run again with the log of the run that was cut: what the log has is taken from it, what it has not is
//! done. A kill at any moment costs the step that was under way, and never the verdict.

use std::collections::VecDeque;

use super::events::{Event, Line};
use super::machine::{Concluded, Gate, ROUNDS, Reworked, Round, State, Validating, ValidationFailed};
use super::{CriteriaReport, Criterion, CriterionResult, FixResult, OnFail, Status};

/// The role of who reworks outside of a run.
const AUTHOR: &str = "author";

/// What the machine acts on.
pub trait World {
    /// Evaluates a criterion once.
    fn evaluate(&mut self, criterion: &Criterion) -> CriterionResult;
    /// Runs the fixer of a role on what failed.
    fn fix(&mut self, role: &str, failed: &[CriterionResult]) -> FixResult;
    /// SHA-256 of all that is checked, as it is now.
    fn inputs(&self) -> String;
    /// Keeps an event.
    ///
    /// # Errors
    /// When it cannot be kept: then nothing more is done.
    fn keep(&mut self, line: &Line) -> Result<(), String>;
    /// The time.
    fn now(&self) -> jiff::Timestamp;
}

/// How a run goes on.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Whether having nothing to check passes.
    pub allow_empty: bool,
    /// Whether what failed at the end of the log was reworked.
    pub rework: bool,
}

/// Why a run could not go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The log is of another run.
    Log(String),
    /// An event could not be kept.
    Keep(String),
}

/// Runs criteria to an end. `past` is the log of a run that was cut, empty for a new one.
///
/// # Errors
/// When the log does not fit the criteria, or cannot be written.
pub fn run(
    criteria: &[Criterion],
    options: &Options,
    past: Vec<Line>,
    world: &mut dyn World,
) -> Result<CriteriaReport, Fault> {
    let held_to = held_to(&past, options.rework);
    let mut journal = Journal { past: past.into(), seq: 0, held_to, world };
    let gate = Gate::start();
    let inputs = journal.world.inputs();
    journal.state(State::Running, State::Validating, Some(inputs))?;
    let mut gate: Gate<Validating> = gate.validate();
    let mut reworked = !options.rework;
    loop {
        let results = round(criteria, &mut journal)?;
        let statuses: Vec<Status> = results.iter().map(|result| result.status).collect();
        let rounds = gate.rework_rounds();
        let failed = match gate.conclude(Round { results: &statuses, allow_empty: options.allow_empty }) {
            Concluded::Validated(gate) => {
                journal.state(State::Validating, State::Validated, None)?;
                gate.complete();
                journal.state(State::Validated, State::Completed, None)?;
                journal.end()?;
                return Ok(CriteriaReport { state: State::Completed, rework_rounds: rounds, results });
            }
            Concluded::Failed(gate) => gate,
        };
        journal.state(State::Validating, State::ValidationFailed, None)?;
        let roles = roles(criteria, &results, rounds);
        // What no fixer mends may have been reworked by its author since the log ended.
        let by_author = roles.is_none() && (journal.next_is_rework() || journal.past.is_empty() && !reworked);
        // The last round of rework has failed: there is none to come.
        if roles.is_none() && !by_author && rounds < ROUNDS {
            journal.end()?;
            return Ok(CriteriaReport { state: State::ValidationFailed, rework_rounds: rounds, results });
        }
        if by_author && journal.past.is_empty() {
            reworked = true;
        }
        gate = match begin_rework(failed, &mut journal)? {
            None => {
                journal.end()?;
                return Ok(CriteriaReport { state: State::Disputed, rework_rounds: rounds, results });
            }
            Some(gate) => gate.validate(),
        };
        let roles = roles.unwrap_or_else(|| vec![AUTHOR.to_owned()]);
        for role in roles {
            mend(&role, criteria, &results, &mut journal)?;
        }
        // A fixer may have changed what is checked.
        let inputs = journal.world.inputs();
        journal.state(State::Fixing, State::Validating, Some(inputs))?;
    }
}

/// The number of the event at which an evaluation began whose results still count, so that it has to have been of what is
/// there now. None counts once a fixer has begun, or the author has reworked what failed: all is evaluated again then. What
/// passed, or was cut in its midst, is not reworked.
fn held_to(past: &[Line], rework: bool) -> Option<u64> {
    let states = past.iter().filter_map(|line| match line.event {
        Event::StateChanged { to, .. } => Some((to, line.seq)),
        _ => None,
    });
    let mut held_to = None;
    for (state, seq) in states {
        match state {
            State::Validating => held_to = Some(seq),
            State::Fixing => held_to = None,
            State::ValidationFailed if rework => held_to = None,
            _ => {}
        }
    }
    held_to
}

fn begin_rework(
    failed: Gate<ValidationFailed>,
    journal: &mut Journal<'_>,
) -> Result<Option<Gate<super::machine::Fixing>>, Fault> {
    match failed.rework() {
        Reworked::Disputed(_) => {
            journal.state(State::ValidationFailed, State::Disputed, None)?;
            Ok(None)
        }
        Reworked::Fixing(gate) => {
            journal.state(State::ValidationFailed, State::Fixing, None)?;
            Ok(Some(gate))
        }
    }
}

/// The roles of the fixers of what failed, each once; `None` when something failed that no fixer is to mend, or nothing did.
fn roles(criteria: &[Criterion], results: &[CriterionResult], rounds: u32) -> Option<Vec<String>> {
    let mut roles: Vec<String> = Vec::new();
    for (criterion, result) in criteria.iter().zip(results) {
        if result.status == Status::Passed {
            continue;
        }
        let worth = criterion.on_fail == OnFail::Fix && criterion.rounds.is_none_or(|most| rounds < most);
        if !worth {
            return None;
        }
        if !roles.contains(&criterion.fix_role) {
            roles.push(criterion.fix_role.clone());
        }
    }
    (!roles.is_empty()).then_some(roles)
}

fn mend(
    role: &str,
    criteria: &[Criterion],
    results: &[CriterionResult],
    journal: &mut Journal<'_>,
) -> Result<(), Fault> {
    let of_role = |criterion: &Criterion| role == AUTHOR || criterion.fix_role == role;
    let failed = criteria
        .iter()
        .zip(results)
        .filter(|(criterion, result)| result.status != Status::Passed && of_role(criterion));
    let failed: Vec<CriterionResult> = failed.map(|(_, result)| result.clone()).collect();
    let names = failed.iter().map(|result| result.name.clone()).collect();
    journal.emit(Event::FixStarted { role: role.to_owned(), criteria: names })?;
    if let Some(Event::FixFinished { .. }) = journal.next() {
        journal.skip();
        return Ok(());
    }
    journal.done_with_past("the end of a fix")?;
    let result = if role == AUTHOR {
        FixResult { role: AUTHOR.to_owned(), finished: true, evidence: "reworked outside".to_owned(), duration_ms: 0 }
    } else {
        journal.world.fix(role, &failed)
    };
    journal.write(Event::FixFinished { result })
}

/// Evaluates every criterion, until one stops it.
fn round(criteria: &[Criterion], journal: &mut Journal<'_>) -> Result<Vec<CriterionResult>, Fault> {
    let mut results: Vec<CriterionResult> = Vec::with_capacity(criteria.len());
    let mut stopped: Option<String> = None;
    for criterion in criteria {
        if let Some(by) = &stopped {
            let result = CriterionResult::new(&criterion.name, Status::Skipped, format!("`{by}` failed before it"));
            journal.emit(Event::CriterionSkipped { result: result.clone() })?;
            results.push(result);
            continue;
        }
        let mut attempt = 1;
        let result = loop {
            let result = evaluate(criterion, attempt, journal)?;
            if result.status == Status::Passed || attempt >= criterion.attempts {
                break result;
            }
            attempt += 1;
        };
        if result.status != Status::Passed && criterion.on_fail == OnFail::Fail {
            stopped = Some(criterion.name.clone());
        }
        results.push(result);
    }
    Ok(results)
}

fn evaluate(criterion: &Criterion, attempt: u32, journal: &mut Journal<'_>) -> Result<CriterionResult, Fault> {
    journal.emit(Event::CriterionStarted { criterion: criterion.name.clone(), attempt })?;
    if let Some(
        Event::CriterionPassed { result } | Event::CriterionFailed { result } | Event::CriterionError { result },
    ) = journal.next()
        && result.name == criterion.name
        && result.attempt == attempt
    {
        let result = result.clone();
        let fits = event_of(result.clone()).as_ref() == journal.next();
        if !fits {
            return Err(journal.misfit("a result whose status is that of its event"));
        }
        journal.skip();
        return Ok(result);
    }
    journal.done_with_past("the result of a criterion")?;
    let mut result = journal.world.evaluate(criterion);
    result.name.clone_from(&criterion.name);
    result.attempt = attempt;
    match event_of(result.clone()) {
        Some(event) => journal.write(event)?,
        // Who evaluates does not skip: what says so was not evaluated.
        None => {
            result.status = Status::Error;
            journal.write(Event::CriterionError { result: result.clone() })?;
        }
    }
    Ok(result)
}

fn event_of(result: CriterionResult) -> Option<Event> {
    match result.status {
        Status::Passed => Some(Event::CriterionPassed { result }),
        Status::Failed => Some(Event::CriterionFailed { result }),
        Status::Error => Some(Event::CriterionError { result }),
        Status::Skipped => None,
    }
}

/// The log: what is still to be taken from the past, and where the next event goes.
struct Journal<'r> {
    past: VecDeque<Line>,
    seq: u64,
    /// See [`held_to`].
    held_to: Option<u64>,
    world: &'r mut dyn World,
}

impl Journal<'_> {
    fn next(&self) -> Option<&Event> {
        self.past.front().map(|line| &line.event)
    }

    fn skip(&mut self) {
        self.seq += 1;
        self.past.pop_front();
    }

    fn misfit(&self, expected: &str) -> Fault {
        let line = self.seq + 1;
        Fault::Log(format!("line {line} of the log is not {expected}: it is the log of another run, or was changed"))
    }

    fn done_with_past(&self, expected: &str) -> Result<(), Fault> {
        if self.past.is_empty() { Ok(()) } else { Err(self.misfit(expected)) }
    }

    fn next_is_rework(&self) -> bool {
        matches!(self.next(), Some(Event::StateChanged { from: State::ValidationFailed, .. }))
    }

    /// An event that follows from what was before: it is that of the log, or goes into it.
    fn emit(&mut self, event: Event) -> Result<(), Fault> {
        match self.next() {
            None => self.write(event),
            Some(past) if *past == event => {
                self.skip();
                Ok(())
            }
            Some(_) => Err(self.misfit("what follows from the lines before it")),
        }
    }

    fn state(&mut self, from: State, to: State, inputs: Option<String>) -> Result<(), Fault> {
        if let Some(Event::StateChanged { from: was, to: went, inputs: checked }) = self.next()
            && (*was, *went) == (from, to)
        {
            // What was reworked is another artifact; what is resumed must be the same.
            if self.held_to == Some(self.seq + 1) && *checked != inputs {
                let message = "what is checked has changed since the log was written; begin anew, or use --rework";
                return Err(Fault::Log(message.to_owned()));
            }
            self.skip();
            return Ok(());
        }
        self.emit(Event::StateChanged { from, to, inputs })
    }

    fn write(&mut self, event: Event) -> Result<(), Fault> {
        self.seq += 1;
        let line = Line { seq: self.seq, event, at: self.world.now() };
        self.world.keep(&line).map_err(Fault::Keep)
    }

    /// Nothing follows the end of a run.
    fn end(&self) -> Result<(), Fault> {
        self.done_with_past("what follows the end of a run")
    }
}
