//! `cited gate` and `cited ledger` as typed.

use std::path::PathBuf;

use clap::Args as Group;

use super::format::Format;
use super::network_args::NetworkFlags;
use cited_report::printers::{Walk, help_of_formats, help_of_reports, long_help_of_reports};

/// `cited gate`.
#[derive(Debug, Clone, Group)]
pub struct Gate {
    /// The claim ledger of an artifact, JSON; `-` for standard input
    #[arg(value_name = "LEDGER", required_unless_present_any = ["criteria", "manifest"])]
    pub ledger: Option<PathBuf>,

    /// What values are recomputed from, and what quotations are looked up in.
    #[command(flatten)]
    pub evidence: EvidenceFlags,

    /// What else an artifact must pass.
    #[command(flatten)]
    pub criteria: CriteriaFlags,

    /// How to print what was found.
    #[arg(long, value_name = "FORMAT", value_enum, help_heading = "Output", hide_possible_values = true, help = help_of_formats(Walk::Gate))]
    pub format: Option<Format>,

    /// Further files, by their endings.
    #[arg(long, value_name = "FILE", help_heading = "Output", help = help_of_reports(Walk::Gate), long_help = long_help_of_reports(Walk::Gate))]
    pub report: Vec<PathBuf>,

    /// Print nothing; the exit status says it all
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,

    /// How addresses are asked.
    #[command(flatten)]
    pub network: GateNetwork,
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

    /// Tolerance of claims that give none, a part of the value; 0 for equal [default: 0.005]
    #[arg(long, value_name = "PART", hide_short_help = true)]
    pub tolerance: Option<f64>,

    /// Refuse claims with a larger tolerance than this, such as 0.01
    #[arg(long, value_name = "PART", hide_short_help = true)]
    pub max_tolerance: Option<f64>,

    /// Seconds for one metric [default: 10]
    #[arg(long, value_name = "SECONDS", hide_short_help = true)]
    pub metric_timeout: Option<f64>,

    /// Memory for the data and all that is computed from it, in MiB [default: 1024]
    #[arg(long, value_name = "MIB", hide_short_help = true)]
    pub max_memory: Option<u32>,
}

/// What else an artifact must pass.
#[derive(Debug, Clone, Default, Group)]
#[command(next_help_heading = "Criteria")]
pub struct CriteriaFlags {
    /// Acceptance criteria, JSON or TOML
    #[arg(long, value_name = "FILE")]
    pub criteria: Option<PathBuf>,

    /// List what would be checked, and check nothing
    #[arg(long, hide_short_help = true)]
    pub list: bool,

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

    /// Command that mends what fails, by role (repeatable); wins over the criteria file's
    #[arg(long, value_name = "ROLE=COMMAND", hide_short_help = true)]
    pub fixer: Vec<String>,

    /// Write what happens as JSON lines; `-` for standard output
    #[arg(long, value_name = "FILE|-")]
    pub events: Option<PathBuf>,

    /// Begin the next round of an events file that ends in a failed validation: what failed was reworked
    #[arg(long, requires = "events", hide_short_help = true)]
    pub rework: bool,

    /// Take having nothing to check for a pass
    #[arg(long, hide_short_help = true)]
    pub allow_empty: bool,
}

/// How addresses are asked, those of a manifest and of assertions about documents.
#[derive(Debug, Clone, Default, Group)]
#[command(next_help_heading = "Network")]
pub struct GateNetwork {
    /// Ask nobody: what is not in a bundle proves nothing
    #[arg(long, hide_short_help = true)]
    pub offline: bool,

    /// Take everything from an evidence bundle, without any network
    #[arg(long, value_name = "FILE.warc.gz", hide_short_help = true)]
    pub replay: Option<PathBuf>,

    /// Seconds for one request, connection and body included [default: 45]
    #[arg(long, value_name = "SECONDS", hide_short_help = true)]
    pub timeout: Option<f64>,

    /// Connect to HOST2:PORT2 where HOST1:PORT1 is asked for, as in curl (repeatable)
    #[arg(long, value_name = "HOST1:PORT1:HOST2:PORT2", hide_short_help = true)]
    pub connect_to: Vec<String>,

    /// Certificates in PEM to trust beside the system's (repeatable)
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub cacert: Vec<PathBuf>,

    /// Archive to ask for copies of dead sources, or `none` (repeatable) [default: the Wayback Machine]
    #[arg(long, value_name = "URL", hide_short_help = true)]
    pub archive: Vec<String>,

    /// Address range that may be asked although it is not public (repeatable)
    #[arg(long, value_name = "CIDR", hide_short_help = true)]
    pub allow_net: Vec<String>,

    /// Folder that keeps pages between runs, or `off` [default: the user's cache folder]
    #[arg(long, value_name = "DIR|off", hide_short_help = true)]
    pub cache: Option<PathBuf>,

    /// The time that counts as now, for runs that can be repeated
    #[arg(long, value_name = "TIME", hide_short_help = true)]
    pub now: Option<String>,

    /// Settings file, in place of the nearest `cited.toml` upward
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub config: Option<PathBuf>,
}

impl From<GateNetwork> for NetworkFlags {
    fn from(flags: GateNetwork) -> Self {
        let GateNetwork { offline, replay, timeout, connect_to, cacert, archive, allow_net, cache, now, config } =
            flags;
        let offline = offline.then_some(true);
        NetworkFlags {
            offline,
            replay,
            timeout,
            connect_to,
            cacert,
            archive,
            allow_net,
            cache,
            now,
            config,
            ..NetworkFlags::default()
        }
    }
}

/// `cited ledger`.
#[derive(Debug, Clone, Group)]
pub struct MakeLedger {
    /// The draft, Markdown; `-` for standard input
    pub draft: PathBuf,

    /// Where the ledger goes [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}
