//! What a run shows while it works: a bar on a terminal, elsewhere nothing, or where asked for a line now and then.

use std::collections::{BTreeMap, BTreeSet};
use std::io::IsTerminal as _;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use url::Url;

use super::args::When;
use super::say;
use crate::pipeline::Progress;
use cited_core::outcome::Outcome;
use cited_report::wording::listed;

/// How often a line is printed where there is no terminal: seldom enough for a build log, often enough that a build
/// watcher does not take the run for dead. A run that is done sooner prints none.
const LINE_EVERY: Duration = Duration::from_secs(5);
/// How often the bar is drawn anew.
const TICK: Duration = Duration::from_millis(100);
/// How many hosts are named as waited for.
const HOSTS_NAMED: usize = 3;

/// Shows the progress of one run on standard error.
pub struct Reporter {
    /// Whether lines are printed in place of a bar.
    lines: bool,
    /// What is drawn. Who prints suspends it.
    pub bar: ProgressBar,
    state: Mutex<State>,
}

struct State {
    outcomes: BTreeMap<Outcome, usize>,
    /// The hosts of addresses that are being asked.
    waiting: Vec<String>,
    last_line: Instant,
}

impl Reporter {
    /// A reporter; `quiet` shows nothing.
    pub fn new(when: When, quiet: bool) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let bar = if quiet || when == When::Never || !terminal { ProgressBar::hidden() } else { ProgressBar::new(0) };
        bar.set_length(0);
        if !bar.is_hidden() {
            let style = ProgressStyle::with_template("{spinner} {pos}/{len} sources [{bar:24}] {wide_msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> "));
            bar.enable_steady_tick(TICK);
        }
        let state = State { outcomes: BTreeMap::new(), waiting: Vec::new(), last_line: Instant::now() };
        Reporter { lines: !quiet && when == When::Always && !terminal, bar, state: Mutex::new(state) }
    }

    /// Takes note of a step of the pipeline.
    pub fn note(&self, progress: Progress<'_>) {
        match progress {
            // Every document of a run adds its sources.
            Progress::Fetching(more) => self.bar.inc_length(more as u64),
            Progress::Fetched(fetched) => {
                self.bar.inc(1);
                self.change(|state| *state.outcomes.entry(fetched.outcome).or_default() += 1);
            }
            Progress::Stage(words) => self.bar.set_message(words),
        }
    }

    /// Waits for an answer of a host, and says so.
    pub async fn wait_for<T>(&self, address: Option<&String>, answer: impl Future<Output = T>) -> T {
        let address = address.and_then(|address| Url::parse(address).ok());
        let host = address.as_ref().and_then(Url::host_str).unwrap_or_default().to_owned();
        self.change(|state| state.waiting.push(host.clone()));
        let answer = answer.await;
        self.change(|state| {
            if let Some(at) = state.waiting.iter().position(|other| *other == host) {
                state.waiting.swap_remove(at);
            }
        });
        answer
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        // A poisoned lock only means that another thread fell over while counting.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut state);
        if !self.bar.is_hidden() {
            self.bar.set_message(state.message());
        }
        if self.lines && state.last_line.elapsed() >= LINE_EVERY {
            state.last_line = Instant::now();
            let (done, all) = (self.bar.position(), self.bar.length().unwrap_or_default());
            say(format_args!("{done} of {all} sources: {}\n", state.message()));
        }
    }
}

impl State {
    fn message(&self) -> String {
        let counts = listed(self.outcomes.iter().map(|(outcome, count)| (*count, format!("{count} {outcome}"))));
        let hosts: BTreeSet<&str> = self.waiting.iter().map(String::as_str).collect();
        let more = hosts.len().saturating_sub(HOSTS_NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let named = hosts.into_iter().take(HOSTS_NAMED).collect::<Vec<_>>().join(", ");
        let waiting = if named.is_empty() { named } else { format!("waiting for {named}{more}") };
        [counts, waiting].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_counts_outcomes_and_names_hosts_waited_for() {
        let reporter = Reporter::new(When::Never, false);
        let message = |change: &dyn Fn(&mut State)| {
            let mut state = reporter.state.lock().unwrap();
            change(&mut state);
            state.message()
        };
        assert_eq!(message(&|_| ()), "");
        let one = |s: &mut State| {
            s.waiting.push("a.example".into());
        };
        assert_eq!(message(&one), "waiting for a.example");
        let more = |s: &mut State| {
            s.outcomes.extend([(Outcome::Dead, 2), (Outcome::Live, 7)]);
            for name in ["b", "c", "d"] {
                s.waiting.push(format!("{name}.example"));
            }
        };
        assert_eq!(message(&more), "7 live, 2 dead; waiting for a.example, b.example, c.example and 1 more");
    }
}
