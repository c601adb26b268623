//! The tools that agents and platforms call: one table, one file a tool, each a walk along the pipeline's stages.
//!
//! A tool is a plain function from typed input to typed output. It runs on a thread of its own ([`call()`]), tells of its
//! progress, and ends when its [`Call`] is cancelled. Nothing here knows by which protocol it was asked for.

mod args;
mod check_claim;
mod check_references;
pub mod context;
mod explain;
mod gate;
mod grounding;
mod show_source;
#[cfg(test)]
mod tests;
mod tool;
mod verify_citations;
mod verify_draft;

use std::sync::LazyLock;

pub use self::context::Context;
pub use self::tool::{Answer, Call, Step, Tool, call, output_schema};

/// All tools.
pub static TOOLS: LazyLock<[Tool; 7]> = LazyLock::new(|| {
    [
        verify_draft::tool(),
        verify_citations::tool(),
        check_claim::tool(),
        check_references::tool(),
        show_source::tool(),
        gate::tool(),
        explain::tool(),
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
