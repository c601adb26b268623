//! From a request to an answer, faults included.

use std::convert::Infallible;
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::header::{HeaderName, HeaderValue};
use hyper::{Request, Response};
use url::Url;

use super::line::Cord;
use super::site::Answer;
use super::{Logged, Shared, archive};

/// Body of every answer.
pub type Body = BoxBody<Bytes, std::io::Error>;

/// Answers one request.
pub async fn respond(
    request: Request<Incoming>,
    scheme: &str,
    name: Option<&str>,
    connection: usize,
    shared: &Shared,
    cord: &Cord,
) -> Result<Response<Body>, std::io::Error> {
    let Some(url) = address(&request, scheme, name) else { return Ok(page(400, "", "Bad request")) };
    shared.log.lock().expect("the log").push(Logged {
        method: request.method().to_string(),
        url: url.to_string(),
        headers: request
            .headers()
            .iter()
            .map(|(name, value)| (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned()))
            .collect(),
        connection,
    });
    tokio::time::sleep(shared.options.latency).await;
    let host = url.host_str().unwrap_or_default().to_owned();
    if let Some(answer) = shared.site.answer(&url) {
        let count = {
            let mut served = shared.served.lock().expect("counters");
            let count = served.entry(url.to_string()).or_insert(0);
            *count += 1;
            *count
        };
        let answer = match count {
            0 | 1 => answer,
            n => answer.then.get(n - 2).or(answer.then.last()).unwrap_or(answer),
        };
        return give(answer, &host, &request, cord).await;
    }
    if archive::is_archive(&host) {
        return archive::respond(&request, &url, shared, cord).await;
    }
    if shared.site.knows_host(&host) {
        return Ok(html(404, "404 Not Found", "The requested URL was not found on this server.", &host));
    }
    cord.cut();
    Err(std::io::ErrorKind::ConnectionReset.into())
}

fn address(request: &Request<Incoming>, scheme: &str, name: Option<&str>) -> Option<Url> {
    let host = request
        .headers()
        .get("host")
        .and_then(|value| value.to_str().ok())
        .map(str::to_owned)
        .or_else(|| request.uri().authority().map(ToString::to_string))
        .or_else(|| name.map(str::to_owned))?;
    let path = request.uri().path_and_query().map_or("/", hyper::http::uri::PathAndQuery::as_str);
    Url::parse(&format!("{scheme}://{host}{path}")).ok()
}

async fn give(
    answer: &Answer,
    host: &str,
    request: &Request<Incoming>,
    cord: &Cord,
) -> Result<Response<Body>, std::io::Error> {
    if let Some(delay) = answer.delay_ms {
        tokio::time::sleep(Duration::from_millis(delay)).await;
    }
    let status = answer.status.unwrap_or(200);
    let mut response = match answer.error.as_deref() {
        None => plain(answer, status, host),
        Some("timeout") => std::future::pending().await,
        Some("reset") => {
            cord.cut();
            return Err(std::io::ErrorKind::ConnectionReset.into());
        }
        Some("close") => return Err(std::io::ErrorKind::ConnectionAborted.into()),
        Some(kind) => faulty(kind, answer, status, host, cord),
    };
    for (name, value) in &answer.headers {
        let name = HeaderName::from_bytes(name.to_ascii_lowercase().as_bytes()).expect("a header name");
        response.headers_mut().insert(name, HeaderValue::from_bytes(value.as_bytes()).expect("a header value"));
    }
    if let Some(location) = &answer.location {
        response.headers_mut().insert("location", HeaderValue::from_bytes(location.as_bytes()).expect("a location"));
    }
    if let Some(tag) = answer.headers.get("etag").or_else(|| answer.headers.get("ETag"))
        && request.headers().get("if-none-match").is_some_and(|value| value.as_bytes() == tag.as_bytes())
    {
        *response.status_mut() = hyper::StatusCode::NOT_MODIFIED;
        *response.body_mut() = empty();
    }
    Ok(response)
}

fn plain(answer: &Answer, status: u16, host: &str) -> Response<Body> {
    if let Some(base64) = &answer.base64 {
        let bytes = data_encoding::BASE64.decode(base64.as_bytes()).expect("base64");
        return with_body(status, "application/octet-stream", bytes);
    }
    if let Some(body) = &answer.body {
        return page(status, "text/html; charset=utf-8", body);
    }
    html(status, answer.title.as_deref().unwrap_or_default(), answer.text.as_deref().unwrap_or_default(), host)
}

fn faulty(kind: &str, answer: &Answer, status: u16, host: &str, cord: &Cord) -> Response<Body> {
    let chunk = Bytes::from(document("Endless", &"All work and no play. ".repeat(400), host));
    let builder = Response::builder().status(status).header("content-type", "text/html; charset=utf-8");
    match kind {
        // Never ends, as fast as the client reads.
        "endless" => {
            let frames = futures_util::stream::repeat_with(move || Ok(Frame::data(chunk.clone())));
            builder.body(BodyExt::boxed(StreamBody::new(frames))).expect("a response")
        }
        // A byte every 200 ms, for ever.
        "drip" => {
            let frames = futures_util::stream::repeat(()).then(|()| async {
                tokio::time::sleep(Duration::from_millis(200)).await;
                Ok(Frame::data(Bytes::from_static(b"x")))
            });
            builder.body(BodyExt::boxed(StreamBody::new(frames))).expect("a response")
        }
        // Promises more than it sends, then the line is cut.
        "truncate" => {
            let text = document("Half", answer.text.as_deref().unwrap_or("Half a page"), host);
            let length = text.len() * 2;
            let cord = cord.clone();
            let frames = futures_util::stream::iter([Some(text), None]).then(move |part| {
                let cord = cord.clone();
                async move {
                    if let Some(text) = part {
                        Ok(Frame::data(Bytes::from(text)))
                    } else {
                        tokio::time::sleep(Duration::from_millis(50)).await;
                        cord.cut();
                        Err(std::io::ErrorKind::ConnectionReset.into())
                    }
                }
            });
            let body = BodyExt::boxed(StreamBody::new(frames));
            builder.header("content-length", length).body(body).expect("a response")
        }
        // More headers than anyone needs.
        "headers" => {
            let mut builder = builder;
            for number in 0..500 {
                builder = builder.header(format!("x-filler-{number}"), "filler");
            }
            builder.body(full(document("Headers", "Too many.", host))).expect("a response")
        }
        // One header of 1 MB.
        "big-header" => builder
            .header("x-filler", "f".repeat(1 << 20))
            .body(full(document("Headers", "Too long.", host)))
            .expect("a response"),
        // 100 MB of zeros in 100 kB.
        "bomb" => {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
            let zeros = vec![b'0'; 1 << 20];
            for _ in 0..100 {
                std::io::Write::write_all(&mut encoder, &zeros).expect("memory");
            }
            let bytes = encoder.finish().expect("memory");
            builder.header("content-encoding", "gzip").body(full(bytes)).expect("a response")
        }
        "gzip" => {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
            let title = answer.title.as_deref().unwrap_or_default();
            let text = document(title, answer.text.as_deref().unwrap_or_default(), host);
            std::io::Write::write_all(&mut encoder, text.as_bytes()).expect("memory");
            let bytes = encoder.finish().expect("memory");
            builder.header("content-encoding", "gzip").body(full(bytes)).expect("a response")
        }
        other => panic!("unknown fault: {other}"),
    }
}

/// A page of a site: navigation, text, footer.
pub fn document(title: &str, text: &str, host: &str) -> String {
    let mut body = String::new();
    for paragraph in text.split("\n\n").filter(|paragraph| !paragraph.trim().is_empty()) {
        body.push_str("<p>");
        body.push_str(&escape(paragraph));
        body.push_str("</p>\n");
    }
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>{}</title></head>\n<body>\n\
         <nav><ul><li><a href=\"/\">Home</a></li><li><a href=\"/about\">About</a></li>\
         <li><a href=\"/contact\">Contact</a></li></ul></nav>\n<main>\n{body}</main>\n\
         <footer><p>© {host}. <a href=\"/privacy\">Privacy</a> <a href=\"/terms\">Terms</a></p></footer>\n</body>\n</html>\n",
        escape(title)
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// An HTML answer.
pub fn html(status: u16, title: &str, text: &str, host: &str) -> Response<Body> {
    page(status, "text/html; charset=utf-8", &document(title, text, host))
}

/// An answer with a body of text.
pub fn page(status: u16, media_type: &str, body: &str) -> Response<Body> {
    with_body(status, media_type, body.as_bytes().to_vec())
}

fn with_body(status: u16, media_type: &str, body: Vec<u8>) -> Response<Body> {
    Response::builder().status(status).header("content-type", media_type).body(full(body)).expect("a response")
}

fn full(body: impl Into<Bytes>) -> Body {
    Full::new(body.into()).map_err(|never: Infallible| match never {}).boxed()
}

/// No body.
pub fn empty() -> Body {
    full(Bytes::new())
}
