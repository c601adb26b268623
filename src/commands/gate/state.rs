//! `cited gate state`: in which state a gate is, by its events.

use crate::cli::exit::Exit;
use crate::cli::gate_args::GateState;
use crate::cli::say;
use crate::commands::{input, output};
use crate::error::{Error, Result};
use crate::gate::criteria::replay::{Replayed, name, replay};
use crate::gate::criteria::{Status, events};
use crate::render::summary::shown;

/// Says the state.
///
/// # Errors
/// When the file cannot be read, or is no log of a gate. A log that no gate can have written falls short, and is no error.
pub fn run(asked: &GateState) -> Result<Exit> {
    let log = input::read(&asked.log)?;
    let (lines, whole) = events::read(&log.text)
        .map_err(|line| Error::input(format!("{}:{line}: is no event of a gate, or out of order", log.path)))?;
    if lines.is_empty() {
        return Err(Error::input(format!(
            "{}: has no event of a gate; `cited gate --events FILE` writes them",
            log.path
        )));
    }
    let ended = match replay(&lines) {
        Ok(ended) => ended,
        Err((at, why)) => {
            if !asked.quiet {
                say(format_args!("{}: event {at}: {}\n", shown(&log.path), shown(&why)));
            }
            return Ok(Exit::FallsShort);
        }
    };
    if !asked.quiet {
        output::print(&told(&ended))?;
        if whole < log.text.len() {
            say(format_args!("{}: its last line was cut and does not count\n", shown(&log.path)));
        }
    }
    let fits = asked.check.is_none_or(|wanted| wanted == ended.state);
    Ok(if fits { Exit::Done } else { Exit::FallsShort })
}

/// The state in a line, and a line for each criterion that has not passed.
fn told(ended: &Replayed) -> String {
    let passed = ended.results.iter().filter(|(_, status)| *status == Status::Passed).count();
    let mut text = format!("{}: {passed} of {} criteria passed", name(ended.state), ended.results.len());
    match ended.rework_rounds {
        0 => {}
        1 => text.push_str(", 1 round of rework"),
        rounds => text.push_str(&format!(", {rounds} rounds of rework")),
    }
    if ended.fixers_at_work > 0 {
        text.push_str(", a fixer is at work");
    }
    text.push('\n');
    for (criterion, status) in ended.results.iter().filter(|(_, status)| *status != Status::Passed) {
        text.push_str(&format!("{} {}\n", status.as_str(), shown(criterion)));
    }
    text
}
