//! The command line as typed, and how its words are read where their type does not say so itself. [`settings`](super::settings) gives it a meaning.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::builder::{BoolishValueParser, PossibleValuesParser, Styles, TypedValueParser};
use clap::{Arg, ArgAction, ArgGroup, Args as Group, CommandFactory as _, Id, Parser, Subcommand, ValueEnum};
use ipnet::IpNet;
use jiff::Timestamp;
use jiff::civil::Date;
use url::Url;

use crate::pipeline::{Scope, Style};
use cited_core::decide::Policy;
use cited_core::finding::{Code, Severity};
use cited_fetch::{ConnectTo, Endpoint};
use cited_report::printers::{self, PRINTERS, Printer, TEXT, help_of_formats, help_of_reports};
use cited_works::IndexAddress;

/// Checks whether the sources of a document say what it claims, and repairs its citations.
#[derive(Debug, Clone, Parser)]
#[command(name = "cited", version, about, max_term_width = 100, propagate_version = true, after_help = EXIT_STATUSES)]
pub struct Args {
    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t = When::Auto, hide_short_help = true)]
    pub color: When,

    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands in the order of `cited -h`, by what somebody is about to do. What the build lacks is left out.
const COMMANDS: [(&str, &[&str]); 4] = [
    ("Check documents", &["verify", "check", "works", "judge"]),
    ("Watch, accept, write", &["audit", "gate", "render"]),
    ("For other programs", &["mcp", "serve", "mdbook", "worker", "run"]),
    ("Look and learn", &["show", "explain", "schema", "completions", "man"]),
];

/// The command line, whose help has the commands in groups.
pub fn command() -> clap::Command {
    let command = Args::command();
    let (styles, width) = (Styles::styled(), 13);
    let (head, name) = (styles.get_header(), styles.get_literal());
    let about = |wanted: &str| {
        let one = command.get_subcommands().find(|one| one.get_name() == wanted && !one.is_hide_set())?;
        Some(format!("  {name}{wanted:<width$}{name:#}{}\n", one.get_about()?))
    };
    let group = |(title, names): (&str, &[&str])| {
        let commands: String = names.iter().filter_map(|wanted| about(wanted)).collect();
        format!("{head}{title}:{head:#}\n{commands}")
    };
    let groups: String = COMMANDS.map(group).concat();
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}\n{head}Options:{head:#}\n{{options}}{{after-help}}"
    );
    command.help_template(template)
}

const EXIT_STATUSES: &str = "Exit status: 0 done; 1 it falls short; 2 it could not run; 3 BLOCKED: it could not check";

/// Everything that steers a command: the table of settings. Each is an argument of its own, and a command takes those that it names.
#[derive(Clone, Group)]
pub struct Settings {
    /// Research file or folder of them (repeatable)
    ///
    /// Markdown, JSON or a bibliography. Without it they are found by the draft's name: `SLUG-research*.md` for `SLUG-draft.md`.
    #[arg(short, long, value_name = "PATH", help_heading = "Checking")]
    pub research: Vec<PathBuf>,
    /// What becomes of claims that fall short.
    #[command(flatten)]
    pub policy: Policy,
    /// What is checked and how it ends up in the brief.
    #[command(flatten)]
    pub work: WorkFlags,
    /// What `cited check` looks for and what makes it fail.
    #[command(flatten)]
    pub check: CheckFlags,
    /// What an audit remembers, and how much it does.
    #[command(flatten)]
    pub audit: AuditFlags,
    /// What counts for the clients of a service.
    #[command(flatten)]
    pub guard: GuardFlags,
    /// How sources are asked.
    #[command(flatten)]
    pub network: NetworkFlags,
    /// Keep everything that is fetched, so that --replay can run on it
    ///
    /// Writes everything that is fetched into an evidence bundle (WARC).
    #[arg(
        long,
        value_name = "FILE.warc.gz",
        conflicts_with = "replay",
        hide_short_help = true,
        help_heading = "Network"
    )]
    pub record: Option<PathBuf>,
    /// A search of yours: a command that reads `{"claim": …}` and writes addresses, or an address with `{claim}` in it
    #[arg(long, value_name = "COMMAND|URL", help_heading = "Service")]
    pub search: Option<String>,
    /// The command or address of a judge of criteria.
    #[arg(long)]
    pub agent: Option<String>,
    /// Files of metrics that the gate trusts.
    #[arg(long)]
    pub metrics: Vec<PathBuf>,
    /// How findings are printed.
    #[arg(long, value_name = "FORMAT", value_parser = format(), default_value = "text", hide_default_value = true, hide_possible_values = true, help = help_of_formats())]
    pub format: &'static Printer,
    /// Show progress
    #[arg(long, value_name = "WHEN", value_enum, default_value_t, hide_default_value = true, hide_short_help = true)]
    pub progress: When,
    /// The severities that the user gives to codes.
    #[arg(long, value_parser = severity)]
    pub severity: Vec<(Code, Severity)>,
    /// Checks of the judge that are not asked.
    #[arg(long, value_parser = check)]
    pub checks_off: Vec<&'static str>,
    /// How the web is asked, by all of these.
    #[arg(skip)]
    pub fetch: cited_fetch::Settings,
    /// Every setting with its origin.
    #[arg(skip)]
    pub in_force: Vec<InForce>,
}

/// A setting as it is in force, for `cited show settings`.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct InForce {
    /// Its name.
    pub name: String,
    /// Its value or values.
    pub values: Vec<String>,
    /// Where it comes from.
    pub origin: String,
}

/// The settings that a run takes which verifies a draft.
const OF_VERIFY: &str = "research Policy WorkFlags format record NetworkFlags progress";
/// The settings that a service takes.
const OF_SERVICE: &str = "WorkFlags Policy GuardFlags search NetworkFlags";

/// The arguments of settings, by their own names and those of groups.
fn settings(names: &str) -> Vec<Arg> {
    let table = Settings::augment_args(clap::Command::new("settings"));
    let named = |id: &Id| names.split(' ').any(|name| id == name);
    let groups: Vec<&ArgGroup> = table.get_groups().filter(|group| named(group.get_id())).collect();
    let is_taken = |arg: &&Arg| {
        named(arg.get_id()) || groups.iter().any(|group| group.get_args().any(|member| member == arg.get_id()))
    };
    table.get_arguments().filter(is_taken).cloned().collect()
}

/// The commands.
#[derive(Debug, Clone, Subcommand)]
pub enum Command {
    /// Check a draft against its sources and write the verified brief
    #[command(args = settings(OF_VERIFY))]
    Verify {
        /// The draft, Markdown; `-` for standard input
        draft: PathBuf,
        /// How it is verified.
        #[command(flatten)]
        flags: Box<VerifyFlags>,
    },
    /// Accept or reject an artifact by its ledger, manifest or criteria
    #[command(args = settings("format NetworkFlags"))]
    Gate(Box<Gate>),
    /// Check documents in a pipeline: citations, links, sources
    #[command(args = settings("CheckFlags format record NetworkFlags progress"))]
    Check(Check),
    /// Watch sources over time, and tell what is new: rot, drift, moves
    #[command(args = settings("AuditFlags fail_on format record NetworkFlags progress"))]
    Audit(Box<Audit>),
    /// Do the work that an audit on PostgreSQL has queued, until stopped
    #[command(args = settings("state NetworkFlags progress"))]
    Worker(TalkFlags),
    /// Write a report, or cited prose, from a record alone
    Render {
        /// The record, JSON; `-` for standard input
        record: PathBuf,

        /// The prose (.md), or a report, as `verify --report` writes it; `-` for standard output, the default
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,

        /// Print errors only
        #[arg(short, long)]
        quiet: bool,
    },
    /// Check the chapters of a book as a preprocessor of mdBook
    Mdbook {
        /// Whether a renderer is supported, as mdBook asks: all are; without it, a book comes on standard input and goes to standard output
        #[arg(value_parser = ["supports"], requires = "renderer")]
        supports: Option<String>,
        /// The renderer
        renderer: Option<String>,
    },
    /// Run an agent's task that is given in words
    #[command(args = settings(OF_VERIFY))]
    Run(RunAgent),
    /// Judge one claim by pages or files, with the words that decide
    #[command(args = settings("judge record NetworkFlags"))]
    Judge {
        /// The claim and the pages to judge it by, or `-`
        ///
        /// A page is an http(s) address or a file: HTML, PDF, Markdown, text. `-` reads `{"claim": …, "page": …}` from standard input, one a
        /// line, and answers each line as it comes.
        #[arg(required = true, value_name = "CLAIM PAGE")]
        what: Vec<String>,

        /// How to print it [default: text; from standard input JSON lines]
        #[arg(long, value_name = "FORMAT", value_enum)]
        format: Option<ShowFormat>,
    },
    /// Look references up in indexes: do the works exist, as written?
    #[command(args = settings("record NetworkFlags"))]
    Works(LookUp),
    /// Show what cited sees in a document, a page, or the settings
    #[command(args = settings("research record NetworkFlags progress"))]
    Show {
        /// A Markdown file, http(s) addresses, `settings`, or `-`
        ///
        /// `-` reads addresses from standard input, one a line.
        #[arg(required = true)]
        what: Vec<String>,

        /// How to print it [default: text; for several addresses JSON lines]
        #[arg(long, value_name = "FORMAT", value_enum)]
        format: Option<ShowFormat>,

        /// Show only whether addresses are alive
        ///
        /// Reads no more of each page than this needs.
        #[arg(long)]
        liveness: bool,
    },
    /// Print the JSON Schema of an input or output
    Schema {
        /// The input or output, such as `record`; without a name, all are listed
        name: Option<String>,
    },
    /// Serve agent programs, by the Model Context Protocol (MCP)
    #[cfg_attr(not(feature = "mcp"), command(hide = true))]
    #[command(args = settings(OF_SERVICE))]
    Mcp(Box<ServiceFlags>),
    /// Serve the tools of cited as an HTTP API
    #[cfg_attr(not(feature = "serve"), command(hide = true))]
    #[command(args = settings(&format!("state {OF_SERVICE}")))]
    Serve(Box<Serve>),
    /// Tell more about a kind of finding, or a check of the judge
    Explain {
        /// The code of a finding, such as `dead-source`, or the name of a check, such as `other-number`; without one, all codes and checks
        /// are listed
        code: Vec<String>,
    },
    /// Print a completion script for a shell
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or write one a command into a folder
    Man {
        /// Write a page for cited and one for each command into this folder
        #[arg(long, value_name = "DIR")]
        dir: Option<PathBuf>,
    },
}

/// How a draft is verified.
#[derive(Debug, Clone, Default, Group)]
#[command(next_help_heading = "Output")]
pub struct VerifyFlags {
    /// Look for sources of claims that must have one and have none: offer, write
    ///
    /// The search of `--search` gives addresses; what is there is read, and offered in the report when it supports the claim. `write`
    /// also cites it.
    #[arg(long, value_name = "HOW", value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "offer", hide_possible_values = true, hide_short_help = true, help_heading = "Checking")]
    pub find: Option<Find>,

    /// The search of --find: a command that reads `{"claim": …}` and writes addresses, or an address with `{claim}` in it
    #[arg(long, value_name = "COMMAND|URL", requires = "find", hide_short_help = true, help_heading = "Checking")]
    pub search: Option<String>,
    /// The brief; `-` for standard output [default: NAME-brief.md]
    ///
    /// SLUG-brief.md beside SLUG-draft.md, NAME-brief.md beside NAME.md, cited.md for a draft on standard input. The record and
    /// the provenance stand beside it.
    #[arg(short, long, value_name = "FILE", conflicts_with = "in_place")]
    pub output: Option<PathBuf>,

    /// Write the brief over the draft, kept as FILE.bak
    #[arg(long)]
    pub in_place: bool,

    /// Write the brief although cited would hold it back: see `--help`
    ///
    /// Writes over a brief that somebody has changed or written, and writes one that lost its whole source list or half of its
    /// claims.
    #[arg(long)]
    pub force: bool,

    /// Further files, by their endings.
    #[arg(long, value_name = "FILE", help = help_of_reports())]
    pub report: Vec<PathBuf>,

    /// Print what would change, by words on a terminal, else as a unified diff; write only reports that are asked for
    #[arg(long, conflicts_with = "in_place")]
    pub diff: bool,

    /// Do everything but write: no brief, no side files; only reports that are asked for
    #[arg(long, hide_short_help = true)]
    pub dry_run: bool,

    /// What the run says while and after it works.
    #[command(flatten)]
    pub talk: TalkFlags,
}

/// What becomes of sources that were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Find {
    /// They are offered in the report.
    Offer,
    /// They are cited.
    Write,
}

/// `cited check`.
#[derive(Debug, Clone, Group)]
pub struct Check {
    /// Markdown files, folders of them, or `-`
    ///
    /// Of folders, what `.gitignore` names is left out. `-` is standard input.
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// Also judge whether the sources say it
    ///
    /// Asks them, as with --online.
    #[arg(long, help_heading = "Checking")]
    pub support: bool,

    /// Also look up in indexes whether the works of source lists exist, as written
    ///
    /// Asks the sources, as with --online. Words of the entries leave the machine.
    #[arg(long, help_heading = "Checking", hide_short_help = true)]
    pub works: bool,

    /// Write all findings into the baseline file
    ///
    /// The run then does not fail on them.
    #[arg(long, help_heading = "Checking")]
    pub write_baseline: bool,

    /// Research file, bibliography or folder of them that gives labels and addresses a meaning (repeatable)
    #[arg(short, long, value_name = "PATH", hide_short_help = true)]
    pub research: Vec<PathBuf>,

    /// Further files, by their endings.
    #[arg(long, value_name = "FILE", help = help_of_reports())]
    pub report: Vec<PathBuf>,

    /// What the run says while and after it works.
    #[command(flatten)]
    pub talk: TalkFlags,
}

/// What a check looks for and what makes it fail.
#[derive(Debug, Clone, Default, Group)]
#[command(next_help_heading = "Checking")]
pub struct CheckFlags {
    /// Ask whether sources and links are there
    #[arg(long, action = ArgAction::Set, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", default_value = "false", hide_default_value = true, hide_possible_values = true, value_parser = BoolishValueParser::new())]
    pub online: bool,

    /// What makes it fail: error (default), warning, note, never, codes
    ///
    /// Codes are those of findings; separate several with commas.
    #[arg(long, value_name = "SEVERITY|CODES", value_delimiter = ',', default_value = "error", hide_default_value = true, value_parser = fails)]
    pub fail_on: Vec<Fails>,

    /// Documents of folders to leave out, as in .gitignore (repeatable)
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,

    /// Links to leave out: a host, or an address with * for anything (repeatable)
    #[arg(long = "exclude-link", value_name = "PATTERN")]
    pub exclude_links: Vec<String>,

    /// Folder where links that begin with a slash start
    ///
    /// Otherwise the folder of the site's pages, as its generator has it, or the root of the repository.
    #[arg(long, value_name = "DIR", hide_short_help = true)]
    pub root_dir: Option<PathBuf>,

    /// File of known findings; only new ones make it fail
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
}

impl CheckFlags {
    /// The least severity that fails, and the codes that do. Who names codes alone wants these and nothing else.
    pub fn fails(&self) -> (Option<Severity>, Vec<Code>) {
        let words = self.fail_on.iter();
        (words.clone().rev().find_map(|(least, _)| *least), words.filter_map(|(_, code)| *code).collect())
    }
}

/// `cited run`.
#[derive(Debug, Clone, Group)]
pub struct RunAgent {
    /// The agent whose task it is: verifier, or verifier[output=FILE,reads=FILE+FILE]
    ///
    /// Options may also stand in the task: `output=FILE`, or `output=false` for standard output; `reads=FILE+FILE` are research files.
    /// Others are taken and not used.
    #[arg(value_parser = verifier_options)]
    pub agent: String,

    /// The task: "add citations to x-draft.md and verify its sources"
    ///
    /// Words that ask to add citations, to verify sources or both, and one Markdown path. Who only asks to verify gets a report, and
    /// nothing is changed. Folders that are missing for the result are made.
    #[arg(required = true, value_name = "TEXT")]
    pub text: Vec<String>,

    /// Taken from callers that choose how an agent is started; there is one way here
    #[arg(long, visible_alias = "bg", action = ArgAction::Count, hide_short_help = true)]
    pub fork: u8,

    /// How the draft is verified.
    #[command(flatten)]
    pub flags: VerifyFlags,
}

/// What stands in the brackets behind the name of the agent whose work cited does.
fn verifier_options(text: &str) -> Result<String, String> {
    let (name, rest) = text.split_once('[').unwrap_or((text, "]"));
    let options = rest.strip_suffix(']').ok_or("the bracket of its options is not closed")?;
    let wrong = || format!("`{name}` is no agent that cited knows; there is `verifier`");
    (name == "verifier").then(|| options.to_owned()).ok_or_else(wrong)
}

/// The format of `cited works` that no other command has: the records that were found, for copying.
pub const BIBTEX: &str = "bibtex";

/// `cited works`.
#[derive(Debug, Clone, Group)]
pub struct LookUp {
    /// Files with references: `.bib`, CSL-JSON, `.ris`, Markdown (its lists), or text with one a line; `-` for standard input
    ///
    /// Words of the entries are sent to Crossref, OpenAlex, DBLP, arXiv, Semantic Scholar, PubMed, DataCite, Open Library and doi.org.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// How to print it.
    #[arg(long, value_name = "FORMAT", value_parser = PossibleValuesParser::new(printers::names().chain([BIBTEX])), hide_possible_values = true, help = format!("{}, {BIBTEX} (the records that were found)", help_of_formats()))]
    pub format: Option<String>,

    /// What makes it fail: differs (default), not-found (also when a work is not found), never
    #[arg(long, value_name = "OUTCOME", value_parser = ["differs", "not-found", "never"], default_value = "differs", hide_default_value = true, hide_possible_values = true)]
    pub fail_on: String,

    /// Write the address found into entries without one, and in place of a DOI that is not registered
    #[arg(long)]
    pub write: bool,

    /// Show what --write would change, and write nothing
    #[arg(long)]
    pub diff: bool,
}

/// `cited serve`.
#[derive(Debug, Clone, Group)]
pub struct Serve {
    /// Address and port to listen at; beyond loopback a token is needed, in `CITED_TOKEN`
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:8722")]
    pub listen: String,
    /// Another name of this service that `Host` may say (repeatable)
    #[arg(long, value_name = "NAME")]
    pub host: Vec<String>,
    /// Requests that a client may send a minute
    #[arg(long, value_name = "N", default_value = "600", value_parser = count::<u32>)]
    pub rate: u32,
    /// What clients may do.
    #[command(flatten)]
    pub service: ServiceFlags,
}

/// What clients of a service may do.
#[derive(Debug, Clone, Group)]
#[command(next_help_heading = "Service")]
pub struct ServiceFlags {
    /// Folder whose files clients may name, to read and to write (repeatable) [default: none]
    #[arg(long, value_name = "DIR")]
    pub root: Vec<PathBuf>,
    /// Seconds that one call may take
    #[arg(long, value_name = "SECONDS", default_value = "600", value_parser = |text: &str| seconds(text, &(1.0..=LONGEST)), hide_short_help = true)]
    pub call_timeout: Duration,
    /// Calls that run at once
    #[arg(long, value_name = "N", default_value = "8", value_parser = |text: &str| number::<usize>(text, &(1..=1_000_000)))]
    pub at_once: usize,
    /// Calls that may wait for their turn
    #[arg(long, value_name = "N", default_value = "64", value_parser = |text: &str| number::<usize>(text, &(0..=1_000_000)), hide_short_help = true)]
    pub queue: usize,
}

/// What is checked and how it ends up in the brief.
#[derive(Debug, Clone, Group)]
#[command(next_help_heading = "Checking")]
pub struct WorkFlags {
    /// What reviewers decided on claims, as a report exports it
    ///
    /// A decision is applied where claim and evidence are those that were reviewed, and is a finding where they have changed.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub decisions: Option<PathBuf>,

    /// Also remove claims that are otherwise only marked or noted: `--on-denied drop --on-unsupported drop --on-unverifiable drop`
    #[arg(long, action = ArgAction::Set, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", default_value = "false", hide_default_value = true, hide_possible_values = true, value_parser = clap::value_parser!(bool), hide_short_help = true)]
    pub strict_evidence: bool,

    /// Look up in indexes whether the works of sources exist, as written: on, off, all, write
    ///
    /// `on` asks for entries with a DOI or another identifier, and for those that have no address or one that is gone. `all` asks for every
    /// entry of a work. `write` also puts the address that was found in the place of one that is gone. Words of the entries leave the machine.
    #[arg(long, value_enum, default_value = "on", hide_possible_values = true, hide_short_help = true)]
    pub works: Scope,

    /// Add a section of notes on the claims that stay with reservations
    #[arg(long, action = ArgAction::Set, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", default_value = "false", hide_default_value = true, hide_possible_values = true, value_parser = BoolishValueParser::new(), hide_short_help = true)]
    pub notes: bool,

    /// How the brief cites
    #[arg(long, value_name = "STYLE", value_enum, default_value = "numeric", hide_short_help = true)]
    pub style: Style,

    /// Remove a clause that ends with its own dead citation, and keep the rest of its sentence
    #[arg(long, action = ArgAction::Set, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", default_value = "false", hide_default_value = true, hide_possible_values = true, value_parser = BoolishValueParser::new(), hide_short_help = true)]
    pub clauses: bool,

    /// Whether to judge what the sources say: on, off
    #[arg(long, action = ArgAction::Set, value_name = "SWITCH", default_value = "on", hide_possible_values = true, value_parser = BoolishValueParser::new(), hide_short_help = true)]
    pub support: bool,

    /// A judge of yours for what no exact check decides: a command that reads a question as JSON and answers in JSON, or the
    /// address of an `OpenAI`-compatible endpoint (`https://HOST/v1#MODEL`, its key in `CITED_JUDGE_KEY`)
    #[arg(long, value_name = "COMMAND|URL", hide_short_help = true)]
    pub judge: Option<String>,

    /// How long the judge may take for one answer, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = |text: &str| seconds(text, &(0.1..=3600.0)), hide_short_help = true)]
    pub judge_timeout: Duration,

    /// How many questions the judge is asked at once
    #[arg(long, value_name = "NUMBER", default_value = "4", value_parser = |text: &str| number::<usize>(text, &(1..=64)), hide_short_help = true)]
    pub judge_concurrency: usize,

    /// How many tokens the judge may take in a run; then it is asked no more [default: no limit]
    #[arg(long, value_name = "TOKENS", value_parser = count::<u64>, hide_short_help = true)]
    pub judge_budget: Option<u64>,
}

/// How `cited show` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum ShowFormat {
    /// For people.
    #[default]
    Text,
    /// For programs.
    Json,
}

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

    /// Further files, by their endings.
    #[arg(long, value_name = "FILE", help = help_of_reports())]
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
    #[arg(long, value_name = "N", value_parser = count::<usize>)]
    pub max_checks: Option<usize>,

    /// Time to ask at most, such as 30m; the rest is due the next time
    #[arg(long, value_name = "TIME", value_parser = age, hide_short_help = true)]
    pub max_time: Option<Duration>,

    /// Ask nobody from here: queue what is due on the database, and wait for the workers
    #[arg(long, action = ArgAction::Set, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", default_value = "false", hide_default_value = true, hide_possible_values = true, value_parser = BoolishValueParser::new(), hide_short_help = true)]
    pub workers_only: bool,
}

/// What `cited audit` does beside auditing.
#[derive(Debug, Clone, Subcommand)]
pub enum AuditCommand {
    /// Note that a broken source is known, until a date
    #[command(args = settings("state now config"))]
    Ack(Acknowledge),
}

/// `cited audit ack`.
#[derive(Debug, Clone, Group)]
pub struct Acknowledge {
    /// The source, by an address that a document cites
    pub address: String,

    /// Why it stays as it is
    #[arg(long, value_name = "TEXT", value_parser = |text: &str| (!text.trim().is_empty()).then(|| text.to_owned()).ok_or("must have words"))]
    pub reason: String,

    /// The last day on which it is not reported, such as 2026-12-31
    #[arg(long, value_name = "DATE", value_parser = |text: &str| text.parse::<Date>().map_err(|_| "must be a day such as 2026-12-31"))]
    pub until: Date,

    /// Who says so [default: the user's name]
    #[arg(long, value_name = "NAME")]
    pub who: Option<String>,
}

/// What a gate is asked for.
#[derive(Debug, Clone, Default, Group)]
#[group(skip)]
pub struct Gate {
    /// The claim ledger of an artifact, JSON; `-` for standard input
    #[arg(value_name = "LEDGER", required_unless_present_any = ["criteria", "manifest", "init"])]
    pub ledger: Option<PathBuf>,

    /// Write the skeleton of a ledger for this draft, Markdown, on standard output; nothing is judged
    #[arg(long, value_name = "DRAFT", conflicts_with_all = ["ledger", "criteria", "manifest"])]
    pub init: Option<PathBuf>,

    /// CSV, TSV, JSON, NDJSON or SQLite file, or folder (repeatable)
    ///
    /// The stem of a file names its table.
    #[arg(long, value_name = "PATH", help_heading = "Evidence")]
    pub data: Vec<PathBuf>,

    /// Sources that are quoted: file or folder (repeatable)
    ///
    /// Called by path or stem in `sourceId`.
    #[arg(long, value_name = "PATH", help_heading = "Evidence")]
    pub sources: Vec<PathBuf>,

    /// Record of an earlier run, whose pinned passages may be quoted by number or address of their source
    #[arg(long = "record", value_name = "FILE", hide_short_help = true, help_heading = "Evidence")]
    pub citation_record: Option<PathBuf>,

    /// Metrics that the caller declares, JSON or TOML (repeatable)
    ///
    /// Names and definitions; they win over those of the ledger.
    #[arg(long, value_name = "FILE", help_heading = "Evidence")]
    pub metrics: Vec<PathBuf>,

    /// Refuse metrics that only the ledger declares
    #[arg(long, hide_short_help = true, help_heading = "Evidence")]
    pub trusted_metrics_only: bool,

    /// Acceptance criteria, JSON or TOML
    #[arg(long, value_name = "FILE", help_heading = "Criteria")]
    pub criteria: Option<PathBuf>,

    /// The artifact under test, for judges [default: the ledger's summary]
    #[arg(long, value_name = "FILE", hide_short_help = true, help_heading = "Criteria")]
    pub artifact: Option<PathBuf>,

    /// Judge of criteria of type `agent`: a command that reads the question on standard input, or an address; wins over the criteria
    /// file's
    #[arg(long, value_name = "COMMAND|URL", hide_short_help = true, help_heading = "Criteria")]
    pub agent: Option<String>,

    /// Claim manifest to check against --corpus
    #[arg(long, value_name = "FILE", requires = "corpus", help_heading = "Criteria")]
    pub manifest: Option<PathBuf>,

    /// The folder that a manifest's evidence lies in
    #[arg(long, value_name = "DIR", help_heading = "Criteria")]
    pub corpus: Option<PathBuf>,

    /// Write what happens as JSON lines; `-` for standard output
    #[arg(long, value_name = "FILE|-", help_heading = "Criteria")]
    pub events: Option<PathBuf>,

    /// Begin the next round of an events file that ends in a failed validation: what failed was reworked
    #[arg(long, requires = "events", hide_short_help = true, help_heading = "Criteria")]
    pub rework: bool,

    /// Pass when there is nothing to check
    #[arg(long, hide_short_help = true, help_heading = "Criteria")]
    pub allow_empty: bool,

    /// Further files, by their endings.
    #[arg(long, value_name = "FILE", help_heading = "Output", help = help_of_reports())]
    pub report: Vec<PathBuf>,

    /// Print nothing; only the exit status tells the result
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,
}

/// How sources are asked.
#[derive(Debug, Clone, Group)]
#[command(next_help_heading = "Network")]
pub struct NetworkFlags {
    /// Use no network: pages that are in no bundle and no cache stay unasked
    #[arg(long, action = ArgAction::Set, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", default_value = "false", hide_default_value = true, hide_possible_values = true, value_parser = BoolishValueParser::new())]
    pub offline: bool,

    /// Take everything from an evidence bundle, without any network
    #[arg(long, value_name = "FILE.warc.gz", hide_short_help = true)]
    pub replay: Option<PathBuf>,

    /// Requests in flight at once
    #[arg(long, value_name = "N", default_value = "128", value_parser = count::<usize>, hide_short_help = true)]
    pub concurrency: usize,

    /// Requests at once to one host
    #[arg(long, value_name = "N", default_value = "1", value_parser = count::<usize>, hide_short_help = true)]
    pub per_host: usize,

    /// Seconds between the end of a request to a host and the next one to it; up to 10 more for a host that turns requests away
    #[arg(long, value_name = "SECONDS", default_value = "0.05", value_parser = |text: &str| seconds(text, &(0.0..=LONGEST)), hide_short_help = true)]
    pub pause: Duration,

    /// Seconds for one request, connection and body included
    #[arg(long, value_name = "SECONDS", default_value = "45", value_parser = |text: &str| seconds(text, &(SHORTEST..=LONGEST)), hide_short_help = true)]
    pub timeout: Duration,

    /// HTTP proxy for all requests
    #[arg(long, value_name = "URL", value_parser = web_address, hide_short_help = true)]
    pub proxy: Option<Url>,

    /// How cited introduces itself [default: its name, its version and the contact]
    #[arg(long, value_name = "TEXT", value_parser = printable, hide_short_help = true)]
    pub user_agent: Option<String>,

    /// How the owner of a site can reach you: an e-mail or web address, given in the User-Agent
    #[arg(long, value_name = "ADDRESS", value_parser = contact, hide_short_help = true)]
    pub contact: Option<String>,

    /// Ask only what a site's robots.txt allows
    #[arg(long, action = ArgAction::Set, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", default_value = "false", hide_default_value = true, hide_possible_values = true, value_parser = BoolishValueParser::new(), hide_short_help = true)]
    pub robots: bool,

    /// Another address of an index of works, or none: NAME=URL, NAME=off (repeatable)
    #[arg(long, value_name = "NAME=URL|off", value_parser = IndexAddress::parse, hide_short_help = true)]
    pub index: Vec<IndexAddress>,

    /// Have the Wayback Machine keep cited pages that it has no copy of; an account's KEY:SECRET is taken from
    /// `CITED_SAVE_CREDENTIALS`
    #[arg(long, action = ArgAction::Set, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", default_value = "false", hide_default_value = true, hide_possible_values = true, value_parser = BoolishValueParser::new(), hide_short_help = true)]
    pub save: bool,

    /// Connect to HOST2:PORT2 where HOST1:PORT1 is asked for, as in curl; an empty part matches all (repeatable)
    #[arg(long, value_name = "HOST1:PORT1:HOST2:PORT2", hide_short_help = true)]
    pub connect_to: Vec<ConnectTo>,

    /// Certificates in PEM to trust beside the system's (repeatable)
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub cacert: Vec<PathBuf>,

    /// Archive to ask for copies of dead sources, or `none` (repeatable)
    #[arg(long, value_name = "URL", default_value = "https://web.archive.org/", value_parser = archive, hide_short_help = true)]
    pub archive: Vec<Option<Endpoint>>,

    /// Address range that may be asked although it is not public, such as 10.0.0.0/8 (repeatable)
    #[arg(long, value_name = "CIDR", value_parser = range, hide_short_help = true)]
    pub allow_net: Vec<IpNet>,

    /// Folder that keeps pages between runs, or `off` [default: the user's cache folder]
    #[arg(long, value_name = "DIR|off", hide_short_help = true)]
    pub cache: Option<PathBuf>,

    /// Age up to which a kept page is used without asking again, such as 2h or 7d
    #[arg(long, value_name = "AGE", default_value = "1d", value_parser = age, hide_short_help = true)]
    pub max_age: Duration,

    /// The time that counts as now, for runs that can be repeated, such as 2026-01-31T12:00:00Z
    #[arg(long, value_name = "TIME", value_parser = |text: &str| text.parse::<Timestamp>().map_err(|_| "must be a time such as 2026-01-31T12:00:00Z"), hide_short_help = true)]
    pub now: Option<Timestamp>,

    /// Settings file, in place of the nearest `cited.toml` upward
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub config: Option<PathBuf>,
}

/// When to do something that suits only a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum When {
    /// When the output is a terminal.
    #[default]
    Auto,
    /// Also when it is not; `plain` is another word for it.
    #[value(alias = "plain")]
    Always,
    /// Not at all.
    Never,
}

/// What a run says while and after it works.
#[derive(Debug, Clone, Default, Group)]
pub struct TalkFlags {
    /// Print errors only
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,

    /// Print notes as well
    #[arg(short, long)]
    pub verbose: bool,
}

/// What counts unless a call says otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Group)]
#[command(next_help_heading = "Grounding")]
pub struct GuardFlags {
    /// Lowest probability at which a claim is supported
    #[arg(long, value_name = "0..1", default_value_t = cited_judge::Settings::default().supported, value_parser = |text: &str| number::<f64>(text, &(0.0..=1.0)), hide_short_help = true)]
    pub support_threshold: f64,
    /// Probability below which a claim is unverifiable
    #[arg(long, value_name = "0..1", default_value_t = cited_judge::Settings::default().weak, value_parser = |text: &str| number::<f64>(text, &(0.0..=1.0)), hide_short_help = true)]
    pub unverifiable_threshold: f64,
}

type Read<T> = Result<T, String>;

/// The longest time limit that is not a slip of the hand, in seconds.
const LONGEST: f64 = 86_400.0;
/// The shortest time limit, in seconds.
const SHORTEST: f64 = 0.001;

/// A number of a range.
fn number<T: FromStr + PartialOrd + Display>(text: &str, range: &RangeInclusive<T>) -> Read<T> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("must be a number from {} to {}", range.start(), range.end()))
}

/// A count of at least one.
pub(super) fn count<T: FromStr + PartialOrd + From<u8>>(text: &str) -> Read<T> {
    let count = text.parse().ok().filter(|count| *count >= T::from(1));
    count.ok_or_else(|| "must be a whole number of at least 1".to_owned())
}

/// Seconds of a range.
fn seconds(text: &str, range: &RangeInclusive<f64>) -> Read<Duration> {
    number(text, range).map(Duration::from_secs_f64).map_err(|why| format!("{why} seconds"))
}

/// A length of time, as `30m`, `2h` or `7d`.
fn age(text: &str) -> Read<Duration> {
    let wrong = || "must be a time such as 30m, 2h or 7d".to_owned();
    let span: jiff::Span = text.parse().map_err(|_| wrong())?;
    let age = span.to_duration(jiff::SpanRelativeTo::days_are_24_hours()).map_err(|_| wrong())?;
    Duration::try_from(age).map_err(|_| wrong())
}

/// An archive; nothing for `none`.
fn archive(text: &str) -> Read<Option<Endpoint>> {
    if text == "none" { Ok(None) } else { Endpoint::parse(text).map(Some) }
}

/// A range of addresses, or one address.
fn range(text: &str) -> Read<IpNet> {
    let address = || text.parse().map(|address: std::net::IpAddr| IpNet::from(address));
    text.parse().or_else(|_| address()).map_err(|_| "must be a range such as 10.0.0.0/8".to_owned())
}

/// What stands in a header.
fn printable(text: &str) -> Read<String> {
    let is_printable = !text.trim().is_empty() && text.chars().all(|c| c == ' ' || c.is_ascii_graphic());
    is_printable.then(|| text.to_owned()).ok_or_else(|| "must be printable ASCII".to_owned())
}

/// An e-mail address or a web address, such as can stand in a header.
fn contact(text: &str) -> Read<String> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic() && !b"();<>".contains(&byte));
    let is_contact = is_plain && (text.contains('@') || web_address(text).is_ok());
    is_contact.then(|| text.to_owned()).ok_or_else(|| "must be an e-mail address or an http(s) address".to_owned())
}

/// An address on the web.
fn web_address(text: &str) -> Read<Url> {
    let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    url.ok_or_else(|| "must be an http or https address".to_owned())
}

/// A check of the judge, by its name.
fn check(text: &str) -> Read<&'static str> {
    cited_judge::checks::check(text).map(|check| check.id).ok_or_else(|| "no such check".to_owned())
}

/// The severity that a line of `[severity]` gives to a code.
fn severity(text: &str) -> Read<(Code, Severity)> {
    let (code, severity) = text.split_once('=').ok_or("must be a table: code = \"error\", \"warning\" or \"note\"")?;
    let code = Code::parse(code).ok_or("no such code; `cited explain` lists them")?;
    Ok((code, severity.parse().map_err(|_| "must be error, warning or note")?))
}

/// The printers that have a name, by it.
fn format() -> impl TypedValueParser<Value = &'static Printer> {
    let named = || PRINTERS.iter().filter_map(|printer| Some((printer.name?, printer)));
    let find = move |name: String| named().find(|(known, _)| *known == name).map(|(_, printer)| printer);
    PossibleValuesParser::new(printers::names()).try_map(move |name| find(name).ok_or("no such format"))
}

/// Whether a format is text for people, the default.
pub fn is_text(format: &Printer) -> bool {
    format.name == TEXT.name
}

/// What one word of `--fail-on` lets fail: findings of a severity and of graver ones, or those of one kind; `never` neither.
pub type Fails = (Option<Severity>, Option<Code>);

/// Reads a word of `--fail-on`.
fn fails(text: &str) -> Read<Fails> {
    let fails = (text.parse().ok(), Code::parse(text));
    let wrong = "must be error, warning, note, never, or codes of findings; `cited explain` lists them";
    (text == "never" || fails != (None, None)).then_some(fails).ok_or_else(|| wrong.to_owned())
}
