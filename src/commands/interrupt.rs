//! What Ctrl-C does: the first lets a run end with what is known, the second ends it at once.

use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::watch;

use crate::error::{Error, Result};
use crate::fetch::{Fetched, Fetcher, Fetching, Keeping, Kept, Request};

/// The user's wish to stop.
pub struct Interrupt {
    wish: watch::Sender<bool>,
    unasked: AtomicUsize,
}

impl Interrupt {
    /// Nobody has interrupted yet.
    pub fn new() -> Self {
        Interrupt { wish: watch::Sender::new(false), unasked: AtomicUsize::new(0) }
    }

    /// Runs `work` to its end. `tell` is called when the user interrupts it for the first time: `work` should then come to
    /// its end by itself, for what it asks through [`Stoppable`] is not asked any more.
    ///
    /// # Errors
    /// Those of `work`; and when the user interrupts it twice.
    pub async fn run<T>(&self, work: impl Future<Output = Result<T>>, tell: impl FnOnce()) -> Result<T> {
        let mut work = std::pin::pin!(work);
        tokio::select! {
            result = &mut work => return result,
            Ok(()) = tokio::signal::ctrl_c() => {}
        }
        tell();
        self.wish.send_replace(true);
        tokio::select! {
            result = work => result,
            Ok(()) = tokio::signal::ctrl_c() => Err(Error::blocked("interrupted twice; nothing was written")),
        }
    }

    /// What the interruption cost, when it cost anything.
    pub fn cut_short(&self) -> Option<String> {
        let unasked = self.unasked.load(Ordering::Relaxed);
        let what = if unasked == 1 { "1 address was".to_owned() } else { format!("{unasked} addresses were") };
        (unasked > 0).then(|| format!("interrupted before {what} decided"))
    }

    async fn wished(&self) {
        // The sender is ours, so there is always one.
        let _ = self.wish.subscribe().wait_for(|wished| *wished).await;
    }
}

/// A fetcher that asks nobody any more once the user has interrupted the run: what is not decided then stays unasked.
pub struct Stoppable<'a> {
    fetcher: &'a dyn Fetcher,
    interrupt: &'a Interrupt,
}

impl<'a> Stoppable<'a> {
    /// `fetcher`, until the user interrupts.
    pub fn new(fetcher: &'a dyn Fetcher, interrupt: &'a Interrupt) -> Self {
        Stoppable { fetcher, interrupt }
    }
}

impl Fetcher for Stoppable<'_> {
    fn fetch<'a>(&'a self, request: &'a Request<'a>) -> Fetching<'a> {
        Box::pin(async move {
            tokio::select! {
                biased;
                () = self.interrupt.wished() => {
                    self.interrupt.unasked.fetch_add(1, Ordering::Relaxed);
                    let address = request.addresses.first().cloned().unwrap_or_default();
                    Fetched::unasked(address, "interrupted", jiff::Timestamp::now())
                }
                fetched = self.fetcher.fetch(request) => fetched,
            }
        })
    }

    fn keep<'a>(&'a self, fetched: &'a Fetched) -> Keeping<'a> {
        Box::pin(async move {
            tokio::select! {
                biased;
                () = self.interrupt.wished() => Some(Kept::Not { reason: "interrupted".to_owned() }),
                kept = self.fetcher.keep(fetched) => kept,
            }
        })
    }

    fn fault(&self) -> Option<String> {
        self.interrupt.cut_short().or_else(|| self.fetcher.fault())
    }
}
