//! What Ctrl-C, SIGTERM and SIGHUP do: they end this process, whatever it is at. Nothing half done stays behind: what is not
//! whole yet is taken away, what was started is ended.
//!
//! No stage is asked whether it would like to stop: one that reads a large document or waits for a lock could not answer.

use std::io::IsTerminal as _;
use std::sync::mpsc;
use std::time::Duration;

use crate::cli::say;
use cited_core::error::{Error, Result};
use cited_fetch::leftovers;

/// How long a message may take that nobody reads.
const PATIENCE: Duration = Duration::from_millis(100);
/// Takes a progress bar off the line of a terminal.
const CLEAR_LINE: &str = "\r\x1b[2K";

/// From now on these signals end this process, with the exit status that `status` gives for the number of the signal, after
/// `first` is done. One that was ignored when this process began stays ignored: `nohup` asks for that.
///
/// # Errors
/// When the system gives no threads or signals.
#[cfg(unix)]
pub fn listen(status: fn(i32) -> i32, first: fn()) -> Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    const NO_SIGNALS: &str = "the system gives no signals";
    let (ready, is_ready) = mpsc::channel();
    let watch = move || -> std::io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
        let number = runtime.block_on(async {
            let mut kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()]
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
        let written = leftovers::clear();
        tell(number, written);
        std::process::exit(status(number));
    };
    let watcher = std::thread::Builder::new().spawn(watch).map_err(|error| Error::blocked(error.to_string()))?;
    if is_ready.recv().is_ok() {
        return Ok(());
    }
    let why = watcher.join().ok().and_then(std::result::Result::err);
    Err(Error::blocked(why.map_or_else(|| NO_SIGNALS.to_owned(), |error| format!("{NO_SIGNALS}: {error}"))))
}

/// Where there are no such signals the system ends a process by itself.
#[cfg(not(unix))]
pub fn listen(_: fn(i32) -> i32, _: fn()) -> Result<()> {
    Ok(())
}

/// Ends with the first signal that asks for it, for what ends by itself after what it is at.
///
/// # Errors
/// When the system gives no signals.
#[cfg(unix)]
pub fn told_to_end() -> Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let listen = |kind| signal(kind).map_err(|error| Error::blocked(format!("the system gives no signals: {error}")));
    let (mut interrupt, mut terminate) = (listen(SignalKind::interrupt())?, listen(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// Ends with Ctrl-C.
///
/// # Errors
/// None.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "the shape that other systems need")]
pub fn told_to_end() -> Result<impl Future<Output = ()>> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}

/// Says that it is over. Standard error may be in use or take nothing: then it is over without a word.
fn tell(number: i32, written: bool) {
    let (told, is_told) = mpsc::channel();
    std::thread::spawn(move || {
        let by = match number {
            1 => "SIGHUP",
            2 => "SIGINT",
            _ => "SIGTERM",
        };
        let clear = if std::io::stderr().is_terminal() { CLEAR_LINE } else { "" };
        let nothing = if written { "" } else { "; nothing was written" };
        say(format_args!("{clear}interrupted by {by}{nothing}\n"));
        let _ = told.send(());
    });
    let _ = is_told.recv_timeout(PATIENCE);
}

/// Whether this process was started with a signal ignored. Systems without /proc do not say.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask & (1 << (signal - 1)) != 0
}
