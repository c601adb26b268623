//! The commands, one file each: wiring between the command line and the stages.

pub mod artifact;
pub mod audit;
pub mod check;
pub mod completions;
pub mod explain;
pub mod find;
pub mod gate;
pub mod input;
pub mod judge_claim;
pub mod man;
#[cfg(feature = "mcp")]
pub mod mcp;
pub mod mdbook;
pub mod output;
pub mod render;
pub mod rewrite;
pub mod run;
pub mod schema;
#[cfg(feature = "serve")]
pub mod serve;
#[cfg(feature = "tools")]
mod services;
pub mod show;
pub mod verify;
#[cfg(feature = "postgres")]
pub mod worker;
pub mod works;

use std::path::Path;
use std::process::ExitCode;

use crate::cli::args::{Args, Command, When};
use crate::cli::exit::{self, Exit};
use crate::cli::layers::Typed;
use crate::cli::settings::{self, Settings};
use crate::setup::interrupt;
use cited_core::error::Result;
use cited_fetch::pdf;

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    // This program starts itself again to read a PDF: a hostile file then costs that process and nothing else.
    let mut typed = std::env::args_os().skip(1);
    if typed.next().is_some_and(|argument| argument == pdf::ARGUMENT) {
        return pdf::serve(typed.next().as_deref().and_then(|pages| pages.to_str()));
    }
    exit::report(exit::guarded(|| {
        let (args, typed) = Args::of_process(&settings::table());
        run(args, &typed)
    }))
}

/// Runs the command that was typed.
///
/// # Errors
/// When it could not run.
pub fn run(args: Args, typed: &Typed) -> Result<Exit> {
    match args.color {
        When::Auto => anstream::ColorChoice::Auto,
        When::Always => anstream::ColorChoice::Always,
        When::Never => anstream::ColorChoice::Never,
    }
    .write_global();
    match &args.command {
        // It ends by itself, after what it is at.
        #[cfg(feature = "serve")]
        Command::Serve(_) => {}
        // A worker gives back what it has in hand.
        Command::Worker(_) => {}
        _ => interrupt::listen(cited_gate::process::end_all)?,
    }
    let settings = || Settings::resolve(typed, Path::new(""));
    match args.command {
        Command::Verify(verify) => verify::run(verify, typed),
        Command::Gate(gate) => gate::run(gate.gate, &settings()?),
        Command::Check(check) => check::run(check, &settings()?),
        Command::Audit(audit) => audit::run(*audit, settings()?),
        #[cfg(feature = "postgres")]
        Command::Worker(worker) => worker::run(&worker.talk, settings()?),
        Command::Render(render) => render::run(&render),
        Command::Mdbook(mdbook) => mdbook::run(&mdbook),
        Command::Run(agent) => run::run(agent, typed),
        Command::Judge(judge) => judge_claim::run(judge, &settings()?),
        Command::Works(works) => works::run(works, &settings()?),
        Command::Show(show) => show::run(show, typed),
        Command::Schema(schema) => schema::run(&schema),
        #[cfg(feature = "mcp")]
        Command::Mcp(mcp) => mcp::run(&mcp, settings()?),
        #[cfg(feature = "serve")]
        Command::Serve(serve) => serve::run(*serve, settings()?),
        Command::Explain(explain) => explain::run(&explain),
        Command::Completions(completions) => completions::run(&completions),
        Command::Man(man) => man::run(&man),
        #[cfg(not(all(feature = "mcp", feature = "serve", feature = "postgres")))]
        _ => Err(cited_core::error::Error::usage(
            "this cited was built without that command; build it with `cargo install --path . --all-features`",
        )),
    }
}
