//! The transport that asks the real network.

use std::error::Error as StdError;
use std::io::{self, ErrorKind as K};
use std::iter::successors;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::BytesMut;
use http::header::{ACCEPT, ACCEPT_ENCODING, ACCEPT_LANGUAGE, CONTENT_TYPE, HeaderValue, USER_AGENT};
use reqwest::{Method, Response};
use rustls::CertificateError as C;
use rustls::Error::{InvalidCertificate, InvalidMessage};
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout_at};

use super::clients::Clients;
use super::endpoint::Endpoint;
use super::settings::Settings;
use super::transport::{Answer, Ask, BodyEnd, Exchange, Exchanging, Failure, Held, Purpose, Transport, form_body};
use cited_core::error::{Error, Result as Done};
use cited_core::rule::Rule;

const ACCEPTED: &str = "text/html,application/xhtml+xml,application/pdf;q=0.9,text/plain;q=0.8,*/*;q=0.5";

/// Decoded by us, so that bodies are counted while they are decoded and bundles hold them as they came. Others are undone where they come
/// all the same: brotli takes four times as long for a tenth fewer bytes.
const CODINGS: &str = "gzip, deflate";

/// Pieces of fewer bytes than this cost more than what they hold: a body in so many of them is not read to its end.
const CRUMB: usize = 32;
const MOST_CRUMBS: usize = 100_000;

/// One in so many requests in flight may be at its body, or have a body that is not read yet.
const BODY_SHARE: usize = 4;

/// So many may be in any case: slow ones should not keep others waiting.
const FEWEST_BODIES: usize = 64;

/// A name that is there for good and belongs to nobody (RFC 2606): looked up, never asked, when it is in doubt whether any
/// name is found from here.
const CONTROL: &str = "example.com";

/// How long something may be lacking here before what needs it is given up, and the first pause before another try.
const PATIENCE: Duration = Duration::from_secs(20);
const FIRST_WAIT: Duration = Duration::from_millis(100);

/// How long it counts that no control was found.
const LOOKED: Duration = Duration::from_secs(5);

/// What hyper-util calls a tunnel that has no proxy at this end.
const NO_PROXY: &str = "failed to create underlying connection";

/// The network.
pub struct Wire {
    clients: Clients,
    settings: Settings,
    user_agent: HeaderValue,
    /// Bodies that are held at once. Most requests in flight wait for their answer, which takes no memory; a body does.
    bodies: Arc<Semaphore>,
    /// Names that are looked up to see whether any are found, when none was yet.
    controls: Vec<String>,
    /// When they were looked up last.
    looked: tokio::sync::Mutex<Option<Instant>>,
    /// Whether an answer came through the proxy's tunnel: then one that fails is about its other end.
    tunnelled: AtomicBool,
    /// Since when something has been lacking here.
    lacking: Mutex<Option<Instant>>,
}

impl Wire {
    /// The network by these settings.
    ///
    /// # Errors
    /// When the settings cannot be used: a User-Agent that is no header value, a certificate that is no certificate.
    pub fn new(settings: &Settings) -> Done<Self> {
        let wrong = |_| Error::usage("the user agent holds characters that a header cannot carry; use plain ASCII");
        let user_agent = HeaderValue::from_str(&settings.user_agent).map_err(wrong)?;
        Ok(Wire {
            clients: Clients::new(settings)?,
            settings: settings.clone(),
            user_agent,
            bodies: Arc::new(Semaphore::new((settings.concurrency / BODY_SHARE).max(FEWEST_BODIES))),
            controls: settings.archives.iter().filter_map(Endpoint::host).chain([CONTROL.to_owned()]).collect(),
            looked: tokio::sync::Mutex::default(),
            tunnelled: AtomicBool::new(false),
            lacking: Mutex::default(),
        })
    }

    /// Asks, and waits for what is lacking here: descriptors that others hold, a proxy that is being restarted. All who wait
    /// share one patience, so that a run without it ends soon.
    async fn ask_patiently(&self, ask: &Ask) -> Result<(Answer, Held), Failure> {
        let mut pause = FIRST_WAIT;
        loop {
            let failure = match self.ask(ask).await {
                Ok(answered) => {
                    *self.lacking.lock().unwrap_or_else(PoisonError::into_inner) = None;
                    return Ok(answered);
                }
                Err(failure) if failure.rule.is_none() => failure,
                Err(failure) => {
                    // A failed lookup says nothing of a name when no name can be looked up.
                    let of_names = matches!(failure.rule, Some(Rule::NoSuchHost | Rule::Dns));
                    if !of_names || self.names_work(ask.url.host_str().unwrap_or_default()).await {
                        return Err(failure);
                    }
                    let reason = format!("no name of a host is found from here ({})", failure.reason);
                    return Err(Failure::ours(reason));
                }
            };
            let since = *self.lacking.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(Instant::now);
            if since.elapsed() + pause > PATIENCE.min(self.settings.total_timeout) {
                return Err(failure);
            }
            self.clients.release();
            tokio::time::sleep(pause).await;
            pause *= 2;
        }
    }

    async fn names_work(&self, but: &str) -> bool {
        let names = &self.clients.names;
        if names.works() {
            return true;
        }
        // Many names fail at once when none is found: one of them looks, and the others take its word for a while.
        let mut looked = self.looked.lock().await;
        if looked.is_none_or(|looked| looked.elapsed() >= LOOKED) {
            *looked = Some(Instant::now());
            for control in self.controls.iter().filter(|control| *control != but) {
                if !names.works() {
                    let _ = names.resolve(control).await;
                }
            }
        }
        names.works()
    }

    async fn ask(&self, ask: &Ask) -> Result<(Answer, Held), Failure> {
        let limit = Instant::now() + self.settings.total_timeout;
        let first_byte = (Instant::now() + self.settings.first_byte_timeout).min(limit);
        let sent = timeout_at(first_byte, self.send(ask)).await;
        let mut response = sent.map_err(|_| Failure::new(Rule::Timeout, "timeout"))??;
        if response.headers().len() > self.settings.max_headers {
            return Err(Failure::new(TOO_MANY_HEADERS.0, TOO_MANY_HEADERS.1));
        }
        let (status, headers) = (response.status().as_u16(), std::mem::take(response.headers_mut()));
        // The time that a body waits for the bodies of others is not its server's.
        let arrived = Instant::now();
        let held = Arc::clone(&self.bodies).acquire_owned().await.ok().map(Arc::new);
        let (body, end) = self.body(response, limit + arrived.elapsed()).await;
        Ok((Answer { status, headers, body: body.freeze(), end }, held))
    }

    async fn send(&self, ask: &Ask) -> Result<Response, Failure> {
        let mut url = ask.url.clone();
        if let Some((name, value)) = &ask.private {
            url.query_pairs_mut().append_pair(name, value);
        }
        let method = if ask.form.is_empty() { Method::GET } else { Method::POST };
        let request = self.clients.request(method, &url, ask.purpose == Purpose::SecondLook).await?;
        let mut request = request
            .header(USER_AGENT, &self.user_agent)
            .header(ACCEPT_ENCODING, CODINGS)
            .header(ACCEPT_LANGUAGE, "en;q=0.9, *;q=0.5");
        if !ask.headers.iter().any(|(name, _)| ACCEPT == *name) {
            request = request.header(ACCEPT, ACCEPTED);
        }
        for (name, text) in &ask.headers {
            request = request.header(*name, text);
        }
        if !ask.form.is_empty() {
            request = request.header(CONTENT_TYPE, "application/x-www-form-urlencoded").body(form_body(&ask.form));
        }
        let https = ask.url.scheme() == "https";
        let sent = request.send().await.map_err(|error| {
            let by_proxy = self.settings.proxy.as_ref().and_then(|_| self.by_proxy(&error, https));
            by_proxy.unwrap_or_else(|| failure(&error))
        })?;
        self.tunnelled.fetch_or(https, Ordering::Relaxed);
        Ok(sent)
    }

    /// What a connection by a proxy that failed says of the proxy: what came out of a tunnel, or of one that was refused where others were not,
    /// is of the page.
    fn by_proxy(&self, error: &reqwest::Error, https: bool) -> Option<Failure> {
        let tunnelled = self.tunnelled.load(Ordering::Relaxed);
        // hyper-util keeps the kinds of these to itself; `tests/fetch_routes.rs` sees a release with other words.
        let tunnel = successors(error.source(), |&cause| cause.source())
            .find_map(|cause| cause.to_string().strip_prefix("tunnel error: ").map(str::to_owned));
        let words = match tunnel.as_deref() {
            Some(words) if words != NO_PROXY && tunnelled => {
                return Some(Failure::new(Rule::Connection, format!("proxy: {words}")));
            }
            Some(words) if words != NO_PROXY => words,
            None if !error.is_connect() || https && (tunnelled || !error.is_timeout()) => return None,
            None if error.is_timeout() => "timeout",
            _ => "no connection",
        };
        Some(Failure::ours(format!("proxy: {words}")))
    }

    async fn body(&self, mut response: Response, limit: Instant) -> (BytesMut, BodyEnd) {
        let (mut bytes, mut pieces) = (BytesMut::new(), 0_usize);
        let end = loop {
            let data = match timeout_at(limit, response.chunk()).await {
                Err(_) => break BodyEnd::TimedOut,
                Ok(Ok(None)) => break BodyEnd::Complete,
                Ok(Err(_)) => break BodyEnd::Broken,
                Ok(Ok(Some(data))) => data,
            };
            let room = self.settings.reading.max_body.saturating_sub(bytes.len());
            if data.len() > room {
                bytes.extend_from_slice(data.get(..room).unwrap_or_default());
                break BodyEnd::TooLong;
            }
            bytes.extend_from_slice(&data);
            pieces += 1;
            if pieces >= MOST_CRUMBS && bytes.len() / pieces < CRUMB {
                break BodyEnd::TooLong;
            }
        };
        (bytes, end)
    }
}

impl Transport for Wire {
    fn exchange<'a>(&'a self, ask: &'a Ask) -> Exchanging<'a> {
        Box::pin(async move {
            if self.settings.offline {
                let why = if self.settings.cache.is_some() { "offline, and not in the cache" } else { "offline" };
                return Exchange::new(Err(Failure::new(Rule::Unasked, why)), (self.settings.clock)());
            }
            let (result, held) = match self.ask_patiently(ask).await {
                Ok((answer, held)) => (Ok(answer), held),
                Err(failure) => (Err(failure), None),
            };
            Exchange { held, ..Exchange::new(result, (self.settings.clock)()) }
        })
    }
}

const TOO_MANY_HEADERS: (Rule, &str) = (Rule::Malformed, "too many headers");
const CLOSED: (Rule, &str) = (Rule::Connection, "connection closed without an answer");
const NOT_REACHABLE: (Rule, &str) = (Rule::Connection, "host not reachable");
const TIMEOUT: (Rule, &str) = (Rule::Timeout, "timeout");

/// What an error of the client means, from the chain of its causes: the deepest that says something.
fn failure(error: &reqwest::Error) -> Failure {
    if error.is_builder() {
        return Failure::new(Rule::Refused, "refused: not an address or a header that HTTP can carry");
    }
    let mut cause: Option<&(dyn StdError + 'static)> = Some(error);
    let mut found = None;
    while let Some(inner) = cause {
        cause = inner.source();
        if let Some(error) = inner.downcast_ref::<rustls::Error>() {
            let reason = match error {
                InvalidCertificate(C::Expired | C::ExpiredContext { .. }) => "TLS: certificate expired",
                InvalidCertificate(C::NotValidForName | C::NotValidForNameContext { .. }) => {
                    "TLS: certificate of another host"
                }
                InvalidCertificate(C::UnknownIssuer) => "TLS: certificate of an unknown issuer",
                InvalidCertificate(C::Other(why)) => &format!("TLS: certificate not valid ({why})"),
                InvalidCertificate(_) => "TLS: certificate not valid",
                InvalidMessage(_) => "TLS: the server does not speak it",
                _ => "TLS failure",
            };
            return Failure::new(Rule::Tls, reason);
        }
        if let Some(error) = inner.downcast_ref::<io::Error>() {
            if let Some(failure) = Failure::of_our_side(error) {
                return failure;
            }
            found = Some(match error.kind() {
                K::ConnectionRefused => (Rule::Connection, "connection refused"),
                K::ConnectionReset | K::ConnectionAborted | K::BrokenPipe => (Rule::Connection, "connection reset"),
                K::TimedOut => TIMEOUT,
                K::UnexpectedEof => CLOSED,
                _ => NOT_REACHABLE,
            });
            // What an I/O error wraps is not among its causes.
            cause = error.get_ref().map(|wrapped| wrapped as _).or(cause);
        } else if let Some(error) = inner.downcast_ref::<hyper::Error>()
            && found.is_none()
        {
            // reqwest does not tell what was wrong with an answer; the error of hyper below it does. hyper tells a head that is too large from
            // other parse errors to servers only; `tests/fetch_kinds.rs` sees a release with other words.
            found = match error {
                error if error.is_parse() && error.to_string().contains("too large") => Some(TOO_MANY_HEADERS),
                error if error.is_parse() => Some((Rule::Malformed, "answer is not HTTP")),
                error if error.is_incomplete_message() => Some(CLOSED),
                error => error.is_timeout().then_some(TIMEOUT),
            };
        }
    }
    // Only connecting has a limit inside the client; the others are kept here.
    let (rule, reason) = found.unwrap_or(if error.is_timeout() { TIMEOUT } else { NOT_REACHABLE });
    Failure::new(rule, reason)
}
