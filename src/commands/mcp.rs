//! `cited mcp`: the tools for an agent program, on standard input and output.

use super::services;
use crate::cli::args::Mcp;
use crate::cli::exit::Exit;
use crate::cli::settings::Settings;
use crate::serve::mcp;
use cited_core::error::Result;

/// Serves until standard input ends.
///
/// # Errors
/// When a flag cannot be used, or the first message is no greeting of the protocol.
pub fn run(args: &Mcp, settings: Settings) -> Result<Exit> {
    let context = services::context(&args.service, &args.work, settings)?;
    let runtime = services::runtime()?;
    let served = runtime.block_on(mcp::serve_stdio(context));
    // Standard input may still be read by a thread that nobody can wake.
    runtime.shutdown_background();
    served.map(|()| Exit::Done)
}
