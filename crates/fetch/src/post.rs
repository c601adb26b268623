//! One request to an endpoint that the user named: the judge's, the search's. It follows no redirect, uses no proxy of the environment, and
//! reads a bounded answer.

use std::fmt;
use std::time::Duration;

use url::Url;

use super::looker::retry_after;
use super::trust::Trust;

/// A request as it is sent.
#[derive(Debug, Clone)]
pub struct Post<'a> {
    /// Where it goes.
    pub address: &'a Url,
    /// Sent as `Authorization: Bearer`; never logged.
    pub key: Option<&'a str>,
    /// JSON.
    pub body: Vec<u8>,
    /// Time for the whole exchange.
    pub timeout: Duration,
    /// The longest answer that is read, in bytes.
    pub longest: usize,
    /// Certificates to trust beside the system's, PEM.
    pub trusted: &'a [Vec<u8>],
}

/// Why a request has no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unanswered {
    /// Another status than 200, and the time after which it wants to be asked again.
    Status(u16, Option<Duration>),
    /// Nobody took the connection.
    NoConnection,
    /// The time was over.
    TimedOut,
    /// Anything else, in words for the user.
    Failed(String),
}

impl fmt::Display for Unanswered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unanswered::Status(status, _) => write!(f, "HTTP {status}"),
            Unanswered::NoConnection => f.write_str("no connection"),
            Unanswered::TimedOut => f.write_str("timed out"),
            Unanswered::Failed(why) => f.write_str(why),
        }
    }
}

impl From<String> for Unanswered {
    fn from(why: String) -> Self {
        Unanswered::Failed(why)
    }
}

/// Sends it and gives the body of a 200, from a thread and a small runtime of its own: the caller may be inside a runtime already.
///
/// # Errors
/// As [`post()`].
pub fn post_apart(request: Post<'_>) -> Result<String, Unanswered> {
    apart(post(request))
}

/// As [`get()`], in the way of [`post_apart`].
///
/// # Errors
/// As [`post()`].
pub fn get_apart(request: Post<'_>) -> Result<String, Unanswered> {
    apart(get(request))
}

fn apart(exchange: impl Future<Output = Result<String, Unanswered>> + Send) -> Result<String, Unanswered> {
    std::thread::scope(|scope| {
        let asking = scope.spawn(|| {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.map_err(|error| error.to_string())?.block_on(exchange)
        });
        asking.join().unwrap_or_else(|_| Err(Unanswered::Failed("the exchange failed".to_owned())))
    })
}

/// Sends it and gives the body of a 200.
///
/// # Errors
/// No connection, another status, an answer that is too long or not text.
pub async fn post(post: Post<'_>) -> Result<String, Unanswered> {
    let request = client(&post)?.post(post.address.clone()).header("content-type", "application/json");
    sent(request.body(post.body), post.key, post.longest).await
}

/// Asks for the same address without a body. The key goes along as search engines want it, too: `X-Subscription-Token`.
///
/// # Errors
/// As [`post()`].
pub async fn get(post: Post<'_>) -> Result<String, Unanswered> {
    let mut request = client(&post)?.get(post.address.clone());
    if let Some(key) = post.key {
        request = request.header("x-subscription-token", key);
    }
    sent(request, post.key, post.longest).await
}

fn client(post: &Post<'_>) -> Result<reqwest::Client, Unanswered> {
    let tls = Trust::new(post.trusted).map_err(|error| error.to_string())?.http1()?;
    reqwest::Client::builder()
        .tls_backend_preconfigured(tls)
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .timeout(post.timeout)
        .build()
        .map_err(|error| plain(&error))
}

async fn sent(mut request: reqwest::RequestBuilder, key: Option<&str>, longest: usize) -> Result<String, Unanswered> {
    request = request.header("accept", "application/json");
    if let Some(key) = key {
        request = request.bearer_auth(key);
    }
    let mut response = request.send().await.map_err(|error| plain(&error))?;
    if response.status() != http::StatusCode::OK {
        let after = response.headers().get(http::header::RETRY_AFTER).and_then(|value| value.to_str().ok());
        let after = after.and_then(|value| retry_after(value, jiff::Timestamp::now()));
        return Err(Unanswered::Status(response.status().as_u16(), after));
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| plain(&error))? {
        if body.len() + chunk.len() > longest {
            return Err(format!("an answer of more than {longest} bytes").into());
        }
        body.extend_from_slice(&chunk);
    }
    String::from_utf8(body).map_err(|_| "an answer that is not UTF-8".to_owned().into())
}

/// An error without the address, which may hold what is nobody's business.
fn plain(error: &reqwest::Error) -> Unanswered {
    if error.is_timeout() {
        Unanswered::TimedOut
    } else if error.is_connect() {
        Unanswered::NoConnection
    } else {
        Unanswered::Failed("the exchange failed".to_owned())
    }
}
