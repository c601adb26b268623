//! One request to an endpoint that the user named: the judge's, the search's. It follows no redirect, uses no proxy of the environment, and
//! reads a bounded answer.

use std::time::Duration;

use http::header::{ACCEPT, CONTENT_TYPE, RETRY_AFTER};
use reqwest::StatusCode;
use url::Url;

use super::clients::{certificates, tls};
use super::looker::retry_after;

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
    let trusted = certificates(post.trusted).map_err(|error| Unanswered::Failed(error.to_string()))?;
    let client = reqwest::Client::builder()
        .tls_backend_preconfigured(tls(&trusted))
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .timeout(post.timeout)
        .build()?;
    let mut request = match &post.body {
        Some(body) => client.post(post.address.clone()).header(CONTENT_TYPE, "application/json").body(body.clone()),
        None => client.get(post.address.clone()),
    };
    request = request.header(ACCEPT, "application/json");
    if let Some(key) = post.key {
        request = request.bearer_auth(key);
        if post.body.is_none() {
            request = request.header("x-subscription-token", key);
        }
    }
    let mut response = request.send().await?;
    if response.status() != StatusCode::OK {
        let after = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok());
        let after = after.and_then(|value| retry_after(value, jiff::Timestamp::now()));
        return Err(Unanswered::Status(response.status().as_u16(), after));
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        if body.len() + chunk.len() > post.longest {
            return Err(Unanswered::Failed(format!("an answer of more than {} bytes", post.longest)));
        }
        body.extend_from_slice(&chunk);
    }
    String::from_utf8(body).map_err(|_| Unanswered::Failed("an answer that is not UTF-8".to_owned()))
}

/// An error is told without the address, which may hold what is nobody's business.
impl From<reqwest::Error> for Unanswered {
    fn from(error: reqwest::Error) -> Self {
        let words = if error.is_connect() { "no connection" } else { "the exchange failed" };
        if error.is_timeout() { Unanswered::TimedOut } else { Unanswered::Failed(words.to_owned()) }
    }
}
