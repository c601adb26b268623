//! What a run shows while it works: a bar on a terminal, elsewhere nothing, or where asked for a line now and then.

use std::collections::{BTreeMap, BTreeSet};
use std::io::IsTerminal as _;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::args::When;
use super::{columns, say};
use crate::pipeline::Progress;
use cited_core::outcome::{Fetched, Outcome};
use cited_fetch::{Fetcher, Fetching, Keeping, Request, Wish};
use cited_report::findings::shown;
use cited_report::wording::cut;

/// How often a line is printed where there is no terminal: seldom enough for a build log, often enough that a build
/// watcher does not take the run for dead. A run that is done sooner prints none.
const LINE_EVERY: Duration = Duration::from_secs(5);
/// How often the bar is drawn anew.
const TICK: Duration = Duration::from_millis(100);
/// Columns of the bar and what stands before it.
const BESIDE: usize = 48;
/// How many hosts are named as waited for.
const HOSTS_NAMED: usize = 3;

/// Shows the progress of one run on standard error.
pub struct Reporter {
    show: Show,
    verbose: bool,
    bar: ProgressBar,
    state: Mutex<State>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Show {
    Bar,
    Lines,
    Nothing,
}

struct State {
    total: usize,
    done: usize,
    outcomes: BTreeMap<Outcome, usize>,
    /// Addresses that are being asked.
    waiting: Vec<String>,
    last_line: Instant,
}

impl Reporter {
    /// A reporter; `quiet` shows nothing, `verbose` also tells of every source.
    pub fn new(when: When, quiet: bool, verbose: bool) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let show = match when {
            _ if quiet => Show::Nothing,
            When::Never => Show::Nothing,
            When::Always | When::Auto if terminal => Show::Bar,
            When::Always => Show::Lines,
            When::Auto => Show::Nothing,
        };
        let bar = if show == Show::Bar { ProgressBar::no_length() } else { ProgressBar::hidden() };
        if show == Show::Bar {
            bar.set_draw_target(ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template("{spinner} {pos}/{len} sources [{bar:24}] {wide_msg}") {
                bar.set_style(style.progress_chars("=> "));
            }
            bar.enable_steady_tick(TICK);
        }
        let state =
            State { total: 0, done: 0, outcomes: BTreeMap::new(), waiting: Vec::new(), last_line: Instant::now() };
        Reporter { show, verbose: verbose && !quiet, bar, state: Mutex::new(state) }
    }

    /// Takes note of a step of the pipeline.
    pub fn note(&self, progress: Progress<'_>) {
        match progress {
            Progress::Fetching(total) => {
                self.change(|state| state.total = total);
                self.bar.set_length(total as u64);
            }
            Progress::Fetched(fetched) => {
                self.change(|state| {
                    state.done += 1;
                    *state.outcomes.entry(fetched.outcome).or_default() += 1;
                });
                self.bar.inc(1);
                if self.verbose {
                    self.tell(&of_source(fetched));
                }
            }
            Progress::Judging(_) => self.bar.set_message("judging the claims"),
            Progress::Writing => self.bar.set_message("writing"),
            Progress::Checking => self.bar.set_message("checking the brief"),
            Progress::Reporting => self.bar.set_message("writing the record"),
        }
    }

    /// Prints a line without disturbing the bar.
    pub fn tell(&self, line: &str) {
        self.pause(|| say(format_args!("{line}\n")));
    }

    /// Does something that prints, without disturbing the bar.
    pub fn pause<T>(&self, prints: impl FnOnce() -> T) -> T {
        self.bar.suspend(prints)
    }

    /// Takes the bar away.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        // A poisoned lock only means that another thread fell over while counting.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut state);
        match self.show {
            Show::Bar => self.bar.set_message(state.message()),
            Show::Lines if state.last_line.elapsed() >= LINE_EVERY => {
                state.last_line = Instant::now();
                say(format_args!("{} of {} sources: {}\n", state.done, state.total, state.message()));
            }
            Show::Lines | Show::Nothing => {}
        }
    }
}

impl State {
    fn message(&self) -> String {
        let counts = self.outcomes.iter().map(|(outcome, count)| format!("{count} {outcome}"));
        let mut message = counts.collect::<Vec<_>>().join(", ");
        let hosts: BTreeSet<&str> = self.waiting.iter().map(|address| host(address)).collect();
        if !hosts.is_empty() {
            let named: Vec<&str> = hosts.iter().take(HOSTS_NAMED).copied().collect();
            let more = hosts.len().saturating_sub(HOSTS_NAMED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let gap = if message.is_empty() { "" } else { "; " };
            message = format!("{message}{gap}waiting for {}{more}", named.join(", "));
        }
        cut(&message, columns().map_or(usize::MAX, |width| width.saturating_sub(BESIDE)))
    }
}

/// The host part of an address; the address itself when it has none.
fn host(address: &str) -> &str {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or(rest)
}

/// One line about one source.
pub fn of_source(fetched: &Fetched) -> String {
    let reason = if fetched.reason.is_empty() { String::new() } else { format!(" ({})", fetched.reason) };
    let line = format!("{:<11} {}{reason}", fetched.outcome.as_str(), fetched.address);
    line.chars().map(shown).collect()
}

/// A fetcher whose questions a reporter knows of, so that it can say what a run is waiting for.
pub struct Watched<'a> {
    fetcher: &'a dyn Fetcher,
    reporter: &'a Reporter,
}

impl<'a> Watched<'a> {
    /// `fetcher`, watched.
    pub fn new(fetcher: &'a dyn Fetcher, reporter: &'a Reporter) -> Self {
        Watched { fetcher, reporter }
    }
}

impl Fetcher for Watched<'_> {
    fn fetch<'a>(&'a self, request: &'a Request<'a>) -> Fetching<'a> {
        Box::pin(async move {
            let address = request.addresses.first().cloned().unwrap_or_default();
            self.reporter.change(|state| state.waiting.push(address.clone()));
            let fetched = self.fetcher.fetch(request).await;
            self.reporter.change(|state| {
                if let Some(at) = state.waiting.iter().position(|other| *other == address) {
                    state.waiting.swap_remove(at);
                }
            });
            fetched
        })
    }

    fn keep<'a>(&'a self, fetched: &'a Fetched) -> Keeping<'a> {
        self.fetcher.keep(fetched)
    }

    fn asks_archives(&self) -> bool {
        self.fetcher.asks_archives()
    }

    fn fault(&self) -> Option<String> {
        self.fetcher.fault()
    }

    fn wish(&self, host: &str) -> Wish {
        self.fetcher.wish(host)
    }

    fn mind(&self, host: &str, pause: Duration) {
        self.fetcher.mind(host, pause);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_counts_outcomes_and_names_hosts_waited_for() {
        let reporter = Reporter::new(When::Never, false, false);
        let message = |change: &dyn Fn(&mut State)| {
            let mut state = reporter.state.lock().unwrap();
            change(&mut state);
            state.message()
        };
        assert_eq!(message(&|_| ()), "");
        let one = |s: &mut State| {
            s.waiting.push("https://a.example/x".into());
        };
        assert_eq!(message(&one), "waiting for a.example");
        let more = |s: &mut State| {
            s.outcomes.extend([(Outcome::Dead, 2), (Outcome::Live, 7)]);
            for name in ["b", "c", "d"] {
                s.waiting.push(format!("https://{name}.example/"));
            }
        };
        assert_eq!(message(&more), "7 live, 2 dead; waiting for a.example, b.example, c.example and 1 more");
    }
}
