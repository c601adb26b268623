//! Copies of pages in archives: CDX, `TimeGate`, raw replay (RFC 7089; archives.md has the facts on each service).

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::Date;
use serde_json::Value;
use tokio::sync::Semaphore;
use url::Url;

pub mod save;

use super::Request;
use super::endpoint::Endpoint;
use super::liveness::{self, wall};
use super::looker::Looker;
use super::transport::{Answer, Ask, BodyEnd, Failure, Purpose};
use cited_core::address::stamp::{copy_of, digits, instant, is_stamp, noon, stamp_in};
use cited_core::outcome::ArchiveCopy;
use cited_core::page::Page;
use cited_core::rule::Rule;

/// Copies that are looked at for one address.
const CANDIDATES: usize = 5;

/// Bytes of an answer that are read.
const LONGEST: usize = 4 << 20;

/// The status of a revisit in an index: it has none of its own.
const REVISIT: &str = "-";

/// Requests in flight to one archive.
pub const AT_ONCE: usize = 4;

/// How far a copy may lie from what was asked for: archives send to neighbours of captures that they cannot play.
const WINDOW_SECONDS: i64 = 24 * 3600;

/// Redirects followed inside an archive.
const REPLAY_REDIRECTS: usize = 5;

/// What an archive said: a copy that can stand in, or that it has none; or why it could not be asked, or refused.
pub type Reply = Result<Option<Box<(ArchiveCopy, Page)>>, Failure>;

/// How often a service may be asked: at most so many requests in any minute.
struct Rate(Arc<Semaphore>);

impl Rate {
    fn new(limit: usize) -> Self {
        Rate(Arc::new(Semaphore::new(limit.max(1))))
    }

    /// Waits for a place, which is free again a minute later. A replay asks nobody.
    async fn wait(&self, looker: &Looker) {
        if looker.is_replay() {
            return;
        }
        let place = Arc::clone(&self.0).acquire_owned().await;
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_mins(1)).await;
            drop(place);
        });
    }
}

/// One archive, with its manners.
pub struct Archive {
    /// Where it is.
    pub endpoint: Endpoint,
    cdx: Rate,
    replay: Rate,
}

impl Archive {
    /// An archive at this endpoint.
    pub fn new(endpoint: Endpoint) -> Self {
        let (cdx, replay) = (Rate::new(endpoint.cdx_per_minute), Rate::new(endpoint.replay_per_minute));
        Archive { endpoint, cdx, replay }
    }

    /// An answer of the archive, asked for once more after a pause where it says that it was too much.
    async fn get(&self, looker: &Looker, rate: &Rate, mut ask: Ask) -> Result<Answer, Failure> {
        let host = ask.url.host_str().unwrap_or_default().to_owned();
        loop {
            rate.wait(looker).await;
            let answer = looker.ask_in(&host, ask.clone()).await.result?;
            if answer.status != 429 || ask.hop > 0 {
                return Ok(answer);
            }
            let pause = Duration::from_secs(self.endpoint.pause_seconds);
            looker.politeness.rest(&host, pause, pause);
            // Once more after the pause, kept apart in a bundle by the hop number.
            ask.hop = 1;
        }
    }

    /// Looks for a copy of an address, near a date if there is one.
    pub async fn find(&self, looker: &Looker, address: &Url, near: Option<Date>, cited: &Request<'_>) -> Reply {
        let stamps = match self.list(looker, address, near).await {
            Err(failure) if failure.rule != Some(Rule::Refused) => self.gate(looker, address, near).await?,
            listed => listed?,
        };
        let (mut readable, mut unasked) = (None, None);
        for stamp in stamps.iter().take(CANDIDATES) {
            match self.play(looker, address, stamp, cited).await {
                Ok(Some(copy)) => {
                    if cited.supports.as_ref().is_none_or(|supports| supports(&copy.1.text)) {
                        return Ok(Some(copy));
                    }
                    readable = readable.or(Some(copy));
                }
                Ok(None) => {}
                Err(failure) => unasked = Some(failure),
            }
        }
        unasked.filter(|_| readable.is_none()).map_or(Ok(readable), Err)
    }

    /// Plays a copy, which can stand in where it passes the tests that a live page has to pass.
    async fn play(&self, looker: &Looker, address: &Url, stamp: &str, cited: &Request<'_>) -> Reply {
        let Some(wanted) = instant(stamp) else { return Ok(None) };
        let Ok(mut url) = Url::parse(&format!("{}{stamp}id_/{}", self.endpoint.replay, asked_for(address))) else {
            return Ok(None);
        };
        let is_near = |at: Timestamp| (at.as_second() - wanted.as_second()).abs() <= WINDOW_SECONDS;
        let mut answer = self.get(looker, &self.replay, asks(url.clone(), address)).await?;
        for _ in 0..REPLAY_REDIRECTS {
            if !(300..400).contains(&answer.status) {
                break;
            }
            let next = answer.header("location").and_then(|location| url.join(&location).ok());
            let near = |next: &Url| stamp_in(next.as_str()).and_then(|stamp| instant(&stamp)).is_some_and(is_near);
            match next.filter(near) {
                Some(next) if next != url => url = next,
                _ => return Ok(None),
            }
            answer = self.get(looker, &self.replay, asks(url.clone(), address)).await?;
        }
        let taken = match (memento(&answer), answer.status) {
            (Some(taken), 200) if is_near(taken) => taken,
            (Some(_), _) | (None, 300..400 | 404 | 410) => return Ok(None),
            (None, 200) => return Err(Failure::new(Rule::Refused, "excluded there")),
            (None, status) => return Err(Failure::new(Rule::Refused, format!("HTTP {status}"))),
        };
        let landed = copy_of(&url).map_or_else(|| address.clone(), |(landed, _)| landed);
        let document = looker.read(&answer, &landed, None).await;
        if document.torn || matches!(answer.end, BodyEnd::Broken | BodyEnd::TimedOut) {
            return Err(Failure::new(Rule::Refused, "copy cut short"));
        }
        let walled = wall::find(answer.status, &answer.headers, &document, address, &landed).is_some();
        let has_no_text = document.unreadable.is_some() || document.is_shell || document.page.text.trim().is_empty();
        let doubted = liveness::doubts_copy(&document, address, &landed, cited).filter(|_| !walled && !has_no_text);
        let copy = self.copy(stamp, taken, address);
        Ok(doubted.map(|doubted| Box::new((copy, Page { doubted, ..document.page }))))
    }

    /// A copy with its address for people.
    fn copy(&self, stamp: &str, taken: Timestamp, original: &Url) -> ArchiveCopy {
        ArchiveCopy {
            url: format!("{}{stamp}/{original}", self.endpoint.replay),
            taken,
            original: original.to_string(),
        }
    }

    /// Asks the index for captures, each in fourteen digits, the best first. Where it has none with a text of their own, revisits are asked
    /// for: they say that the page was as before, and are played as what it was. They are not asked for at first, because an error page that
    /// did not change, either, is listed in the same way.
    async fn list(&self, looker: &Looker, address: &Url, near: Option<Date>) -> Result<Vec<String>, Failure> {
        let (asked, nearest) = (asked_for(address), near.map(noon));
        let is_wayback = self.endpoint.is_wayback;
        let mut listed = Vec::new();
        for status in ["200", REVISIT] {
            let filter = format!("{}:{status}", if is_wayback { "statuscode" } else { "=status" });
            let mut query = vec![("url", asked.as_str()), ("output", "json")];
            if is_wayback {
                query.push(("fl", "timestamp,original,mimetype,statuscode,digest,length"));
            }
            query.push(("filter", &filter));
            match &nearest {
                Some(noon) => query.extend([("closest", noon.as_str()), ("sort", "closest"), ("limit", "5")]),
                None if is_wayback => query.push(("limit", "-5")),
                None => query.extend([("sort", "reverse"), ("limit", "5")]),
            }
            let url = Url::parse_with_params(&self.endpoint.cdx, query).map_err(|_| no_list("no index"))?;
            let answer = match self.get(looker, &self.cdx, asks(url, address)).await {
                // A bundle of an earlier version has no such answer.
                Err(failure) if status == REVISIT && failure.rule == Some(Rule::Unasked) => break,
                answered => answered?,
            };
            let refusal = answer.header("x-archive-wayback-runtime-error").unwrap_or_default();
            if refusal.contains("AdministrativeAccessControl") || refusal.contains("RobotAccessControl") {
                return Err(Failure::new(Rule::Refused, "excluded there"));
            }
            if answer.status != 200 {
                return Err(no_list(&format!("HTTP {}", answer.status)));
            }
            listed = stamps(&answer.text(LONGEST)).ok_or_else(|| no_list("its index was not understood"))?;
            if !listed.is_empty() {
                break;
            }
        }
        order(&mut listed, near);
        listed.truncate(CANDIDATES);
        Ok(listed)
    }

    /// Asks the `TimeGate`, where there is no index.
    async fn gate(&self, looker: &Looker, address: &Url, near: Option<Date>) -> Result<Vec<String>, Failure> {
        let url = format!("{}{}", self.endpoint.replay, asked_for(address));
        let url = Url::parse(&url).map_err(|_| no_list("no index"))?;
        let headers = near.map(|date| ("accept-datetime", date.strftime("%a, %d %b %Y 12:00:00 GMT").to_string()));
        let headers = headers.into_iter().collect();
        let answer = self.get(looker, &self.replay, Ask { headers, ..asks(url, address) }).await?;
        let target = answer.header("location").or_else(|| answer.header("content-location"));
        let stamp = target.as_deref().and_then(stamp_in).or_else(|| memento(&answer).map(digits));
        match (answer.status, stamp) {
            (200 | 301 | 302 | 303 | 307 | 308, Some(stamp)) => Ok(vec![stamp]),
            (404, _) => Ok(Vec::new()),
            (status, _) => Err(no_list(&format!("HTTP {status}"))),
        }
    }
}

/// That an index did not answer as one.
fn no_list(why: &str) -> Failure {
    Failure::new(Rule::Malformed, why)
}

/// Timestamps of a CDX answer: rows of arrays below a header (Wayback), or an object a line (pywb); `None` when it is neither.
pub fn stamps(text: &str) -> Option<Vec<String>> {
    let captures: Vec<HashMap<String, Value>> = match serde_json::from_str::<Vec<Vec<Value>>>(text) {
        Ok(rows) => {
            let mut rows = rows.into_iter();
            let head = rows.next().unwrap_or_default();
            let names = || head.iter().map(|name| name.as_str().unwrap_or_default().to_owned());
            rows.map(|row| names().zip(row).collect()).collect()
        }
        Err(_) => {
            let lines = text.lines().filter(|line| !line.trim().is_empty());
            lines.map(serde_json::from_str).collect::<Result<_, _>>().ok()?
        }
    };
    // Filters may be ignored by a server that does not know them; a revisit has `-` for its status.
    let is_wanted = |status: &Value| matches!(status.as_str(), None | Some("200" | REVISIT | ""));
    let wanted = captures.iter().filter(|capture| capture.get("statuscode").is_none_or(is_wanted));
    let stamps = wanted.filter_map(|capture| capture.get("timestamp")?.as_str().filter(|stamp| is_stamp(stamp)));
    Some(stamps.map(str::to_owned).collect())
}

/// Nearest first, of two as near the earlier; without a date the latest first.
pub fn order(stamps: &mut Vec<String>, near: Option<Date>) {
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

fn asks(url: Url, address: &Url) -> Ask {
    Ask::get(url, Purpose::Archive, address.as_str())
}

/// An address as archives know it: they take pages, and a fragment is a place in one.
fn asked_for(address: &Url) -> Url {
    let mut address = address.clone();
    address.set_fragment(None);
    address
}

/// When a memento was taken; `None` for an answer that is none (RFC 7089, section 2.1.1).
fn memento(answer: &Answer) -> Option<Timestamp> {
    let time = httpdate::parse_http_date(&answer.header("memento-datetime")?).ok()?;
    Timestamp::try_from(time).ok()
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::{order, stamps};
    use crate::endpoint::Endpoint;

    #[test]
    fn endpoints_by_address() {
        assert_eq!(Endpoint::parse("https://web.archive.org/web/").unwrap(), Endpoint::wayback());
        let pywb = Endpoint::parse("http://127.0.0.1:8080/coll").unwrap();
        assert_eq!((pywb.is_wayback, pywb.cdx.as_str()), (false, "http://127.0.0.1:8080/coll/cdx"));
        assert_eq!(Endpoint::parse("https://arq.example").unwrap().cdx, "https://arq.example/cdx/search/cdx");
        assert!(Endpoint::parse("ftp://a/").is_err());
    }

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
        check(r#"[["k","20230105000000","https://a/"]]"#, Some(&[]));
        check(
            "{\"urlkey\":\"k\",\"timestamp\":\"20230105000000\",\"status\":\"200\"}\n{\"timestamp\":\"20240105000000\"}\n",
            Some(&["20230105000000", "20240105000000"]),
        );
        check("com,example)/ 20230105000000 http://example.com/ text/html 200 D 12", None);
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
}
