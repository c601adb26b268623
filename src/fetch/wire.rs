//! The transport that asks the real network.

use std::error::Error as StdError;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http_body_util::{BodyExt, Empty};
use hyper::header::{HeaderName, HeaderValue};
use hyper::{Request, Response};
use hyper_util::client::legacy::Client;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use tokio::time::{Instant, timeout_at};

use super::connect::{Connector, io_failure};
use super::guard::Guard;
use super::settings::{Clock, Settings};
use super::transport::{Answer, Ask, BodyEnd, Exchange, Exchanging, Failure, FailureKind, Purpose, Transport};
use crate::error::Result;

/// How long an idle connection is kept for the next page of the same host.
const IDLE: Duration = Duration::from_secs(15);

/// Bytes of response head that are read before the answer counts as having too many headers. hyper's own default is
/// about as large; it is named here because it is part of what a hostile server can cost.
const HEAD_LIMIT: usize = 400 << 10;

const ACCEPT: &str = "text/html,application/xhtml+xml,application/pdf;q=0.9,text/plain;q=0.8,*/*;q=0.5";
const ACCEPT_ENCODING: &str = "gzip, br, zstd, deflate";

type HttpClient = Client<Connector, Empty<Bytes>>;

/// The network.
pub struct Wire {
    pooled: HttpClient,
    fresh: HttpClient,
    connector: Connector,
    guard: Guard,
    user_agent: HeaderValue,
    first_byte: Duration,
    total: Duration,
    max_body: usize,
    max_headers: usize,
    clock: Clock,
}

impl Wire {
    /// The network by these settings.
    ///
    /// # Errors
    /// When the settings cannot be used: a User-Agent that is no header value, a certificate that is no certificate.
    pub fn new(settings: &Settings) -> Result<Self> {
        let guard = Guard::new(settings.allow_net.clone(), settings.allow_ports.clone(), settings.connect_to.clone());
        let connector =
            Connector::new(guard.clone(), settings.connect_timeout, settings.proxy.clone(), &settings.extra_ca_pem)?;
        let user_agent = HeaderValue::from_str(&settings.user_agent).map_err(|_| {
            crate::Error::settings("the user agent holds characters that a header cannot carry; use plain ASCII")
        })?;
        let build = |idle: usize| {
            Client::builder(TokioExecutor::new())
                .pool_timer(TokioTimer::new())
                .timer(TokioTimer::new())
                .pool_idle_timeout(IDLE)
                .pool_max_idle_per_host(idle)
                .http1_max_headers(settings.max_headers)
                .http1_max_buf_size(HEAD_LIMIT)
                .http1_ignore_invalid_headers_in_responses(true)
                .http2_max_header_list_size(u32::try_from(HEAD_LIMIT).unwrap_or(u32::MAX))
                .build(connector.clone())
        };
        Ok(Wire {
            pooled: build(settings.per_host.max(1)),
            // Without a pool every request opens its own connection: a second look must not come over the first one's.
            fresh: build(0),
            connector: connector.clone(),
            guard,
            user_agent,
            first_byte: settings.first_byte_timeout,
            total: settings.total_timeout,
            max_body: settings.max_body,
            max_headers: settings.max_headers,
            clock: settings.clock.clone(),
        })
    }

    async fn ask(&self, ask: &Ask) -> std::result::Result<Answer, Failure> {
        let start = Instant::now();
        self.guard.vet_url(&ask.url).map_err(|refusal| Failure::new(FailureKind::Refused, refusal.to_string()))?;
        let request = self.request(ask)?;
        let client = if ask.purpose == Purpose::SecondLook { &self.fresh } else { &self.pooled };
        let limit = start + self.total;
        let first_byte = (start + self.first_byte).min(limit);
        let response = match timeout_at(first_byte, client.request(request)).await {
            Ok(Ok(response)) => response,
            Ok(Err(error)) => return Err(failure(&error)),
            Err(_) => return Err(Failure::of(FailureKind::Timeout)),
        };
        if response.headers().len() > self.max_headers {
            return Err(Failure::of(FailureKind::TooManyHeaders));
        }
        Ok(self.read(response, limit).await)
    }

    fn request(&self, ask: &Ask) -> std::result::Result<Request<Empty<Bytes>>, Failure> {
        let malformed = || Failure::new(FailureKind::Refused, "refused: not an address that HTTP can ask for");
        let mut url = ask.url.clone();
        url.set_fragment(None);
        let mut builder = Request::get(url.as_str())
            .header("user-agent", self.user_agent.clone())
            .header("accept", ACCEPT)
            .header("accept-encoding", ACCEPT_ENCODING)
            .header("accept-language", "en;q=0.9, *;q=0.5");
        if ask.url.scheme() == "http"
            && let Some(authorization) = self.connector.proxy_authorization()
        {
            builder = builder.header("proxy-authorization", authorization);
        }
        for (name, value) in &ask.headers {
            let value = HeaderValue::from_str(value).map_err(|_| malformed())?;
            builder = builder.header(HeaderName::from_static(name), value);
        }
        builder.body(Empty::new()).map_err(|_| malformed())
    }

    async fn read(&self, response: Response<hyper::body::Incoming>, limit: Instant) -> Answer {
        let (head, mut body) = response.into_parts();
        let mut bytes = BytesMut::new();
        let end = loop {
            match timeout_at(limit, body.frame()).await {
                Err(_) => break BodyEnd::TimedOut,
                Ok(None) => break BodyEnd::Complete,
                Ok(Some(Err(_))) => break BodyEnd::Broken,
                Ok(Some(Ok(frame))) => {
                    if let Ok(data) = frame.into_data() {
                        let room = self.max_body.saturating_sub(bytes.len());
                        if data.len() > room {
                            bytes.extend_from_slice(data.get(..room).unwrap_or_default());
                            break BodyEnd::TooLong;
                        }
                        bytes.extend_from_slice(&data);
                    }
                }
            }
        };
        Answer { status: head.status.as_u16(), headers: head.headers, body: bytes.freeze(), end }
    }
}

impl Transport for Wire {
    fn exchange<'a>(&'a self, ask: &'a Ask) -> Exchanging<'a> {
        Box::pin(async move {
            let result = self.ask(ask).await;
            Exchange { result, at: (self.clock)() }
        })
    }

    fn names_work<'a>(&'a self, names: &'a [String]) -> Pin<Box<dyn Future<Output = bool> + Send + 'a>> {
        Box::pin(async move {
            if self.connector.resolver().resolved() > 0 {
                return true;
            }
            for name in names {
                // A route that leads elsewhere says nothing about names.
                if !self.guard.route(name, 443).explicit && self.connector.resolver().resolve(name).await.is_ok() {
                    return true;
                }
            }
            false
        })
    }
}

/// What an error of the client means, from the chain of its causes.
fn failure(error: &hyper_util::client::legacy::Error) -> Failure {
    let mut cause: Option<&(dyn StdError + 'static)> = Some(error);
    let mut found = None;
    while let Some(inner) = cause {
        if let Some(failure) = inner.downcast_ref::<Failure>() {
            return failure.clone();
        }
        if let Some(error) = inner.downcast_ref::<io::Error>() {
            found = Some(io_failure(error));
        } else if let Some(error) = inner.downcast_ref::<hyper::Error>()
            && found.is_none()
        {
            found = hyper_failure(error);
        }
        cause = inner.source();
    }
    found.unwrap_or_else(|| Failure::of(FailureKind::Unreachable))
}

fn hyper_failure(error: &hyper::Error) -> Option<Failure> {
    // hyper tells a head that is too large from other parse errors to servers only; its words are all there is here.
    let kind = if error.is_parse() && error.to_string().contains("too large") {
        FailureKind::TooManyHeaders
    } else if error.is_parse() {
        FailureKind::Malformed
    } else if error.is_incomplete_message() {
        FailureKind::Closed
    } else if error.is_timeout() {
        FailureKind::Timeout
    } else {
        return None;
    };
    Some(Failure::of(kind))
}
