//! What a run says while and after it works, as typed.

use clap::{Args as Group, ValueEnum};

/// When to do something that suits only a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum When {
    /// When the output is a terminal.
    #[default]
    Auto,
    /// Also when it is not; `plain` is another word for it.
    #[cfg_attr(feature = "cli", value(alias = "plain"))]
    Always,
    /// Not at all.
    Never,
}

/// What a run says while and after it works.
#[derive(Debug, Clone, Default, Group)]
#[command(next_help_heading = "Output")]
pub struct TalkFlags {
    /// Print errors only
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,

    /// Print notes and every source as well
    #[arg(short, long)]
    pub verbose: bool,

    /// Show progress
    #[arg(long, value_name = "WHEN", value_enum, hide_short_help = true)]
    pub progress: Option<When>,
}
