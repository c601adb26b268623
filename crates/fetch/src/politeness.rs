//! Turns: many hosts at once, each as gently as it needs.
//!
//! A host that answers well and soon is asked more often, one that slows down or turns requests away less. What a page gives
//! does not depend on it: only when it is asked does.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use super::Wish;
use super::settings::Settings;
use super::transport::Exchange;

/// A host is asked no more often than this, and no more than so many times at once: what link checkers do by default.
const SHORTEST_GAP: Duration = Duration::from_millis(50);
const MOST_AT_ONCE: usize = 6;

/// The gap after which a host that turns requests away is asked again, at least and at most.
const REFUSED_GAP: (Duration, Duration) = (Duration::from_millis(250), Duration::from_secs(10));

/// The longest gap for a host that is only slow.
const SLOW_GAP: Duration = Duration::from_secs(1);

/// An answer that takes longer is slow whoever gives it.
const SLOW: Duration = Duration::from_secs(2);

/// A host that wants to be left alone for longer is asked again after this time.
const LONGEST_REST: Duration = Duration::from_hours(24);

/// Good answers in a row for which a host is asked once more at once.
const GOOD: u32 = 3;

/// Statuses that ask for fewer requests (RFC 6585, section 4; RFC 9110, 15.6.4).
const FEWER: [u16; 2] = [429, 503];

/// Whether a status asks for fewer requests.
pub fn asks_for_fewer(status: u16) -> bool {
    FEWER.contains(&status)
}

/// How hosts are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Manners {
    /// Requests at once to one host, to begin with.
    pub at_once: usize,
    /// Time between two requests to one host, to begin with.
    pub pause: Duration,
    /// Whether they follow how each host answers. Otherwise the pause is kept after the end of every request.
    pub adapt: bool,
}

impl Manners {
    /// Those of these settings.
    pub fn from_settings(settings: &Settings) -> Self {
        Manners { at_once: settings.per_host.max(1), pause: settings.host_pause, adapt: settings.adapt }
    }

    /// Requests that one host may come to have at once.
    pub fn most_at_once(self) -> usize {
        if self.adapt { self.at_once.max(MOST_AT_ONCE) } else { self.at_once }
    }
}

/// Who may ask whom when.
pub struct Politeness {
    hosts: Mutex<HashMap<String, Arc<Host>>>,
    all: Arc<Semaphore>,
    manners: Manners,
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
    manners: Manners,
    /// The time between the starts of two requests, where it says how it wants to be asked; else zero.
    gap: Duration,
    not_before: Instant,
    /// Until when it wants to be left alone by its own word. Longer than this run waits, others may have to keep to it.
    rests_until: Option<Instant>,
    in_flight: usize,
    /// Good answers in a row.
    good: u32,
}

/// The right to make one request; given back when dropped.
pub struct Turn {
    host: Arc<Host>,
    permit: Option<OwnedSemaphorePermit>,
    begun: Instant,
    /// When the next may begin for the sake of this one.
    opens: Instant,
    /// Whether the host was asked, and is to be left alone for a while.
    used: bool,
}

impl Turn {
    /// Ends the turn at the host, which learns from what came.
    pub fn end(mut self, exchange: &Exchange) {
        self.used = exchange.asked;
        if exchange.asked {
            let took = self.begun.elapsed();
            let status = exchange.result.as_ref().map_or(500, |answer| answer.status);
            self.host.pace().learn(status, took);
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        {
            let mut pace = self.host.pace();
            pace.in_flight -= 1;
            if !self.used {
                if self.opens == pace.not_before {
                    pace.not_before = Instant::now();
                }
            } else if !pace.manners.adapt {
                let rest = pace.manners.pause;
                pace.wait_until(Instant::now() + rest);
            }
        }
        self.host.freed.notify_one();
    }
}

impl Pace {
    /// Whether a request may begin now, with when the next may for its sake; else until when to wait for another to end.
    fn begin(&mut self, now: Instant) -> Result<Instant, Instant> {
        if self.in_flight >= self.manners.at_once {
            return Err(now + LONGEST_REST);
        }
        if self.not_before > now {
            return Err(self.not_before);
        }
        self.in_flight += 1;
        let pause = if self.manners.adapt { self.manners.pause } else { Duration::ZERO };
        self.not_before = now + self.gap.max(pause);
        Ok(self.not_before)
    }

    fn wait_until(&mut self, time: Instant) {
        self.not_before = self.not_before.max(time);
    }

    /// Adds a little for what goes well and takes away a lot for what does not, as TCP does.
    fn learn(&mut self, status: u16, took: Duration) {
        if !self.manners.adapt {
            return;
        }
        let Manners { at_once, pause, .. } = self.manners;
        if status < 500 && took <= SLOW && !asks_for_fewer(status) {
            self.good += 1;
            // What was set shorter stays so.
            self.manners.pause = pause.mul_f64(0.8).max(SHORTEST_GAP.min(pause));
            if self.good.is_multiple_of(GOOD) && at_once < MOST_AT_ONCE {
                self.manners.at_once += 1;
            }
            return;
        }
        self.good = 0;
        if asks_for_fewer(status) {
            self.manners.at_once = 1;
            self.manners.pause = (pause * 2).clamp(REFUSED_GAP.0, REFUSED_GAP.1);
            self.wait_until(Instant::now() + self.manners.pause);
        } else {
            self.manners.at_once = (at_once / 2).max(1);
            self.manners.pause = (pause * 2).min(SLOW_GAP.max(pause));
        }
    }
}

impl Host {
    fn new(manners: Manners, gap: Duration) -> Arc<Self> {
        let pace = Pace { manners, gap, not_before: Instant::now(), rests_until: None, in_flight: 0, good: 0 };
        Arc::new(Host { line: tokio::sync::Mutex::default(), freed: Notify::new(), pace: Mutex::new(pace) })
    }

    fn pace(&self) -> MutexGuard<'_, Pace> {
        self.pace.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Politeness {
    /// At most `at_once` requests in flight, and each host by its manners.
    pub fn new(at_once: usize, manners: Manners) -> Self {
        Politeness { hosts: Mutex::default(), all: Arc::new(Semaphore::new(at_once.max(1))), manners }
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
        let mut turn = Turn { host, permit: None, begun: Instant::now(), opens, used: false };
        turn.permit = Arc::clone(&self.all).acquire_owned().await.ok();
        turn.begun = Instant::now();
        turn.used = true;
        turn
    }

    /// Other manners for a host or for one of several services of a host, before it is first asked: so many at once, and at least so long
    /// between the starts of two. They are its own, and stay.
    pub fn allow(&self, host: &str, at_once: usize, gap: Duration) {
        let manners = Manners { at_once: at_once.max(1), pause: Duration::ZERO, adapt: false };
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        hosts.entry(host.to_owned()).or_insert_with(|| Host::new(manners, gap));
    }

    /// Takes note that a host wants to be left alone for so long, and lets nobody ask it where that is no longer than the longest wait.
    pub fn rest(&self, host: &str, time: Duration, longest: Duration) {
        let host = self.host(host);
        let mut pace = host.pace();
        pace.rests_until = Some(Instant::now() + time.min(LONGEST_REST));
        if time <= longest {
            pace.wait_until(Instant::now() + time);
        }
    }

    /// What is to be told to whoever asks a host next.
    pub fn wish(&self, host: &str) -> Wish {
        let pace = *self.host(host).pace();
        let pause = pace.manners.pause;
        Wish {
            pause: if pause > self.manners.pause { pause } else { Duration::ZERO },
            rest: pace.rests_until.map_or(Duration::ZERO, |time| time.saturating_duration_since(Instant::now())),
        }
    }

    /// Begins at a host with the pause that whoever asked it last had come to; manners that the user fixed are kept to.
    pub fn mind(&self, host: &str, pause: Duration) {
        let host = self.host(host);
        let mut pace = host.pace();
        if pace.manners.adapt && !pause.is_zero() {
            pace.manners.pause = pause.clamp(SHORTEST_GAP, REFUSED_GAP.1);
        }
    }

    /// No more requests at once to a host than this, and at least this time between the starts of two: it asked for that.
    pub fn narrow(&self, host: &str, most: usize, gap: Duration) {
        let host = self.host(host);
        let mut pace = host.pace();
        pace.manners.at_once = pace.manners.at_once.min(most.max(1));
        pace.gap = pace.gap.max(gap);
    }

    /// A wall stood before a page of this host, which may be for having been asked too often.
    pub fn walled(&self, host: &str) {
        self.host(host).pace().learn(FEWER[0], Duration::ZERO);
    }

    fn host(&self, name: &str) -> Arc<Host> {
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(hosts.entry(name.to_owned()).or_insert_with(|| Host::new(self.manners, Duration::ZERO)))
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
    use super::{Manners, Politeness};
    use crate::Wish;

    const FIXED: Manners = Manners { at_once: 1, pause: Duration::from_millis(100), adapt: false };
    const ADAPTED: Manners = Manners { adapt: true, ..FIXED };

    fn answer(status: u16) -> Exchange {
        let answer = Answer { status, headers: HeaderMap::new(), body: Bytes::new(), end: BodyEnd::Complete };
        Exchange::new(Ok(answer), jiff::Timestamp::UNIX_EPOCH)
    }

    #[tokio::test(start_paused = true)]
    async fn one_host_is_asked_one_by_one_and_others_meanwhile() {
        let politeness = Arc::new(Politeness::new(64, FIXED));
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
        for manners in [FIXED, ADAPTED] {
            let politeness = Politeness::new(64, manners);
            let start = Instant::now();
            let unasked = Exchange { asked: false, ..answer(200) };
            politeness.turn("a").await.end(&unasked);
            drop(politeness.turn("a").await);
            assert_eq!(start.elapsed().as_millis(), 0);
            drop(politeness.turn("a").await);
            assert_eq!(start.elapsed().as_millis(), 100);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_host_that_asks_for_time_gets_it() {
        for manners in [FIXED, ADAPTED] {
            let politeness = Politeness::new(64, manners);
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
    }

    #[tokio::test(start_paused = true)]
    async fn a_service_says_how_many_requests_it_takes_at_once() {
        let politeness = Politeness::new(8, FIXED);
        politeness.allow("a", 3, Duration::ZERO);
        let _first = politeness.turn("a").await;
        politeness.narrow("a", 1, Duration::ZERO);
        let second = politeness.turn("a");
        assert!(tokio::time::timeout(Duration::from_secs(9), second).await.is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn pages_of_a_service_are_asked_for_at_its_pace() {
        let politeness = Politeness::new(8, ADAPTED);
        politeness.allow("a", 2, Duration::from_millis(200));
        let start = Instant::now();
        for number in 0..40 {
            politeness.turn("a").await.end(&answer(200));
            assert!(start.elapsed().as_millis() >= number * 200, "{number}");
        }
    }

    /// How long so many requests to one host take, each answered after `takes` with the status of its number, and how many
    /// ran at once at most.
    async fn run(
        politeness: &Arc<Politeness>,
        count: usize,
        takes: u64,
        status: fn(usize) -> u16,
    ) -> (Duration, usize) {
        let start = Instant::now();
        let (peak, busy) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let mut tasks = Vec::new();
        for number in 0..count {
            let (politeness, peak, busy) = (Arc::clone(politeness), Arc::clone(&peak), Arc::clone(&busy));
            tasks.push(tokio::spawn(async move {
                let turn = politeness.turn("a").await;
                peak.fetch_max(busy.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                tokio::time::sleep(Duration::from_millis(takes)).await;
                busy.fetch_sub(1, Ordering::SeqCst);
                turn.end(&answer(status(number)));
            }));
        }
        for task in tasks {
            task.await.unwrap();
        }
        (start.elapsed(), peak.load(Ordering::SeqCst))
    }

    #[tokio::test(start_paused = true)]
    async fn a_host_that_answers_well_is_asked_twenty_times_a_second_and_no_more() {
        let new = || Arc::new(Politeness::new(64, ADAPTED));
        let (took, _) = run(&new(), 1000, 20, |_| 200).await;
        assert!((50_000..51_000).contains(&took.as_millis()), "{took:?}");
        // Answers that take their time come six at once.
        let (took, peak) = run(&new(), 1000, 450, |_| 404).await;
        assert_eq!(peak, 6);
        assert!((75_000..80_000).contains(&took.as_millis()), "{took:?}");
        // Slow ones come one by one.
        let (took, peak) = run(&new(), 50, 2500, |_| 200).await;
        assert_eq!(peak, 1);
        assert!(took.as_millis() >= 50 * 2500);
    }

    #[tokio::test(start_paused = true)]
    async fn a_host_that_turns_requests_away_is_asked_less() {
        let new = || Arc::new(Politeness::new(64, ADAPTED));
        let (took, peak) = run(&new(), 20, 20, |_| 429).await;
        assert_eq!(peak, 1);
        // A quarter of a second, a half, one, two, four, eight, and ten from then on.
        assert!((140..160).contains(&took.as_secs()), "{took:?}");
        let (seldom, _) = run(&new(), 1000, 20, |number| if number % 100 == 50 { 503 } else { 200 }).await;
        assert!((55..75).contains(&seldom.as_secs()), "{seldom:?}");
        let politeness = new();
        run(&politeness, 30, 20, |_| 200).await;
        politeness.walled("a");
        let (walled, _) = run(&politeness, 2, 20, |_| 200).await;
        assert!(walled.as_millis() >= 250, "{walled:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn what_a_host_wishes_is_told_to_the_next_one_who_asks_it() {
        let politeness = Arc::new(Politeness::new(64, ADAPTED));
        assert_eq!(politeness.wish("a"), Wish::default());
        run(&politeness, 3, 20, |_| 429).await;
        politeness.rest("a", Duration::from_secs(90), Duration::ZERO);
        tokio::time::sleep(Duration::from_secs(30)).await;
        let wish = politeness.wish("a");
        assert_eq!(wish, Wish { pause: Duration::from_secs(1), rest: Duration::from_mins(1) });
        let next = Arc::new(Politeness::new(64, ADAPTED));
        next.mind("a", wish.pause);
        assert_eq!(next.wish("a").pause, Duration::from_secs(1));
        assert!((1000..1100).contains(&run(&next, 2, 20, |_| 200).await.0.as_millis()));
        // What answers well again is told, too.
        run(&next, 20, 20, |_| 200).await;
        assert_eq!(next.wish("a").pause, Duration::ZERO);
        let fixed = Arc::new(Politeness::new(64, FIXED));
        fixed.mind("a", wish.pause);
        assert_eq!(fixed.wish("a").pause, Duration::ZERO);
        // A host may say anything.
        fixed.rest("a", Duration::MAX, Duration::ZERO);
        assert_eq!(fixed.wish("a").rest.as_secs(), 24 * 3600);
    }
}
