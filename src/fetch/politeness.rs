//! Turns: many hosts at once, one host gently.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

/// Who may ask whom when.
pub struct Politeness {
    hosts: Mutex<HashMap<String, Arc<Host>>>,
    all: Arc<Semaphore>,
    per_host: usize,
    pause: Duration,
}

struct Host {
    slots: Arc<Semaphore>,
    not_before: Mutex<Instant>,
    pause: Mutex<Duration>,
}

/// The right to make one request; given back when dropped.
pub struct Turn {
    host: Arc<Host>,
    _slot: Option<OwnedSemaphorePermit>,
    place: Option<OwnedSemaphorePermit>,
    /// Whether the host was asked, and is to be left alone for a while.
    used: bool,
}

/// A place among all requests, kept while an answer is being read, so that no more bodies wait than there are places.
pub struct Place(#[expect(dead_code, reason = "given back when dropped")] Option<OwnedSemaphorePermit>);

impl Turn {
    /// Ends the turn at the host and keeps the place.
    pub fn keep_place(mut self) -> Place {
        Place(self.place.take())
    }

    /// The same when the host was not asked after all: the next may ask it at once.
    pub fn unused(mut self) -> Place {
        self.used = false;
        self.keep_place()
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if self.used {
            self.host.wait_until(Instant::now() + self.host.pause());
        }
    }
}

impl Host {
    fn wait_until(&self, time: Instant) {
        let mut not_before = self.not_before.lock().unwrap_or_else(PoisonError::into_inner);
        *not_before = (*not_before).max(time);
    }

    fn pause(&self) -> Duration {
        *self.pause.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn opens(&self) -> Instant {
        *self.not_before.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Politeness {
    /// At most `at_once` requests in flight, `per_host` of them to one host, and `pause` between two of one host.
    pub fn new(at_once: usize, per_host: usize, pause: Duration) -> Self {
        Politeness {
            hosts: Mutex::default(),
            all: Arc::new(Semaphore::new(at_once.max(1))),
            per_host: per_host.max(1),
            pause,
        }
    }

    /// Waits for a turn at a host. A place among all requests is taken last, so that waiting for a busy host keeps
    /// nobody else waiting.
    pub async fn turn(&self, host: &str) -> Turn {
        let host = self.host(host);
        let slot = Arc::clone(&host.slots).acquire_owned().await.ok();
        while host.opens() > Instant::now() {
            tokio::time::sleep_until(host.opens()).await;
        }
        let place = Arc::clone(&self.all).acquire_owned().await.ok();
        Turn { host, _slot: slot, place, used: true }
    }

    /// Other manners for one host, before it is first asked: so many at once, and no pause.
    pub fn allow(&self, host: &str, at_once: usize) {
        let host_state = Host {
            slots: Arc::new(Semaphore::new(at_once.max(1))),
            not_before: Mutex::new(Instant::now()),
            pause: Mutex::default(),
        };
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        hosts.insert(host.to_owned(), Arc::new(host_state));
    }

    /// Lets nobody ask a host for a while: it asked for that.
    pub fn hold(&self, host: &str, time: Duration) {
        self.host(host).wait_until(Instant::now() + time);
    }

    /// At least this pause between two requests to a host: it asked for that.
    pub fn slow(&self, host: &str, pause: Duration) {
        let host = self.host(host);
        let mut known = host.pause.lock().unwrap_or_else(PoisonError::into_inner);
        *known = (*known).max(pause);
    }

    fn host(&self, name: &str) -> Arc<Host> {
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(host) = hosts.get(name) {
            return Arc::clone(host);
        }
        let host = Arc::new(Host {
            slots: Arc::new(Semaphore::new(self.per_host)),
            not_before: Mutex::new(Instant::now()),
            pause: Mutex::new(self.pause),
        });
        hosts.insert(name.to_owned(), Arc::clone(&host));
        host
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use tokio::time::Instant;

    use super::Politeness;

    #[tokio::test(start_paused = true)]
    async fn one_host_is_asked_one_by_one_and_others_meanwhile() {
        let politeness = Arc::new(Politeness::new(64, 1, Duration::from_millis(100)));
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
        let politeness = Politeness::new(64, 1, Duration::from_millis(100));
        let start = Instant::now();
        drop(politeness.turn("a").await.unused());
        drop(politeness.turn("a").await);
        assert_eq!(start.elapsed().as_millis(), 0);
        drop(politeness.turn("a").await);
        assert_eq!(start.elapsed().as_millis(), 100);
    }

    #[tokio::test(start_paused = true)]
    async fn a_host_that_asks_for_time_gets_it() {
        let politeness = Politeness::new(64, 1, Duration::from_millis(100));
        politeness.hold("a", Duration::from_secs(7));
        let start = Instant::now();
        drop(politeness.turn("a").await);
        assert!(start.elapsed() >= Duration::from_secs(7));
    }
}
