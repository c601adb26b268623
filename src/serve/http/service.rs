//! What every request works with, and what is counted and logged of it.

use std::collections::BTreeMap;
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

/// What is counted: name, kind, what it is.
const METRICS: [(&str, &str, &str); 4] = [
    ("cited_http_requests_total", "counter", "Requests by route and status."),
    ("cited_http_request_seconds_total", "counter", "Time from requests to answers."),
    ("cited_calls", "gauge", "Calls of tools that run and that wait."),
    ("cited_jobs", "gauge", "Jobs that are kept, by state."),
];

/// What was counted, by name and labels.
#[derive(Debug, Default)]
pub struct Metrics(Mutex<BTreeMap<(&'static str, String), f64>>);

impl Metrics {
    /// Counts a request by its route, which is one of a few.
    pub fn count(&self, route: &str, status: u16, took: Duration) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for ((name, ..), more) in METRICS.iter().zip([1.0, took.as_secs_f64()]) {
            *all.entry((name, format!("route=\"{route}\",status=\"{status}\""))).or_default() += more;
        }
    }

    /// For Prometheus, in its text format, everything that is counted, with what stands now: calls that run and wait, jobs by state.
    pub fn text(&self, (running, waiting): (usize, usize), jobs: &BTreeMap<State, usize>) -> String {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let calls = [("running", running), ("waiting", waiting)].map(|(state, count)| ("cited_calls", state, count));
        let jobs = jobs.iter().map(|(state, count)| ("cited_jobs", state.as_ref(), *count));
        let now = calls.into_iter().chain(jobs);
        all.extend(now.map(|(name, state, count)| ((name, format!("state=\"{state}\"")), count as f64)));
        let text = |(name, kind, help): (&str, &str, &str)| {
            let own = all.iter().filter(|((of, _), _)| *of == name);
            let own: Vec<String> = own.map(|((_, labels), value)| format!("{name}{{{labels}}} {value}\n")).collect();
            format!("# HELP {name} {help}\n# TYPE {name} {kind}\n{}", own.concat())
        };
        METRICS.map(text).concat()
    }
}
