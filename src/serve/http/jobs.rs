//! Jobs: calls that outlive their request. They stand in memory until their results are old.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::serve::problem::{Problem, Result};
use crate::serve::tools::{self, Call, Context, Step, StepListener};

/// Jobs that may be waiting or running at once.
const MOST_OPEN: usize = 1000;
/// Bytes that all jobs together may take: arguments of those that wait, and results. The results that were kept longest make room.
const MOST_BYTES: usize = 512 << 20;
/// How long results are kept.
const KEPT: Duration = Duration::from_hours(1);

/// Where a job stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// It waits or runs.
    #[default]
    Open,
    /// It is done, and the result is there.
    Done,
    /// It is over without a result.
    Failed,
    /// It was cancelled.
    Cancelled,
}

/// A job as clients see it.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct Job {
    /// Its name.
    pub id: String,
    /// The tool.
    pub tool: String,
    /// Where it stands.
    pub state: State,
    /// The short text of the result.
    pub text: Option<String>,
    /// The result, of the tool's output schema.
    pub result: Option<Value>,
    /// Why there is no result: problem details (RFC 9457).
    pub problem: Option<Value>,
    /// When it was over, in seconds since 1970.
    pub finished: Option<i64>,
    /// The last step that it told of.
    #[serde(skip)]
    pub step: Step,
    /// Bytes of its arguments, or of its result.
    #[serde(skip)]
    bytes: usize,
}

/// All jobs of a service.
pub struct Jobs {
    context: Arc<Context>,
    all: Mutex<HashMap<String, Kept>>,
    open: TaskTracker,
}

/// A job, of whose changes everybody can learn, and what ends it.
pub type Kept = (watch::Sender<Job>, CancellationToken);

impl Jobs {
    /// No jobs yet.
    pub fn new(context: Arc<Context>) -> Jobs {
        Jobs { context, all: Mutex::default(), open: TaskTracker::new() }
    }

    /// The jobs whose results are not too old.
    fn all(&self) -> MutexGuard<'_, HashMap<String, Kept>> {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        let oldest = Timestamp::now().as_second().saturating_sub_unsigned(KEPT.as_secs());
        all.retain(|_, (job, _)| job.borrow().finished.is_none_or(|finished| finished >= oldest));
        all
    }

    /// Takes a job in and begins it.
    ///
    /// # Errors
    /// When too many are open.
    pub fn add(self: &Arc<Self>, tool: &'static tools::Tool, arguments: Value) -> Result<Job> {
        let bytes = arguments.to_string().len();
        let mut all = self.all();
        let open = all.values().filter(|(job, _)| job.borrow().state == State::Open).count();
        if open >= MOST_OPEN {
            return Err(Problem::busy(format!("{open} jobs are open already; try again later")));
        }
        // Results that were kept longest make room for it.
        let mut taken: usize = all.values().map(|(job, _)| job.borrow().bytes).sum();
        while taken + bytes > MOST_BYTES {
            let oldest = all.iter().filter_map(|(id, (job, _))| Some((job.borrow().finished?, id.clone()))).min();
            let Some((oldest, _)) = oldest.and_then(|(_, id)| all.remove(&id)) else {
                return Err(Problem::busy("the jobs that are open already take all the room; try again later"));
            };
            taken -= oldest.borrow().bytes;
        }
        let id = uuid::Uuid::new_v4().simple().to_string();
        let job = Job { id: id.clone(), tool: tool.name.to_owned(), bytes, ..Job::default() };
        let (cancel, kept) = (CancellationToken::new(), watch::Sender::new(job.clone()));
        all.insert(id, (kept.clone(), cancel.clone()));
        drop(all);
        let (context, told) = (Arc::clone(&self.context), kept.clone());
        let listener: StepListener = Arc::new(move |step| told.send_modify(|job| job.step = step));
        let (cancelled, listener) = (cancel.child_token(), Some(listener));
        let call = Call { cancelled, is_patient: true, listener, ..Call::default() };
        self.open.spawn(async move {
            let done = tools::call(context, tool, arguments, call).await;
            finish(&kept, |job| match done {
                Ok(answer) => {
                    job.bytes = answer.text.len() + answer.value.to_string().len();
                    job.state = State::Done;
                    (job.text, job.result) = (Some(answer.text), Some(answer.value));
                }
                Err(problem) => (job.state, job.problem) = (State::Failed, Some(problem.value())),
            });
        });
        Ok(job)
    }

    /// A job as it is now and as it goes on, and what ends it.
    ///
    /// # Errors
    /// When there is none of this name, or no more.
    pub fn look(&self, id: &str) -> Result<Kept> {
        let missing = || Problem::not_found("there is no such job; results are kept for a time only");
        self.all().get(id).cloned().ok_or_else(missing)
    }

    /// Cancels a job that is open.
    pub fn cancel(&self, id: &str) -> Result<Job> {
        let (job, cancel) = self.look(id)?;
        finish(&job, |job| job.state = State::Cancelled);
        cancel.cancel();
        Ok(job.borrow().clone())
    }

    /// Lets jobs that run come to their end for a while.
    pub async fn drain(&self, patience: Duration) {
        self.open.close();
        let _ = tokio::time::timeout(patience, self.open.wait()).await;
        self.all().values().for_each(|(_, cancel)| cancel.cancel());
    }
}

/// Takes down how a job ended. One that was over already stays as it is.
fn finish(job: &watch::Sender<Job>, end: impl FnOnce(&mut Job)) {
    job.send_if_modified(|job| {
        let is_open = job.state == State::Open;
        if is_open {
            (job.finished, job.bytes) = (Some(Timestamp::now().as_second()), 0);
            end(job);
        }
        is_open
    });
}
