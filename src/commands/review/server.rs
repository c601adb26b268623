//! The server of a review: one page, for one browser, on the loopback address.
//!
//! The address that is printed has a token that works once: the browser gets a cookie for it. Requests for another host name, from another
//! site or without the cookie get nothing, so neither a page of the web nor another user's program can read the draft or decide.

use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use data_encoding::BASE64URL_NOPAD;
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::Incoming;
use hyper::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, COOKIE, HOST, HeaderMap, LOCATION, ORIGIN, SET_COOKIE,
};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;
use tokio::sync::Notify;

use crate::error::{Error, Result};
use crate::render::html::served_policy;

/// The largest file of decisions that is taken, in bytes.
const LARGEST: usize = 16 << 20;
/// Bytes of a token.
const SECRET: usize = 32;
/// How long a browser may take to say what it wants.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long the last answer may take to arrive before the program ends.
const FAREWELL: Duration = Duration::from_millis(300);
/// The name of the cookie.
const NAME: &str = "cited_review";

/// What became of what a reviewer asked for.
pub(super) enum Answer {
    /// It was done.
    Done(String),
    /// It was not, and why.
    Refused(String),
}

/// What the server serves.
pub(super) trait Desk: Send + Sync + 'static {
    /// The page.
    fn page(&self) -> Result<String>;
    /// Takes the decisions, as the text of their file.
    fn decide(&self, file: &str) -> Result<Answer>;
    /// Writes the brief.
    fn brief(&self) -> Result<Answer>;
    /// What is said in the end.
    fn finish(&self) -> String;
}

/// Serves until the reviewer finishes. `ready` is told the address, with its token, once it can be opened.
///
/// # Errors
/// When the address is taken, the system gives no randomness, or `ready` fails.
pub(super) async fn serve(port: u16, desk: impl Desk, ready: impl FnOnce(&str) -> Result<()>) -> Result<()> {
    let at = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let cannot = |error: std::io::Error| Error::usage(format!("--port {port}: {at} cannot be served: {error}"));
    let listener = TcpListener::bind(at).await.map_err(cannot)?;
    let port = listener.local_addr().map_err(cannot)?.port();
    let (token, session) = (secret()?, secret()?);
    ready(&format!("http://127.0.0.1:{port}/?token={token}"))?;
    let room = Arc::new(Room {
        desk,
        port,
        token: Mutex::new(Some(token)),
        session,
        busy: AtomicBool::new(false),
        over: Notify::new(),
    });
    loop {
        let stream = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => stream,
                Err(_) => continue,
            },
            () = room.over.notified() => break,
        };
        let room = Arc::clone(&room);
        tokio::spawn(async move {
            let answer = service_fn(|request| {
                let room = Arc::clone(&room);
                async move { Ok::<_, Infallible>(room.answer(request).await) }
            });
            let mut server = http1::Builder::new();
            // What a browser does wrong is told to the browser.
            let _ = server
                .timer(TokioTimer::new())
                .header_read_timeout(PATIENCE)
                .serve_connection(TokioIo::new(stream), answer)
                .await;
        });
    }
    tokio::time::sleep(FAREWELL).await;
    Ok(())
}

fn secret() -> Result<String> {
    let mut bytes = [0; SECRET];
    getrandom::fill(&mut bytes).map_err(|error| Error::blocked(format!("the system gives no randomness: {error}")))?;
    Ok(BASE64URL_NOPAD.encode(&bytes))
}

struct Room<D> {
    desk: D,
    port: u16,
    /// None once it was used.
    token: Mutex<Option<String>>,
    session: String,
    /// Whether a brief is being written.
    busy: AtomicBool,
    over: Notify,
}

type Reply = Response<Full<Bytes>>;

fn reply(status: StatusCode, kind: &'static str, body: impl Into<Bytes>) -> Reply {
    let mut reply = Response::new(Full::new(body.into()));
    *reply.status_mut() = status;
    let headers = reply.headers_mut();
    headers.insert(CONTENT_TYPE, hyper::header::HeaderValue::from_static(kind));
    headers.insert(CACHE_CONTROL, hyper::header::HeaderValue::from_static("no-store"));
    headers.insert("x-content-type-options", hyper::header::HeaderValue::from_static("nosniff"));
    headers.insert("referrer-policy", hyper::header::HeaderValue::from_static("no-referrer"));
    headers.insert("cross-origin-resource-policy", hyper::header::HeaderValue::from_static("same-origin"));
    if let Ok(policy) = format!("{}; frame-ancestors 'none'", served_policy()).parse() {
        headers.insert(CONTENT_SECURITY_POLICY, policy);
    }
    reply
}

fn words(status: StatusCode, words: impl Into<String>) -> Reply {
    reply(status, "text/plain; charset=utf-8", words.into())
}

/// Whether two secrets are the same, in a time that does not tell how much of them is.
fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |odd, (a, b)| odd | (a ^ b)) == 0
}

impl<D: Desk> Room<D> {
    async fn answer(self: Arc<Self>, request: Request<Incoming>) -> Reply {
        let (parts, body) = request.into_parts();
        let (headers, path) = (&parts.headers, parts.uri.path());
        if !self.is_addressed(headers) {
            return words(StatusCode::MISDIRECTED_REQUEST, "this page is served to 127.0.0.1 alone\n");
        }
        let query = parts.uri.query().unwrap_or_default();
        if let (&Method::GET, "/", Some(token)) = (&parts.method, path, query.strip_prefix("token=")) {
            return self.enter(token);
        }
        if !self.is_known(headers) {
            let advice =
                "open the address that `cited review` has printed; it works once: start it again for another browser\n";
            return words(StatusCode::FORBIDDEN, advice);
        }
        if parts.method != Method::GET && !self.is_own(headers) {
            return words(StatusCode::FORBIDDEN, "decisions are taken from the page alone\n");
        }
        match (&parts.method, path) {
            (&Method::GET, "/") => match self.desk.page() {
                Ok(page) => reply(StatusCode::OK, "text/html; charset=utf-8", page),
                Err(error) => words(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()),
            },
            (&Method::PUT, "/decisions") => match Limited::new(body, LARGEST).collect().await {
                Ok(body) => match std::str::from_utf8(&body.to_bytes()) {
                    Ok(file) => told(self.desk.decide(file)),
                    Err(_) => words(StatusCode::BAD_REQUEST, "not UTF-8"),
                },
                Err(_) => words(StatusCode::PAYLOAD_TOO_LARGE, "more than a review can hold"),
            },
            (&Method::POST, "/brief") => self.brief().await,
            (&Method::POST, "/finish") => {
                self.over.notify_one();
                words(StatusCode::OK, self.desk.finish())
            }
            _ => words(StatusCode::NOT_FOUND, "nothing is here\n"),
        }
    }

    /// Whether a request names this machine: a name of the web that leads here names another.
    fn is_addressed(&self, headers: &HeaderMap) -> bool {
        let host = headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
        ["127.0.0.1", "localhost"].iter().any(|name| host == format!("{name}:{}", self.port))
    }

    /// Whether the browser is the one that came with the token.
    fn is_known(&self, headers: &HeaderMap) -> bool {
        let cookies = headers.get_all(COOKIE).iter().filter_map(|cookies| cookies.to_str().ok());
        let mut pairs = cookies.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.any(|(name, value)| name == NAME && same(value, &self.session))
    }

    /// Whether what is asked comes from the page itself.
    fn is_own(&self, headers: &HeaderMap) -> bool {
        let origin = headers.get(ORIGIN).and_then(|origin| origin.to_str().ok()).unwrap_or_default();
        ["127.0.0.1", "localhost"].iter().any(|name| origin == format!("http://{name}:{}", self.port))
    }

    /// Lets the first browser in that has the token.
    fn enter(&self, token: &str) -> Reply {
        let mut held = self.token.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if !held.as_deref().is_some_and(|own| same(own, token)) {
            return words(StatusCode::FORBIDDEN, "this address was used already, or is not the one that was printed\n");
        }
        *held = None;
        let mut reply = words(StatusCode::SEE_OTHER, "");
        reply.headers_mut().insert(LOCATION, hyper::header::HeaderValue::from_static("/"));
        if let Ok(cookie) = format!("{NAME}={}; HttpOnly; SameSite=Strict; Path=/", self.session).parse() {
            reply.headers_mut().insert(SET_COOKIE, cookie);
        }
        reply
    }

    /// Writes the brief on a thread of its own: the run has a runtime of its own.
    async fn brief(self: Arc<Self>) -> Reply {
        if self.busy.swap(true, Ordering::AcqRel) {
            return words(StatusCode::CONFLICT, "the brief is being written already");
        }
        let room = Arc::clone(&self);
        let done = tokio::task::spawn_blocking(move || room.desk.brief()).await;
        self.busy.store(false, Ordering::Release);
        match done {
            Ok(done) => told(done),
            Err(_) => words(StatusCode::INTERNAL_SERVER_ERROR, "the brief could not be written: a fault of cited"),
        }
    }
}

fn told(done: Result<Answer>) -> Reply {
    match done {
        Ok(Answer::Done(what)) => words(StatusCode::OK, what),
        Ok(Answer::Refused(why)) => words(StatusCode::UNPROCESSABLE_ENTITY, why),
        Err(error) => words(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()),
    }
}
