//! `cited gate` as typed.

use std::path::PathBuf;

use clap::Args as Group;

use super::network_args::AskingFlags;
use super::values;
use cited_report::printers::{Printer, help_of_formats, help_of_reports, long_help_of_reports};

/// `cited gate`.
#[derive(Debug, Clone, Group)]
pub struct GateArgs {
    /// What a gate is asked for.
    #[command(flatten)]
    pub gate: Gate,

    /// How addresses are asked.
    #[command(flatten)]
    pub network: AskingFlags,
}

/// What a gate is asked for.
#[derive(Debug, Clone, Group)]
pub struct Gate {
    /// The claim ledger of an artifact, JSON; `-` for standard input
    #[arg(value_name = "LEDGER", required_unless_present_any = ["criteria", "manifest", "init"])]
    pub ledger: Option<PathBuf>,

    /// Write the skeleton of a ledger for this draft, Markdown, on standard output; nothing is judged
    #[arg(long, value_name = "DRAFT", conflicts_with_all = ["ledger", "criteria", "manifest"])]
    pub init: Option<PathBuf>,

    /// What values are recomputed from, and what quotations are looked up in.
    #[command(flatten)]
    pub evidence: EvidenceFlags,

    /// What else an artifact must pass.
    #[command(flatten)]
    pub criteria: CriteriaFlags,

    /// How to print what was found.
    #[arg(long, value_name = "FORMAT", value_parser = values::format(), help_heading = "Output", hide_possible_values = true, help = help_of_formats())]
    pub format: Option<&'static Printer>,

    /// Further files, by their endings.
    #[arg(long, value_name = "FILE", help_heading = "Output", help = help_of_reports(), long_help = long_help_of_reports(false))]
    pub report: Vec<PathBuf>,

    /// Print nothing; only the exit status tells the result
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,
}

/// What values are recomputed from, and what quotations are looked up in.
#[derive(Debug, Clone, Default, Group)]
#[command(next_help_heading = "Evidence")]
pub struct EvidenceFlags {
    /// CSV, TSV, JSON, NDJSON or SQLite file, or folder (repeatable)
    ///
    /// The stem of a file names its table.
    #[arg(long, value_name = "PATH")]
    pub data: Vec<PathBuf>,

    /// Sources that are quoted: file or folder (repeatable)
    ///
    /// Called by path or stem in `sourceId`.
    #[arg(long, value_name = "PATH")]
    pub sources: Vec<PathBuf>,

    /// Record of an earlier run, whose pinned passages may be quoted by number or address of their source
    #[arg(long, value_name = "FILE", id = "citation_record", hide_short_help = true)]
    pub record: Option<PathBuf>,

    /// Metrics that the caller declares, JSON or TOML (repeatable)
    ///
    /// Names and definitions; they win over those of the ledger.
    #[arg(long, value_name = "FILE")]
    pub metrics: Vec<PathBuf>,

    /// Refuse metrics that only the ledger declares
    #[arg(long, hide_short_help = true)]
    pub trusted_metrics_only: bool,
}

/// What else an artifact must pass.
#[derive(Debug, Clone, Default, Group)]
#[command(next_help_heading = "Criteria")]
pub struct CriteriaFlags {
    /// Acceptance criteria, JSON or TOML
    #[arg(long, value_name = "FILE")]
    pub criteria: Option<PathBuf>,

    /// The artifact under test, for judges [default: the ledger's summary]
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub artifact: Option<PathBuf>,

    /// Judge of criteria of type `agent`: a command that reads the question on standard input, or an address; wins over the criteria
    /// file's
    #[arg(long, value_name = "COMMAND|URL", hide_short_help = true)]
    pub agent: Option<String>,

    /// Claim manifest to check against --corpus
    #[arg(long, value_name = "FILE", requires = "corpus")]
    pub manifest: Option<PathBuf>,

    /// The folder that a manifest's evidence lies in
    #[arg(long, value_name = "DIR")]
    pub corpus: Option<PathBuf>,

    /// Write what happens as JSON lines; `-` for standard output
    #[arg(long, value_name = "FILE|-")]
    pub events: Option<PathBuf>,

    /// Begin the next round of an events file that ends in a failed validation: what failed was reworked
    #[arg(long, requires = "events", hide_short_help = true)]
    pub rework: bool,

    /// Pass when there is nothing to check
    #[arg(long, hide_short_help = true)]
    pub allow_empty: bool,
}
