//! What Ctrl-C, SIGTERM and SIGHUP do: they end this process, whatever it is at. Nothing half done stays behind: what is not
//! whole yet is taken away, what was started is ended.
//!
//! No stage is asked whether it would like to stop: one that reads a large document or waits for a lock could not answer.

use std::io::IsTerminal as _;
use std::sync::mpsc;
use std::time::Duration;

use tokio::sync::oneshot;

use crate::cli::{Exit, say};
use cited_core::error::{Error, Result};
use cited_fetch::leftovers;

/// How long a message may take that nobody reads.
const PATIENCE: Duration = Duration::from_millis(100);
/// Takes a progress bar off the line of a terminal.
const CLEAR_LINE: &str = "\r\x1b[2K";

/// From now on these signals end this process as one that could not be completed, after `first` is done.
///
/// # Errors
/// When the system gives no threads or signals.
pub fn listen(first: fn()) -> Result<()> {
    on_signal(move |kind| {
        first();
        tell(kind, leftovers::clear());
        std::process::exit(Exit::Blocked as i32);
    })
}

/// Ends with the first signal that asks for it, for what ends by itself after what it is at. To be called before other threads begin: they
/// would take the signal.
///
/// # Errors
/// When the system gives no threads or signals.
pub fn told_to_end() -> Result<impl Future<Output = ()>> {
    let (send, told) = oneshot::channel();
    on_signal(move |kind| {
        let _ = send.send(kind);
    })?;
    Ok(async {
        let _ = told.await;
    })
}

/// Does something when the first of these signals comes. One that was ignored when this process began stays ignored: `nohup` asks for that.
#[cfg(unix)]
fn on_signal(act: impl FnOnce(&'static str) + Send + 'static) -> Result<()> {
    use nix::sys::signal::{SigSet, Signal};
    let refused = |error: &dyn std::error::Error| Error::blocked(format!("the system gives no signals: {error}"));
    let kinds = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP];
    let kinds: SigSet = kinds.into_iter().filter(|kind| !is_ignored(*kind as i32)).collect();
    // Threads that begin from here on leave them to the one that waits. Programs that are started begin without this.
    kinds.thread_block().map_err(|error| refused(&error))?;
    let watch = move || kinds.wait().map(|kind| act(kind.as_str()));
    std::thread::Builder::new().spawn(watch).map(drop).map_err(|error| refused(&error))
}

/// Does something with Ctrl-C, where there are no such signals.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "the shape that other systems need")]
fn on_signal(act: impl FnOnce(&'static str) + Send + 'static) -> Result<()> {
    std::thread::spawn(move || {
        let pressed =
            super::block_on(async { tokio::signal::ctrl_c().await.map_err(|error| Error::blocked(error.to_string())) });
        pressed.map(|()| act("Ctrl-C"))
    });
    Ok(())
}

/// Says that it is over. Standard error may be in use or take nothing: then it is over without a word.
fn tell(by: &'static str, written: bool) {
    let (told, is_told) = mpsc::channel();
    std::thread::spawn(move || {
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
