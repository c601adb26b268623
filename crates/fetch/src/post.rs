//! One request to an endpoint that the user named: the judge's, the search's. It follows no redirect, uses no proxy of the environment, and
//! reads a bounded answer.

use std::time::Duration;

use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use http::{Method, Request, StatusCode};
use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited};
use hyper_util::client::legacy as client;
use tokio::time::timeout;
use url::Url;

use super::clients::Clients;
use super::looker::retry_after;
use super::settings::Settings;

/// A request as it is sent.
#[derive(Debug, Clone)]
pub struct Post<'a> {
    /// Where it goes.
    pub address: &'a Url,
    /// Sent as `Authorization: Bearer`; never logged.
    pub key: Option<&'a str>,
    /// JSON, sent with POST; without it the address is asked for with GET, and the key goes along as search engines want it, too:
    /// `X-Subscription-Token`.
    pub body: Option<Vec<u8>>,
    /// Time for the whole exchange.
    pub timeout: Duration,
    /// The longest answer that is read, in bytes.
    pub longest: usize,
    /// Certificates to trust beside the system's, PEM.
    pub trusted: &'a [Vec<u8>],
}

/// Why a request has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unanswered {
    /// Another status than 200, and the time after which it wants to be asked again.
    #[error("HTTP {0}")]
    Status(u16, Option<Duration>),
    /// Nobody took the connection.
    #[error("no connection")]
    NoConnection,
    /// The time was over.
    #[error("timed out")]
    TimedOut,
    /// Anything else, in words for the user.
    #[error("{0}")]
    Failed(String),
}

/// Sends it and gives the body of a 200, from a thread and a small runtime of its own: the caller may be inside a runtime already.
///
/// # Errors
/// No connection, another status, an answer that is too long or not text.
pub fn post(request: &Post<'_>) -> Result<String, Unanswered> {
    std::thread::scope(|scope| {
        let asking = scope.spawn(|| {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.map_err(|error| Unanswered::Failed(error.to_string()))?.block_on(exchange(request))
        });
        asking.join().unwrap_or_else(|_| Err(Unanswered::Failed("the exchange failed".to_owned())))
    })
}

async fn exchange(post: &Post<'_>) -> Result<String, Unanswered> {
    let failed = |why: &str| Unanswered::Failed(why.to_owned());
    // The user named the endpoint: it may be anywhere.
    let allow_net = ["0.0.0.0/0", "::/0"].map(|range| range.parse().expect("a range")).to_vec();
    let settings = Settings { allow_net, extra_ca_pem: post.trusted.to_vec(), ..Settings::default() };
    let clients = Clients::new(&settings).map_err(|error| failed(&error.to_string()))?;
    let mut request = Request::new(Full::from(post.body.clone().unwrap_or_default()));
    let headers = request.headers_mut();
    headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
    if let Some(key) = post.key {
        let value = |text: &str| HeaderValue::from_str(text).map_err(|_| failed("the exchange failed"));
        headers.insert(AUTHORIZATION, value(&format!("Bearer {key}"))?);
        if post.body.is_none() {
            headers.insert("x-subscription-token", value(key)?);
        }
    }
    if post.body.is_some() {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        *request.method_mut() = Method::POST;
    }
    let answered = async {
        // An error is told without the address, which may hold what is nobody's business.
        let response = clients.send(post.address, request, true).await.map_err(|error| {
            let is_connect = error.downcast_ref::<client::Error>().is_some_and(client::Error::is_connect);
            if is_connect { Unanswered::NoConnection } else { failed("the exchange failed") }
        })?;
        let (head, body) = response.into_parts();
        if head.status != StatusCode::OK {
            let after = head.headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok());
            let after = after.and_then(|value| retry_after(value, jiff::Timestamp::now()));
            return Err(Unanswered::Status(head.status.as_u16(), after));
        }
        let body =
            Limited::new(body, post.longest).collect().await.map_err(|error| match error.is::<LengthLimitError>() {
                true => failed(&format!("an answer of more than {} bytes", post.longest)),
                false => failed("the exchange failed"),
            })?;
        String::from_utf8(body.to_bytes().into()).map_err(|_| failed("an answer that is not UTF-8"))
    };
    timeout(post.timeout, answered).await.unwrap_or(Err(Unanswered::TimedOut))
}
