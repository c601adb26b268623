//! The tools as an HTTP API: calls that wait, jobs that do not, counts and health, pages for people, and the Model Context Protocol
//! beside them.

mod connections;
mod guard;
mod jobs;
mod openapi;
mod routes;
mod service;

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use self::guard::Guard;
use self::jobs::Jobs;
use self::service::{Metrics, Service, log};
use super::tools::Context;
use crate::cli::args::Serve;
use crate::cli::say;
use crate::pipeline::audit::Shared as Audit;
use cited_core::error::{Error, Result};

/// The variable that holds the token of clients.
const TOKEN_VARIABLE: &str = "CITED_TOKEN";
/// A shorter token is soon guessed.
const SHORTEST_TOKEN: usize = 16;
/// How long calls may go on when the service ends.
const GRACE: Duration = Duration::from_secs(10);

/// Serves until `stop` ends; then lets calls come to their end for a while.
///
/// # Errors
/// When the address cannot be listened at, or a token is missing.
pub async fn serve(
    context: Arc<Context>,
    Serve { listen, host, rate, .. }: &Serve,
    audit: Option<Audit>,
    stop: impl Future<Output = ()>,
) -> Result<()> {
    let unusable = |why: String| Error::usage(format!("--listen {listen}: {why}"));
    let listener = TcpListener::bind(listen).await;
    let listener = listener.map_err(|why| unusable(format!("cannot be listened at: {why}; name another HOST:PORT")))?;
    let here = listener.local_addr().map_err(|error| Error::blocked(error.to_string()))?;
    let token = std::env::var(TOKEN_VARIABLE).ok().filter(|token| !token.is_empty());
    // Nobody is answered before this is vetted.
    if token.is_none() && !here.ip().is_loopback() {
        return Err(unusable(format!(
            "others can reach this address, so a token is needed; put one of at least {SHORTEST_TOKEN} \
             characters into {TOKEN_VARIABLE}, or listen at 127.0.0.1"
        )));
    }
    if token.as_ref().is_some_and(|token| token.len() < SHORTEST_TOKEN) {
        let why = format!("has fewer than {SHORTEST_TOKEN} characters; take a longer one");
        return Err(Error::usage(format!("{TOKEN_VARIABLE}: {why}")));
    }
    let service = Arc::new(Service {
        jobs: Arc::new(Jobs::new(Arc::clone(&context))),
        context,
        guard: Guard::new(token.as_deref(), host, *rate),
        metrics: Metrics::default(),
        audit,
        stopping: CancellationToken::new(),
    });
    say(format_args!("listening at http://{here}\n"));
    let open = connections::accept(listener, routes::router(&service), &service.stopping, stop).await;
    log(json!({"event": "stopping"}));
    service.stopping.cancel();
    let _ = tokio::join!(service.jobs.drain(GRACE), tokio::time::timeout(GRACE, open.wait()));
    log(json!({"event": "stopped"}));
    Ok(())
}
