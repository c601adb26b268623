//! The tools that agents and platforms call: one table, one file a tool, each a walk along the pipeline's stages.
//!
//! A tool is a plain function from typed input to typed output. It runs on a thread of its own ([`call()`]), tells of its
//! progress, and ends when its [`Call`] is cancelled, within a limit of time and of how many run at once. Nothing here knows by which protocol
//! it was asked for.

mod args;
mod check_claim;
mod check_references;
pub mod context;
mod explain;
mod gate;
mod show_source;
#[cfg(test)]
mod tests;
mod verify_citations;
mod verify_draft;

use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use http::StatusCode;
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

pub use self::context::Context;
use crate::pipeline::Progress;
use crate::serve::{Problem, Result};
use crate::setup;
use cited_core::error::Error;
use cited_core::shape;
pub use cited_core::shape::output_schema;
use cited_core::shape::schema;
use cited_report::wording::cut;

/// All tools.
pub static TOOLS: LazyLock<[Tool; 7]> = LazyLock::new(|| {
    [
        Tool { read_only: false, ..Tool::new::<_, verify_draft::Output>("verify_draft", verify_draft::run) },
        Tool::new::<_, verify_citations::Output>("verify_citations", verify_citations::run),
        Tool::new::<_, check_claim::Output<'static>>("check_claim", check_claim::run),
        Tool::new::<_, check_references::Output>("check_references", check_references::run),
        Tool::new::<_, show_source::Output<'static>>("show_source", show_source::run),
        Tool { open_world: false, ..Tool::new::<_, gate::Output>("gate", gate::run) },
        Tool { open_world: false, ..Tool::new::<_, explain::Output>("explain", explain::run) },
    ]
});

/// The tool of this name.
///
/// # Errors
/// In words, when there is none.
pub fn tool(name: &str) -> Result<&'static Tool, String> {
    TOOLS.iter().find(|tool| tool.name == name).ok_or_else(|| {
        let names: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
        format!("no tool is named `{name}`; there are {}", names.join(", "))
    })
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
pub struct Tool {
    /// The name that it is called by.
    pub name: &'static str,
    /// What it does and when to use it.
    pub description: String,
    /// Whether it changes nothing outside, as a hint for whoever lets it be called.
    pub read_only: bool,
    /// Whether it asks the web, as another.
    pub open_world: bool,
    /// The schema of its arguments.
    pub input: Schema,
    /// The schema of what it gives.
    pub output: Schema,
    /// Does it. Blocks its thread; [`call()`] gives it one.
    pub run: Box<Run>,
}

/// From arguments as they came to an answer.
type Run = dyn Fn(&Context, Value, &Call) -> Result<Answer> + Send + Sync;

impl Answer {
    /// The text, as a terminal shows it, and the value.
    pub(super) fn new(text: &str, value: &impl Serialize) -> Result<Answer> {
        let value = serde_json::to_value(value).map_err(Error::defect)?;
        Ok(Answer { text: anstream::adapter::strip_str(text).to_string(), value })
    }
}

impl Tool {
    /// A tool that takes an `I`, whose documentation says what the tool is for, and gives an `O`. It asks the web and changes nothing.
    pub(super) fn new<I: DeserializeOwned + JsonSchema + 'static, O: JsonSchema>(
        name: &'static str,
        run: fn(&Context, &I, &Call) -> Result<Answer>,
    ) -> Tool {
        let typed = move |context: &Context, arguments: Value, call: &Call| {
            let unfit = |why| Problem::arguments(format!("the arguments do not fit: {why}"));
            run(context, &shape::read::<I>(&arguments).map_err(unfit)?, call)
        };
        let (mut input, output, run) = (schema::<I>(), output_schema::<O>(), Box::new(typed));
        let words = input.remove("description").unwrap_or_default();
        let description = words.as_str().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
        Tool { name, description, read_only: true, open_world: true, input, output, run }
    }
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
    /// What is going on.
    pub message: String,
}

/// Who is told how far a call has come.
pub type StepListener = Arc<dyn Fn(Step) + Send + Sync>;

/// What a tool knows of its call beside the arguments.
#[derive(Default)]
pub struct Call {
    /// Ends the call.
    pub cancelled: CancellationToken,
    /// Whether it waits for its turn for as long as it takes, as a job does.
    pub is_patient: bool,
    /// Who is told of its steps.
    pub listener: Option<StepListener>,
    /// The last of them.
    pub last: Mutex<Step>,
}

impl Call {
    /// One step more is done.
    pub fn step(&self, message: impl Into<String>) {
        // It is told while it is held, so that nobody hears of a later step first.
        let mut step = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        *step = Step { done: step.done + 1, message: message.into() };
        self.listener.iter().for_each(|listener| listener(step.clone()));
    }

    /// Takes note of a step of the pipeline.
    pub fn note(&self, progress: Progress<'_>) {
        match progress {
            Progress::Fetching(_) => {}
            Progress::Fetched(fetched) => self.step(format!("{}: {}", fetched.in_words(), fetched.address)),
            Progress::Stage(words) => self.step(words),
        }
    }

    /// Fails once the call is cancelled.
    pub fn alive(&self) -> Result<()> {
        if self.cancelled.is_cancelled() { Err(Problem::cancelled()) } else { Ok(()) }
    }

    /// Waits for work that asks the web, until the call is cancelled: then nothing more is asked.
    pub fn wait<T>(&self, work: impl Future<Output = T>) -> Result<T> {
        let waited = setup::block_on(async { Ok(self.cancelled.run_until_cancelled(work).await) });
        waited?.ok_or_else(Problem::cancelled)
    }
}

/// Runs a tool on a thread of its own and waits for it, within the limits of `context`. A call that is cancelled or takes too
/// long is answered at once; its thread ends when it next looks, and holds its place until then.
pub async fn call(context: Arc<Context>, tool: &'static Tool, arguments: Value, call: Call) -> Result<Answer> {
    let (token, limit) = (call.cancelled.clone(), context.flags.call_timeout);
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
            let message = format!("cited broke off: {why}; this is a fault of cited, please report it with the arguments");
            Err(Problem::new(StatusCode::INTERNAL_SERVER_ERROR, message))
        }),
        () = tokio::time::sleep(limit) => {
            let message = format!("not done after {} s, which is the limit here; ask for less at once", limit.as_secs());
            Err(Problem::new(StatusCode::GATEWAY_TIMEOUT, message))
        }
    }
}
