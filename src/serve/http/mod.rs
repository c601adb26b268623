//! The tools as an HTTP API: calls that wait, jobs that do not, counts and health, pages for people, and the Model Context Protocol
//! beside them.

mod guard;
mod jobs;
mod routes;

use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use serde_json::json;
use tokio::io::AsyncWrite;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_io_timeout::TimeoutWriter;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use self::guard::Guard;
use self::jobs::Jobs;
use self::routes::{Metrics, Service, log};
use super::tools::Context;
use crate::cli::args::Serve;
use crate::cli::say;
use crate::cli::settings::Settings;
use crate::pipeline::audit::Shared as Audit;
use crate::setup::interrupt::told_to_end;
use cited_core::error::{Error, Result};

/// The variable that holds the token of clients.
const TOKEN_VARIABLE: &str = "CITED_TOKEN";
/// A shorter token is soon guessed.
const SHORTEST_TOKEN: usize = 16;
/// How long calls may go on when the service ends.
const GRACE: Duration = Duration::from_secs(10);
/// Connections at once. One more waits in the system's queue.
const MOST: usize = 1024;
/// How long the head of a request may take; a connection that says nothing for so long is closed.
const HEAD: Duration = Duration::from_secs(15);
/// How long an answer may wait for a client that takes none of it. Long answers go on for as long as they are taken.
const TAKING: Duration = Duration::from_mins(1);
/// Headers of a request.
const MOST_HEADERS: usize = 100;
/// Bytes of the head of a request.
const LONGEST_HEAD: usize = 64 << 10;
/// How long to wait when the system gives no more connections.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves clients over HTTP until it is told to end; then lets calls come to their end for a while.
///
/// # Errors
/// When a flag cannot be used, the address cannot be listened at, or a token is missing.
pub fn run(args: Serve, settings: Settings) -> Result<()> {
    let stop = told_to_end()?;
    let open = |state: &PathBuf| {
        let state = state.to_string_lossy();
        // A file that is not there would be made, and shown empty.
        if !state.contains("://") && !Path::new(&*state).is_file() {
            return Err(Error::usage(format!(
                "--state {state}: is not there; run `cited audit --state {state}` first"
            )));
        }
        cited_audit::store::Store::open(&state).map(Audit::new)
    };
    let audit = settings.audit.state.as_ref().map(open).transpose()?;
    let Serve { listen, host, rate, service, .. } = args;
    let context = Arc::new(Context::new(service, settings)?);
    let unusable = |why: String| Error::usage(format!("--listen {listen}: {why}"));
    super::work(async {
        let bound = TcpListener::bind(&listen).await.and_then(|listener| Ok((listener.local_addr()?, listener)));
        let unbound = |why| unusable(format!("cannot be listened at: {why}; name another HOST:PORT"));
        let (here, listener) = bound.map_err(unbound)?;
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
        let (jobs, guard) = (Arc::new(Jobs::new(Arc::clone(&context))), Guard::new(token.as_deref(), &host, rate));
        let (metrics, stopping) = (Metrics::default(), CancellationToken::new());
        let service = Arc::new(Service { context, guard, jobs, metrics, audit, stopping });
        say(format_args!("listening at http://{here}\n"));
        let (router, places, open) = (routes::router(&service), Arc::new(Semaphore::new(MOST)), TaskTracker::new());
        let accepting = async {
            while let Ok(place) = Arc::clone(&places).acquire_owned().await {
                match listener.accept().await {
                    Ok((stream, client)) => {
                        let router = router.clone().layer(axum::Extension(client.ip()));
                        open.spawn(answer(stream, router, service.stopping.clone(), place));
                    }
                    // Too many open files, for one: others will close.
                    Err(_) => tokio::time::sleep(PAUSE).await,
                }
            }
        };
        tokio::select! {
            biased;
            () = stop => {}
            () = accepting => {}
        }
        // From here on nobody connects: whoever balances the load goes elsewhere.
        drop(listener);
        open.close();
        log(json!({"event": "stopping"}));
        service.stopping.cancel();
        let _ = tokio::join!(service.jobs.drain(GRACE), tokio::time::timeout(GRACE, open.wait()));
        log(json!({"event": "stopped"}));
        Ok(())
    })
}

/// Answers the requests of one client, who has a place among the connections until it is closed: once `closing` is cancelled and what is asked
/// on it has been answered.
async fn answer(stream: TcpStream, router: Router, closing: CancellationToken, _place: OwnedSemaphorePermit) {
    let mut http = hyper::server::conn::http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD).max_headers(MOST_HEADERS).max_buf_size(LONGEST_HEAD);
    let connection = http.serve_connection(TokioIo::new(taken(stream)), TowerToHyperService::new(router));
    let mut connection = std::pin::pin!(connection);
    // A client that breaks off is nobody's business.
    if closing.run_until_cancelled(connection.as_mut()).await.is_none() {
        connection.as_mut().graceful_shutdown();
        let _ = connection.await;
    }
}

/// A stream that breaks off when the other side takes nothing for a while: a client that sends a request and never reads the
/// answer, or is gone without a word, would hold its connection for good.
fn taken<S: AsyncWrite>(stream: S) -> Pin<Box<TimeoutWriter<S>>> {
    let mut stream = TimeoutWriter::new(stream);
    stream.set_timeout(Some(TAKING));
    Box::pin(stream)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    #[tokio::test(start_paused = true)]
    async fn an_answer_that_nobody_takes_breaks_off() {
        let (here, mut there) = tokio::io::duplex(16);
        let mut here = taken(here);
        let begun = tokio::time::Instant::now();
        // Whoever takes a little now and then gets it all.
        let slow = tokio::spawn(async move {
            let mut byte = [0];
            for _ in 0..4 {
                tokio::time::sleep(TAKING / 2).await;
                there.read_exact(&mut byte).await.unwrap();
            }
            there
        });
        here.write_all(&[7; 20]).await.unwrap();
        assert!(begun.elapsed() >= TAKING * 2);
        let _there = slow.await.unwrap();
        let begun = tokio::time::Instant::now();
        let error = here.write_all(&[7; 20]).await.unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::TimedOut);
        assert!(begun.elapsed() >= TAKING && begun.elapsed() < TAKING * 2);
    }
}
