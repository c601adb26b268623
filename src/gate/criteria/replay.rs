//! A log of events read again: the state that it ends in, and whether a gate could have gone this way.

use super::events::{Event, Line};
use super::machine::{Any, Gate, Round, State};
use super::result::{CriterionResult, Status};

/// Where a log ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replayed {
    /// The state.
    pub state: State,
    /// Rounds of rework so far.
    pub rework_rounds: usize,
    /// The last status of each criterion of the last round, in order.
    pub results: Vec<(String, Status)>,
    /// Fixers that have begun and not ended.
    pub fixers_at_work: usize,
}

/// Follows a log by the states of a gate.
///
/// # Errors
/// The number of the event at which it goes where no gate goes, and why not.
pub fn replay(log: &[Line]) -> Result<Replayed, (u64, String)> {
    let mut gate = Any::Running(Gate::start());
    let mut ended = Replayed { state: State::Running, rework_rounds: 0, results: Vec::new(), fixers_at_work: 0 };
    for line in log {
        match &line.event {
            Event::CriterionPassed { result }
            | Event::CriterionFailed { result }
            | Event::CriterionSkipped { result }
            | Event::CriterionError { result } => {
                if ended.state != State::Validating {
                    return Err((
                        line.seq,
                        format!("criterion `{}` has a result outside of a validation", result.name),
                    ));
                }
                if !says_so(&line.event, result) {
                    return Err((
                        line.seq,
                        format!("criterion `{}`: the event is not that of its status", result.name),
                    ));
                }
                ended.note(result);
            }
            Event::StateChanged { from, to, .. } => {
                let statuses: Vec<Status> = ended.results.iter().map(|(_, status)| *status).collect();
                // Whether having nothing to check was taken for a pass, the log does not say.
                let round = Round { results: &statuses, allow_empty: true };
                let refused = || format!("from {} to {}: no gate goes there", name(*from), name(*to));
                if *from != ended.state {
                    return Err((line.seq, format!("{}; it was in {}", refused(), name(ended.state))));
                }
                let empty_fails = statuses.is_empty() && *to == State::ValidationFailed;
                let round = if empty_fails { Round { allow_empty: false, ..round } } else { round };
                gate = gate.follow(*to, round).map_err(|_| (line.seq, refused()))?;
                ended.state = gate.state();
                match ended.state {
                    State::Validating => ended.results.clear(),
                    State::Fixing => ended.rework_rounds += 1,
                    _ => {}
                }
            }
            Event::CriterionStarted { .. } => {}
            Event::FixStarted { .. } => ended.fixers_at_work += 1,
            Event::FixFinished { .. } => ended.fixers_at_work = ended.fixers_at_work.saturating_sub(1),
        }
    }
    Ok(ended)
}

impl Replayed {
    fn note(&mut self, result: &CriterionResult) {
        match self.results.iter_mut().find(|(name, _)| *name == result.name) {
            // A later attempt takes the place of the one before.
            Some((_, status)) => *status = result.status,
            None => self.results.push((result.name.clone(), result.status)),
        }
    }
}

fn says_so(event: &Event, result: &CriterionResult) -> bool {
    let status = match event {
        Event::CriterionPassed { .. } => Status::Passed,
        Event::CriterionFailed { .. } => Status::Failed,
        Event::CriterionSkipped { .. } => Status::Skipped,
        _ => Status::Error,
    };
    result.status == status
}

/// A state as events have it.
pub fn name(state: State) -> &'static str {
    match state {
        State::Running => "running",
        State::Validating => "validating",
        State::Validated => "validated",
        State::ValidationFailed => "validation_failed",
        State::Fixing => "fixing",
        State::Completed => "completed",
        State::Disputed => "disputed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::criteria::events::read;

    fn changed(from: &str, to: &str) -> String {
        format!(r#""event":"state_changed","from":"{from}","to":"{to}""#)
    }

    fn result(event: &str, name: &str, status: &str) -> String {
        let result = format!(r#"{{"name":"{name}","status":"{status}","evidence":"","duration_ms":1,"attempt":1}}"#);
        format!(r#""event":"criterion_{event}","result":{result}"#)
    }

    #[track_caller]
    fn check(events: &[String], expected: Result<(State, usize), &str>) {
        let line =
            |(i, event): (usize, &String)| format!("{{\"seq\":{},{event},\"at\":\"2026-01-01T00:00:00Z\"}}\n", i + 1);
        let log: String = events.iter().enumerate().map(line).collect();
        let lines = read(&log).unwrap().0;
        match (replay(&lines), expected) {
            (Ok(ended), Ok(expected)) => assert_eq!((ended.state, ended.rework_rounds), expected),
            (Err((_, why)), Err(expected)) => assert!(why.contains(expected), "{why}"),
            (found, expected) => panic!("{found:?} and not {expected:?}"),
        }
    }

    #[test]
    fn a_log_is_followed_by_the_states_of_a_gate() {
        let start = changed("running", "validating");
        let passed = result("passed", "a", "passed");
        let validated = changed("validating", "validated");
        let completed = changed("validated", "completed");
        check(&[], Ok((State::Running, 0)));
        check(&[start.clone(), passed.clone()], Ok((State::Validating, 0)));
        check(&[start.clone(), passed.clone(), validated.clone(), completed.clone()], Ok((State::Completed, 0)));
        let failed = result("failed", "a", "failed");
        let fell = changed("validating", "validation_failed");
        check(
            &[
                start.clone(),
                failed.clone(),
                fell.clone(),
                changed("validation_failed", "fixing"),
                changed("fixing", "validating"),
                passed.clone(),
                validated.clone(),
                completed.clone(),
            ],
            Ok((State::Completed, 1)),
        );
        check(&[start.clone(), failed.clone(), passed.clone(), validated.clone()], Ok((State::Validated, 0)));
        check(&[start.clone(), fell], Ok((State::ValidationFailed, 0)));
    }

    #[test]
    fn a_log_that_no_gate_wrote_is_told() {
        let start = changed("running", "validating");
        let failed = result("failed", "a", "failed");
        check(&[changed("running", "completed")], Err("from running to completed: no gate goes there"));
        check(&[start.clone(), failed, changed("validating", "validated")], Err("from validating to validated"));
        check(&[start.clone(), changed("validated", "completed")], Err("it was in validating"));
        check(&[result("passed", "a", "passed")], Err("outside of a validation"));
        check(&[start, result("passed", "a", "failed")], Err("is not that of its status"));
    }
}
