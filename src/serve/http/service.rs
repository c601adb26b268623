//! What every request works with, and what is counted and logged of it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::guard::Guard;
use super::jobs::{Jobs, State};
use crate::cli::say;
use crate::pipeline::audit::Shared as Audit;
use crate::serve::tools::Context;

/// The service as every route has it.
pub type Shared = Arc<Service>;

/// What every request works with.
pub struct Service {
    /// What tools work with.
    pub context: Arc<Context>,
    /// Who may ask.
    pub guard: Guard,
    /// Calls that nobody waits for.
    pub jobs: Arc<Jobs>,
    /// Counts.
    pub metrics: Metrics,
    /// The audit that is shown.
    pub audit: Option<Audit>,
    /// It takes no more, and what waits for clients ends: event streams, sessions, connections.
    pub stopping: CancellationToken,
}

/// A line of the log, JSON on standard error. It never holds what clients sent or pages say.
pub fn log(mut event: Value) {
    event["time"] = jiff::Timestamp::now().to_string().into();
    say(format_args!("{event}\n"));
}

/// Requests by route and status: how many, and the seconds that they took.
#[derive(Debug, Default)]
pub struct Metrics(Mutex<BTreeMap<(String, u16), (u64, f64)>>);

impl Metrics {
    /// Counts a request by its route, which is one of a few.
    pub fn count(&self, route: &str, status: u16, took: Duration) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (count, seconds) = all.entry((route.to_owned(), status)).or_default();
        *count += 1;
        *seconds += took.as_secs_f64();
    }

    /// For Prometheus, in its text format, everything that is counted, with what stands now: calls that run and wait, jobs by state.
    pub fn text(&self, (running, waiting): (usize, usize), jobs: &BTreeMap<State, usize>) -> String {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let mut out = String::new();
        let mut metric = |name: &str, kind: &str, help: &str, rows: Vec<(String, String)>| {
            // Writing to a String cannot fail.
            let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} {kind}");
            for (labels, value) in rows {
                let _ = writeln!(out, "{name}{{{labels}}} {value}");
            }
        };
        let labels = |route: &str, status: u16| format!("route=\"{route}\",status=\"{status}\"");
        let counts = all.iter().map(|((route, status), (count, _))| (labels(route, *status), count.to_string()));
        metric("cited_http_requests_total", "counter", "Requests by route and status.", counts.collect());
        let took = all.iter().map(|((route, status), (_, seconds))| (labels(route, *status), seconds.to_string()));
        metric("cited_http_request_seconds_total", "counter", "Time from requests to answers.", took.collect());
        let state = |state: &str, count: usize| (format!("state=\"{state}\""), count.to_string());
        let calls = vec![state("running", running), state("waiting", waiting)];
        metric("cited_calls", "gauge", "Calls of tools that run and that wait.", calls);
        let jobs = jobs.iter().map(|(standing, count)| state(standing.as_ref(), *count)).collect();
        metric("cited_jobs", "gauge", "Jobs that are kept, by state.", jobs);
        out
    }
}
