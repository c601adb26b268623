//! The command line: argv as typed, settings with meaning, exit statuses, progress.

pub mod args;
pub mod exit;
pub mod layers;
pub mod progress;
pub mod settings;

use std::process::ExitCode;

use clap::Parser as _;

pub use args::Args;
pub use exit::Exit;

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    let args = Args::parse();
    exit::report(crate::commands::run(args))
}
