//! How often a service may be asked: at most so many requests in any minute, and none while it wants rest.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// At most so many in any minute.
pub struct Rate {
    limit: usize,
    recent: Mutex<VecDeque<Instant>>,
    held: Mutex<Option<Instant>>,
}

impl Rate {
    /// A rate of this many a minute.
    pub fn new(limit: usize) -> Self {
        Rate { limit: limit.max(1), recent: Mutex::default(), held: Mutex::default() }
    }

    /// Waits for a place.
    pub async fn wait(&self) {
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

    /// Lets nobody through for a while.
    pub fn hold(&self, time: Duration) {
        *self.held.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now() + time);
    }
}
