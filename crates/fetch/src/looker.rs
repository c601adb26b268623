//! One look at an address: redirects by hand, cookies for the way, retries, Retry-After.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::Semaphore;
use url::{Position, Url};

use super::asked_once::{AskedOnce, cell_of};
use super::bundle::{Recorder, Replay};
use super::cache::Cache;
use super::document::{self, Document, Limits};
use super::liveness::{Landing, Look};
use super::politeness::Politeness;
use super::robots::{self, Rules};
use super::settings::{Bundle, Settings};
use super::transport::{Answer, Ask, BodyEnd, Exchange, Failure, Purpose, Transport, cookie_of};
use crate::jitter::mix;
use cited_core::error::Result as Done;
use cited_core::outcome::Hop;
use cited_core::rule::Rule;
use cited_text::escape;

/// Statuses that may pass by themselves.
const PASSING: [u16; 9] = [408, 425, 429, 500, 502, 503, 504, 520, 522];

/// The longest `Retry-After` that is waited for; beyond it the answer stands as it is.
pub const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// A refresh that takes longer than this is for a reader to see first, so the page is a page.
const REFRESH_LIMIT: u32 = 10;

/// A page with more words than this that also refreshes is a page.
const REFRESH_WORDS: usize = 60;

/// Bodies of this many bytes are read on another thread: for less, the way there is too long.
const READ_APART: usize = 16 << 10;

/// Cookies kept on one way.
const MOST_COOKIES: usize = 20;

/// How far it came with a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reached {
    /// It could not be asked from here.
    Not,
    /// It was asked and did not answer.
    Silent,
    /// Its certificate was refused.
    Distrusted,
    /// It answered.
    Answered,
}

/// Which hosts of a run have answered.
#[derive(Debug, Default)]
pub struct Hosts {
    reached: Mutex<HashMap<String, Reached>>,
    /// What was lacking here when a host could not be asked: the first that was.
    pub lacked: OnceLock<String>,
}

impl Hosts {
    /// Takes note of how far it came with a host. One that was silent because it does not exist has told us all it could.
    pub fn note(&self, host: &str, reached: Reached) {
        let mut hosts = self.reached.lock().unwrap_or_else(PoisonError::into_inner);
        let known = hosts.entry(host.to_owned()).or_insert(reached);
        *known = reached.max(*known);
    }

    /// With how many hosts it came so far and no further.
    pub fn count(&self, wanted: Reached) -> usize {
        let hosts = self.reached.lock().unwrap_or_else(PoisonError::into_inner);
        hosts.values().filter(|&&reached| reached == wanted).count()
    }
}

/// Who looks at the addresses of a run.
pub struct Looker {
    /// What answers, where nothing below does.
    wire: Arc<dyn Transport>,
    /// Where answers are kept from run to run.
    pub cache: Option<Cache>,
    /// The bundle that this run is kept in.
    pub recorder: Option<Recorder>,
    /// The bundle that answers in place of everybody.
    pub replay: Option<Replay>,
    /// Turns.
    pub politeness: Politeness,
    /// Limits.
    pub settings: Settings,
    /// Who answered.
    pub hosts: Hosts,
    /// What sites ask of robots, when they are obeyed: rules, or the status of an answer that forbids everything.
    robots: Option<AskedOnce<Result<Rules, u16>>>,
    /// Threads that read bodies: as many as there are processors, for more would only hold more pages at once.
    readers: Semaphore,
}

impl Looker {
    /// One who asks by this transport and these settings.
    ///
    /// # Errors
    /// When the cache cannot be made, or the bundle to record or to replay cannot be opened.
    pub fn new(wire: Arc<dyn Transport>, mut settings: Settings) -> Done<Self> {
        let (mut recorder, mut replay) = (None, None);
        match &settings.bundle {
            Bundle::None => {}
            Bundle::Record(path) => {
                recorder = Some(Recorder::new(path, &settings.user_agent, settings.seed, &settings.clock)?);
            }
            Bundle::Replay(path) => {
                let bundle = replay.insert(Replay::open(path)?);
                settings.seed = bundle.seed.unwrap_or(settings.seed);
            }
        }
        let place = settings.cache.clone().filter(|_| replay.is_none());
        Ok(Looker {
            wire,
            cache: place.map(|place| Cache::new(place, &settings)).transpose()?,
            recorder,
            replay,
            politeness: Politeness::new(&settings),
            hosts: Hosts::default(),
            robots: settings.robots.then(AskedOnce::default),
            readers: Semaphore::new(std::thread::available_parallelism().map_or(1, usize::from)),
            settings,
        })
    }

    /// Makes one request, of which a recording is made where one is wanted.
    async fn exchange(&self, ask: &Ask) -> Exchange {
        let exchange = match (&self.replay, &self.cache) {
            (Some(replay), _) => replay.find(ask),
            (None, Some(cache)) => cache.answer(ask, &*self.wire).await,
            (None, None) => self.wire.exchange(ask).await,
        };
        if let Some(recorder) = &self.recorder {
            recorder.keep(ask, &exchange);
        }
        exchange
    }

    /// Whether answers come from a bundle, so that pauses, turns and back-off make no sense.
    pub fn is_replay(&self) -> bool {
        self.replay.is_some()
    }

    /// Forgets what is kept of an address: what it answered turned out to be no page.
    pub fn forget(&self, url: &Url) {
        self.cache.iter().for_each(|cache| cache.forget(url));
    }

    /// Why a site does not want an address to be asked, where sites are obeyed.
    async fn forbidden(&self, url: &Url) -> Option<String> {
        let cell = cell_of(self.robots.as_ref()?, url.origin().ascii_serialization()).await;
        let ask_robots = async || {
            let Ok(at) = url.join("/robots.txt") else { return Ok(Rules::default()) };
            let ask = Ask::get(at, Purpose::Robots, "");
            match self.ask_along(None, ask, robots::REDIRECTS, |_| true).await.result {
                Ok(answer) if (200..300).contains(&answer.status) => {
                    Ok(Rules::read(&answer.text(robots::READ), robots::PRODUCT))
                }
                Ok(answer) if answer.status >= 500 => Err(answer.status),
                Ok(_) | Err(_) => Ok(Rules::default()),
            }
        };
        match cell.get_or_init(ask_robots).await {
            Err(status) => Some(format!("refused: robots.txt answers HTTP {status}")),
            Ok(rules) => {
                let path = &url[Position::BeforePath..Position::AfterQuery];
                (!rules.allow(path)).then(|| "refused: robots.txt forbids it".to_owned())
            }
        }
    }

    /// Asks in the turn of a line, or else of each host, and follows so many redirects to where `may` lets it. Gives the last exchange, with
    /// the requests of all. What is for one server alone is told to no other.
    pub async fn ask_along(&self, line: Option<&str>, mut ask: Ask, most: u32, may: impl Fn(&Url) -> bool) -> Exchange {
        let mut requests = 0;
        loop {
            let host = ask.url.host_str().unwrap_or_default();
            let mut exchange = self.ask_in(line.unwrap_or(host), ask.clone()).await;
            exchange.requests += requests;
            let answer = exchange.result.as_ref().ok().filter(|answer| (300..400).contains(&answer.status));
            let next = answer.and_then(|answer| ask.url.join(&answer.header("location")?).ok());
            let Some(url) = next.filter(|next| ask.hop < most && may(next)) else { return exchange };
            requests = exchange.requests;
            let private = ask.private.take().filter(|_| url.origin() == ask.url.origin());
            ask = Ask { url, hop: ask.hop + 1, private, ..ask };
        }
    }

    /// Looks at an address, following redirects. With `enough`, no more than so many words of the page are read.
    pub async fn look(&self, url: &Url, purpose: Purpose, origin: &str, enough: Option<usize>) -> Look {
        let mut way = Way::new(url.clone());
        let failed = |way: &mut Way, failure: Failure, at| {
            way.hops.push(hop(&way.at, None, None, Some(failure.reason.clone())));
            (Err(failure), at)
        };
        let (end, at) = loop {
            if let Some(reason) = self.forbidden(&way.at).await {
                break failed(&mut way, Failure::new(Rule::Robots, reason), (self.settings.clock)());
            }
            let cookies = Some(way.cookie_header()).filter(|cookies| !cookies.is_empty());
            let ask = Ask {
                hop: u32::try_from(way.hops.len()).unwrap_or(u32::MAX),
                headers: cookies.into_iter().map(|cookies| ("cookie", cookies)).collect(),
                ..Ask::get(way.at.clone(), purpose, origin)
            };
            let host = way.at.host_str().unwrap_or_default();
            let exchange = self.ask_in(host, ask).await;
            if way.hops.is_empty() && matches!(purpose, Purpose::Page | Purpose::SecondLook) {
                let reached = match &exchange.result {
                    Err(failure) if failure.may_pass() || failure.rule == Some(Rule::NoSuchHost) => {
                        Some(Reached::Silent)
                    }
                    Err(Failure { rule: Some(Rule::Tls), .. }) => Some(Reached::Distrusted),
                    Err(Failure { rule: Some(Rule::Refused | Rule::Unasked), .. }) => None,
                    Err(Failure { rule: None, reason }) => {
                        let _ = self.hosts.lacked.set(reason.clone());
                        Some(Reached::Not)
                    }
                    Ok(_) | Err(_) => Some(Reached::Answered),
                };
                reached.into_iter().for_each(|reached| self.hosts.note(host, reached));
            }
            let (at, held) = (exchange.at, exchange.held);
            let answer = match exchange.result {
                Ok(answer) => answer,
                Err(failure) => break failed(&mut way, failure, at),
            };
            for (name, value) in answer.headers.get_all("set-cookie").iter().filter_map(cookie_of) {
                let key = (way.at.host_str().unwrap_or_default().to_owned(), name.to_owned());
                if way.cookies.len() < MOST_COOKIES || way.cookies.contains_key(&key) {
                    way.cookies.insert(key, value.to_owned());
                }
            }
            let status = answer.status;
            let location = answer.header("location").filter(|_| matches!(status, 301 | 302 | 303 | 307 | 308));
            let document = if location.is_some() { None } else { Some(self.read(&answer, &way.at, enough).await) };
            drop(held);
            // Only the status of a redirect says that it is permanent.
            let permanent = location.is_some() && matches!(status, 301 | 308);
            let refresh = document.as_ref().filter(|_| status == 200).and_then(|document| {
                let (delay, target) = document.html.refresh.clone()?;
                let leads = delay <= REFRESH_LIMIT
                    && document.html.main_words <= REFRESH_WORDS
                    && way.at.join(&target).is_ok_and(|next| next != way.at);
                leads.then_some(target)
            });
            let document = match (location.or(refresh), document) {
                (None, Some(document)) => document,
                (target, _) => {
                    match way.follow(status, &target.unwrap_or_default(), permanent, self.settings.max_redirects) {
                        Ok(()) => continue,
                        Err(failure) => break (Err(failure), at),
                    }
                }
            };
            let error = match answer.end {
                BodyEnd::Broken => Some("body cut short".to_owned()),
                BodyEnd::TimedOut => Some("body took too long".to_owned()),
                BodyEnd::TooLong => Some("body over the limit".to_owned()),
                BodyEnd::Complete => None,
            };
            way.hops.push(hop(&way.at, Some(answer.status), None, error));
            let answer = Answer { body: Bytes::new(), ..answer };
            break (Ok(Box::new(Landing { answer, document })), at);
        };
        let permanent = way.permanent && way.hops.len() > 1;
        Look { hops: way.hops, final_url: way.at, permanent, end, at }
    }

    /// Reads an answer. A body of some size is read on another thread, so that all processors read and one page does not
    /// keep the others waiting. With `enough`, no more than so many words are read.
    pub async fn read(&self, answer: &Answer, url: &Url, enough: Option<usize>) -> Document {
        let limits = Limits { words: enough, ..self.settings.reading.clone() };
        let is_pdf = answer.body.starts_with(b"%PDF");
        if answer.body.len() < READ_APART && !is_pdf {
            return document::read(answer, url, &limits);
        }
        // The reader of PDFs works in a process of its own and is only waited for.
        let _reader = if is_pdf { None } else { self.readers.acquire().await.ok() };
        let (answer, url) = (answer.clone(), url.clone());
        let reading = tokio::task::spawn_blocking(move || document::read(&answer, &url, &limits));
        // A reader that panics has met a page that cannot be read; the run goes on.
        reading
            .await
            .unwrap_or_else(|_| Document { unreadable: Some("a page that cannot be parsed"), ..Document::default() })
    }

    /// Asks in the turn of a line, a host or a service, and asks again where what went wrong may pass. Whatever is asked for with
    /// `Retry-After` is waited for by all who stand in the line, or nobody is asked again. Gives the last exchange, with the requests of all.
    pub async fn ask_in(&self, line: &str, mut ask: Ask) -> Exchange {
        let mut kept: Option<Exchange> = None;
        loop {
            let turn = if self.is_replay() { None } else { Some(self.politeness.turn(line).await) };
            let mut exchange = self.exchange(&ask).await;
            let wait = match &exchange.result {
                Ok(answer) if answer.end == BodyEnd::Broken && (200..300).contains(&answer.status) => Some(None),
                // An archive that says 429 wants a minute's rest, not another try.
                Ok(answer) if answer.status == 429 && matches!(ask.purpose, Purpose::Archive | Purpose::Save) => None,
                Ok(answer) if PASSING.contains(&answer.status) => Some(rest_of(answer, exchange.at)),
                Err(failure) if failure.rule == Some(Rule::Timeout) && ask.attempt > 0 => None,
                Err(failure) if failure.may_pass() => Some(None),
                _ => None,
            };
            // It is heard before the next may begin, and also after the last attempt.
            if let Some(Some(time)) = wait {
                self.politeness.rest(line, time, LONGEST_WAIT);
            }
            if let Some(turn) = turn {
                turn.end(&exchange);
            }
            if let Some(kept) = kept.take() {
                // A bundle that holds no further attempt: the last one was the last.
                if matches!(&exchange.result, Err(failure) if failure.rule == Some(Rule::Unasked)) {
                    return kept;
                }
                exchange.requests += kept.requests;
            }
            if ask.attempt >= self.settings.retries
                || wait.is_none_or(|time| time.is_some_and(|time| time > LONGEST_WAIT))
            {
                return exchange;
            }
            exchange.held = None;
            if !self.is_replay() {
                tokio::time::sleep(self.backoff(&ask)).await;
            }
            ask.attempt += 1;
            kept = Some(exchange);
        }
    }

    /// Doubling pauses with jitter: between half of the pause and the whole of it, so that sources that failed together
    /// do not come back together. The jitter follows from the seed and the address: a run can be repeated.
    fn backoff(&self, ask: &Ask) -> Duration {
        let full = self.settings.backoff.saturating_mul(1 << ask.attempt.min(6));
        let noise = mix(self.settings.seed, ask.url.as_str(), u64::from(ask.attempt));
        full.mul_f64(0.5 + 0.5 * (noise % 1000) as f64 / 1000.0)
    }
}

/// For how long whoever answers wants to be left alone.
pub fn rest_of(answer: &Answer, at: jiff::Timestamp) -> Option<Duration> {
    answer.header("retry-after").and_then(|value| retry_after(&value, at))
}

/// `Retry-After` in both its forms (RFC 9110, 10.2.3).
pub fn retry_after(value: &str, now: jiff::Timestamp) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse::<u64>() {
        return Some(Duration::from_secs(seconds));
    }
    let time = httpdate::parse_http_date(value).ok()?;
    Some(time.duration_since(now.into()).unwrap_or_default())
}

fn hop(url: &Url, status: Option<u16>, location: Option<String>, error: Option<String>) -> Hop {
    // It is shown in the record as the server wrote it, but for what reorders or hides words.
    let location = location.map(|location| escape::plain(&location).into_owned());
    Hop { url: url.to_string(), status, location, error }
}

struct Way {
    at: Url,
    hops: Vec<Hop>,
    seen: HashSet<String>,
    /// Values of cookies by host and name.
    cookies: BTreeMap<(String, String), String>,
    permanent: bool,
}

impl Way {
    fn new(url: Url) -> Self {
        let mut way =
            Way { at: url, hops: Vec::new(), seen: HashSet::new(), cookies: BTreeMap::new(), permanent: true };
        way.at.set_fragment(None);
        way.seen.insert(way.visit_key());
        way
    }

    fn follow(&mut self, status: u16, location: &str, permanent: bool, most: usize) -> Result<(), Failure> {
        self.hops.push(hop(&self.at, Some(status), Some(location.to_owned()), None));
        let lost = |reason: &str| Failure::new(Rule::RedirectLost, reason);
        let mut next = self.at.join(location.trim()).map_err(|_| lost("redirects to what is no address"))?;
        // A fragment of the old address goes along (RFC 9110, 10.2.2), but it is not sent, so it does not matter here.
        next.set_fragment(None);
        if !matches!(next.scheme(), "http" | "https") {
            let reason = format!("refused: redirects to scheme {}", next.scheme());
            return Err(Failure::new(Rule::Refused, reason));
        }
        self.permanent &= permanent;
        self.at = next;
        if !self.seen.insert(self.visit_key()) {
            return Err(lost("redirects in a circle"));
        }
        if self.hops.len() > most {
            return Err(lost("too many redirects"));
        }
        Ok(())
    }

    /// Address and cookies: a gate that sends back to the same address after setting a cookie is no circle.
    fn visit_key(&self) -> String {
        format!("{} {}", self.at, self.cookie_header())
    }

    fn cookie_header(&self) -> String {
        let host = self.at.host_str().unwrap_or_default();
        let mine = self.cookies.iter().filter(|((of, _), _)| of == host);
        mine.map(|((_, name), value)| format!("{name}={value}")).collect::<Vec<_>>().join("; ")
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::retry_after;

    #[test]
    fn retry_after_in_both_forms() {
        let now: jiff::Timestamp = "2026-01-01T00:00:00Z".parse().unwrap();
        let check = |text: &str, expected: Option<u64>| {
            assert_eq!(retry_after(text, now), expected.map(Duration::from_secs), "{text}");
        };
        check("120", Some(120));
        check(" 0 ", Some(0));
        check("Thu, 01 Jan 2026 00:00:30 GMT", Some(30));
        check("Wed, 31 Dec 2025 00:00:00 GMT", Some(0));
        check("soon", None);
        check("-5", None);
    }
}
