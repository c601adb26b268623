//! Counts for Prometheus, in its text format.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::jobs::State;

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

    /// Everything that is counted, with what stands now: calls that run and wait, jobs by state.
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
