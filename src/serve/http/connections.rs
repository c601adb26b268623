//! Connections: how many there are at once, how slowly a request may come and an answer go, how they end.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::AsyncWrite;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_io_timeout::TimeoutWriter;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

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

/// Takes connections until `stop` ends. Gives those that are open then; each is closed once `closing` is cancelled and what is asked on it
/// has been answered.
pub async fn accept(
    listener: TcpListener,
    router: Router,
    closing: &CancellationToken,
    stop: impl Future<Output = ()>,
) -> TaskTracker {
    let (places, open) = (Arc::new(Semaphore::new(MOST)), TaskTracker::new());
    let accepting = async {
        while let Ok(place) = Arc::clone(&places).acquire_owned().await {
            match listener.accept().await {
                Ok((stream, client)) => {
                    let router = router.clone().layer(axum::Extension(client.ip()));
                    open.spawn(answer(stream, router, closing.clone(), place));
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
    open.close();
    open
}

/// Answers the requests of one client, who has a place among the connections until it is closed.
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
