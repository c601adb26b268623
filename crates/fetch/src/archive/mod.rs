//! Copies of pages in archives: CDX, `TimeGate`, raw replay (RFC 7089; archives.md has the facts on each service).

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::Semaphore;
use url::Url;

mod index;
pub mod save;

use self::index::asked_for;
use super::Request;
use super::endpoint::Endpoint;
use super::liveness::{self, wall};
use super::looker::Looker;
use super::transport::{Answer, Ask, BodyEnd, Failure, FailureKind, Purpose};
use cited_core::address::stamp::{copy_of, instant, stamp_in};
use cited_core::outcome::ArchiveCopy;
use cited_core::page::Page;

/// Copies that are looked at for one address.
const CANDIDATES: usize = 5;

/// Requests in flight to one archive.
pub const AT_ONCE: usize = 4;

/// How far a copy may lie from what was asked for: archives send to neighbours of captures that they cannot play.
const WINDOW_SECONDS: i64 = 24 * 3600;

/// Redirects followed inside an archive.
const REPLAY_REDIRECTS: usize = 5;

/// What an archive said: a copy that can stand in, or that it has none; or why it could not be asked, or refused.
pub type Reply = Result<Option<Box<(ArchiveCopy, Page)>>, Failure>;

fn refused(why: impl Into<String>) -> Reply {
    Err(Failure::new(FailureKind::Refused, why))
}

/// How often a service may be asked: at most so many requests in any minute.
struct Rate(Arc<Semaphore>);

impl Rate {
    fn new(limit: usize) -> Self {
        Rate(Arc::new(Semaphore::new(limit.max(1))))
    }

    /// Waits for a place, which is free again a minute later. A replay asks nobody.
    async fn wait(&self, looker: &Looker) {
        if looker.transport.is_replay() {
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
    async fn get(
        &self,
        looker: &Looker,
        url: Url,
        address: &Url,
        rate: &Rate,
        headers: Vec<(&'static str, String)>,
    ) -> Result<Answer, Failure> {
        let mut ask = Ask { headers, ..Ask::get(url, Purpose::Archive, address.as_str()) };
        loop {
            rate.wait(looker).await;
            let answer = looker.ask(ask.clone()).await.result?;
            if answer.status != 429 || ask.hop > 0 {
                return Ok(answer);
            }
            let pause = Duration::from_secs(self.endpoint.pause_seconds);
            looker.politeness.rest(ask.url.host_str().unwrap_or_default(), pause, pause);
            // Once more after the pause, kept apart in a bundle by the hop number.
            ask.hop = 1;
        }
    }

    /// Looks for a copy of an address, near a date if there is one.
    pub async fn find(
        &self,
        looker: &Looker,
        address: &Url,
        near: Option<jiff::civil::Date>,
        cited: &Request<'_>,
    ) -> Reply {
        let stamps = match self.list(looker, address, near).await {
            Err(failure) if failure.kind != FailureKind::Refused => self.gate(looker, address, near).await?,
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
        match (readable, unasked) {
            (None, Some(failure)) => Err(failure),
            (readable, _) => Ok(readable),
        }
    }

    async fn play(&self, looker: &Looker, address: &Url, stamp: &str, cited: &Request<'_>) -> Reply {
        let Some(wanted) = instant(stamp) else { return Ok(None) };
        let Ok(mut url) = Url::parse(&format!("{}{stamp}id_/{}", self.endpoint.replay, asked_for(address))) else {
            return Ok(None);
        };
        let is_near = |at: Timestamp| (at.as_second() - wanted.as_second()).abs() <= WINDOW_SECONDS;
        for _ in 0..=REPLAY_REDIRECTS {
            let answer = self.get(looker, url.clone(), address, &self.replay, Vec::new()).await?;
            if (300..400).contains(&answer.status) {
                let next = answer.header("location").and_then(|location| url.join(&location).ok());
                let near = |next: &Url| stamp_in(next.as_str()).and_then(|stamp| instant(&stamp)).is_some_and(is_near);
                match next.filter(near) {
                    Some(next) if next != url => url = next,
                    _ => return Ok(None),
                }
                continue;
            }
            let Some(taken) = memento(&answer) else {
                return match answer.status {
                    404 | 410 => Ok(None),
                    200 => refused("excluded there"),
                    status => refused(format!("HTTP {status}")),
                };
            };
            if !is_near(taken) {
                return Ok(None);
            }
            let landed = copy_of(&url).map_or_else(|| address.clone(), |(landed, _)| landed);
            return self.accept(looker, (address, &landed), (stamp, taken), &answer, cited).await;
        }
        Ok(None)
    }

    /// Whether a copy can stand in: it passes the tests that a live page has to pass.
    async fn accept(
        &self,
        looker: &Looker,
        (address, landed): (&Url, &Url),
        (stamp, taken): (&str, Timestamp),
        answer: &Answer,
        cited: &Request<'_>,
    ) -> Reply {
        if answer.status != 200 || answer.end == BodyEnd::Broken || answer.end == BodyEnd::TimedOut {
            return if answer.status == 200 { refused("copy cut short") } else { Ok(None) };
        }
        let document = looker.read(answer, landed, None).await;
        if document.torn {
            return refused("copy cut short");
        }
        let walled = wall::find(answer.status, &answer.headers, &document, address, landed).is_some();
        let has_no_text = document.unreadable.is_some() || document.is_shell || document.page.text.trim().is_empty();
        let Some(doubted) =
            liveness::doubts_copy(&document, address, landed, cited).filter(|_| !walled && !has_no_text)
        else {
            return Ok(None);
        };
        let page = Page { doubted, ..document.page };
        let copy =
            ArchiveCopy { url: self.endpoint.address(stamp, address.as_str()), taken, original: address.to_string() };
        Ok(Some(Box::new((copy, page))))
    }
}

/// When a memento was taken; `None` for an answer that is none (RFC 7089, section 2.1.1).
fn memento(answer: &Answer) -> Option<Timestamp> {
    let time = httpdate::parse_http_date(&answer.header("memento-datetime")?).ok()?;
    Timestamp::try_from(time).ok()
}

#[cfg(test)]
mod tests {
    use crate::endpoint::{Dialect, Endpoint};

    #[test]
    fn endpoints_by_address() {
        assert_eq!(Endpoint::parse("https://web.archive.org/web/").unwrap(), Endpoint::wayback());
        let pywb = Endpoint::parse("http://127.0.0.1:8080/coll").unwrap();
        assert_eq!((pywb.dialect, pywb.cdx.as_str()), (Dialect::Pywb, "http://127.0.0.1:8080/coll/cdx"));
        assert_eq!(Endpoint::parse("https://arq.example").unwrap().cdx, "https://arq.example/cdx/search/cdx");
        assert!(Endpoint::parse("ftp://a/").is_err());
    }
}
