//! `cited audit` and `cited worker` as typed.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::BoolishValueParser;
use clap::{ArgAction, Args as Group, Subcommand, ValueEnum};
use jiff::Timestamp;
use jiff::civil::Date;

use super::fail_on::Fails;
use super::network_args::{AskingFlags, NetworkFlags};
use super::talk_args::TalkFlags;
use super::values;
use cited_report::printers::{Printer, help_of_formats, help_of_reports, long_help_of_reports};

/// `cited audit`.
#[derive(Debug, Clone, Group)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Audit {
    /// Something else than an audit.
    #[command(subcommand)]
    pub command: Option<AuditCommand>,

    /// Markdown files, records, folders of them, lists of addresses
    ///
    /// Of folders, Markdown files and `*.record.json` are read; what `.gitignore` names is left out. A record lends its passages to its
    /// brief. A file that ends in `.txt`, and `-` for standard input, is a list of addresses, one a line.
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// What is remembered, and how much is done.
    #[command(flatten)]
    pub audit: AuditFlags,

    /// What makes it fail: error (default), warning, note, never, or codes
    ///
    /// Of what is new, rot, drift and acknowledgements that ran out are errors, moves and what never answers are warnings, what came back is a note.
    #[arg(long, value_name = "SEVERITY", value_delimiter = ',', value_parser = Fails::read)]
    pub fail_on: Vec<Fails>,

    /// How to print what is new.
    #[arg(long, value_name = "FORMAT", value_parser = values::format(), hide_possible_values = true, help = help_of_formats())]
    pub format: Option<&'static Printer>,

    /// Further files, by their endings.
    #[arg(long, value_name = "FILE", help = help_of_reports(), long_help = long_help_of_reports(false))]
    pub report: Vec<PathBuf>,

    /// Write new and archived addresses into the documents: links, drop
    ///
    /// `links` changes addresses, and notes an archived copy in source lists; nothing else. `drop` also takes out what stands on nothing
    /// but a source that is gone for good, as `cited verify` does. Put the option last, or give its value: `--fix links`.
    #[arg(long, value_name = "HOW", value_enum, num_args = 0..=1, default_missing_value = "links", hide_possible_values = true)]
    pub fix: Option<Fix>,

    /// Show what --fix would write, and write no document
    #[arg(long, conflicts_with = "format")]
    pub diff: bool,

    /// With --fix, write no document
    #[arg(long, hide_short_help = true)]
    pub dry_run: bool,

    /// How sources are asked.
    #[command(flatten)]
    pub network: NetworkFlags,
    /// What the run says while and after it works.
    #[command(flatten)]
    pub talk: TalkFlags,
}

/// What is written into documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Fix {
    /// New and archived addresses.
    #[default]
    Links,
    /// The same, and what stands on nothing but what is gone goes.
    Drop,
}

/// `cited worker`.
#[derive(Debug, Clone, Group)]
pub struct Worker {
    /// The database, `postgres://USER:PASSWORD@HOST/NAME`
    #[arg(long, value_name = "URL")]
    pub state: Option<PathBuf>,

    /// How sources are asked.
    #[command(flatten)]
    pub network: AskingFlags,
    /// What it says while it works.
    #[command(flatten)]
    pub talk: TalkFlags,
}

/// What an audit remembers, and how much it does.
#[derive(Debug, Clone, Group)]
#[command(next_help_heading = "Audit")]
pub struct AuditFlags {
    /// What it remembers: a file, or a database [default: .cited/audit.sqlite]
    ///
    /// `postgres://USER:PASSWORD@HOST/NAME` is a database that any number of machines share (see `cited worker`).
    #[arg(long, value_name = "FILE|URL")]
    pub state: Option<PathBuf>,

    /// Sources to ask at most; the rest is due the next time
    #[arg(long, value_name = "N", value_parser = values::count::<usize>)]
    pub max_checks: Option<usize>,

    /// Time to ask at most, such as 30m; the rest is due the next time
    #[arg(long, value_name = "TIME", value_parser = values::age, hide_short_help = true)]
    pub max_time: Option<Duration>,

    /// Ask nobody from here: queue what is due on the database, and wait for the workers
    #[arg(long, action = ArgAction::Set, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", default_value = "false", hide_default_value = true, hide_possible_values = true, value_parser = BoolishValueParser::new(), hide_short_help = true)]
    pub workers_only: bool,
}

/// What `cited audit` does beside auditing.
#[derive(Debug, Clone, Subcommand)]
pub enum AuditCommand {
    /// Note that a broken source is known, until a date; without an address, list what is noted
    Ack(Acknowledge),
}

/// `cited audit ack`.
#[derive(Debug, Clone, Group)]
pub struct Acknowledge {
    /// The source, by an address that a document cites; without one, all that is noted is listed
    pub address: Option<String>,

    /// Why it stays as it is
    #[arg(long, value_name = "TEXT", requires = "address")]
    pub reason: Option<String>,

    /// The last day on which it is not reported, such as 2026-12-31
    #[arg(long, value_name = "DATE", requires = "address", value_parser = values::day)]
    pub until: Option<Date>,

    /// Who says so [default: the user's name]
    #[arg(long, value_name = "NAME", requires = "address")]
    pub who: Option<String>,

    /// Take back what was noted
    #[arg(long, requires = "address", conflicts_with_all = ["reason", "until", "who"])]
    pub withdraw: bool,

    /// What an audit remembers: a file, or a database [default: .cited/audit.sqlite]
    #[arg(long, value_name = "FILE|URL")]
    pub state: Option<PathBuf>,

    /// The time that counts as now
    #[arg(long, value_name = "TIME", value_parser = values::time, hide_short_help = true)]
    pub now: Option<Timestamp>,

    /// Settings file, in place of the nearest `cited.toml` upward
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub config: Option<PathBuf>,
}
