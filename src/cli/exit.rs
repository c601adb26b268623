//! What a command's end means to the shell.

use std::process::ExitCode;

use owo_colors::OwoColorize as _;

use crate::error::Result;

/// How a command ended that ran to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Exit {
    /// It did what was asked: 0.
    #[default]
    Done,
    /// It ran, and what it checked falls short of what was asked: 1.
    FallsShort,
    /// Checking could not be completed: 3.
    Blocked,
}

impl Exit {
    /// The exit status; 2, "it could not run", is an [`Error`](crate::Error)'s.
    pub fn status(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::FallsShort => 1,
            Exit::Blocked => 3,
        }
    }
}

/// Tells of an error, if there was one, and gives the status.
pub fn report(result: Result<Exit>) -> ExitCode {
    match result {
        Ok(exit) => exit.status().into(),
        Err(error) => {
            let message = error.to_string();
            let message: String = message.chars().map(crate::render::findings::shown).collect();
            anstream::eprintln!("{}: {message}", "error".red().bold());
            error.exit_status().into()
        }
    }
}
