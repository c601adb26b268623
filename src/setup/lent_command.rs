//! A command that the user lends, a judge's, a search's or a producer's: a question on its standard input, an answer on its standard output,
//! within a time and a length. It runs as programs of the gate do.

use std::path::Path;
use std::time::Duration;

use cited_gate::process::{End, Errors, Job, Output, Program, run};

/// Runs it and gives what it wrote; `errors` is where its standard error goes.
///
/// # Errors
/// In words: it does not start, takes too long, writes too much or no text, or ends in failure.
pub fn ask(
    command: &str,
    question: Vec<u8>,
    patience: Duration,
    longest: usize,
    errors: Errors,
) -> Result<String, String> {
    let ended = run(Job {
        program: Program::Shell(command.to_owned()),
        folder: Path::new("."),
        allowed: &[],
        variables: Vec::new(),
        input: question,
        timeout: patience,
        output: Output { kept: longest, flood: longest as u64, errors },
    });
    match ended.end {
        End::Exit(0) if ended.written > longest as u64 => Err(format!("it wrote more than {longest} bytes")),
        End::Exit(0) => String::from_utf8(ended.stdout).map_err(|_| "its output is not UTF-8".to_owned()),
        End::Exit(code) => Err(format!("exit status: {code}")),
        End::Signal(signal) => Err(format!("killed by signal {signal}")),
        End::TimedOut => Err(format!("timed out after {} s", patience.as_secs_f64())),
        End::Flooded(_) => Err(format!("it wrote more than {longest} bytes")),
        End::NotStarted(why) => Err(format!("the command does not start: {why}")),
    }
}
