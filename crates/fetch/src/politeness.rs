//! Turns: many hosts at once, each one gently.
//!
//! A host that turns requests away is asked less until it answers well again. What a page gives does not depend on it: only when
//! it is asked does.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use super::Wish;
use super::settings::Settings;
use super::transport::Exchange;

/// The time between the starts of two requests to a host that turns requests away, at least and at most.
const REFUSED_GAP: (Duration, Duration) = (Duration::from_millis(250), Duration::from_secs(10));

/// A gap that has shrunk to less is over.
const NO_GAP: Duration = Duration::from_millis(50);

/// A host that wants to be left alone for longer is asked again after this time.
const LONGEST_REST: Duration = Duration::from_hours(24);

/// Whether a status asks for fewer requests (RFC 6585, section 4; RFC 9110, 15.6.4).
pub fn asks_for_fewer(status: u16) -> bool {
    matches!(status, 429 | 503)
}

/// Who may ask whom when.
pub struct Politeness {
    hosts: Mutex<HashMap<String, Arc<Host>>>,
    all: Arc<Semaphore>,
    at_once: usize,
    pause: Duration,
}

struct Host {
    /// Those who wait stand in line here, so that only the first has to wake up when something changes.
    line: tokio::sync::Mutex<()>,
    freed: Notify,
    pace: Mutex<Pace>,
}

/// How one host is asked at the moment.
#[derive(Debug, Clone, Copy)]
struct Pace {
    at_once: usize,
    /// The time between the end of a request and the start of the next.
    pause: Duration,
    /// The time between the starts of two requests that it is never less than, where the host says how it wants to be asked; else zero.
    least: Duration,
    /// That time now: more while it turns requests away.
    gap: Duration,
    not_before: Instant,
    /// Until when it wants to be left alone by its own word. Longer than this run waits, others may have to keep to it.
    rests_until: Option<Instant>,
    in_flight: usize,
}

/// The right to make one request; given back when dropped.
pub struct Turn {
    host: Arc<Host>,
    permit: Option<OwnedSemaphorePermit>,
    /// When the next may begin for the sake of this one.
    opens: Instant,
    /// Whether the host was asked, and is to be left alone for a while.
    used: bool,
}

impl Turn {
    /// Ends the turn at the host, which learns from what came.
    pub fn end(mut self, exchange: &Exchange) {
        self.used = exchange.requests > 0;
        if let Some(answer) = exchange.result.as_ref().ok().filter(|_| self.used) {
            self.host.pace().learn(answer.status);
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        {
            let mut pace = self.host.pace();
            pace.in_flight -= 1;
            if self.used {
                let pause = pace.pause;
                pace.wait(pause);
            } else if self.opens == pace.not_before {
                pace.not_before = Instant::now();
            }
        }
        self.host.freed.notify_one();
    }
}

impl Pace {
    /// Whether a request may begin now, with when the next may for its sake; else until when to wait for another to end.
    fn begin(&mut self, now: Instant) -> Result<Instant, Instant> {
        if self.in_flight >= self.at_once {
            return Err(now + LONGEST_REST);
        }
        if self.not_before > now {
            return Err(self.not_before);
        }
        self.in_flight += 1;
        self.not_before = now + self.gap;
        Ok(self.not_before)
    }

    fn wait(&mut self, time: Duration) {
        self.not_before = self.not_before.max(Instant::now() + time);
    }

    /// Doubles the gap when requests are turned away, and takes a fifth off for what is answered well.
    fn learn(&mut self, status: u16) {
        if asks_for_fewer(status) {
            self.gap = (self.gap * 2).clamp(REFUSED_GAP.0, REFUSED_GAP.1).max(self.least);
            self.wait(self.gap);
        } else if status < 500 {
            let eased = self.gap.mul_f64(0.8);
            self.gap = if eased < NO_GAP { self.least } else { eased.max(self.least) };
        }
    }
}

impl Host {
    fn pace(&self) -> MutexGuard<'_, Pace> {
        self.pace.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Politeness {
    /// As many requests in flight, to all hosts and to each, and such pauses as these settings say.
    pub fn new(settings: &Settings) -> Self {
        Politeness {
            hosts: Mutex::default(),
            all: Arc::new(Semaphore::new(settings.concurrency.max(1))),
            at_once: settings.per_host,
            pause: settings.host_pause,
        }
    }

    /// Waits for a turn at a host. A place among all requests is taken last, so that waiting for a busy host keeps
    /// nobody else waiting.
    pub async fn turn(&self, host: &str) -> Turn {
        let host = self.host(host);
        let first = host.line.lock().await;
        let opens = loop {
            let begun = host.pace().begin(Instant::now());
            match begun {
                Ok(opens) => break opens,
                Err(time) => drop(tokio::time::timeout_at(time, host.freed.notified()).await),
            }
        };
        drop(first);
        // Whoever waits and goes away gives the turn back.
        let mut turn = Turn { host, permit: None, opens, used: false };
        turn.permit = Arc::clone(&self.all).acquire_owned().await.ok();
        turn.used = true;
        turn
    }

    /// Other manners for a host or for one of several services of a host, before it is first asked: so many at once, and at least so long
    /// between the starts of two. They are its own, and stay.
    pub fn allow(&self, host: &str, at_once: usize, gap: Duration) {
        self.known(host, at_once, Duration::ZERO, gap);
    }

    /// Takes note that a host wants to be left alone for so long, and lets nobody ask it where that is no longer than the longest wait.
    pub fn rest(&self, host: &str, time: Duration, longest: Duration) {
        let host = self.host(host);
        let mut pace = host.pace();
        pace.rests_until = Some(Instant::now() + time.min(LONGEST_REST));
        if time <= longest {
            pace.wait(time);
        }
    }

    /// What is to be told to whoever asks a host next.
    pub fn wish(&self, host: &str) -> Wish {
        let pace = *self.host(host).pace();
        Wish {
            pause: if pace.gap > pace.least { pace.gap } else { Duration::ZERO },
            rest: pace.rests_until.map_or(Duration::ZERO, |time| time.saturating_duration_since(Instant::now())),
        }
    }

    /// Begins at a host with the gap that whoever asked it last had come to.
    pub fn mind(&self, host: &str, gap: Duration) {
        let host = self.host(host);
        let mut pace = host.pace();
        pace.gap = gap.min(REFUSED_GAP.1).max(pace.least);
    }

    /// No more requests at once to a host than this, and at least this time between the starts of two: it asked for that.
    pub fn narrow(&self, host: &str, most: usize, gap: Duration) {
        let host = self.host(host);
        let mut pace = host.pace();
        pace.at_once = pace.at_once.min(most.max(1));
        pace.least = pace.least.max(gap);
        pace.gap = pace.gap.max(gap);
    }

    /// A wall stood before a page of this host, which may be for having been asked too often.
    pub fn walled(&self, host: &str) {
        self.host(host).pace().learn(429);
    }

    fn host(&self, name: &str) -> Arc<Host> {
        self.known(name, self.at_once, self.pause, Duration::ZERO)
    }

    /// A host, with these manners where it is new.
    fn known(&self, name: &str, at_once: usize, pause: Duration, gap: Duration) -> Arc<Host> {
        let new = || {
            let (at_once, not_before) = (at_once.max(1), Instant::now());
            let pace = Pace { at_once, pause, least: gap, gap, not_before, rests_until: None, in_flight: 0 };
            Arc::new(Host { line: tokio::sync::Mutex::default(), freed: Notify::new(), pace: Mutex::new(pace) })
        };
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(hosts.entry(name.to_owned()).or_insert_with(new))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use bytes::Bytes;
    use http::header::HeaderMap;
    use tokio::time::Instant;

    use super::super::transport::{Answer, BodyEnd, Exchange};
    use super::Politeness;
    use crate::{Settings, Wish};

    fn polite() -> Politeness {
        Politeness::new(&Settings { host_pause: Duration::from_millis(100), ..Settings::default() })
    }

    fn answer(status: u16) -> Exchange {
        let answer = Answer { status, headers: HeaderMap::new(), body: Bytes::new(), end: BodyEnd::Complete };
        Exchange::new(Ok(answer), jiff::Timestamp::UNIX_EPOCH)
    }

    #[tokio::test(start_paused = true)]
    async fn one_host_is_asked_one_by_one_and_others_meanwhile() {
        let politeness = Arc::new(polite());
        let peak = Arc::new(AtomicUsize::new(0));
        let busy = Arc::new(AtomicUsize::new(0));
        let start = Instant::now();
        let mut tasks = Vec::new();
        for number in 0..12 {
            let (politeness, peak, busy) = (Arc::clone(&politeness), Arc::clone(&peak), Arc::clone(&busy));
            tasks.push(tokio::spawn(async move {
                let host = if number % 3 == 0 { "a".to_owned() } else { format!("b{number}") };
                let turn = politeness.turn(&host).await;
                if host == "a" {
                    peak.fetch_max(busy.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
                if host == "a" {
                    busy.fetch_sub(1, Ordering::SeqCst);
                }
                drop(turn);
            }));
        }
        for task in tasks {
            task.await.unwrap();
        }
        assert_eq!(peak.load(Ordering::SeqCst), 1);
        // Four requests to `a`: four times 50 ms and three pauses of 100 ms; the others ran beside them.
        assert_eq!(start.elapsed().as_millis(), 500);
    }

    #[tokio::test(start_paused = true)]
    async fn a_host_that_was_not_asked_needs_no_rest() {
        let politeness = polite();
        let start = Instant::now();
        let unasked = Exchange { requests: 0, ..answer(200) };
        politeness.turn("a").await.end(&unasked);
        drop(politeness.turn("a").await);
        assert_eq!(start.elapsed().as_millis(), 0);
        drop(politeness.turn("a").await);
        assert_eq!(start.elapsed().as_millis(), 100);
    }

    #[tokio::test(start_paused = true)]
    async fn a_host_that_asks_for_time_gets_it() {
        let politeness = polite();
        politeness.rest("a", Duration::from_secs(7), Duration::from_secs(7));
        let start = Instant::now();
        drop(politeness.turn("a").await);
        assert!(start.elapsed() >= Duration::from_secs(7));
        politeness.narrow("a", 9, Duration::from_secs(3));
        for _ in 0..3 {
            politeness.turn("a").await.end(&answer(200));
        }
        assert!(start.elapsed() >= Duration::from_secs(13));
    }

    #[tokio::test(start_paused = true)]
    async fn a_service_says_how_many_requests_it_takes_at_once() {
        let politeness = polite();
        politeness.allow("a", 3, Duration::ZERO);
        let _first = politeness.turn("a").await;
        politeness.narrow("a", 1, Duration::ZERO);
        let second = politeness.turn("a");
        assert!(tokio::time::timeout(Duration::from_secs(9), second).await.is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn pages_of_a_service_are_asked_for_at_its_pace() {
        let politeness = polite();
        politeness.allow("a", 2, Duration::from_millis(200));
        let start = Instant::now();
        for number in 0..40 {
            politeness.turn("a").await.end(&answer(200));
            assert!(start.elapsed().as_millis() >= number * 200, "{number}");
        }
    }

    /// How long so many requests to one host take, each answered at once with the status of its number.
    async fn run(politeness: &Politeness, count: usize, status: fn(usize) -> u16) -> Duration {
        let start = Instant::now();
        for number in 0..count {
            politeness.turn("a").await.end(&answer(status(number)));
        }
        start.elapsed()
    }

    #[tokio::test(start_paused = true)]
    async fn a_host_that_turns_requests_away_is_asked_less() {
        let usual = run(&polite(), 1000, |_| 200).await;
        assert_eq!(usual.as_millis(), 99_900);
        // A quarter of a second, a half, one, two, four, eight, and ten from then on.
        let took = run(&polite(), 20, |_| 429).await;
        assert!((140..160).contains(&took.as_secs()), "{took:?}");
        // What is turned away now and then costs little, and what is so every other time more and more.
        let seldom = run(&polite(), 1000, |number| if number % 100 == 50 { 503 } else { 200 }).await;
        assert!((101..115).contains(&seldom.as_secs()), "{seldom:?}");
        let often = run(&polite(), 100, |number| if number % 2 == 0 { 429 } else { 404 }).await;
        assert!(often.as_secs() > 300, "{often:?}");
        let politeness = polite();
        politeness.walled("a");
        let walled = run(&politeness, 2, |_| 200).await;
        assert!(walled.as_millis() >= 450, "{walled:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn what_a_host_wishes_is_told_to_the_next_one_who_asks_it() {
        let politeness = polite();
        assert_eq!(politeness.wish("a"), Wish::default());
        run(&politeness, 3, |_| 429).await;
        politeness.rest("a", Duration::from_secs(90), Duration::ZERO);
        tokio::time::sleep(Duration::from_secs(30)).await;
        let wish = politeness.wish("a");
        assert_eq!(wish, Wish { pause: Duration::from_secs(1), rest: Duration::from_mins(1) });
        let next = polite();
        next.mind("a", wish.pause);
        assert_eq!(next.wish("a").pause, Duration::from_secs(1));
        assert!((1000..1100).contains(&run(&next, 2, |_| 200).await.as_millis()));
        // What answers well again is told, too.
        run(&next, 20, |_| 200).await;
        assert_eq!(next.wish("a").pause, Duration::ZERO);
        // A host may say anything.
        next.rest("a", Duration::MAX, Duration::ZERO);
        assert_eq!(next.wish("a").rest.as_secs(), 24 * 3600);
    }
}
