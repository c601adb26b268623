//! How the network is asked: limits, manners, routes. Every field has a default that suits a good citizen.

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use ipnet::IpNet;
use url::Url;

use super::document::Limits;
use super::endpoint::Endpoint;

/// Where the time comes from. A parameter, so that a run can be repeated.
pub type Clock = Arc<dyn Fn() -> jiff::Timestamp + Send + Sync>;

/// What an evidence bundle (WARC/1.1) is used for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Bundle {
    /// Nothing.
    #[default]
    None,
    /// Every exchange is written to this file.
    Record(PathBuf),
    /// Every answer comes from this file; nobody is asked.
    Replay(PathBuf),
}

/// How copies are asked for.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Save {
    /// The account to ask with; without one fewer captures are allowed.
    pub credentials: Option<Credentials>,
    /// Time between two questions after the state of a capture. Zero asks at once, for tests; `None` is 5 s.
    pub interval: Option<Duration>,
}

/// Access key and secret of an account of the Internet Archive. Never shown, never written: it has no `Debug`.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials(pub(super) String);

impl Credentials {
    /// From `KEY:SECRET`.
    ///
    /// # Errors
    /// When it is not of that form.
    pub fn parse(text: &str) -> Result<Self, String> {
        let word = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_graphic());
        match text.trim().split_once(':') {
            Some((key, secret)) if word(key) && word(secret) => Ok(Credentials(format!("{key}:{secret}"))),
            _ => Err("must be KEY:SECRET".to_owned()),
        }
    }
}

/// Where answers are kept, and for how long they count as they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CachePlace {
    /// Folder, made when it is not there.
    pub folder: PathBuf,
    /// How old an answer may be without asking whether it still holds.
    pub max_age: Duration,
}

/// Connections meant for HOST1:PORT1 go to HOST2:PORT2; names in TLS and in `Host` stay what they were. An empty HOST1
/// or PORT1 matches all, an empty HOST2 or PORT2 leaves that part as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectTo {
    pub(super) from: End,
    pub(super) to: End,
}

/// A host and a port, as far as they are given.
type End = (Option<String>, Option<u16>);

impl FromStr for ConnectTo {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let ends = end_of(text).and_then(|(from, rest)| Some((from, end_of(rest)?)));
        match ends {
            Some((from, (to, ""))) => Ok(ConnectTo { from, to }),
            _ => Err(format!("`{text}` is not HOST1:PORT1:HOST2:PORT2, as in :443:127.0.0.1:8443")),
        }
    }
}

/// One end of a route, and what stands behind it: a host, in brackets when it holds colons, and a port.
fn end_of(text: &str) -> Option<(End, &str)> {
    let (host, rest) = match text.strip_prefix('[') {
        Some(rest) => rest.split_once("]:")?,
        None => text.split_once(':')?,
    };
    let (port, rest) = rest.split_once(':').unwrap_or((rest, ""));
    let port = if port.is_empty() { None } else { Some(port.parse().ok()?) };
    Some((((!host.is_empty()).then(|| host.to_ascii_lowercase()), port), rest))
}

/// Settings of a [`Network`](super::Network).
///
/// Plain data: build it with [`Default`] and change what is to differ.
#[derive(Clone)]
pub struct Settings {
    /// `User-Agent` of every request. It names the tool and says where to complain: see [`Settings::user_agent_of`].
    pub user_agent: String,
    /// E-mail address by which indexes of works know who asks. Without one they are asked more slowly.
    pub email: Option<String>,
    /// Whether `robots.txt` is obeyed. No: a visit to a page that a document cites is a reader's visit, not a crawler's.
    pub robots: bool,
    /// How archives are asked to keep cited pages that they have no copy of. None: they are not.
    pub save: Option<Save>,
    /// Time to reach a host: name, TCP, TLS. 10 s.
    pub connect_timeout: Duration,
    /// Time from the request to the first byte of its answer. 20 s.
    pub first_byte_timeout: Duration,
    /// Time for one attempt from start to the end of the body. 45 s.
    pub total_timeout: Duration,
    /// Further attempts after a connection failure, a reset, 429 or 5xx. A timeout is tried once more only. 2.
    pub retries: u32,
    /// First pause before another attempt; doubled each time, with jitter. 500 ms.
    pub backoff: Duration,
    /// Requests in flight to all hosts together. 128.
    pub concurrency: usize,
    /// Requests in flight to one host. 1.
    pub per_host: usize,
    /// Time between the end of a request to a host and the next one to it. 50 ms: less than one reader's browser asks of a site for a
    /// single page, and a draft with a dozen pages of one host is still done within seconds. It grows for a host that answers with 429,
    /// 503 or a wall.
    pub host_pause: Duration,
    /// How pages are read, and how much of them.
    pub reading: Limits,
    /// Redirects followed. 10.
    pub max_redirects: usize,
    /// Headers of an answer. 100.
    pub max_headers: usize,
    /// How long after the first look the second one comes that proves death. 2 s.
    pub second_look_after: Duration,
    /// Address ranges that may be asked although they are refused by default, on any port.
    pub allow_net: Vec<IpNet>,
    /// Ports that may be asked beside 80 and 443.
    pub allow_ports: Vec<u16>,
    /// Routes in curl's manner; they name their target, so it is not vetted.
    pub connect_to: Vec<ConnectTo>,
    /// HTTP proxy for all requests, such as `http://proxy.example:3128`. Proxy variables of the environment are ignored.
    pub proxy: Option<Url>,
    /// Certificates in PEM that are trusted beside those of the system.
    pub extra_ca_pem: Vec<Vec<u8>>,
    /// Archives to ask for copies of dead sources, in order. With none, a source that is proven gone is dead at once:
    /// whoever switches the archives off has decided not to ask.
    pub archives: Vec<Endpoint>,
    /// Whether the answers are kept in a bundle, or come from one.
    pub bundle: Bundle,
    /// Where answers are kept from run to run. None.
    pub cache: Option<CachePlace>,
    /// Ask nobody: what the cache does not have is [unasked](super::Outcome::Unasked).
    pub offline: bool,
    /// Seed for jitter and for the addresses of probes.
    pub seed: u64,
    /// Where the time comes from.
    pub clock: Clock,
}

impl Settings {
    /// What tells a site who asks. cited is run by its users and has no address of its own to name: whoever runs it gives
    /// theirs.
    pub fn user_agent_of(contact: Option<&str>) -> String {
        let contact = match contact {
            Some(contact) if contact.contains("://") => format!("+{contact}"),
            Some(contact) => format!("+mailto:{contact}"),
            None => "run by a reader who gave no contact".to_owned(),
        };
        format!("cited/{} (citation checker; one visit per cited page; {contact})", env!("CARGO_PKG_VERSION"))
    }

    /// Bounds one attempt as a whole, as `--timeout` does: no part of it may take longer.
    #[must_use]
    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        self.total_timeout = timeout;
        self.connect_timeout = self.connect_timeout.min(timeout);
        self.first_byte_timeout = self.first_byte_timeout.min(timeout);
        self
    }
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            user_agent: Self::user_agent_of(None),
            email: None,
            robots: false,
            save: None,
            connect_timeout: Duration::from_secs(10),
            first_byte_timeout: Duration::from_secs(20),
            total_timeout: Duration::from_secs(45),
            retries: 2,
            backoff: Duration::from_millis(500),
            concurrency: 128,
            per_host: 1,
            host_pause: Duration::from_millis(50),
            reading: Limits::default(),
            max_redirects: 10,
            max_headers: 100,
            second_look_after: Duration::from_secs(2),
            allow_net: Vec::new(),
            allow_ports: Vec::new(),
            connect_to: Vec::new(),
            proxy: None,
            extra_ca_pem: Vec::new(),
            archives: vec![Endpoint::wayback()],
            bundle: Bundle::None,
            cache: None,
            offline: false,
            seed: 0x6369_7465_6421,
            clock: Arc::new(jiff::Timestamp::now),
        }
    }
}
