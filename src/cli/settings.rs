//! The settings in force: what the settings file, the environment and the flags say, validated and merged once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ipnet::IpNet;
use url::Url;

use super::args::{
    AuditFlags, CheckFlags, FailOn, Format, NetworkFlags, OutputFlags, Switch, TalkFlags, When, WorkFlags,
};
use super::fail_on::Fails;
use super::guard::{GuardFlags, GuardSettings};
use super::layers::{InForce, Layers};
use crate::pipeline::{Options, Scope, Style, Works};
use cited_core::decide::{Policy, Treatment};
use cited_core::error::{Error, Result};
use cited_core::finding::{Code, Severity};
use cited_fetch::CachePlace;
use cited_fetch::pdf::PdfReader;
use cited_fetch::{Bundle, Credentials, Endpoint, Save};
use cited_judge::Without;
use cited_works::Place;

/// How old a kept page may be without asking again: long enough for a day of writing.
const MAX_AGE: Duration = Duration::from_hours(24);
/// The longest time limit that is not a slip of the hand, in seconds.
const LONGEST_TIMEOUT: f64 = 86_400.0;

/// Everything that steers a command.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Research files and folders named by the user.
    pub research: Vec<PathBuf>,
    /// Files of metrics that the gate trusts.
    pub metrics: Vec<PathBuf>,
    /// How drafts are checked and what becomes of their claims; the judge and the indexes are not open yet.
    pub options: Options,
    /// The command or address of a judge of the user's.
    pub judge: Option<JudgeChoice>,
    /// The command or address of a search of the user's.
    pub search: Option<String>,
    /// The command or address of a judge of criteria.
    pub agent: Option<String>,
    /// What counts for the clients of a service.
    pub guard: GuardSettings,
    /// How findings are printed.
    pub format: Format,
    /// What `cited check` looks for and what makes it fail.
    pub check: CheckSettings,
    /// What an audit remembers, and how much it does.
    pub audit: AuditSettings,
    /// How sources are asked.
    pub network: NetworkSettings,
    /// When progress is shown.
    pub progress: When,
    /// Every setting with its origin.
    pub in_force: Vec<InForce>,
}

/// Pages of a PDF that are read.
const MOST_PDF_PAGES: usize = 200;
/// How long a judge may take for one answer, in seconds, unless the user says so.
const JUDGE_TIMEOUT: f64 = 60.0;
/// How many questions a judge is asked at once, unless the user says so.
const JUDGE_CONCURRENCY: usize = 4;

/// A judge of the user's.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgeChoice {
    /// Its command or address.
    pub named: String,
    /// How long it may take for one answer.
    pub timeout: Duration,
    /// How many questions it is asked at once.
    pub concurrency: usize,
    /// The most tokens that it may take in a run.
    pub budget: Option<u64>,
}

/// What a check looks for and what makes it fail.
#[derive(Debug, Clone)]
pub struct CheckSettings {
    /// Whether sources and links are asked for.
    pub online: bool,
    /// The least severity that fails.
    pub fail_on: Option<Severity>,
    /// The codes that fail.
    pub fail_on_codes: Vec<Code>,
    /// The severities that the user gives to codes.
    pub severity: BTreeMap<Code, Severity>,
    /// Documents of folders, and links, that are left out.
    pub exclude: Vec<String>,
    /// See [`CheckSettings::exclude`].
    pub exclude_links: Vec<String>,
    /// Where links that begin with a slash start.
    pub root_dir: Option<PathBuf>,
    /// The file of findings that are known.
    pub baseline: Option<PathBuf>,
}

/// What an audit remembers, and how much it does.
#[derive(Debug, Clone)]
pub struct AuditSettings {
    /// The file or the address of the database; `None` for the usual file.
    pub state: Option<String>,
    /// Sources that are asked at most.
    pub max_checks: Option<usize>,
    /// Time in which sources are asked at most.
    pub max_time: Option<Duration>,
    /// Whether others ask.
    pub workers_only: bool,
}

/// How sources are asked.
#[derive(Debug, Clone)]
pub struct NetworkSettings {
    /// Limits, manners and routes, all but the clock.
    pub fetch: cited_fetch::Settings,
    /// Files of certificates to trust beside the system's.
    pub cacert: Vec<PathBuf>,
    /// Where indexes of works are asked, when not at their own addresses.
    pub indexes: Vec<Place>,
    /// The time that counts as now, when the user fixed it.
    pub now: Option<jiff::Timestamp>,
}

/// The flags of a command that settings are made from.
#[derive(Debug, Clone, Default)]
pub struct Flags {
    /// What is checked.
    pub work: WorkFlags,
    /// What a check looks for.
    pub check: CheckFlags,
    /// What an audit remembers.
    pub audit: AuditFlags,
    /// Where results go.
    pub output: OutputFlags,
    /// How sources are asked.
    pub network: NetworkFlags,
    /// What the run says.
    pub talk: TalkFlags,
    /// Files of metrics, for the gate.
    pub metrics: Vec<PathBuf>,
    /// The search that is lent.
    pub search: Option<String>,
    /// The judge of criteria.
    pub agent: Option<String>,
    /// What counts for the clients of a service.
    pub guard: GuardFlags,
    /// Where the search for a settings file begins; empty for the working folder.
    pub folder: PathBuf,
}

impl Settings {
    /// Merges the flags with the settings file and the environment of this process.
    ///
    /// # Errors
    /// When a value cannot be used, or a name is unknown.
    pub fn resolve(flags: Flags) -> Result<Settings> {
        let folder = std::path::absolute(Path::new(".").join(&flags.folder)).unwrap_or_else(|_| flags.folder.clone());
        let variables =
            std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
        let mut layers = Layers::read(flags.network.asking.config.as_deref(), &folder, variables)?;
        let work = flags.work;
        let standard = Policy::default();
        let known =
            |id: &str, _: &Path| Without::default().and(id).map(|_| id.to_owned()).ok_or("no such check".to_owned());
        let without = layers.list("checks-off", Vec::new(), known)?;
        let without = without.iter().fold(Without::default(), |all, id| all.and(id).unwrap_or(all));
        let research = layers.list("research", paths(&work.research), path)?;
        let metrics = layers.list("metrics", paths(&flags.metrics), path)?;
        let strict_evidence = layers.switch("strict-evidence", work.strict_evidence)?;
        let told = |standard: Treatment| if strict_evidence { Treatment::Drop } else { standard };
        let policy = Policy {
            on_dead: layers.choice("on-dead", work.on_dead, standard.on_dead)?,
            on_contradicted: layers.choice("on-contradicted", work.on_contradicted, standard.on_contradicted)?,
            on_denied: layers.choice("on-denied", work.on_denied, told(standard.on_denied))?,
            on_unsupported: layers.choice("on-unsupported", work.on_unsupported, told(standard.on_unsupported))?,
            on_unverifiable: layers.choice("on-unverifiable", work.on_unverifiable, told(standard.on_unverifiable))?,
            on_not_found: layers.choice("on-not-found", work.on_not_found, standard.on_not_found)?,
            uncited: layers.choice_or_none("uncited", work.uncited)?,
            strict: layers.switch("strict", work.strict)?,
            allow_synthetic: layers.switch("allow-synthetic", work.allow_synthetic)?,
        };
        let notes = layers.switch("notes", work.notes)?;
        let style = layers.choice("style", work.style, Style::Numeric)?;
        let clauses = layers.switch("clauses", work.clauses)?;
        let support = layers.choice("support", work.support, Switch::On)? == Switch::On;
        let scope = layers.choice("works", work.works, Scope::On)?;
        let works = Works { scope, ..Works::default() };
        let options = Options { policy, notes, style, clauses, support, without, works, ..Options::default() };
        let lent = |text: &str, _: &Path| match text.trim() {
            "" => Err("must be a command or an address".to_owned()),
            text => Ok(text.to_owned()),
        };
        let judge = layers.one("judge", work.judge, lent)?;
        let search = layers.one("search", flags.search, lent)?;
        let agent = layers.one("agent", flags.agent, lent)?;
        let guard = GuardSettings::take(&mut layers, flags.guard)?;
        let is_patience = |seconds: &f64| (0.1..=3600.0).contains(seconds);
        let timeout = layers.number("judge-timeout", work.judge_timeout, is_patience, "0.1 to 3600 seconds")?;
        let timeout = Duration::from_secs_f64(layers.or_default(timeout, JUDGE_TIMEOUT, f64::to_string));
        let is_many = |many: &usize| (1..=64).contains(many);
        let concurrency = layers.number("judge-concurrency", work.judge_concurrency, is_many, "1 to 64")?;
        let concurrency = layers.or_default(concurrency, JUDGE_CONCURRENCY, usize::to_string);
        let budget = layers.number("judge-budget", work.judge_budget, |tokens| *tokens > 0, "a number of tokens")?;
        let judge = judge.map(|named| JudgeChoice { named, timeout, concurrency, budget });
        let format = layers.choice("format", flags.output.format, Format::default())?;
        let check = CheckSettings::take(&mut layers, flags.check)?;
        let audit = AuditSettings::take(&mut layers, flags.audit)?;
        let network = NetworkSettings::take(&mut layers, flags.network)?;
        let progress = layers.choice("progress", flags.talk.progress, When::Auto)?;
        let in_force = layers.finish()?;
        Ok(Settings {
            research,
            metrics,
            options,
            judge,
            search,
            agent,
            guard,
            format,
            check,
            audit,
            network,
            progress,
            in_force,
        })
    }
}

impl CheckSettings {
    fn take(layers: &mut Layers, flags: CheckFlags) -> Result<Self> {
        let online = layers.switch("online", flags.online)?;
        let (mut from, mut fail_on_codes) = (None, Vec::new());
        for fails in layers.list("fail-on", flags.fail_on, |text, _| Fails::read(text))? {
            match fails {
                Fails::From(severity) => from = from.or(Some(severity)),
                Fails::Code(code) => fail_on_codes.push(code),
            }
        }
        // Who names codes alone wants these and nothing else.
        let fail_on = from.unwrap_or(if fail_on_codes.is_empty() { FailOn::Error } else { FailOn::Never }).least();
        let severity = layers.list("severity", Vec::new(), |text, _| severity_of(text))?.into_iter().collect();
        let text = |text: &str, _: &Path| Ok(text.to_owned());
        let exclude = layers.list("exclude", flags.exclude, text)?;
        let exclude_links = layers.list("exclude-links", flags.exclude_links, text)?;
        let root_dir = layers.one("root-dir", paths(flags.root_dir.as_slice()).pop(), path)?;
        let baseline = layers.one("baseline", paths(flags.baseline.as_slice()).pop(), path)?;
        Ok(CheckSettings { online, fail_on, fail_on_codes, severity, exclude, exclude_links, root_dir, baseline })
    }
}

/// The severity that a line of `[severity]` gives to a code.
fn severity_of(text: &str) -> std::result::Result<(Code, Severity), String> {
    let (code, severity) = text.split_once('=').ok_or("must be a table: code = \"error\", \"warning\" or \"note\"")?;
    let code = Code::named(code).ok_or("no such code; `cited explain` lists them")?;
    let all = [Severity::Error, Severity::Warning, Severity::Note];
    let severity = all.into_iter().find(|own| own.as_str() == severity).ok_or("must be error, warning or note")?;
    Ok((code, severity))
}

impl AuditSettings {
    fn take(layers: &mut Layers, flags: AuditFlags) -> Result<AuditSettings> {
        let state = layers.one("state", flags.state, |text, base| {
            if text.trim().is_empty() {
                return Err("must be a file or an address `postgres://…`".to_owned());
            }
            let is_address = text.contains("://");
            Ok(if is_address { text.to_owned() } else { base.join(text).to_string_lossy().into_owned() })
        })?;
        layers.show_as(cited_audit::store::shown);
        let max_checks = layers.count_given("max-checks", flags.max_checks)?;
        let max_time = layers.one("max-time", flags.max_time, |text, _| age(text, "30m or 2h"))?;
        let workers_only = layers.switch("workers-only", flags.workers_only)?;
        Ok(AuditSettings { state, max_checks, max_time, workers_only })
    }
}

/// A length of time, as `2h` or `7d`.
fn age(text: &str, such_as: &str) -> std::result::Result<Duration, String> {
    let wrong = || format!("must be a time such as {such_as}");
    let span: jiff::Span = text.parse().map_err(|_| wrong())?;
    let age = span.to_duration(jiff::SpanRelativeTo::days_are_24_hours()).map_err(|_| wrong())?;
    Duration::try_from(age).map_err(|_| wrong())
}

impl NetworkSettings {
    fn take(layers: &mut Layers, flags: NetworkFlags) -> Result<NetworkSettings> {
        let NetworkFlags { record, asking: flags } = flags;
        let standard = cited_fetch::Settings::default();
        let offline = layers.switch("offline", flags.offline)?;
        let concurrency = layers.count("concurrency", flags.concurrency, standard.concurrency)?;
        // Manners that somebody set are kept; otherwise they follow how hosts answer.
        let per_host = layers.count_given("per-host", flags.per_host)?;
        let mut adapt = per_host.is_none();
        let per_host = layers.or_default(per_host, standard.per_host, usize::to_string);
        let is_pause = |seconds: &f64| (0.0..=LONGEST_TIMEOUT).contains(seconds);
        let pause = layers.number("pause", flags.pause, is_pause, "at least 0 seconds and at most a day")?;
        adapt &= pause.is_none();
        let pause = layers.or_default(pause, standard.host_pause.as_secs_f64(), f64::to_string);
        let is_timeout = |seconds: &f64| *seconds > 0.0 && *seconds <= LONGEST_TIMEOUT;
        let timeout = layers.number("timeout", flags.timeout, is_timeout, "more than 0 seconds and at most a day")?;
        let timeout = layers.or_default(timeout, standard.total_timeout.as_secs_f64(), f64::to_string);
        let proxy = layers.one("proxy", flags.proxy, |text, _| web_address(text))?;
        let user_agent = layers.one("user-agent", flags.user_agent, |text, _| {
            let printable = !text.trim().is_empty() && text.chars().all(|c| c == ' ' || c.is_ascii_graphic());
            if printable { Ok(text.to_owned()) } else { Err("must be printable ASCII".to_owned()) }
        })?;
        let before_contact = layers.or_default(user_agent, String::new(), |_| "by contact".to_owned());
        let contact = layers.one("contact", flags.contact, |text, _| contact(text))?;
        let user_agent = if before_contact.is_empty() {
            cited_fetch::Settings::user_agent_of(contact.as_deref())
        } else {
            before_contact
        };
        let email = contact.filter(|contact| !contact.contains("://"));
        let robots = layers.switch("robots", flags.robots)?;
        let save = layers.switch("save", flags.save)?;
        let credentials = layers.secret("save-credentials", Credentials::parse)?;
        let save = save.then_some(Save { credentials, interval: None });
        let connect_to = layers.list("connect-to", flags.connect_to, |text, _| text.parse())?;
        let cacert = layers.list("cacert", paths(&flags.cacert), path)?;
        let archives = layers.list("archive", flags.archive, |text, _| match text {
            "none" => Ok(None),
            address => Endpoint::parse(address).map(Some),
        })?;
        let several = archives.len() > 1;
        if several && archives.contains(&None) {
            return Err(Error::settings("archive: `none` cannot be combined with an address"));
        }
        let archives = if archives.is_empty() {
            layers.or_default(None, standard.archives.clone(), |_| "the Wayback Machine".to_owned())
        } else {
            archives.into_iter().flatten().collect()
        };
        let allow_net = layers.list("allow-net", flags.allow_net, |text, _| {
            let address = || text.parse().map(|address: std::net::IpAddr| IpNet::from(address));
            text.parse().or_else(|_| address()).map_err(|_| "must be a range such as 10.0.0.0/8".to_owned())
        })?;
        let indexes = layers.list("index", flags.index, |text, _| Place::parse(text))?;
        let now = layers.one("now", flags.now, |text, _| {
            text.parse().map_err(|_| "must be a time such as 2026-01-31T12:00:00Z".to_owned())
        })?;
        let cache = take_cache(layers, flags.cache.as_slice(), flags.max_age)?;
        let bundle = match (record, flags.replay) {
            (_, Some(path)) => Bundle::Replay(path),
            (Some(path), None) => Bundle::Record(path),
            (None, None) => Bundle::None,
        };
        let fetch = cited_fetch::Settings {
            user_agent,
            email,
            robots,
            save,
            concurrency,
            per_host,
            host_pause: Duration::from_secs_f64(pause),
            adapt,
            allow_net,
            connect_to,
            proxy,
            archives,
            bundle,
            cache,
            pdf: PdfReader::ourselves(MOST_PDF_PAGES),
            offline,
            ..standard.with_timeout(Duration::from_secs_f64(timeout))
        };
        Ok(NetworkSettings { fetch, cacert, indexes, now })
    }
}

fn take_cache(layers: &mut Layers, folder: &[PathBuf], max_age: Option<String>) -> Result<Option<CachePlace>> {
    let folder = layers.one("cache", paths(folder).pop(), |text, base| Ok((text != "off").then(|| base.join(text))))?;
    let folder = layers.or_default(folder, users_cache(), |folder| {
        folder.as_ref().map_or_else(|| "off".to_owned(), |folder| folder.display().to_string())
    });
    let max_age = layers.one("max-age", max_age, |text, _| age(text, "2h or 7d"))?;
    let max_age = layers.or_default(max_age, MAX_AGE, |_| "1d".to_owned());
    Ok(folder.map(|folder| CachePlace { folder, max_age }))
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

fn paths(paths: &[PathBuf]) -> Vec<String> {
    paths.iter().map(|path| path.to_string_lossy().into_owned()).collect()
}

#[expect(clippy::unnecessary_wraps, reason = "the shape of all readers of settings")]
fn path(text: &str, base: &Path) -> std::result::Result<PathBuf, String> {
    Ok(base.join(text))
}

/// An e-mail address or a web address, such as can stand in a header.
fn contact(text: &str) -> std::result::Result<String, String> {
    let plain = text.bytes().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'(' | b')' | b';' | b'<' | b'>'));
    let email = text.split_once('@').is_some_and(|(name, host)| {
        !name.is_empty() && host.contains('.') && !host.starts_with('.') && !text.contains("://") && !host.contains('@')
    });
    if plain && (email || web_address(text).is_ok()) {
        return Ok(text.to_owned());
    }
    Err("must be an e-mail address or an http(s) address".to_owned())
}

fn web_address(text: &str) -> std::result::Result<Url, String> {
    match Url::parse(text) {
        Ok(url) if matches!(url.scheme(), "http" | "https") && url.has_host() => Ok(url),
        _ => Err("must be an http or https address".to_owned()),
    }
}
