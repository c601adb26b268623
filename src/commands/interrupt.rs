//! What Ctrl-C does: the first lets a run end with what is known, the second ends it at once. What ends a gate ends its
//! programs too.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tokio::sync::watch;

use crate::error::{Error, Result};
use crate::fetch::leftovers;
use crate::fetch::{Fetched, Fetcher, Fetching, Keeping, Kept, Request};

/// From now on Ctrl-C, SIGTERM or SIGHUP end this process as they would anyway, with the status that shells give for that
/// signal, but `first` is done before, and no file stays that is not whole.
///
/// # Errors
/// When the system gives no threads or signals.
#[cfg(unix)]
pub fn before_the_end(first: fn()) -> Result<()> {
    use tokio::signal::unix::SignalKind;
    at_signals(&[SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()], first)
}

/// From now on SIGTERM and SIGHUP leave no file that is not whole. Ctrl-C is [`Interrupt`]'s. Where the system gives no
/// signals or threads, the next run removes what is left.
pub fn leave_nothing_half_done() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::SignalKind;
        let _ = at_signals(&[SignalKind::terminate(), SignalKind::hangup()], || {});
    }
}

/// Starts a thread that waits for one of these signals, for the first call of a process only.
#[cfg(unix)]
fn at_signals(kinds: &[tokio::signal::unix::SignalKind], first: fn()) -> Result<()> {
    use tokio::signal::unix::signal;
    static WATCHED: AtomicBool = AtomicBool::new(false);
    if WATCHED.swap(true, Ordering::Relaxed) {
        return Ok(());
    }
    let kinds = kinds.to_vec();
    const NO_SIGNALS: &str = "the system gives no signals";
    let (ready, is_ready) = std::sync::mpsc::channel();
    let watch = move || -> std::io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let number = runtime.block_on(async {
            // What is ignored stays ignored: `nohup` asks for that.
            let mut kinds = kinds
                .into_iter()
                .filter(|kind| !is_ignored(kind.as_raw_value()))
                .map(|kind| Ok((kind.as_raw_value(), signal(kind)?)))
                .collect::<std::io::Result<Vec<_>>>()?;
            let _ = ready.send(());
            let came = std::future::poll_fn(|context| {
                let mut came = kinds.iter_mut().map(|(number, signal)| (*number, signal.poll_recv(context)));
                let came = came.find_map(|(number, came)| came.is_ready().then_some(number));
                came.map_or(std::task::Poll::Pending, std::task::Poll::Ready)
            });
            Ok::<i32, std::io::Error>(came.await)
        })?;
        first();
        leftovers::remove_all();
        std::process::exit(128 + number);
    };
    let watcher = std::thread::Builder::new().spawn(watch).map_err(|error| Error::blocked(error.to_string()))?;
    if is_ready.recv().is_ok() {
        return Ok(());
    }
    let why = watcher.join().ok().and_then(std::result::Result::err);
    Err(Error::blocked(why.map_or_else(|| NO_SIGNALS.to_owned(), |error| format!("{NO_SIGNALS}: {error}"))))
}

/// Whether this process was started with a signal ignored. Systems without /proc do not say.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask & (1 << (signal - 1)) != 0
}

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

    fn asks_archives(&self) -> bool {
        self.fetcher.asks_archives()
    }

    fn fault(&self) -> Option<String> {
        self.interrupt.cut_short().or_else(|| self.fetcher.fault())
    }
}
