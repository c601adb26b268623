//! An archive in the manner of the Wayback Machine: CDX, `TimeGate`, raw replay.

use hyper::body::Incoming;
use hyper::header::HeaderValue;
use hyper::{Request, Response};
use url::Url;

use super::Shared;
use super::line::Cord;
use super::respond::{Body, empty, html, page};
use super::site::Copy;

const HOSTS: [&str; 3] = ["web.archive.org", "archive.org", "www.archive.org"];

/// Whether a host is the archive's.
pub fn is_archive(host: &str) -> bool {
    HOSTS.contains(&host)
}

/// Answers as the archive.
pub async fn respond(
    request: &Request<Incoming>,
    url: &Url,
    shared: &Shared,
    cord: &Cord,
) -> Result<Response<Body>, std::io::Error> {
    if url.path().starts_with("/save") {
        return Ok(save(request, url, shared));
    }
    let asked = match url.path() {
        "/cdx/search/cdx" => parameter(url, "url").unwrap_or_default(),
        _ => replay_target(url).map(|(_, _, target)| target).unwrap_or_default(),
    };
    let copies = match shared.site.copies(&asked) {
        Ok(copies) => copies,
        Err(fault) => match fault.as_str() {
            "throttled" => return Ok(page(429, "text/html", "<h1>Too Many Requests</h1>")),
            "excluded" if url.path().starts_with("/cdx") => {
                let mut response = page(403, "text/plain", "org.archive.util.io.RuntimeIOException");
                response.headers_mut().insert(
                    "x-archive-wayback-runtime-error",
                    HeaderValue::from_static("AdministrativeAccessControlException: Blocked Site Error"),
                );
                return Ok(response);
            }
            "excluded" => return Ok(html(200, "Wayback Machine", "This URL has been excluded.", "archive.org")),
            "timeout" => std::future::pending().await,
            "reset" => {
                cord.cut();
                return Err(std::io::ErrorKind::ConnectionReset.into());
            }
            _ => return Ok(page(503, "text/html", "<h1>503 Service Unavailable</h1>")),
        },
    };
    if url.path() == "/cdx/search/cdx" {
        return Ok(cdx(url, &asked, copies));
    }
    let Some((stamp, raw, target)) = replay_target(url) else {
        return Ok(html(404, "Wayback Machine", "Not found.", "archive.org"));
    };
    let wanted = match (&stamp, request.headers().get("accept-datetime").and_then(|value| value.to_str().ok())) {
        (Some(stamp), _) => stamp.clone(),
        (None, Some(date)) => match httpdate::parse_http_date(date) {
            Ok(time) => digits(time),
            Err(_) => return Ok(page(400, "text/plain", "bad date")),
        },
        (None, None) => "99999999999999".to_owned(),
    };
    let Some(copy) = nearest(&copies, &wanted) else {
        return Ok(html(404, "Wayback Machine", "The Wayback Machine has not archived that URL.", "archive.org"));
    };
    if stamp.as_deref() != Some(copy.timestamp.as_str()) {
        let flag = if raw { "id_" } else { "" };
        let location = format!("https://{}/web/{}{flag}/{target}", url.host_str().unwrap_or_default(), copy.timestamp);
        let mut response = Response::new(empty());
        *response.status_mut() = hyper::StatusCode::FOUND;
        response.headers_mut().insert("location", HeaderValue::from_str(&location).expect("a location"));
        response.headers_mut().insert("vary", HeaderValue::from_static("accept-datetime"));
        return Ok(response);
    }
    Ok(replay(copy, &target, url))
}

/// Save Page Now: a capture is pending once, then done, unless the description of the address says otherwise.
fn save(request: &Request<Incoming>, url: &Url, shared: &Shared) -> Response<Body> {
    let header = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let json = |value: serde_json::Value| page(200, "application/json", &value.to_string());
    let mut jobs = shared.jobs.lock().expect("jobs");
    let Some(job) = url.path().strip_prefix("/save/status/") else {
        if request.method() != hyper::Method::POST || header("accept") != "application/json" {
            return page(400, "text/plain", "not so");
        }
        let number = jobs.len();
        jobs.push(0);
        return json(serde_json::json!({"job_id": format!("spn2-{number}")}));
    };
    let number: usize = job.trim_start_matches("spn2-").parse().expect("a job");
    jobs[number] += 1;
    json(match (shared.options.save_fails, jobs[number]) {
        (_, 1) => serde_json::json!({"status": "pending"}),
        (Some(error), _) => serde_json::json!({"status": "error", "status_ext": error}),
        (None, _) => serde_json::json!({"status": "success", "timestamp": "20260102030405"}),
    })
}

fn replay(copy: &Copy, target: &str, url: &Url) -> Response<Body> {
    let status = copy.status.unwrap_or(200);
    let host = Url::parse(target).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default();
    let mut response = match &copy.body {
        Some(body) => page(status, "text/html; charset=utf-8", body),
        None => html(status, copy.title.as_deref().unwrap_or_default(), &copy.text, &host),
    };
    let headers = response.headers_mut();
    headers.insert("memento-datetime", HeaderValue::from_str(&http_date(&copy.timestamp)).expect("a date"));
    headers.insert("x-archive-orig-content-type", HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert("link", HeaderValue::from_str(&format!("<{target}>; rel=\"original\"")).expect("a link"));
    if let Some(location) = &copy.location {
        let location = format!("https://{}/web/{}id_/{location}", url.host_str().unwrap_or_default(), copy.timestamp);
        headers.insert("location", HeaderValue::from_str(&location).expect("a location"));
    }
    response
}

fn cdx(url: &Url, asked: &str, mut copies: Vec<Copy>) -> Response<Body> {
    copies.sort_by(|a, b| a.timestamp.cmp(&b.timestamp));
    let listed = |copy: &Copy| if copy.revisit { "-".to_owned() } else { copy.status.unwrap_or(200).to_string() };
    if let Some(filter) = parameter(url, "filter") {
        copies.retain(|copy| filter.strip_prefix("statuscode:").is_none_or(|status| listed(copy) == status));
    }
    if let Some(closest) = parameter(url, "closest") {
        copies.sort_by_key(|copy| distance(&copy.timestamp, &closest));
    }
    if let Some(limit) = parameter(url, "limit").and_then(|limit| limit.parse::<i64>().ok()) {
        let keep = usize::try_from(limit.unsigned_abs()).unwrap_or(usize::MAX);
        if limit < 0 {
            copies.drain(..copies.len().saturating_sub(keep));
        } else {
            copies.truncate(keep);
        }
    }
    let all = ["urlkey", "timestamp", "original", "mimetype", "statuscode", "digest", "length"];
    let fields: Vec<String> = parameter(url, "fl").map_or_else(
        || all.iter().map(|&field| field.to_owned()).collect(),
        |fl| fl.split(',').map(str::to_owned).collect(),
    );
    let mut rows = Vec::new();
    for copy in &copies {
        let row: Vec<String> = fields
            .iter()
            .map(|field| match field.as_str() {
                "timestamp" => copy.timestamp.clone(),
                "mimetype" => "text/html".to_owned(),
                "statuscode" => listed(copy),
                "digest" => "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ".to_owned(),
                "length" => copy.text.len().to_string(),
                _ => asked.to_owned(),
            })
            .collect();
        rows.push(row);
    }
    if !rows.is_empty() {
        rows.insert(0, fields);
    }
    page(200, "application/json", &serde_json::to_string(&rows).expect("rows"))
}

/// Timestamp, whether raw, and target of a replay address.
fn replay_target(url: &Url) -> Option<(Option<String>, bool, String)> {
    let rest = url.path().strip_prefix("/web/")?;
    let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
    let (head, tail) = rest.split_once('/').unwrap_or((rest, ""));
    let digits: String = head.chars().take_while(char::is_ascii_digit).collect();
    if digits.is_empty() {
        return Some((None, false, format!("{rest}{query}")));
    }
    Some((Some(digits), head.ends_with("id_"), format!("{tail}{query}")))
}

fn parameter(url: &Url, name: &str) -> Option<String> {
    url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
}

fn nearest<'a>(copies: &'a [Copy], wanted: &str) -> Option<&'a Copy> {
    copies.iter().min_by_key(|copy| distance(&copy.timestamp, wanted))
}

/// Distance of two timestamps; only its order matters.
fn distance(one: &str, other: &str) -> u64 {
    let number = |stamp: &str| format!("{stamp:0<14}").get(..14).and_then(|s| s.parse::<u64>().ok()).unwrap_or(0);
    number(one).abs_diff(number(other))
}

fn digits(time: std::time::SystemTime) -> String {
    let stamp = jiff::Timestamp::try_from(time).expect("a time");
    stamp.strftime("%Y%m%d%H%M%S").to_string()
}

fn http_date(stamp: &str) -> String {
    let time = jiff::civil::DateTime::strptime("%Y%m%d%H%M%S", stamp).expect("fourteen digits");
    time.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
}
