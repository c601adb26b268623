//! Copies of pages in archives: CDX, `TimeGate`, raw replay (RFC 7089; archives.md has the facts on each service).

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use serde_json::Value;
use tokio::time::Instant;
use url::Url;

use super::liveness::{self, Cited};
use super::look::Looker;
use super::outcome::ArchiveCopy;
use super::page::Page;
use super::soft404;
use super::transport::{Answer, Ask, BodyEnd, Failure, Purpose};
use super::walls;

/// Copies that are looked at for one address.
const CANDIDATES: usize = 5;

/// How far a copy may lie from what was asked for: archives send to neighbours of captures that they cannot play.
const WINDOW_SECONDS: i64 = 24 * 3600;

/// Redirects followed inside an archive.
const REPLAY_REDIRECTS: usize = 5;

/// Requests in flight to one archive.
const AT_ONCE: usize = 4;

/// How an archive's index speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// The Wayback Machine: arrays, Java regular expressions, `original`, `statuscode`.
    Wayback,
    /// pywb: an object a line, `url`, `status`, operators `=` and `~` in filters.
    Pywb,
}

/// An archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// How its index speaks.
    pub dialect: Dialect,
    /// Address of its CDX server.
    pub cdx: String,
    /// What stands before timestamp and address of a copy, with a slash at its end.
    pub replay: String,
    /// Address of an availability service, asked when nothing else answers.
    pub availability: Option<String>,
    /// CDX requests a minute. The Wayback Machine allows 30; 24 are used.
    pub cdx_per_minute: usize,
    /// Replay requests a minute. The Wayback Machine allows 600; 480 are used.
    pub replay_per_minute: usize,
    /// Pause for everybody when it says 429, in seconds. 60.
    pub pause_seconds: u64,
}

impl Endpoint {
    /// The Wayback Machine of the Internet Archive.
    pub fn wayback() -> Self {
        Endpoint {
            dialect: Dialect::Wayback,
            cdx: "https://web.archive.org/cdx/search/cdx".to_owned(),
            replay: "https://web.archive.org/web/".to_owned(),
            availability: Some("https://archive.org/wayback/available".to_owned()),
            cdx_per_minute: 24,
            replay_per_minute: 480,
            pause_seconds: 60,
        }
    }

    /// An archive by its address: that of the Wayback Machine, of another service with the same paths
    /// (`https://host/web/`, or only the host), or of a pywb collection (`https://host/collection/`).
    ///
    /// # Errors
    /// When it is no http(s) address.
    pub fn parse(text: &str) -> Result<Self, String> {
        let url = Url::parse(text).map_err(|error| format!("`{text}` is not the address of an archive: {error}"))?;
        let (true, Some(host)) = (matches!(url.scheme(), "http" | "https"), url.host_str()) else {
            return Err(format!("`{text}` is not the address of an archive: it must begin with https:// or http://"));
        };
        if matches!(host, "web.archive.org" | "archive.org" | "www.archive.org" | "wayback.archive.org") {
            return Ok(Self::wayback());
        }
        let origin = url.origin().ascii_serialization();
        let path = url.path().trim_end_matches('/');
        let own = Endpoint { availability: None, ..Self::wayback() };
        Ok(match path {
            "" | "/web" => {
                Endpoint { cdx: format!("{origin}/cdx/search/cdx"), replay: format!("{origin}/web/"), ..own }
            }
            collection => Endpoint {
                dialect: Dialect::Pywb,
                cdx: format!("{origin}{collection}/cdx"),
                replay: format!("{origin}{collection}/"),
                ..own
            },
        })
    }

    /// Host of the replay service.
    pub fn host(&self) -> Option<String> {
        Url::parse(&self.replay).ok()?.host_str().map(str::to_owned)
    }

    /// Address of a copy for people.
    pub fn address(&self, stamp: &str, original: &str) -> String {
        format!("{}{stamp}/{original}", self.replay)
    }
}

/// What an archive said.
#[derive(Debug)]
pub enum Reply {
    /// It has a copy that can stand in.
    Copy(Box<(ArchiveCopy, Page)>),
    /// It has none.
    None,
    /// It could not be asked, or refused.
    Unasked(String),
}

/// One archive, with its manners.
pub struct Archive {
    endpoint: Endpoint,
    cdx: Rate,
    replay: Rate,
}

/// At most so many in any minute.
struct Rate {
    limit: usize,
    recent: Mutex<VecDeque<Instant>>,
    held: Mutex<Option<Instant>>,
}

impl Rate {
    fn new(limit: usize) -> Self {
        Rate { limit: limit.max(1), recent: Mutex::default(), held: Mutex::default() }
    }

    async fn wait(&self) {
        while let Some(time) = self.next() {
            tokio::time::sleep_until(time).await;
        }
    }

    /// When to come back, or `None` when the place is taken.
    fn next(&self) -> Option<Instant> {
        let now = Instant::now();
        let held = *self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(until) = held.filter(|&until| until > now) {
            return Some(until);
        }
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let minute = Duration::from_mins(1);
        while recent.front().is_some_and(|&oldest| now.duration_since(oldest) >= minute) {
            recent.pop_front();
        }
        if recent.len() >= self.limit {
            return recent.front().map(|&oldest| oldest + minute);
        }
        recent.push_back(now);
        None
    }

    fn hold(&self, time: Duration) {
        *self.held.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now() + time);
    }
}

/// A capture to look at.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Candidate {
    stamp: String,
}

/// What the index said.
enum Listing {
    Candidates(Vec<Candidate>),
    None,
    Unasked(String),
    /// It did not answer as an index.
    NoIndex(String),
}

/// What became of a candidate.
enum Replayed {
    Copy(Box<(ArchiveCopy, Page)>),
    Useless,
    Unasked(String),
}

impl Archive {
    /// An archive at this endpoint.
    pub fn new(endpoint: Endpoint) -> Self {
        let (cdx, replay) = (Rate::new(endpoint.cdx_per_minute), Rate::new(endpoint.replay_per_minute));
        Archive { endpoint, cdx, replay }
    }

    /// Host, and how many requests it may have in flight.
    pub fn manners(&self) -> Option<(String, usize)> {
        self.endpoint.host().map(|host| (host, AT_ONCE))
    }

    /// Looks for a copy of an address, near a date if there is one.
    pub async fn find(
        &self,
        looker: &Looker<'_>,
        address: &Url,
        near: Option<jiff::civil::Date>,
        cited: Cited<'_>,
    ) -> Reply {
        let candidates = match self.list(looker, address, near).await {
            Listing::Candidates(candidates) => candidates,
            Listing::None => return Reply::None,
            Listing::Unasked(reason) => return Reply::Unasked(reason),
            Listing::NoIndex(reason) => match self.gate(looker, address, near).await {
                Listing::Candidates(candidates) => candidates,
                Listing::None => return Reply::None,
                Listing::Unasked(other) | Listing::NoIndex(other) => {
                    return Reply::Unasked(if other.is_empty() { reason } else { other });
                }
            },
        };
        let mut readable: Option<Box<(ArchiveCopy, Page)>> = None;
        let mut unasked = None;
        for candidate in candidates.iter().take(CANDIDATES) {
            match self.play(looker, address, &candidate.stamp, cited).await {
                Replayed::Copy(copy) => {
                    if cited.supports.is_none_or(|supports| supports(&copy.1.text)) {
                        return Reply::Copy(copy);
                    }
                    readable = readable.or(Some(copy));
                }
                Replayed::Useless => {}
                Replayed::Unasked(reason) => unasked = Some(reason),
            }
        }
        match (readable, unasked) {
            (Some(copy), _) => Reply::Copy(copy),
            (None, Some(reason)) => Reply::Unasked(reason),
            (None, None) => Reply::None,
        }
    }

    async fn list(&self, looker: &Looker<'_>, address: &Url, near: Option<jiff::civil::Date>) -> Listing {
        let Ok(mut url) = Url::parse(&self.endpoint.cdx) else { return Listing::NoIndex("no index".to_owned()) };
        {
            let mut query = url.query_pairs_mut();
            query.append_pair("url", address.as_str()).append_pair("output", "json");
            match self.endpoint.dialect {
                Dialect::Wayback => query
                    .append_pair("fl", "timestamp,original,mimetype,statuscode,digest,length")
                    .append_pair("filter", "statuscode:200"),
                Dialect::Pywb => query.append_pair("filter", "=status:200"),
            };
            match (near, self.endpoint.dialect) {
                (Some(date), _) => {
                    query.append_pair("closest", &noon(date)).append_pair("sort", "closest").append_pair("limit", "5");
                }
                (None, Dialect::Wayback) => {
                    query.append_pair("limit", "-5");
                }
                (None, Dialect::Pywb) => {
                    query.append_pair("sort", "reverse").append_pair("limit", "5");
                }
            }
        }
        let answer = match self.get(looker, url, address, &self.cdx, Vec::new()).await {
            Ok(answer) => answer,
            Err(failure) => return Listing::NoIndex(format!("archive: {failure}")),
        };
        let refusal = answer.header("x-archive-wayback-runtime-error").unwrap_or_default();
        if refusal.contains("AdministrativeAccessControl") || refusal.contains("RobotAccessControl") {
            return Listing::Unasked("archive: excluded there".to_owned());
        }
        if answer.status != 200 {
            return Listing::NoIndex(format!("archive: HTTP {}", answer.status));
        }
        let Some(mut stamps) = stamps(&text_of(&answer)) else {
            return Listing::NoIndex("archive: its index was not understood".to_owned());
        };
        if stamps.is_empty() {
            return Listing::None;
        }
        order(&mut stamps, near);
        stamps.truncate(CANDIDATES);
        Listing::Candidates(stamps.into_iter().map(|stamp| Candidate { stamp }).collect())
    }

    /// Asks the `TimeGate`, where there is no index.
    async fn gate(&self, looker: &Looker<'_>, address: &Url, near: Option<jiff::civil::Date>) -> Listing {
        let Ok(url) = Url::parse(&format!("{}{address}", self.endpoint.replay)) else {
            return Listing::Unasked(String::new());
        };
        let headers = match near.and_then(http_noon) {
            Some(date) => vec![("accept-datetime", date)],
            None => Vec::new(),
        };
        let answer = match self.get(looker, url.clone(), address, &self.replay, headers).await {
            Ok(answer) => answer,
            Err(failure) => return Listing::Unasked(format!("archive: {failure}")),
        };
        let target = answer.header("location").or_else(|| answer.header("content-location"));
        let stamp = target.as_deref().and_then(stamp_in).or_else(|| memento(&answer).map(digits));
        match (answer.status, stamp) {
            (200 | 301 | 302 | 303 | 307 | 308, Some(stamp)) => Listing::Candidates(vec![Candidate { stamp }]),
            (404, _) => self.available(looker, address, near).await,
            (status, _) => Listing::Unasked(format!("archive: HTTP {status}")),
        }
    }

    /// Asks the availability service, after an index that did not answer and a `TimeGate` that knows nothing.
    async fn available(&self, looker: &Looker<'_>, address: &Url, near: Option<jiff::civil::Date>) -> Listing {
        let Some(mut url) = self.endpoint.availability.as_deref().and_then(|text| Url::parse(text).ok()) else {
            return Listing::None;
        };
        url.query_pairs_mut().append_pair("url", address.as_str());
        if let Some(date) = near {
            url.query_pairs_mut().append_pair("timestamp", &noon(date));
        }
        let Ok(answer) = self.get(looker, url, address, &self.replay, Vec::new()).await else { return Listing::None };
        let value: Value = serde_json::from_str(&text_of(&answer)).unwrap_or_default();
        let stamp = value.pointer("/archived_snapshots/closest/timestamp").and_then(Value::as_str);
        match stamp.filter(|stamp| is_stamp(stamp)) {
            Some(stamp) => Listing::Candidates(vec![Candidate { stamp: stamp.to_owned() }]),
            None => Listing::None,
        }
    }

    async fn play(&self, looker: &Looker<'_>, address: &Url, stamp: &str, cited: Cited<'_>) -> Replayed {
        let Some(wanted) = instant(stamp) else { return Replayed::Useless };
        let Ok(mut url) = Url::parse(&format!("{}{stamp}id_/{address}", self.endpoint.replay)) else {
            return Replayed::Useless;
        };
        for _ in 0..=REPLAY_REDIRECTS {
            let answer = match self.get(looker, url.clone(), address, &self.replay, Vec::new()).await {
                Ok(answer) => answer,
                Err(failure) => return Replayed::Unasked(format!("archive: {failure}")),
            };
            if (300..400).contains(&answer.status) {
                let next = answer.header("location").and_then(|location| url.join(&location).ok());
                let near = next
                    .as_ref()
                    .and_then(|next| stamp_in(next.as_str()))
                    .and_then(|stamp| instant(&stamp))
                    .is_some_and(|at| (at.as_second() - wanted.as_second()).abs() <= WINDOW_SECONDS);
                match next {
                    Some(next) if near && next != url => url = next,
                    _ => return Replayed::Useless,
                }
                continue;
            }
            let Some(taken) = memento(&answer) else {
                return match answer.status {
                    404 | 410 => Replayed::Useless,
                    200 => Replayed::Unasked("archive: excluded there".to_owned()),
                    status => Replayed::Unasked(format!("archive: HTTP {status}")),
                };
            };
            if (taken.as_second() - wanted.as_second()).abs() > WINDOW_SECONDS {
                return Replayed::Useless;
            }
            return self.accept(looker, address, stamp, taken, &answer, cited).await;
        }
        Replayed::Useless
    }

    /// Whether a copy can stand in: it passes the tests that a live page has to pass.
    async fn accept(
        &self,
        looker: &Looker<'_>,
        address: &Url,
        stamp: &str,
        taken: Timestamp,
        answer: &Answer,
        cited: Cited<'_>,
    ) -> Replayed {
        if answer.status != 200 || answer.end == BodyEnd::Broken || answer.end == BodyEnd::TimedOut {
            return if answer.status == 200 {
                Replayed::Unasked("archive: copy cut short".to_owned())
            } else {
                Replayed::Useless
            };
        }
        let (_, document) = looker.read(answer.clone(), address).await;
        let walled = walls::find(answer.status, &answer.headers, &document, address, address).is_some();
        let wrong = soft404::by_text(&document, address)
            .is_some_and(|suspicion| !liveness::is_the_page(&document, cited, suspicion.rule));
        if walled || wrong || document.unreadable.is_some() || document.is_shell || document.page.text.trim().is_empty()
        {
            return Replayed::Useless;
        }
        let copy =
            ArchiveCopy { url: self.endpoint.address(stamp, address.as_str()), taken, original: address.to_string() };
        Replayed::Copy(Box::new((copy, document.page)))
    }

    async fn get(
        &self,
        looker: &Looker<'_>,
        url: Url,
        address: &Url,
        rate: &Rate,
        headers: Vec<(&'static str, String)>,
    ) -> Result<Answer, Failure> {
        let mut ask = Ask { url, purpose: Purpose::Archive, origin: address.to_string(), hop: 0, attempt: 0, headers };
        loop {
            if !looker.transport.is_replay() {
                rate.wait().await;
            }
            let answer = looker.ask(ask.clone()).await.result?;
            if answer.status != 429 || ask.hop > 0 {
                return Ok(answer);
            }
            if !looker.transport.is_replay() {
                let pause = Duration::from_secs(self.endpoint.pause_seconds);
                self.cdx.hold(pause);
                self.replay.hold(pause);
            }
            // Once more after the pause, kept apart in a bundle by the hop number.
            ask.hop = 1;
        }
    }
}

fn text_of(answer: &Answer) -> String {
    let body = super::decode::decode(&answer.body, answer.header("content-encoding").as_deref(), 4 << 20);
    String::from_utf8_lossy(&body.bytes).into_owned()
}

/// Timestamps of a CDX answer: rows of arrays with or without a header, an object a line, or plain CDX lines; `None`
/// when it is none of these.
fn stamps(text: &str) -> Option<Vec<String>> {
    let text = text.trim();
    if text.is_empty() {
        return Some(Vec::new());
    }
    if let Ok(Value::Array(rows)) = serde_json::from_str::<Value>(text) {
        return Some(from_rows(&rows));
    }
    let mut stamps = Vec::new();
    for line in text.lines() {
        if let Ok(Value::Object(fields)) = serde_json::from_str::<Value>(line) {
            stamps.extend(fields.get("timestamp").and_then(Value::as_str).filter(|s| is_stamp(s)).map(str::to_owned));
        } else if let Some(stamp) = line.split(' ').nth(1).filter(|stamp| is_stamp(stamp)) {
            stamps.push(stamp.to_owned());
        } else {
            return None;
        }
    }
    Some(stamps)
}

fn from_rows(rows: &[Value]) -> Vec<String> {
    let strings = |row: &Value| -> Vec<String> {
        row.as_array()
            .map(|cells| cells.iter().filter_map(|cell| cell.as_str().map(str::to_owned)).collect())
            .unwrap_or_default()
    };
    let head = rows.first().map(strings).unwrap_or_default();
    let column = |name: &str| head.iter().position(|cell| cell == name);
    let at = column("timestamp");
    let status = column("statuscode");
    let mut stamps = Vec::new();
    for row in rows.iter().skip(usize::from(at.is_some())) {
        let cells = strings(row);
        // Filters may be ignored by a server that does not know them; a revisit has `-` for its status.
        if status.and_then(|at| cells.get(at)).is_some_and(|status| !matches!(status.as_str(), "200" | "-" | "")) {
            continue;
        }
        let cell = match at {
            Some(at) => cells.get(at).filter(|cell| is_stamp(cell)),
            None => cells.iter().find(|cell| is_stamp(cell)),
        };
        let object = row.get("timestamp").and_then(Value::as_str).filter(|cell| is_stamp(cell));
        stamps.extend(cell.cloned().or_else(|| object.map(str::to_owned)));
    }
    stamps
}

/// Nearest first, of two as near the earlier; without a date the latest first.
fn order(stamps: &mut Vec<String>, near: Option<jiff::civil::Date>) {
    stamps.sort();
    stamps.dedup();
    match near.and_then(|date| instant(&noon(date))) {
        Some(date) => stamps.sort_by_key(|stamp| {
            let second = instant(stamp).map_or(i64::MAX / 2, Timestamp::as_second);
            ((second - date.as_second()).abs(), second > date.as_second())
        }),
        None => stamps.reverse(),
    }
}

fn is_stamp(text: &str) -> bool {
    text.len() == 14 && text.bytes().all(|b| b.is_ascii_digit())
}

/// The time of fourteen digits. Old captures have a month or day of `00`; it counts as the first.
fn instant(stamp: &str) -> Option<Timestamp> {
    let number = |from: usize, to: usize| stamp.get(from..to)?.parse::<i16>().ok();
    let small = |from: usize, to: usize| number(from, to).and_then(|n| i8::try_from(n).ok());
    let time = DateTime::new(
        number(0, 4)?,
        small(4, 6)?.max(1),
        small(6, 8)?.max(1),
        small(8, 10)?.min(23),
        small(10, 12)?.min(59),
        small(12, 14)?.min(59),
        0,
    );
    time.ok()?.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp())
}

fn digits(time: Timestamp) -> String {
    time.strftime("%Y%m%d%H%M%S").to_string()
}

fn noon(date: jiff::civil::Date) -> String {
    format!("{:04}{:02}{:02}120000", date.year(), date.month(), date.day())
}

fn http_noon(date: jiff::civil::Date) -> Option<String> {
    let time = instant(&noon(date))?;
    Some(time.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string())
}

/// The first fourteen digits between slashes, with or without a flag behind them.
fn stamp_in(address: &str) -> Option<String> {
    address.split('/').find_map(|part| {
        let digits = part.trim_end_matches("id_").trim_end_matches("mp_").trim_end_matches("if_");
        is_stamp(digits).then(|| digits.to_owned())
    })
}

fn memento(answer: &Answer) -> Option<Timestamp> {
    let time = httpdate::parse_http_date(&answer.header("memento-datetime")?).ok()?;
    Timestamp::try_from(time).ok()
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::{Dialect, Endpoint, instant, order, stamp_in, stamps};

    #[test]
    fn every_index_dialect_is_read() {
        let check = |text: &str, expected: Option<&[&str]>| {
            let found = stamps(text);
            assert_eq!(
                found.as_deref().map(|s| s.iter().map(String::as_str).collect::<Vec<_>>()).as_deref(),
                expected,
                "{text}"
            );
        };
        check("", Some(&[]));
        check("[]", Some(&[]));
        check(r#"[["timestamp","original"],["20230105000000","https://a/"]]"#, Some(&["20230105000000"]));
        check(
            r#"[["urlkey","timestamp","original","mimetype","statuscode"],["k","20230105000000","u","text/html","404"],
               ["k","20240105000000","u","warc/revisit","-"],[],["key"]]"#,
            Some(&["20240105000000"]),
        );
        check(r#"[["k","20230105000000","https://a/"]]"#, Some(&["20230105000000"]));
        check(
            "{\"urlkey\":\"k\",\"timestamp\":\"20230105000000\",\"status\":\"200\"}\n{\"timestamp\":\"20240105000000\"}\n",
            Some(&["20230105000000", "20240105000000"]),
        );
        check("com,example)/ 20230105000000 http://example.com/ text/html 200 D 12", Some(&["20230105000000"]));
        check("<html>Not found</html>", None);
    }

    #[test]
    fn the_nearest_copy_comes_first() {
        let all = ["20200101000000", "20230105000000", "20220105000000", "20240101000000"];
        let check = |near, expected: [&str; 4]| {
            let mut stamps: Vec<String> = all.iter().map(|&s| s.to_owned()).collect();
            order(&mut stamps, near);
            assert_eq!(stamps, expected);
        };
        check(None, ["20240101000000", "20230105000000", "20220105000000", "20200101000000"]);
        check(Some(date(2022, 3, 1)), ["20220105000000", "20230105000000", "20240101000000", "20200101000000"]);
    }

    #[test]
    fn timestamps_with_zeros_are_read() {
        assert_eq!(instant("19970000000000").unwrap().to_string(), "1997-01-01T00:00:00Z");
        assert!(instant("20231305000000").is_none());
        assert_eq!(stamp_in("https://h/web/20230105000000id_/https://a/").as_deref(), Some("20230105000000"));
        assert_eq!(stamp_in("https://h/web/https://a/"), None);
    }

    #[test]
    fn endpoints_by_address() {
        assert_eq!(Endpoint::parse("https://web.archive.org/web/").unwrap(), Endpoint::wayback());
        let pywb = Endpoint::parse("http://127.0.0.1:8080/coll").unwrap();
        assert_eq!((pywb.dialect, pywb.cdx.as_str()), (Dialect::Pywb, "http://127.0.0.1:8080/coll/cdx"));
        assert_eq!(Endpoint::parse("https://arq.example").unwrap().cdx, "https://arq.example/cdx/search/cdx");
        assert!(Endpoint::parse("ftp://a/").is_err());
    }
}
