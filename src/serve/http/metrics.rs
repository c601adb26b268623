//! Counts of a service, as Prometheus reads them (text format 0.0.4).

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Upper bounds of the classes of durations, in seconds.
const BOUNDS: [f64; 9] = [0.005, 0.025, 0.1, 0.5, 1.0, 5.0, 30.0, 120.0, 600.0];

/// Counts of requests.
#[derive(Debug, Default)]
pub struct Metrics(Mutex<BTreeMap<(String, u16), Counted>>);

#[derive(Debug, Default, Clone)]
struct Counted {
    count: u64,
    seconds: f64,
    classes: [u64; BOUNDS.len()],
}

impl Metrics {
    /// Counts a request by its route, which is one of a few.
    pub fn count(&self, route: &str, status: u16, took: Duration) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let counted = all.entry((route.to_owned(), status)).or_default();
        let seconds = took.as_secs_f64();
        counted.count += 1;
        counted.seconds += seconds;
        for (class, bound) in counted.classes.iter_mut().zip(BOUNDS) {
            *class += u64::from(seconds <= bound);
        }
    }

    /// Everything that is counted, with what stands now: calls that run and wait, jobs by state.
    pub fn text(&self, (running, waiting): (usize, usize), jobs: &[(String, i64)]) -> String {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let mut out = String::new();
        // Writing to a String cannot fail.
        let mut line = |text: std::fmt::Arguments<'_>| {
            let _ = writeln!(out, "{text}");
        };
        line(format_args!("# HELP cited_http_requests_total Requests by route and status."));
        line(format_args!("# TYPE cited_http_requests_total counter"));
        for ((route, status), counted) in &all {
            let count = counted.count;
            line(format_args!("cited_http_requests_total{{route=\"{route}\",status=\"{status}\"}} {count}"));
        }
        line(format_args!("# HELP cited_http_request_seconds Time from a request to its answer."));
        line(format_args!("# TYPE cited_http_request_seconds histogram"));
        for ((route, status), counted) in &all {
            let labels = format!("route=\"{route}\",status=\"{status}\"");
            for (class, bound) in counted.classes.iter().zip(BOUNDS) {
                line(format_args!("cited_http_request_seconds_bucket{{{labels},le=\"{bound}\"}} {class}"));
            }
            let (count, seconds) = (counted.count, counted.seconds);
            line(format_args!("cited_http_request_seconds_bucket{{{labels},le=\"+Inf\"}} {count}"));
            line(format_args!("cited_http_request_seconds_sum{{{labels}}} {seconds}"));
            line(format_args!("cited_http_request_seconds_count{{{labels}}} {count}"));
        }
        line(format_args!("# HELP cited_calls Calls of tools that run and that wait."));
        line(format_args!("# TYPE cited_calls gauge"));
        line(format_args!("cited_calls{{state=\"running\"}} {running}"));
        line(format_args!("cited_calls{{state=\"waiting\"}} {waiting}"));
        line(format_args!("# HELP cited_jobs Jobs that are kept, by state."));
        line(format_args!("# TYPE cited_jobs gauge"));
        for (state, count) in jobs {
            line(format_args!("cited_jobs{{state=\"{state}\"}} {count}"));
        }
        out
    }
}
