//! The whole run on a draft, without a network: every source answers and is live.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use cited::fetch::{Fetched, Fetcher, Fetching, Outcome, Page, Request};
use cited::pipeline::{self, Input, Options, Progress, Run};

/// A network on which every page is there, with these texts. Without any nothing is judged.
struct AllLive<'a>(jiff::Timestamp, &'a HashMap<String, String>);

impl Fetcher for AllLive<'_> {
    fn fetch<'a>(&'a self, request: &'a Request<'a>) -> Fetching<'a> {
        let address = request.addresses.first().map(String::as_str).unwrap_or_default();
        let mut fetched = Fetched::unasked(address, "HTTP 200", self.0);
        fetched.outcome = Outcome::Live;
        fetched.page = self.1.get(address).map(|text| Page::of_text(text.as_str(), "text/plain"));
        Box::pin(std::future::ready(fetched))
    }
}

/// How long the parts of a run took.
#[derive(Debug, Clone, Copy, Default)]
pub struct Times {
    /// Reading: document, citations, claims, registry, what each marker means.
    pub read: Duration,
    /// Asking for the sources, all of which answer at once.
    pub ask: Duration,
    /// Judging and deciding on each claim.
    pub decide: Duration,
    /// The edits, the source list, the brief.
    pub write: Duration,
    /// Reading the brief again and comparing.
    pub check: Duration,
    /// Findings, record and side-car.
    pub report: Duration,
    /// The memory of the process at its peak when the brief was written, in bytes, where that can be known.
    pub peak_at_brief: Option<u64>,
}

impl Times {
    /// Draft in, brief out: all but the check of the result and the reports on it.
    pub fn brief(self) -> Duration {
        self.read + self.ask + self.decide + self.write
    }
}

/// A figure of `/proc/self/status`, in bytes; `None` where there is no such file.
pub fn resident(field: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// Runs the whole path on `text`, with the texts of its sources where there are any.
pub fn run(text: &str, pages: &HashMap<String, String>) -> (Run, Times) {
    let support = !pages.is_empty();
    let options = Options { support, concurrency: 8, now: jiff::Timestamp::UNIX_EPOCH, ..Options::default() };
    let draft = Input { path: "bench-draft.md".into(), text: text.into() };
    let marks: Mutex<Vec<(Instant, Option<u64>)>> = Mutex::default();
    let progress = |progress: Progress<'_>| {
        if !matches!(progress, Progress::Fetched(_)) {
            marks.lock().expect("one thread").push((Instant::now(), resident("VmHWM:")));
        }
    };
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let start = Instant::now();
    let run = runtime
        .block_on(pipeline::verify(&draft, &[], &AllLive(options.now, pages), &options, &progress))
        .expect("the draft can be verified");
    let end = Instant::now();
    let marks = marks.into_inner().expect("one thread");
    // A brief may be checked several times before it is settled; the last time counts.
    let [(fetching, _), (judging, _), (writing, _), .., (checking, peak_at_brief), (reporting, _)] = marks[..] else {
        panic!("every stage is reached");
    };
    let times = Times {
        read: fetching - start,
        ask: judging - fetching,
        decide: writing - judging,
        write: checking - writing,
        check: reporting - checking,
        report: end - reporting,
        peak_at_brief,
    };
    (run, times)
}
