//! How sources are asked, as typed.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::BoolishValueParser;
use clap::{ArgAction, Args as Group};
use ipnet::IpNet;
use jiff::Timestamp;
use url::Url;

use super::values;
use cited_fetch::{ConnectTo, Endpoint};
use cited_works::IndexAddress;

/// How sources are asked, and whether what they answer is kept.
#[derive(Debug, Clone, Group)]
#[command(next_help_heading = "Network")]
pub struct NetworkFlags {
    /// Keep everything that is fetched, so that --replay can run on it
    ///
    /// Writes everything that is fetched into an evidence bundle (WARC).
    #[arg(long, value_name = "FILE.warc.gz", conflicts_with = "replay")]
    pub record: Option<PathBuf>,

    /// How sources are asked.
    #[command(flatten)]
    pub asking: AskingFlags,
}

/// How sources are asked.
#[derive(Debug, Clone, Group)]
#[command(next_help_heading = "Network")]
pub struct AskingFlags {
    /// Use no network: pages that are in no bundle and no cache stay unasked
    #[arg(long, action = ArgAction::Set, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", default_value = "false", hide_default_value = true, hide_possible_values = true, value_parser = BoolishValueParser::new())]
    pub offline: bool,

    /// Take everything from an evidence bundle, without any network
    #[arg(long, value_name = "FILE.warc.gz", hide_short_help = true)]
    pub replay: Option<PathBuf>,

    /// Requests in flight at once
    #[arg(long, value_name = "N", default_value = "128", value_parser = values::count::<usize>, hide_short_help = true)]
    pub concurrency: usize,

    /// Requests at once to one host, always [default: 1, and up to 6 to one that answers well and soon]
    #[arg(long, value_name = "N", value_parser = values::count::<usize>, hide_short_help = true)]
    pub per_host: Option<usize>,

    /// Seconds between the end of a request to a host and the next one to it, always [default: 0.1, and 0.05 to 10 by how the host answers]
    #[arg(long, value_name = "SECONDS", value_parser = |text: &str| values::seconds(text, &(0.0..=values::LONGEST)), hide_short_help = true)]
    pub pause: Option<Duration>,

    /// Seconds for one request, connection and body included
    #[arg(long, value_name = "SECONDS", default_value = "45", value_parser = |text: &str| values::seconds(text, &(values::SHORTEST..=values::LONGEST)), hide_short_help = true)]
    pub timeout: Duration,

    /// HTTP proxy for all requests
    #[arg(long, value_name = "URL", value_parser = values::web_address, hide_short_help = true)]
    pub proxy: Option<Url>,

    /// How cited introduces itself [default: its name, its version and the contact]
    #[arg(long, value_name = "TEXT", value_parser = values::printable, hide_short_help = true)]
    pub user_agent: Option<String>,

    /// How the owner of a site can reach you: an e-mail or web address, given in the User-Agent
    #[arg(long, value_name = "ADDRESS", value_parser = values::contact, hide_short_help = true)]
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
    #[arg(long, value_name = "URL", default_value = "https://web.archive.org/", value_parser = values::archive, hide_short_help = true)]
    pub archive: Vec<Option<Endpoint>>,

    /// Address range that may be asked although it is not public, such as 10.0.0.0/8 (repeatable)
    #[arg(long, value_name = "CIDR", value_parser = values::range, hide_short_help = true)]
    pub allow_net: Vec<IpNet>,

    /// Folder that keeps pages between runs, or `off` [default: the user's cache folder]
    #[arg(long, value_name = "DIR|off", hide_short_help = true)]
    pub cache: Option<PathBuf>,

    /// Age up to which a kept page is used without asking again, such as 2h or 7d
    #[arg(long, value_name = "AGE", default_value = "1d", value_parser = values::age, hide_short_help = true)]
    pub max_age: Duration,

    /// The time that counts as now, for runs that can be repeated, such as 2026-01-31T12:00:00Z
    #[arg(long, value_name = "TIME", value_parser = values::time, hide_short_help = true)]
    pub now: Option<Timestamp>,

    /// Settings file, in place of the nearest `cited.toml` upward
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub config: Option<PathBuf>,
}
