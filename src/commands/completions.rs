//! `cited completions`: a completion script for a shell.

use clap::CommandFactory as _;

use super::output;
use crate::cli::Args;
use crate::cli::args::Completions;
use crate::cli::exit::Exit;
use cited_core::error::Result;

/// Prints the script.
///
/// # Errors
/// When standard output takes nothing.
pub fn run(args: &Completions) -> Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "cited", &mut script);
    output::print_bytes(&script)?;
    Ok(Exit::Done)
}
