//! One request and its answer: the seam between deciding and the wire, so that a bundle can stand in for the network.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use bytes::Bytes;
use http::header::{HeaderMap, HeaderValue};
use tokio::sync::OwnedSemaphorePermit;
use url::Url;

use super::decode::{Decoded, decode};
use cited_core::outcome::Outcome;
use cited_core::rule::Rule;

/// What a request is for. A bundle keeps the answers to each purpose apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Purpose {
    /// The first look at a source.
    Page,
    /// The look that proves death.
    SecondLook,
    /// A sibling address that nobody has.
    Probe,
    /// An archive's index or copy.
    Archive,
    /// The file that a page shows.
    File,
    /// What an index of works says.
    Index,
    /// Why an index was not asked: it was given up before.
    GivenUp,
    /// What a site asks of robots.
    Robots,
    /// An archive is asked to take a copy.
    Save,
}

/// One request: a GET, or a POST when there is a form.
#[derive(Clone)]
pub struct Ask {
    /// What is asked for.
    pub url: Url,
    /// What it is for.
    pub purpose: Purpose,
    /// The address of the source on whose behalf it is asked; empty when it is for several.
    pub origin: String,
    /// Redirects followed before it.
    pub hop: u32,
    /// 0 for the first attempt.
    pub attempt: u32,
    /// Headers beside those that every request has.
    pub headers: Vec<(&'static str, String)>,
    /// Fields of a form; with any, the request is a POST.
    pub form: Vec<(&'static str, String)>,
    /// A query parameter for the server alone: it gets into no bundle, cache or message.
    pub private: Option<(&'static str, String)>,
}

impl Ask {
    /// A GET without anything special.
    pub fn get(url: Url, purpose: Purpose, origin: &str) -> Self {
        let origin = origin.to_owned();
        Ask { url, purpose, origin, hop: 0, attempt: 0, headers: Vec::new(), form: Vec::new(), private: None }
    }
}

/// The body of a POST with these fields.
pub fn form_body(form: &[(&'static str, String)]) -> String {
    url::form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish()
}

/// How a body ended, by what WARC calls it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
pub enum BodyEnd {
    /// As the server meant it.
    Complete,
    /// At our limit.
    #[strum(serialize = "length")]
    TooLong,
    /// The connection broke.
    #[strum(serialize = "disconnect")]
    Broken,
    /// Our time was over.
    #[strum(serialize = "time")]
    TimedOut,
}

/// An answer as it came, its body still encoded.
#[derive(Debug, Clone)]
pub struct Answer {
    /// Status code.
    pub status: u16,
    /// Headers.
    pub headers: HeaderMap,
    /// Body as it came over the wire, content codings in place.
    pub body: Bytes,
    /// How the body ended.
    pub end: BodyEnd,
}

impl Answer {
    /// A header as text; bytes that are not visible ASCII are replaced.
    pub fn header(&self, name: &str) -> Option<String> {
        self.headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).trim().to_owned())
    }

    /// The body without its codings, so many bytes at most.
    pub fn decoded(&self, limit: usize) -> Decoded<'_> {
        decode(&self.body, self.header("content-encoding").as_deref(), limit)
    }

    /// The body as text in UTF-8, of so many bytes at most.
    pub fn text(&self, limit: usize) -> String {
        String::from_utf8_lossy(&self.decoded(limit).bytes).into_owned()
    }
}

/// Why no answer came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum FailureKind {
    /// Time ran out before the first byte.
    Timeout,
    /// There was no connection, or it broke before an answer.
    Connection,
    /// The name does not exist.
    NoSuchHost,
    /// The name servers gave no usable answer.
    Dns,
    /// TLS could not be set up.
    Tls,
    /// What came is not HTTP, or has more headers, or longer ones, than the limits allow.
    Malformed,
    /// What asking needs is not there on our side: descriptors, memory, name servers, the proxy. It says nothing of the page.
    OurSide,
    /// The guard forbids it.
    Refused,
    /// The site's robots.txt forbids it.
    Robots,
    /// Nobody may be asked, or the bundle has no such answer.
    Unasked,
    /// Redirects go round, on and on, or nowhere.
    Lost,
}

impl FailureKind {
    /// Whether it may pass by itself.
    pub fn may_pass(self) -> bool {
        matches!(self, FailureKind::Timeout | FailureKind::Connection | FailureKind::Dns)
    }

    /// Its usual words for a reader, and what it means for a source.
    pub fn describe(self) -> (&'static str, Outcome, Rule) {
        use Outcome::Unreachable;
        match self {
            FailureKind::Timeout => ("timeout", Unreachable, Rule::Timeout),
            FailureKind::Connection => ("host not reachable", Unreachable, Rule::Connection),
            FailureKind::NoSuchHost => ("host does not exist", Outcome::Dead, Rule::NoSuchHost),
            FailureKind::Dns => ("name servers did not answer", Unreachable, Rule::Dns),
            FailureKind::Tls => ("TLS failure", Unreachable, Rule::Tls),
            FailureKind::Malformed => ("answer is not HTTP", Unreachable, Rule::Malformed),
            FailureKind::OurSide => ("could not be asked from here", Outcome::Unasked, Rule::Unasked),
            FailureKind::Refused => ("refused", Outcome::Refused, Rule::Refused),
            FailureKind::Robots => ("refused", Outcome::Refused, Rule::Robots),
            FailureKind::Unasked => ("not asked", Outcome::Unasked, Rule::Unasked),
            FailureKind::Lost => ("redirects that lead nowhere", Unreachable, Rule::RedirectLost),
        }
    }
}

/// No answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Failure {
    /// Why.
    pub kind: FailureKind,
    /// In a few words for a reader: `timeout`, `connection reset`, `TLS: certificate expired`.
    pub reason: String,
}

impl Failure {
    /// A failure with its usual words.
    pub fn from_kind(kind: FailureKind) -> Self {
        Failure { kind, reason: kind.describe().0.to_owned() }
    }

    /// The failure of an I/O error that says what this machine lacks, and nothing of who was asked.
    #[cfg(all(unix, feature = "network"))]
    pub fn of_our_side(error: &std::io::Error) -> Option<Self> {
        use nix::errno::Errno as E;
        let reason = match E::from_raw(error.raw_os_error()?) {
            E::EMFILE => "too many open files in this process",
            E::ENFILE => "too many open files on this machine",
            E::ENOMEM | E::ENOBUFS => "no memory on this machine for a connection",
            E::EADDRNOTAVAIL => "no free port on this machine",
            _ => return None,
        };
        Some(Failure::new(FailureKind::OurSide, reason))
    }

    /// Elsewhere the system's numbers are others, and its limits are far away.
    #[cfg(not(all(unix, feature = "network")))]
    pub fn of_our_side(_: &std::io::Error) -> Option<Self> {
        None
    }

    /// A failure in other words.
    pub fn new(kind: FailureKind, reason: impl Into<String>) -> Self {
        Failure { kind, reason: reason.into() }
    }
}

/// Bytes of a cookie that is kept.
const LONGEST_COOKIE: usize = 4096;

/// Name and value of a cookie that is kept on a way; `None` for one that is not.
pub fn cookie_of(value: &HeaderValue) -> Option<(&str, &str)> {
    let pair = value.to_str().ok()?.split(';').next()?;
    let (name, value) = pair.split_once('=')?;
    let (name, value) = (name.trim(), value.trim());
    (!name.is_empty() && pair.len() <= LONGEST_COOKIE).then_some((name, value))
}

/// An exchange: what came, and when it was over.
#[derive(Debug, Clone)]
pub struct Exchange {
    /// The answer, or why there is none.
    pub result: Result<Answer, Failure>,
    /// When it was over.
    pub at: jiff::Timestamp,
    /// The place of its body among those that are held at once.
    pub held: Held,
    /// How many requests were made: a host that was not asked needs no rest before it is.
    pub requests: u32,
}

impl Exchange {
    /// An exchange of one request, whose body takes no place.
    pub fn new(result: Result<Answer, Failure>, at: jiff::Timestamp) -> Self {
        let is_unasked = matches!(&result, Err(failure) if failure.kind == FailureKind::Unasked);
        Exchange { result, at, held: None, requests: u32::from(!is_unasked) }
    }
}

/// A place among the bodies that are held at once, given back when dropped.
pub type Held = Option<Arc<OwnedSemaphorePermit>>;

/// The future of an exchange.
pub type Exchanging<'a> = Pin<Box<dyn Future<Output = Exchange> + Send + 'a>>;

/// Something that answers requests: the wire, or what a caller has in its place.
pub trait Transport: Send + Sync {
    /// Makes one request. Redirects are not followed and nothing is tried twice.
    fn exchange<'a>(&'a self, ask: &'a Ask) -> Exchanging<'a>;
}
