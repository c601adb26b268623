//! The command line: argv as typed, settings with meaning, exit statuses, progress.

pub mod args;
pub mod progress;
pub mod settings;

use std::io::Write as _;
use std::process::ExitCode;

use owo_colors::OwoColorize as _;

pub use args::Args;
use cited_core::error::{Error, Result};

/// The columns of a line on standard error, where that is a terminal.
pub fn columns() -> Option<usize> {
    terminal_size::terminal_size_of(std::io::stderr()).map(|(width, _)| usize::from(width.0))
}

/// Says something on standard error. A message that cannot be written is no reason to end: the exit status says it too.
pub fn say(message: std::fmt::Arguments<'_>) {
    let _ = anstream::stderr().lock().write_fmt(message);
}

/// How a command ended that ran to its end, as its exit status; 2, "it could not run", is an [`Error`]'s.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// It did what was asked.
    Done = 0,
    /// It ran, and what it checked falls short of what was asked.
    FallsShort = 1,
    /// Checking could not be completed.
    Blocked = 3,
}

/// Runs a command to its end, whatever happens in it: a panic is an [`Error`] too, with exit status 2.
///
/// Files are written at the end of a run, each to a temporary one that then takes its name, so none is left half.
///
/// # Errors
/// Those of the command, and a panic in it.
pub fn guarded(command: impl FnOnce() -> Result<Exit>) -> Result<Exit> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(command)).unwrap_or_else(|cause| {
        let words = cause.downcast_ref::<&str>().map(|words| (*words).to_owned());
        let words = words.or_else(|| cause.downcast_ref::<String>().cloned());
        Err(Error::panicked(words.unwrap_or_else(|| "it did not say why".to_owned())))
    })
}

/// Tells of an error, if there was one, and gives the status.
pub fn report(result: Result<Exit>) -> ExitCode {
    match result {
        Ok(exit) => (exit as u8).into(),
        Err(error) => {
            let message = error.to_string();
            let message: String = message.chars().map(cited_report::findings::shown).collect();
            say(format_args!("{}: {message}\n", "error".red().bold()));
            error.exit_status().into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Exit, guarded};

    #[test]
    fn a_panic_is_an_error_of_its_own() {
        let error = guarded(|| panic!("index {} out of bounds", 7)).unwrap_err();
        assert_eq!((error.exit_status(), error.is_defect()), (2, true));
        assert!(error.to_string().contains("index 7 out of bounds"), "{error}");
        assert_eq!(guarded(|| Ok(Exit::FallsShort)).unwrap(), Exit::FallsShort);
    }
}
