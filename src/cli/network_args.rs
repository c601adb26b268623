//! How sources are asked, as typed.

use std::path::PathBuf;

use clap::Args as Group;

/// How sources are asked, and whether what they answer is kept.
#[derive(Debug, Clone, Default, Group)]
#[command(next_help_heading = "Network")]
pub struct NetworkFlags {
    /// Keep all that is fetched; --replay runs on it again
    ///
    /// Writes everything that is fetched into an evidence bundle (WARC).
    #[arg(long, value_name = "FILE.warc.gz", conflicts_with = "replay")]
    pub record: Option<PathBuf>,

    /// How sources are asked.
    #[command(flatten)]
    pub asking: AskingFlags,
}

impl From<AskingFlags> for NetworkFlags {
    fn from(asking: AskingFlags) -> Self {
        NetworkFlags { record: None, asking }
    }
}

/// How sources are asked.
#[derive(Debug, Clone, Default, Group)]
#[command(next_help_heading = "Network")]
pub struct AskingFlags {
    /// Ask nobody: what is not in a bundle stays unasked
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_possible_values = true)]
    pub offline: Option<bool>,

    /// Take everything from an evidence bundle, without any network
    #[arg(long, value_name = "FILE.warc.gz", hide_short_help = true)]
    pub replay: Option<PathBuf>,

    /// Requests in flight at once [default: 128]
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub concurrency: Option<usize>,

    /// Requests at once to one host, always [default: 1, and up to 6 to one that answers well and soon]
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub per_host: Option<usize>,

    /// Seconds between the end of a request to a host and the next one to it, always [default: 0.1, and 0.05 to 10 by how the host answers]
    #[arg(long, value_name = "SECONDS", hide_short_help = true)]
    pub pause: Option<f64>,

    /// Seconds for one request, connection and body included [default: 45]
    #[arg(long, value_name = "SECONDS", hide_short_help = true)]
    pub timeout: Option<f64>,

    /// HTTP proxy for all requests
    #[arg(long, value_name = "URL", hide_short_help = true)]
    pub proxy: Option<String>,

    /// How cited introduces itself [default: its name, its version and the contact]
    #[arg(long, value_name = "TEXT", hide_short_help = true)]
    pub user_agent: Option<String>,

    /// Where whoever runs a site reaches you: an e-mail or web address, given in the User-Agent
    #[arg(long, value_name = "ADDRESS", hide_short_help = true)]
    pub contact: Option<String>,

    /// Ask only what a site's robots.txt allows
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_possible_values = true, hide_short_help = true)]
    pub robots: Option<bool>,

    /// Another address of an index of works, or none: NAME=URL, NAME=off (repeatable)
    #[arg(long, value_name = "NAME=URL|off", hide_short_help = true)]
    pub index: Vec<String>,

    /// Have the Wayback Machine keep cited pages that it has no copy of; an account's KEY:SECRET is taken from
    /// `CITED_SAVE_CREDENTIALS`
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_possible_values = true, hide_short_help = true)]
    pub save: Option<bool>,

    /// Connect to HOST2:PORT2 where HOST1:PORT1 is asked for, as in curl; an empty part matches all (repeatable)
    #[arg(long, value_name = "HOST1:PORT1:HOST2:PORT2", hide_short_help = true)]
    pub connect_to: Vec<String>,

    /// Certificates in PEM to trust beside the system's (repeatable)
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub cacert: Vec<PathBuf>,

    /// Archive to ask for copies of dead sources, or `none` (repeatable) [default: the Wayback Machine]
    #[arg(long, value_name = "URL", hide_short_help = true)]
    pub archive: Vec<String>,

    /// Address range that may be asked although it is not public, such as 10.0.0.0/8 (repeatable)
    #[arg(long, value_name = "CIDR", hide_short_help = true)]
    pub allow_net: Vec<String>,

    /// Folder that keeps pages between runs, or `off` [default: the user's cache folder]
    #[arg(long, value_name = "DIR|off", hide_short_help = true)]
    pub cache: Option<PathBuf>,

    /// How old a kept page may be without asking whether it still holds, such as 2h or 7d [default: 1d]
    #[arg(long, value_name = "AGE", hide_short_help = true)]
    pub max_age: Option<String>,

    /// The time that counts as now, for runs that can be repeated, such as 2026-01-31T12:00:00Z
    #[arg(long, value_name = "TIME", hide_short_help = true)]
    pub now: Option<String>,

    /// Settings file, in place of the nearest `cited.toml` upward
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub config: Option<PathBuf>,
}
