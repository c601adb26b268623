//! The settings in force: what the settings file, the environment and the command line say, merged once and read by one table.

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use clap::{Args as Group, Command, FromArgMatches as _};

use super::args::{AuditFlags, CheckFlags, GuardFlags, NetworkFlags, When, WorkFlags};
use super::layers::{self, DEFAULT, InForce, Typed};
use super::values;
use crate::pipeline::{Options, Works};
use cited_core::decide::Treatment;
use cited_core::error::{Error, Result};
use cited_core::finding::{Code, Severity};
use cited_fetch::pdf::PdfReader;
use cited_fetch::{Bundle, CachePlace, Credentials, Save};
use cited_report::printers::Printer;

/// Pages of a PDF that are read.
pub const MOST_PDF_PAGES: usize = 200;

/// The variable that holds the account that the Wayback Machine is asked with to keep pages. Files are shared, and command lines are seen
/// by others.
const ACCOUNT: &str = "CITED_SAVE_CREDENTIALS";

/// Everything that steers a command: the table of settings. Each is an argument of its own.
#[derive(Debug, Clone, Group)]
pub struct Settings {
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
    /// The command or address of a search of the user's.
    #[arg(long, value_parser = values::lent)]
    pub search: Option<String>,
    /// The command or address of a judge of criteria.
    #[arg(long, value_parser = values::lent)]
    pub agent: Option<String>,
    /// Files of metrics that the gate trusts.
    #[arg(long)]
    pub metrics: Vec<PathBuf>,
    /// How findings are printed.
    #[arg(long, value_parser = values::format(), default_value = "text")]
    pub format: &'static Printer,
    /// When progress is shown.
    #[arg(long, value_enum, default_value_t)]
    pub progress: When,
    /// The severities that the user gives to codes.
    #[arg(long, value_parser = values::severity)]
    pub severity: Vec<(Code, Severity)>,
    /// Checks of the judge that are not asked.
    #[arg(long, value_parser = values::check)]
    pub checks_off: Vec<&'static str>,
    /// How the web is asked, by all of these.
    #[arg(skip)]
    pub fetch: cited_fetch::Settings,
    /// Every setting with its origin.
    #[arg(skip)]
    pub in_force: Vec<InForce>,
}

/// The table of settings, with the default that this machine gives.
pub fn table() -> Command {
    static CACHE: LazyLock<String> =
        LazyLock::new(|| users_cache().map_or_else(|| "off".to_owned(), |folder| folder.display().to_string()));
    let table = Settings::augment_args(Command::new("settings").no_binary_name(true));
    table.mut_arg("cache", |arg| arg.default_value(CACHE.as_str()))
}

impl Settings {
    /// Merges what was typed with the settings file, which is looked for from `folder` on, and the environment of this process.
    ///
    /// # Errors
    /// When a value cannot be used, or a name is unknown.
    pub fn resolve(typed: &Typed, folder: &Path) -> Result<Settings> {
        let folder = std::path::absolute(Path::new(".").join(folder)).unwrap_or_else(|_| folder.to_path_buf());
        let (matches, in_force) = layers::read(&table(), typed, &folder)?;
        let read = Settings::from_arg_matches(&matches);
        let mut settings = read.map_err(|error| Error::defect(error.to_string()))?;
        settings.in_force = in_force;
        settings.fetch = settings.fetching()?;
        Ok(settings)
    }

    /// Whether nobody set this.
    pub fn is_default(&self, name: &str) -> bool {
        self.in_force.iter().any(|one| one.name == name && one.origin == DEFAULT)
    }

    /// How drafts are checked and what becomes of their claims; the judge and the indexes are not open yet.
    pub fn options(&self) -> Options {
        let WorkFlags { mut policy, strict_evidence, works, notes, style, clauses, support, .. } = self.work.clone();
        let (denied, unsupported) =
            (("on-denied", &mut policy.on_denied), ("on-unsupported", &mut policy.on_unsupported));
        for (name, own) in [denied, unsupported, ("on-unverifiable", &mut policy.on_unverifiable)] {
            if strict_evidence && self.is_default(name) {
                *own = Treatment::Drop;
            }
        }
        let without = self.checks_off.iter().copied().collect();
        let works = Works { scope: works, ..Works::default() };
        Options { policy, notes, style, clauses, support, without, works, ..Options::default() }
    }

    fn fetching(&self) -> Result<cited_fetch::Settings> {
        let NetworkFlags { record, asking } = self.network.clone();
        if asking.archive.len() > 1 && asking.archive.contains(&None) {
            return Err(Error::settings("archive: `none` cannot be combined with an address"));
        }
        let standard = cited_fetch::Settings::default();
        let contact = asking.contact;
        let user_agent = || cited_fetch::Settings::user_agent_of(contact.as_deref());
        let account = std::env::var(ACCOUNT).ok().map(|account| Credentials::parse(&account)).transpose();
        let credentials = account.map_err(|why| Error::settings(format!("environment variable {ACCOUNT}: {why}")))?;
        let folder = asking.cache.filter(|folder| folder != Path::new("off"));
        let certificate = |path: &PathBuf| std::fs::read(path).map_err(|error| Error::read(path, error));
        let extra_ca_pem = asking.cacert.iter().map(certificate).collect::<Result<_>>()?;
        Ok(cited_fetch::Settings {
            user_agent: asking.user_agent.clone().unwrap_or_else(user_agent),
            email: contact.filter(|contact| !contact.contains("://")),
            robots: asking.robots,
            save: asking.save.then_some(Save { credentials, interval: None }),
            concurrency: asking.concurrency,
            per_host: asking.per_host,
            host_pause: asking.pause,
            allow_net: asking.allow_net,
            connect_to: asking.connect_to,
            proxy: asking.proxy,
            extra_ca_pem,
            archives: asking.archive.into_iter().flatten().collect(),
            bundle: match (record, asking.replay) {
                (_, Some(path)) => Bundle::Replay(path),
                (Some(path), None) => Bundle::Record(path),
                (None, None) => Bundle::None,
            },
            cache: folder.map(|folder| CachePlace { folder, max_age: asking.max_age }),
            pdf: PdfReader::ourselves(MOST_PDF_PAGES),
            offline: asking.offline,
            clock: asking.now.map_or(standard.clock.clone(), |now| Arc::new(move || now)),
            ..standard.with_timeout(asking.timeout)
        })
    }
}

/// Where programs of this user keep what they can fetch again: `$XDG_CACHE_HOME/cited` (XDG Base Directory), `%LOCALAPPDATA%`
/// on Windows. `None` when the system does not say.
pub fn users_cache() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = variable("XDG_CACHE_HOME")
        .or_else(|| variable("LOCALAPPDATA"))
        .or_else(|| Some(variable("HOME")?.join(if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" })));
    folder.map(|folder| folder.join("cited"))
}
