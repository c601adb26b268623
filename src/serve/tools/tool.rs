//! What a tool is, and how a call of it runs: from typed input to typed output on a thread of its own, with its progress, its
//! cancellation, a place among those that run at once, and a limit of time.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use http::StatusCode;
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::context::Context;
use crate::pipeline::Progress;
use crate::serve::problem::{Problem, Result};
use crate::setup;
use cited_core::shape;
pub use cited_core::shape::{output_schema, schema};
use cited_report::wording::cut;

/// What a tool may do, as hints for whoever lets it be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Annotations {
    /// It changes nothing outside.
    pub read_only: bool,
    /// It asks the web.
    pub open_world: bool,
}

/// What a tool gives: a short text for a model and the structure for programs.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// A few lines.
    pub text: String,
    /// A value of the tool's output schema.
    pub value: Value,
}

/// One tool.
#[derive(Debug, Clone, Copy)]
pub struct Tool {
    /// The name that it is called by.
    pub name: &'static str,
    /// What it does and when to use it.
    pub description: &'static str,
    /// What it may do.
    pub annotations: Annotations,
    /// The schema of its arguments.
    pub input: fn() -> Schema,
    /// The schema of what it gives.
    pub output: fn() -> Schema,
    /// Does it. Blocks its thread; [`call()`] gives it one.
    pub run: fn(&Context, Value, &Call) -> Result<Answer>,
}

impl Answer {
    /// The text, as a terminal shows it, and the value.
    pub(super) fn new(text: &str, value: &impl Serialize) -> Result<Answer> {
        let value = serde_json::to_value(value).map_err(|error| Problem::defect(error.to_string()))?;
        Ok(Answer { text: anstream::adapter::strip_str(text).to_string(), value })
    }
}

impl Tool {
    /// Its name for people.
    pub fn title(&self) -> String {
        self.name.replace('_', " ")
    }
}

/// Reads the arguments of a tool, and runs it.
pub(super) fn typed<I: DeserializeOwned + JsonSchema>(
    (context, arguments, call): (&Context, Value, &Call),
    run: fn(&Context, &I, &Call) -> Result<Answer>,
) -> Result<Answer> {
    let arguments = if arguments.is_null() { Value::Object(serde_json::Map::new()) } else { arguments };
    let input =
        shape::read::<I>(&arguments).map_err(|why| Problem::arguments(format!("the arguments do not fit: {why}")))?;
    run(context, &input, call)
}

/// A line of a text for a model: without controls, on one line, cut.
pub(super) fn line(text: &str) -> String {
    const LONGEST: usize = 300;
    cut(text, LONGEST)
}

/// How far a call has come.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Step {
    /// What is done, in steps. It only grows.
    pub done: usize,
    /// How many steps there are, as far as is known.
    pub total: Option<usize>,
    /// What is going on.
    pub message: String,
}

/// Who is told how far a call has come.
pub type StepListener = Arc<dyn Fn(Step) + Send + Sync>;

/// What a tool knows of its call beside the arguments.
pub struct Call {
    /// Ends the call.
    pub cancelled: CancellationToken,
    /// Whether it waits for its turn for as long as it takes, as a job does.
    pub is_patient: bool,
    listener: StepListener,
    /// Steps that are known of; none yet while it is zero.
    total: AtomicUsize,
    done: Mutex<usize>,
}

impl Default for Call {
    fn default() -> Self {
        Call::new(CancellationToken::new(), Arc::new(|_| {}))
    }
}

impl Call {
    /// A call that `cancelled` ends and that tells `told` of its steps.
    pub fn new(cancelled: CancellationToken, told: StepListener) -> Self {
        Call { cancelled, is_patient: false, listener: told, total: AtomicUsize::new(0), done: Mutex::default() }
    }

    /// So many more steps are to be done.
    pub fn expect(&self, more: usize) {
        self.total.fetch_add(more, Ordering::Relaxed);
    }

    /// One step more is done.
    pub fn step(&self, message: impl Into<String>) {
        // It is told while it is held, so that nobody hears of a later step first.
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        *done += 1;
        let total = Some(self.total.load(Ordering::Relaxed)).filter(|total| *total > 0);
        (self.listener)(Step { done: *done, total: total.map(|total| total.max(*done)), message: message.into() });
    }

    /// Takes note of a step of the pipeline.
    pub fn note(&self, progress: Progress<'_>) {
        match progress {
            Progress::Fetching(sources) => self.expect(sources),
            Progress::Fetched(fetched) => self.step(format!("{}: {}", fetched.in_words(), fetched.address)),
            Progress::Judging(claims) => self.step(format!("judging {claims} claims")),
            Progress::Writing => self.step("writing"),
            Progress::Checking => self.step("checking the brief"),
            Progress::Reporting => self.step("writing the record"),
        }
    }

    /// Fails once the call is cancelled.
    pub fn alive(&self) -> Result<()> {
        if self.cancelled.is_cancelled() { Err(Problem::cancelled()) } else { Ok(()) }
    }

    /// Waits for work that asks the web, until the call is cancelled: then nothing more is asked.
    pub fn wait<T>(&self, work: impl Future<Output = T>) -> Result<T> {
        let waited = setup::block_on(async { Ok(self.cancelled.run_until_cancelled(work).await) });
        self.alive()?;
        waited?.ok_or_else(Problem::cancelled)
    }
}

/// Runs a tool on a thread of its own and waits for it, within the limits of `context`. A call that is cancelled or takes too
/// long is answered at once; its thread ends when it next looks, and holds its place until then.
pub async fn call(context: Arc<Context>, tool: &'static Tool, arguments: Value, call: Call) -> Result<Answer> {
    let (token, limit) = (call.cancelled.clone(), context.limits.time);
    let place = token.run_until_cancelled(context.acquire_permit(call.is_patient)).await;
    let place = place.unwrap_or_else(|| Err(Problem::cancelled()))?;
    // Whoever waits no longer, a client that hung up for one, does not leave the work running.
    let _guard = token.clone().drop_guard();
    let work = tokio::task::spawn_blocking(move || {
        let _place = place;
        (tool.run)(&context, arguments, &call)
    });
    tokio::select! {
        biased;
        () = token.cancelled() => Err(Problem::cancelled()),
        done = work => done.unwrap_or_else(|cause| {
            let why = if cause.is_panic() { "a panic" } else { "the service is ending" };
            Err(Problem::defect(format!("cited broke off: {why}; this is a fault of cited, please report it with the arguments")))
        }),
        () = tokio::time::sleep(limit) => {
            let message = format!("not done after {} s, which is the limit here; ask for less at once", limit.as_secs());
            Err(Problem::new(StatusCode::GATEWAY_TIMEOUT, "timed-out", message))
        }
    }
}
