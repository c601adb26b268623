//! What measures cited, what its benchmarks ask, and what cuts a release: `cargo xtask --help`. No part of the package.

mod anchoring;
mod audit_plan;
mod corpus;
mod evaluate;
mod files;
mod footprint;
mod labelled;
mod mutate;
mod read;
mod reanchor;
mod release;
mod testserver;
mod text_quality;

#[path = "../../benches/draft/mod.rs"]
mod draft;
#[path = "../../benches/draft/run.rs"]
mod draft_run;
#[path = "../../tests/support/mutation.rs"]
mod mutation;
#[allow(dead_code, reason = "the tests need more of it")]
#[path = "../../tests/support/promises.rs"]
mod promises;
#[allow(dead_code, reason = "the tests need more of it")]
#[path = "../../tests/support/server/mod.rs"]
mod server;

use std::error::Error;
use std::process::ExitCode;

use clap::Parser;

/// What a program gives; what is wrong is said to whoever runs it.
type Result<T = ()> = std::result::Result<T, Box<dyn Error>>;

/// Programs that measure cited. Those that judge or read much want `cargo run --release --package xtask -- …`.
#[derive(Parser)]
enum Program {
    Anchoring(anchoring::Arguments),
    AuditPlan(audit_plan::Arguments),
    Corpus(corpus::Arguments),
    Evaluate(evaluate::Arguments),
    Footprint(footprint::Arguments),
    Mutate(mutate::Arguments),
    Read(read::Arguments),
    Reanchor(reanchor::Arguments),
    Release(release::Arguments),
    Testserver(testserver::Arguments),
    TextQuality(text_quality::Arguments),
}

fn main() -> ExitCode {
    let done = match Program::parse() {
        Program::Anchoring(arguments) => anchoring::run(&arguments),
        Program::AuditPlan(arguments) => audit_plan::run(&arguments),
        Program::Corpus(arguments) => corpus::run(&arguments),
        Program::Evaluate(arguments) => evaluate::run(&arguments),
        Program::Footprint(arguments) => {
            footprint::run(&arguments);
            Ok(())
        }
        Program::Mutate(arguments) => mutate::run(&arguments),
        Program::Read(arguments) => read::run(&arguments),
        Program::Reanchor(arguments) => reanchor::run(&arguments),
        Program::Release(arguments) => release::run(&arguments),
        Program::Testserver(arguments) => testserver::run(&arguments),
        Program::TextQuality(arguments) => text_quality::run(&arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
