//! The command line: argv as typed, settings with meaning, exit statuses, progress.

pub mod args;
pub mod exit;
pub mod gate_args;
pub mod layers;
pub mod progress;
pub mod settings;

use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser as _;

pub use args::Args;
pub use exit::Exit;

use crate::fetch::pdf;

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    // This program starts itself again to read a PDF: a hostile file then costs that process and nothing else.
    let mut typed = std::env::args_os().skip(1);
    if typed.next().is_some_and(|argument| argument == pdf::ARGUMENT) {
        return pdf::serve(typed.next().as_deref().and_then(|pages| pages.to_str()));
    }
    let args = Args::parse();
    exit::report(exit::guarded(|| crate::commands::run(args)))
}

/// Says something on standard error. A message that cannot be written is no reason to end: the exit status says it too.
pub fn say(message: std::fmt::Arguments<'_>) {
    let _ = anstream::stderr().lock().write_fmt(message);
}
