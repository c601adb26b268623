//! The tools that agents and platforms call: one table, one file a tool, each a walk along the pipeline's stages.
//!
//! A tool is a plain function from typed input to typed output. It runs on a thread of its own ([`call()`]), tells of its
//! progress, and ends when its [`Call`] is cancelled. Nothing here knows by which protocol it was asked for.

mod args;
mod check_claim;
mod check_references;
mod explain;
mod gate;
mod show_source;
#[cfg(test)]
mod tests;
mod tool;
mod verify_citations;
mod verify_draft;

use std::sync::LazyLock;

pub use self::tool::{Answer, Call, Context, Step, StepListener, Tool, call, output_schema};

/// All tools.
pub static TOOLS: LazyLock<[Tool; 7]> = LazyLock::new(|| {
    [
        Tool { read_only: false, ..Tool::new::<_, verify_draft::Output>("verify_draft", verify_draft::run) },
        Tool::new::<_, verify_citations::Output>("verify_citations", verify_citations::run),
        Tool::new::<_, check_claim::Output<'static>>("check_claim", check_claim::run),
        Tool::new::<_, check_references::Output>("check_references", check_references::run),
        Tool::new::<_, show_source::Output<'static>>("show_source", show_source::run),
        Tool { open_world: false, ..Tool::new::<_, gate::Output>("gate", gate::run) },
        Tool { open_world: false, ..Tool::new::<_, explain::Output>("explain", explain::run) },
    ]
});

/// The tool of this name.
///
/// # Errors
/// In words, when there is none.
pub fn tool(name: &str) -> Result<&'static Tool, String> {
    TOOLS.iter().find(|tool| tool.name == name).ok_or_else(|| {
        let names: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
        format!("no tool is named `{name}`; there are {}", names.join(", "))
    })
}
