//! Copies of pages in archives: CDX, `TimeGate`, raw replay (RFC 7089; archives.md has the facts on each service).

use std::time::Duration;

use jiff::Timestamp;
use url::Url;

mod index;
mod rate;
pub mod save;
mod stamp;

use self::index::Listing;
use self::rate::Rate;
pub use self::stamp::{copy_of, instant};
use self::stamp::{memento, stamp_in};
use super::liveness::{self, Cited};
use super::look::Looker;
use super::outcome::ArchiveCopy;
use super::page::Page;

use super::liveness::wall;
use super::transport::{Answer, Ask, BodyEnd, Failure, Purpose};

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

    /// Whether it can be asked to take copies.
    pub fn takes_copies(&self) -> bool {
        self.endpoint.save().is_some()
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
        if document.torn {
            return Replayed::Unasked("archive: copy cut short".to_owned());
        }
        let walled = wall::find(answer.status, &answer.headers, &document, address, address).is_some();
        let wrong = liveness::is_of_nothing(&document, address, cited);
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
        let mut ask = Ask { headers, ..Ask::get(url, Purpose::Archive, address.as_str()) };
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

#[cfg(test)]
mod tests {
    use super::{Dialect, Endpoint};

    #[test]
    fn endpoints_by_address() {
        assert_eq!(Endpoint::parse("https://web.archive.org/web/").unwrap(), Endpoint::wayback());
        let pywb = Endpoint::parse("http://127.0.0.1:8080/coll").unwrap();
        assert_eq!((pywb.dialect, pywb.cdx.as_str()), (Dialect::Pywb, "http://127.0.0.1:8080/coll/cdx"));
        assert_eq!(Endpoint::parse("https://arq.example").unwrap().cdx, "https://arq.example/cdx/search/cdx");
        assert!(Endpoint::parse("ftp://a/").is_err());
    }
}
