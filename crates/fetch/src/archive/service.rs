//! One archive as it is asked: its endpoint and its manners.

use std::time::Duration;

use url::Url;

use super::rate::Rate;
use crate::endpoint::Endpoint;
use crate::looker::Looker;
use crate::transport::{Answer, Ask, Failure, Purpose};

/// Copies that are looked at for one address.
pub(super) const CANDIDATES: usize = 5;

/// Requests in flight to one archive.
const AT_ONCE: usize = 4;

/// One archive, with its manners.
pub struct Archive {
    pub(super) endpoint: Endpoint,
    pub(super) cdx: Rate,
    pub(super) replay: Rate,
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

    /// An answer of the archive, asked for once more after a pause where it says that it was too much.
    pub(super) async fn get(
        &self,
        looker: &Looker,
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

/// When a memento was taken; `None` for an answer that is none (RFC 7089, section 2.1.1).
pub(super) fn memento(answer: &Answer) -> Option<jiff::Timestamp> {
    let time = httpdate::parse_http_date(&answer.header("memento-datetime")?).ok()?;
    jiff::Timestamp::try_from(time).ok()
}
