//! The settings in force: what the settings file, the environment and the flags say, validated and merged once.

use std::path::{Path, PathBuf};
use std::time::Duration;

use ipnet::IpNet;
use url::Url;

use super::args::{Format, NetworkFlags, OutputFlags, Switch, TalkFlags, When, WorkFlags};
use super::layers::{InForce, Layers};
use crate::decide::Policy;
use crate::error::{Error, Result};
use crate::pipeline::Style;

/// Sources asked at once.
const CONCURRENCY: usize = 64;
/// Requests at once to one host: a good citizen sends one.
const PER_HOST: usize = 1;
/// Seconds for one request.
const TIMEOUT: f64 = 45.0;
/// The longest time limit that is not a slip of the hand, in seconds.
const LONGEST_TIMEOUT: f64 = 86_400.0;

/// Everything that steers a command.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Research files and folders named by the user.
    pub research: Vec<PathBuf>,
    /// What is done with claims that fall short.
    pub policy: Policy,
    /// Whether the brief gets a section of notes.
    pub notes: bool,
    /// How the brief cites.
    pub style: Style,
    /// Whether clauses may go alone.
    pub clauses: bool,
    /// Whether support is judged.
    pub support: bool,
    /// How findings are printed.
    pub format: Format,
    /// How sources are asked.
    pub network: NetworkSettings,
    /// When progress is shown.
    pub progress: When,
    /// Every setting with its origin.
    pub in_force: Vec<InForce>,
}

/// How sources are asked.
#[derive(Debug, Clone)]
pub struct NetworkSettings {
    /// Ask nobody.
    pub offline: bool,
    /// Bundle to write.
    pub record: Option<PathBuf>,
    /// Bundle to read everything from.
    pub replay: Option<PathBuf>,
    /// Sources asked at once.
    pub concurrency: usize,
    /// Requests at once to one host.
    pub per_host: usize,
    /// Time for one request.
    pub timeout: Duration,
    /// HTTP proxy.
    pub proxy: Option<Url>,
    /// How cited introduces itself, when not by its own name.
    pub user_agent: Option<String>,
    /// Routes in curl's manner.
    pub connect_to: Vec<String>,
    /// Files of certificates.
    pub cacert: Vec<PathBuf>,
    /// Archives in place of the default ones.
    pub archives: Archives,
    /// Ranges that may be asked although they are not public.
    pub allow_net: Vec<IpNet>,
    /// The time that counts as now.
    pub now: Option<jiff::Timestamp>,
}

/// Which archives are asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Archives {
    /// The Wayback Machine.
    Default,
    /// None.
    None,
    /// These.
    These(Vec<Url>),
}

/// The flags of a command that settings are made from.
#[derive(Debug, Clone, Default)]
pub struct Flags {
    /// What is checked.
    pub work: WorkFlags,
    /// Where results go.
    pub output: OutputFlags,
    /// How sources are asked.
    pub network: NetworkFlags,
    /// What the run says.
    pub talk: TalkFlags,
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
        let mut layers = Layers::read(flags.network.config.as_deref(), &folder, variables)?;
        let work = flags.work;
        let standard = Policy::default();
        let research = layers.list("research", paths(&work.research), path)?;
        let policy = Policy {
            on_dead: layers.choice("on-dead", work.on_dead, standard.on_dead)?,
            on_contradicted: layers.choice("on-contradicted", work.on_contradicted, standard.on_contradicted)?,
            on_unsupported: layers.choice("on-unsupported", work.on_unsupported, standard.on_unsupported)?,
            on_unverifiable: layers.choice("on-unverifiable", work.on_unverifiable, standard.on_unverifiable)?,
            uncited: layers.choice("uncited", work.uncited, standard.uncited)?,
            strict: layers.switch("strict", work.strict)?,
        };
        let notes = layers.switch("notes", work.notes)?;
        let style = layers.choice("style", work.style, Style::Numeric)?;
        let clauses = layers.switch("clauses", work.clauses)?;
        let support = layers.choice("support", work.support, Switch::On)? == Switch::On;
        let format = layers.choice("format", flags.output.format, Format::Text)?;
        let network = NetworkSettings::take(&mut layers, flags.network)?;
        let progress = layers.choice("progress", flags.talk.progress, When::Auto)?;
        let in_force = layers.finish()?;
        Ok(Settings { research, policy, notes, style, clauses, support, format, network, progress, in_force })
    }
}

impl NetworkSettings {
    fn take(layers: &mut Layers, flags: NetworkFlags) -> Result<NetworkSettings> {
        let offline = layers.switch("offline", flags.offline)?;
        let concurrency = layers.count("concurrency", flags.concurrency, CONCURRENCY)?;
        let per_host = layers.count("per-host", flags.per_host, PER_HOST)?;
        let timeout = layers.one("timeout", flags.timeout.map(|seconds| seconds.to_string()), |text, _| {
            let seconds: f64 = text.parse().map_err(|_| "must be a number of seconds".to_owned())?;
            let sensible = seconds > 0.0 && seconds <= LONGEST_TIMEOUT;
            if sensible { Ok(seconds) } else { Err("must be more than 0 seconds and at most a day".to_owned()) }
        })?;
        let timeout = layers.or_default(timeout, TIMEOUT, f64::to_string);
        let proxy = layers.one("proxy", flags.proxy, |text, _| web_address(text))?;
        let user_agent = layers.one("user-agent", flags.user_agent, |text, _| {
            let printable = !text.trim().is_empty() && text.chars().all(|c| c == ' ' || c.is_ascii_graphic());
            if printable { Ok(text.to_owned()) } else { Err("must be printable ASCII".to_owned()) }
        })?;
        let connect_to = layers.list("connect-to", flags.connect_to, |text, _| Ok(text.to_owned()))?;
        let cacert = layers.list("cacert", paths(&flags.cacert), path)?;
        let archives = layers.list("archive", flags.archive, |text, _| match text {
            "none" => Ok(None),
            address => web_address(address).map(Some),
        })?;
        let archives = match archives.as_slice() {
            [] => Archives::Default,
            [None] => Archives::None,
            several if several.contains(&None) => {
                return Err(Error::settings("archive: `none` cannot be combined with an address"));
            }
            several => Archives::These(several.iter().flatten().cloned().collect()),
        };
        let allow_net = layers.list("allow-net", flags.allow_net, |text, _| {
            let address = || text.parse().map(|address: std::net::IpAddr| IpNet::from(address));
            text.parse().or_else(|_| address()).map_err(|_| "must be a range such as 10.0.0.0/8".to_owned())
        })?;
        let now = layers.one("now", flags.now, |text, _| {
            text.parse().map_err(|_| "must be a time such as 2026-01-31T12:00:00Z".to_owned())
        })?;
        layers.one("cache", flags.cache.map(|path| path.display().to_string()), |text, _| match text {
            "off" => Ok(()),
            _ => Err("must be `off`".to_owned()),
        })?;
        Ok(NetworkSettings {
            offline,
            record: flags.record,
            replay: flags.replay,
            concurrency,
            per_host,
            timeout: Duration::from_secs_f64(timeout),
            proxy,
            user_agent,
            connect_to,
            cacert,
            archives,
            allow_net,
            now,
        })
    }
}

fn paths(paths: &[PathBuf]) -> Vec<String> {
    paths.iter().map(|path| path.to_string_lossy().into_owned()).collect()
}

#[expect(clippy::unnecessary_wraps, reason = "the shape of all readers of settings")]
fn path(text: &str, base: &Path) -> std::result::Result<PathBuf, String> {
    Ok(base.join(text))
}

fn web_address(text: &str) -> std::result::Result<Url, String> {
    match Url::parse(text) {
        Ok(url) if matches!(url.scheme(), "http" | "https") && url.has_host() => Ok(url),
        _ => Err("must be an http or https address".to_owned()),
    }
}
