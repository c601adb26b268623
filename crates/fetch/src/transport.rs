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

/// No answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Failure {
    /// Why, as the rule that it decides by. None: what asking needs is not there on our side (descriptors, memory, name servers, the proxy),
    /// which says nothing of the page.
    pub rule: Option<Rule>,
    /// In a few words for a reader: `timeout`, `connection reset`, `TLS: certificate expired`.
    pub reason: String,
}

impl Failure {
    /// A failure by a rule, in words.
    pub fn new(rule: Rule, reason: impl Into<String>) -> Self {
        Failure { rule: Some(rule), reason: reason.into() }
    }

    /// A failure of our own side.
    pub fn ours(reason: impl Into<String>) -> Self {
        Failure { rule: None, reason: reason.into() }
    }

    /// Whether it may pass by itself.
    pub fn may_pass(&self) -> bool {
        matches!(self.rule, Some(Rule::Timeout | Rule::Connection | Rule::Dns))
    }

    /// What it means for a source.
    pub fn outcome(&self) -> Outcome {
        match self.rule {
            Some(Rule::NoSuchHost) => Outcome::Dead,
            Some(Rule::Refused | Rule::Robots) => Outcome::Refused,
            None | Some(Rule::Unasked) => Outcome::Unasked,
            Some(_) => Outcome::Unreachable,
        }
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
        Some(Failure::ours(reason))
    }

    /// Elsewhere the system's numbers are others, and its limits are far away.
    #[cfg(not(all(unix, feature = "network")))]
    pub fn of_our_side(_: &std::io::Error) -> Option<Self> {
        None
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
        let is_unasked = matches!(&result, Err(failure) if failure.rule == Some(Rule::Unasked));
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
