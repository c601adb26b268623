//! `/healthz` and `/metrics` of a worker, on a loopback address only.

use std::convert::Infallible;
use std::fmt::Write as _;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;

use crate::pipeline::audit::Tally;
use cited_core::error::{Error, Result};

/// An address to listen on: of this machine alone, since what is told there is nobody else's business.
///
/// # Errors
/// When it is none.
pub fn vet(text: &str) -> Result<SocketAddr> {
    let address: SocketAddr = text
        .parse()
        .map_err(|_| Error::usage(format!("--listen {text}: must be an address and a port, such as 127.0.0.1:9090")))?;
    if !address.ip().is_loopback() {
        return Err(Error::usage(format!(
            "--listen {text}: must be a loopback address, such as 127.0.0.1:9090; put a proxy before it that knows who may ask"
        )));
    }
    Ok(address)
}

/// Answers at `address` while the runtime runs: the address with its port.
///
/// # Errors
/// When the address is taken.
pub async fn serve(address: SocketAddr, tally: Arc<Tally>) -> Result<SocketAddr> {
    let wrong = |error: std::io::Error| Error::input(format!("--listen {address}: {error}; name another port"));
    let listener = tokio::net::TcpListener::bind(address).await.map_err(wrong)?;
    let bound = listener.local_addr().map_err(wrong)?;
    tokio::spawn(async move {
        loop {
            let Ok((stream, _)) = listener.accept().await else { continue };
            let tally = Arc::clone(&tally);
            tokio::spawn(async move {
                let service = service_fn(move |request: Request<Incoming>| {
                    let answer = answer(request.method(), request.uri().path(), &tally);
                    async move { Ok::<_, Infallible>(answer) }
                });
                let mut builder = hyper::server::conn::http1::Builder::new();
                builder.keep_alive(false);
                let _ = builder.serve_connection(TokioIo::new(stream), service).await;
            });
        }
    });
    Ok(bound)
}

fn answer(method: &Method, path: &str, tally: &Tally) -> Response<String> {
    let (status, kind, body) = match path {
        _ if method != Method::GET && method != Method::HEAD => {
            (StatusCode::METHOD_NOT_ALLOWED, "text/plain", "only GET\n".to_owned())
        }
        "/healthz" if tally.was_well() => (StatusCode::OK, "text/plain", "ok\n".to_owned()),
        "/healthz" => (StatusCode::SERVICE_UNAVAILABLE, "text/plain", "the database does not answer\n".to_owned()),
        "/metrics" => (StatusCode::OK, "text/plain; version=0.0.4", metrics(tally)),
        _ => (StatusCode::NOT_FOUND, "text/plain", "/healthz and /metrics are here\n".to_owned()),
    };
    let mut response = Response::new(body);
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

/// The text format of Prometheus (its documentation, "Exposition formats").
fn metrics(tally: &Tally) -> String {
    let rows: [(&str, &str, &str, &AtomicUsize); 5] = [
        ("cited_worker_checks_total", "counter", "Checks that were stored.", &tally.stored),
        ("cited_worker_late_total", "counter", "Checks that came after their lease was over.", &tally.late),
        ("cited_worker_batches_total", "counter", "Batches of a host's sources that were claimed.", &tally.batches),
        (
            "cited_worker_tired_total",
            "counter",
            "Batches that ended since a host asked for fewer requests.",
            &tally.tired,
        ),
        ("cited_worker_hosts", "gauge", "Hosts that are being asked.", &tally.running),
    ];
    let mut out = String::new();
    for (name, kind, help, value) in rows {
        // Writing to a String cannot fail.
        let _ = write!(out, "# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {}\n", value.load(Ordering::Relaxed));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_is_listened_on() {
        assert!(vet("127.0.0.1:9090").is_ok());
        assert!(vet("[::1]:0").is_ok());
        for (text, expected) in
            [("0.0.0.0:9090", "loopback"), ("192.0.2.1:80", "loopback"), ("9090", "an address and a port")]
        {
            let error = vet(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn health_and_metrics() {
        let tally = Tally::default();
        assert_eq!(answer(&Method::GET, "/healthz", &tally).status(), StatusCode::SERVICE_UNAVAILABLE);
        tally.is_well();
        tally.stored.store(7, Ordering::Relaxed);
        assert_eq!(answer(&Method::GET, "/healthz", &tally).status(), StatusCode::OK);
        assert_eq!(answer(&Method::POST, "/healthz", &tally).status(), StatusCode::METHOD_NOT_ALLOWED);
        assert_eq!(answer(&Method::GET, "/", &tally).status(), StatusCode::NOT_FOUND);
        let told = answer(&Method::GET, "/metrics", &tally).into_body();
        assert!(told.contains("\ncited_worker_checks_total 7\n"), "{told}");
    }
}
