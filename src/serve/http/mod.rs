//! The tools as an HTTP API: calls that wait, jobs that do not, counts and health, pages for people, and the Model Context Protocol
//! beside them.

mod connections;
mod guard;
mod jobs;
mod log;
mod metrics;
mod openapi;
mod pages;
mod problem;
mod routes;
mod service;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use self::guard::Guard;
use self::jobs::Jobs;
use self::log::log;
use self::metrics::Metrics;
use self::service::Service;
use super::tools::Context;
use crate::cli::say;
use crate::pipeline::audit::Shared as Audit;
use cited_core::error::{Error, Result};

/// The variable that holds the token of clients.
pub const TOKEN_VARIABLE: &str = "CITED_TOKEN";
/// A shorter token is soon guessed.
const SHORTEST_TOKEN: usize = 16;
/// How long calls may go on when the service ends.
const GRACE: Duration = Duration::from_secs(10);

/// How the service is reached.
pub struct Reach {
    /// Where it listens.
    pub listen: String,
    /// Names that it is called by, beside the loopback ones.
    pub hosts: Vec<String>,
    /// The token that clients send.
    pub token: Option<String>,
    /// Requests a minute from one client.
    pub rate: u32,
    /// The audit that is shown, when there is one.
    pub audit: Option<Audit>,
}

/// Serves until `stop` ends; then lets calls come to their end for a while.
///
/// # Errors
/// When the address cannot be listened at, or a token is missing.
pub async fn serve(context: Arc<Context>, reach: Reach, stop: impl Future<Output = ()>) -> Result<()> {
    let addresses: Vec<SocketAddr> = tokio::net::lookup_host(&reach.listen)
        .await
        .map_err(|error| Error::usage(format!("--listen {}: {error}; name HOST:PORT", reach.listen)))?
        .collect();
    let beyond = |address: &SocketAddr| !address.ip().is_loopback();
    if reach.token.is_none() && (addresses.is_empty() || addresses.iter().any(beyond)) {
        return Err(Error::usage(format!(
            "--listen {}: others can reach this address, so a token is needed; put one of at least {SHORTEST_TOKEN} \
             characters into {TOKEN_VARIABLE}, or listen at 127.0.0.1",
            reach.listen
        )));
    }
    if reach.token.as_ref().is_some_and(|token| token.len() < SHORTEST_TOKEN) {
        return Err(Error::usage(format!(
            "{TOKEN_VARIABLE}: has fewer than {SHORTEST_TOKEN} characters; take a longer one"
        )));
    }
    let listener = TcpListener::bind(addresses.as_slice()).await.map_err(|error| {
        Error::usage(format!("--listen {}: cannot be listened at: {error}; name another port", reach.listen))
    })?;
    let here = listener.local_addr().map_err(|error| Error::blocked(error.to_string()))?;
    let jobs = Arc::new(Jobs::new(Arc::clone(&context)));
    let service = Arc::new(Service {
        context,
        guard: Guard::new(reach.token.as_deref(), &reach.hosts, reach.rate),
        jobs: Arc::clone(&jobs),
        metrics: Metrics::default(),
        audit: reach.audit,
        stopping: CancellationToken::new(),
        ending: CancellationToken::new(),
    });
    say(format_args!("listening at http://{here}\n"));
    let connections = connections::Connections::new(routes::router(&service));
    connections.accept(listener, stop).await;
    log(&json!({"event": "stopping"}));
    service.stopping.cancel();
    tokio::join!(jobs.drain(GRACE), connections.drain(GRACE, &service.ending));
    log(&json!({"event": "stopped"}));
    Ok(())
}
