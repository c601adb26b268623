//! Asking a service that has records in a form of its own, at the pace that it wants: an index of works.

use std::time::Duration;

use url::Url;

use super::looker::{LONGEST_WAIT, rest_of};
use super::network::Network;
use super::settings::{CachePlace, Settings};
use super::transport::{Answer, Ask, BodyEnd, Exchange, Failure, Purpose};

/// Bytes of an answer.
const MOST: usize = 8 << 20;
/// Redirects that are followed where a service answers from elsewhere.
const REDIRECTS: u32 = 4;

/// How a service is asked.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    /// Requests at once.
    pub at_once: usize,
    /// Time between the starts of this request and the next.
    pub gap: Duration,
}

/// One request to a service.
#[derive(Clone)]
pub struct Query {
    /// The service: its pace is kept for all requests that name it.
    pub service: &'static str,
    /// What is asked for.
    pub ask: Ask,
    /// Whether another host may answer in its place.
    pub elsewhere: bool,
    /// How it wants to be asked.
    pub pace: Pace,
}

/// What came of a request.
#[derive(Debug, Clone)]
pub struct Reply {
    /// Status and text; or why there is none.
    pub result: Result<(u16, String), String>,
    /// When it came.
    pub at: jiff::Timestamp,
    /// Requests that were made.
    pub requests: u32,
    /// Whether the service wants to be left alone for longer than is waited for.
    pub closed: bool,
    /// What it says is left of its budget.
    pub left: Option<u64>,
}

impl Network {
    /// Asks a service. What may pass is tried again; whatever it asks for with `Retry-After` is waited for, or it is not asked again.
    pub async fn consult(&self, query: &Query) -> Reply {
        self.keep_to(query.service, query.pace);
        let may = |next: &Url| query.elsewhere || next.origin() == query.ask.url.origin();
        let exchange = self.looker.ask_along(Some(query.service), query.ask.clone(), REDIRECTS, may).await;
        let said = exchange.result.as_ref().ok();
        let gap = said.and_then(gap_of).filter(|gap| *gap > query.pace.gap).unwrap_or_default();
        let most = said.and_then(|answer| answer.header("x-concurrency-limit")?.parse().ok()).unwrap_or(usize::MAX);
        self.looker.politeness.narrow(query.service, most, gap.min(LONGEST_WAIT));
        let left = said.and_then(|answer| answer.header("x-ratelimit-remaining")?.parse().ok());
        let reset = |answer: &Answer| answer.header("x-ratelimit-reset")?.parse().ok().map(Duration::from_secs);
        let rest =
            said.and_then(|answer| rest_of(answer, exchange.at).or_else(|| reset(answer).filter(|_| left == Some(0))));
        let closed = rest.is_some_and(|rest| rest > LONGEST_WAIT);
        let result = match exchange.result {
            Ok(answer) if answer.end != BodyEnd::Complete => Err("body cut short".to_owned()),
            Ok(answer) => Ok((answer.status, answer.text(MOST))),
            Err(failure) => Err(failure.reason),
        };
        Reply { result, at: exchange.at, requests: exchange.requests, closed, left }
    }

    /// Lets a service, or pages at its host, be asked for at its pace. What the user says of hosts counts for these, too; no pause at all
    /// takes nothing from what a service asks for.
    pub fn keep_to(&self, service: &str, pace: Pace) {
        let settings = &self.looker.settings;
        let is_usual = [Duration::ZERO, Settings::default().host_pause].contains(&settings.host_pause);
        let gap = if is_usual { pace.gap } else { settings.host_pause };
        self.looker.politeness.allow(service, settings.per_host.max(pace.at_once), gap);
    }

    /// Takes note that a service was given up before it was asked this: a replay, which asks in another order, says the same.
    pub fn give_up(&self, query: &Query, why: &str) {
        let ask = Ask::get(query.ask.url.clone(), Purpose::GivenUp, "");
        if let Some(recorder) = &self.looker.recorder {
            recorder.keep(&ask, &Exchange::new(Err(Failure::ours(why)), recorder.begun));
        }
    }

    /// Why it was given up before, in the run that a bundle holds.
    pub fn was_given_up(&self, query: &Query) -> Option<String> {
        let ask = Ask::get(query.ask.url.clone(), Purpose::GivenUp, "");
        let failure = self.looker.replay.as_ref()?.find(&ask).result.err()?;
        failure.rule.is_none().then_some(failure.reason)
    }

    /// Whether an answer was kept for longer than a page is: what is none may be there by now.
    pub fn is_old(&self, at: jiff::Timestamp) -> bool {
        let settings = &self.looker.settings;
        let age = (settings.clock)().as_second().saturating_sub(at.as_second());
        let is_old = |place: &CachePlace| !u64::try_from(age).is_ok_and(|age| age <= place.max_age.as_secs());
        !settings.offline && !self.looker.is_replay() && settings.cache.as_ref().is_some_and(is_old)
    }
}

/// The time between two requests that a service asks for: so many in so many seconds.
fn gap_of(answer: &Answer) -> Option<Duration> {
    let number = |name: &str| answer.header(name)?.trim_end_matches('s').parse().ok().filter(|number| *number > 0);
    number("x-rate-limit-interval")
        .map(Duration::from_secs)?
        .checked_div(number("x-rate-limit-limit")?.try_into().ok()?)
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    use tokio::time::Instant;

    use super::{Answer, Ask, BodyEnd, Exchange, Network, Pace, Purpose, Query, Settings, gap_of};
    use crate::transport::{Exchanging, Transport};

    const REST: Duration = Duration::from_secs(2);

    /// A service that answers nothing and wants a rest, and when it was asked.
    struct Tired(Mutex<Vec<Instant>>);

    impl Transport for Tired {
        fn exchange<'a>(&'a self, _: &'a Ask) -> Exchanging<'a> {
            self.0.lock().unwrap().push(Instant::now());
            let headers = [(http::header::RETRY_AFTER, http::HeaderValue::from(REST.as_secs()))];
            let body = Vec::new().into();
            let answer = Answer { status: 429, headers: headers.into_iter().collect(), body, end: BodyEnd::Complete };
            Box::pin(std::future::ready(Exchange::new(Ok(answer), jiff::Timestamp::UNIX_EPOCH)))
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_service_is_left_alone_as_long_as_it_says_whoever_would_ask_next() {
        let tired = Arc::new(Tired(Mutex::default()));
        let network = Network::with_transport(Settings::default(), Arc::clone(&tired) as Arc<dyn Transport>).unwrap();
        let query = |path: &str| Query {
            service: "index",
            ask: Ask::get(format!("https://index.example/{path}").parse().unwrap(), Purpose::Index, ""),
            elsewhere: false,
            pace: Pace { at_once: 1, gap: Duration::from_millis(100) },
        };
        let queries = ["a", "b", "c"].map(query);
        futures_util::future::join_all(queries.iter().map(|query| network.consult(query))).await;
        let asked = tired.0.lock().unwrap();
        assert_eq!(asked.len(), 9);
        assert!(asked.windows(2).all(|pair| pair[1] - pair[0] >= REST), "{asked:?}");
    }

    #[test]
    fn a_service_says_how_often_it_may_be_asked() {
        let check = |headers: &[(&'static str, &'static str)], millis: Option<u64>| {
            let headers = headers
                .iter()
                .map(|(name, value)| (http::HeaderName::from_static(name), http::HeaderValue::from_static(value)));
            let answer =
                Answer { status: 200, headers: headers.collect(), body: Vec::new().into(), end: BodyEnd::Complete };
            assert_eq!(gap_of(&answer), millis.map(Duration::from_millis));
        };
        check(&[("x-rate-limit-limit", "5"), ("x-rate-limit-interval", "1s")], Some(200));
        check(&[("x-rate-limit-limit", "1"), ("x-rate-limit-interval", "3s")], Some(3000));
        check(&[("x-rate-limit-limit", "0"), ("x-rate-limit-interval", "1s")], None);
        check(&[("x-rate-limit-limit", "5")], None);
    }
}
