//! Runs without a network: every source answers by a rule on its address, and nothing but that decides.
//!
//! Shared by the property tests, the fuzz targets and `examples/corpus.rs`.

use std::sync::Arc;

use cited::decide::Policy;
use cited::fetch::{Fetched, Fetcher, Outcome, Request};
use cited::pipeline::{Input, Options, Run, Style, verify};

/// The answer to `request` when each address is in the state that `outcome` gives it: one that can be read is enough, and
/// one that could not be asked keeps a source from being dead.
pub fn answer(request: &Request, outcome: impl Fn(&str) -> Outcome) -> Fetched {
    let outcomes: Vec<Outcome> = request.addresses.iter().map(|address| outcome(address)).collect();
    let best = outcomes.iter().position(|outcome| outcome.is_readable());
    let at = best.or_else(|| outcomes.iter().position(|outcome| outcome.is_unknown())).unwrap_or(0);
    let address = request.addresses[at].clone();
    let mut fetched = Fetched::unasked(address.clone(), "HTTP 200", jiff::Timestamp::UNIX_EPOCH);
    fetched.outcome = outcomes[at];
    match fetched.outcome {
        Outcome::Live => fetched.final_url = Some(address),
        Outcome::Dead => "HTTP 404".clone_into(&mut fetched.reason),
        _ => "HTTP 403".clone_into(&mut fetched.reason),
    }
    fetched
}

/// The settings with which the promises hold: support is not judged, nothing but outcomes decides.
pub fn options() -> Options {
    Options {
        policy: Policy::default(),
        notes: false,
        style: Style::Numeric,
        clauses: false,
        support: false,
        judge: None,
        soften: false,
        model: None,
        concurrency: 1,
        now: jiff::Timestamp::UNIX_EPOCH,
        artifact: Arc::new(|_| None),
    }
}

/// One run.
pub fn run(text: &str, research: &[Input], fetcher: &dyn Fetcher, options: &Options) -> Result<Run, cited::Error> {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let draft = Input { path: "draft.md".into(), text: text.into() };
    runtime.block_on(verify(&draft, research, fetcher, options, &|_| {}))
}
