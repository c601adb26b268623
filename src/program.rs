//! The program: argv to the command that was typed.

use std::path::Path;
use std::process::ExitCode;

use crate::cli::args::{Command, When};
use crate::cli::settings::{Settings, Typed};
use crate::cli::{self, Exit};
use crate::commands::{audit, check, gate, judge_claim, learn, mdbook, render, run, show, verify, works};
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
    cli::report(cli::guarded(run_command))
}

/// Runs the command that was typed.
///
/// # Errors
/// When it could not run.
fn run_command() -> Result<Exit> {
    let (args, typed) = Typed::of_process();
    let typed = &typed;
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
    let done = |run: Result<()>| run.map(|()| Exit::Done);
    match args.command {
        Command::Verify { draft, flags } => verify::run(&draft, &flags, typed),
        Command::Gate(gate) => gate::run(&gate, &settings()?),
        Command::Check(check) => check::run(check, &settings()?),
        Command::Audit(audit) => audit::run(*audit, settings()?),
        #[cfg(feature = "postgres")]
        Command::Worker(talk) => audit::work(&talk, settings()?),
        Command::Render { record, output, quiet } => render::run(&record, output.as_deref(), quiet),
        // Every renderer gets the same Markdown.
        Command::Mdbook { supports: Some(_), .. } => Ok(Exit::Done),
        Command::Mdbook { .. } => mdbook::run(),
        Command::Run(agent) => run::run(agent, typed),
        Command::Judge { what, format } => done(judge_claim::run(&what, format, &settings()?)),
        Command::Works(works) => works::run(works, &settings()?),
        Command::Show { what, format, liveness } => done(show::run(&what, format, liveness, typed)),
        Command::Schema { name } => done(learn::print_schema(name.as_deref())),
        #[cfg(feature = "mcp")]
        Command::Mcp(flags) => done(crate::serve::mcp::run(*flags, settings()?)),
        #[cfg(feature = "serve")]
        Command::Serve(serve) => done(crate::serve::http::run(*serve, settings()?)),
        Command::Explain { code } => done(learn::explain(&code)),
        Command::Completions { shell } => done(learn::complete(shell)),
        Command::Man { dir } => done(learn::man(dir.as_deref())),
        #[cfg(not(all(feature = "mcp", feature = "serve", feature = "postgres")))]
        _ => Err(cited_core::error::Error::usage(
            "this cited was built without that command; build it with `cargo install --path . --all-features`",
        )),
    }
}
