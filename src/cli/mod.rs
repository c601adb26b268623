//! The command line: argv as typed, settings with meaning, exit statuses, progress.

pub mod args;
pub mod exit;
pub mod layers;
pub mod progress;
pub mod settings;
pub mod values;

use std::io::Write as _;

pub use args::Args;
pub use exit::Exit;

/// The columns of a line on standard error, where that is a terminal.
pub fn columns() -> Option<usize> {
    terminal_size::terminal_size_of(std::io::stderr()).map(|(width, _)| usize::from(width.0))
}

/// Says something on standard error. A message that cannot be written is no reason to end: the exit status says it too.
pub fn say(message: std::fmt::Arguments<'_>) {
    let _ = anstream::stderr().lock().write_fmt(message);
}
