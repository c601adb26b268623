//! Jobs: calls that outlive their request. They stand in memory until their results are old.

use std::collections::{BTreeMap, HashMap};
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
use crate::serve::tools::{self, Call, Context, Step};

/// Jobs that may be waiting or running at once.
const MOST_OPEN: usize = 1000;
/// Bytes that all jobs together may take: arguments of those that wait, and results. The results that were kept longest make room.
const MOST_BYTES: usize = 512 << 20;
/// How long results are kept.
const KEPT: Duration = Duration::from_hours(1);

/// Where a job stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[derive(strum::AsRefStr)]
#[strum(serialize_all = "lowercase")]
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The result, of the tool's output schema.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<Value>,
    /// Why there is no result: problem details (RFC 9457).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<Value>,
    /// When it was asked for, in seconds since 1970.
    pub created: i64,
    /// When it was over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finished: Option<i64>,
}

/// All jobs of a service.
pub struct Jobs {
    context: Arc<Context>,
    all: Mutex<HashMap<String, Kept>>,
    open: TaskTracker,
}

struct Kept {
    job: Job,
    /// Bytes of its arguments, or of its result.
    bytes: usize,
    cancel: CancellationToken,
    /// The last step that it told of; changes once more when the job is over.
    news: watch::Receiver<Step>,
}

impl Jobs {
    /// No jobs yet.
    pub fn new(context: Arc<Context>) -> Jobs {
        Jobs { context, all: Mutex::default(), open: TaskTracker::new() }
    }

    /// The jobs whose results are not too old.
    fn all(&self) -> MutexGuard<'_, HashMap<String, Kept>> {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        let oldest = now().saturating_sub_unsigned(KEPT.as_secs());
        all.retain(|_, kept| kept.job.finished.is_none_or(|finished| finished >= oldest));
        all
    }

    /// Takes a job in and begins it.
    ///
    /// # Errors
    /// When too many are open.
    pub fn add(self: &Arc<Self>, tool: &'static tools::Tool, arguments: Value) -> Result<Job> {
        let bytes = arguments.to_string().len();
        let mut all = self.all();
        let open = all.values().filter(|kept| kept.job.state == State::Open).count();
        if open >= MOST_OPEN {
            return Err(Problem::busy(format!("{open} jobs are open already; try again later")));
        }
        if !make_room(&mut all, bytes) {
            return Err(Problem::busy("the jobs that are open already take all the room; try again later"));
        }
        let (cancel, (send, news)) = (CancellationToken::new(), watch::channel(Step::waiting()));
        let id = uuid::Uuid::new_v4().simple().to_string();
        let job = Job { id: id.clone(), tool: tool.name.to_owned(), created: now(), ..Job::default() };
        all.insert(id.clone(), Kept { job: job.clone(), bytes, cancel: cancel.clone(), news });
        drop(all);
        let jobs = Arc::clone(self);
        self.open.spawn(async move {
            let steps = send.clone();
            let told = Arc::new(move |step: Step| {
                steps.send_replace(step);
            });
            let mut call = Call::new(cancel.child_token(), told);
            call.is_patient = true;
            let done = tools::call(Arc::clone(&jobs.context), tool, arguments, call).await;
            jobs.finish(&id, done);
            send.send_modify(|_| {});
        });
        Ok(job)
    }

    /// Takes down how a job ended. One that was cancelled meanwhile stays as it is.
    fn finish(&self, id: &str, done: Result<tools::Answer>) {
        let mut all = self.all();
        let Some(kept) = all.get_mut(id).filter(|kept| kept.job.state == State::Open) else { return };
        kept.job.finished = Some(now());
        match done {
            Ok(answer) => {
                kept.bytes = answer.text.len() + answer.value.to_string().len();
                kept.job.state = State::Done;
                (kept.job.text, kept.job.result) = (Some(answer.text), Some(answer.value));
            }
            Err(problem) => {
                kept.bytes = 0;
                kept.job.state = State::Failed;
                kept.job.problem = Some(problem.value());
            }
        }
    }

    /// Looks at a job.
    ///
    /// # Errors
    /// When there is none of this name, or no more.
    fn look<T>(&self, id: &str, at: impl FnOnce(&mut Kept) -> T) -> Result<T> {
        let missing = || Problem::not_found("there is no such job; results are kept for a time only");
        self.all().get_mut(id).map(at).ok_or_else(missing)
    }

    /// A job.
    pub fn get(&self, id: &str) -> Result<Job> {
        self.look(id, |kept| kept.job.clone())
    }

    /// The steps of a job as they come.
    pub fn news(&self, id: &str) -> Result<watch::Receiver<Step>> {
        self.look(id, |kept| kept.news.clone())
    }

    /// Cancels a job that is open.
    pub fn cancel(&self, id: &str) -> Result<Job> {
        self.look(id, |kept| {
            if kept.job.state == State::Open {
                (kept.job.state, kept.job.finished, kept.bytes) = (State::Cancelled, Some(now()), 0);
                kept.cancel.cancel();
            }
            kept.job.clone()
        })
    }

    /// How many jobs there are in each state.
    pub fn counts(&self) -> BTreeMap<State, usize> {
        let mut counts = BTreeMap::new();
        for kept in self.all().values() {
            *counts.entry(kept.job.state).or_default() += 1;
        }
        counts
    }

    /// Lets jobs that run come to their end for a while.
    pub async fn drain(&self, patience: Duration) {
        self.open.close();
        let _ = tokio::time::timeout(patience, self.open.wait()).await;
        self.all().values().for_each(|kept| kept.cancel.cancel());
    }
}

fn now() -> i64 {
    Timestamp::now().as_second()
}

/// Lets go of the results that were kept longest, as far as there is no room for so many bytes more; `false` when there is none even so.
fn make_room(all: &mut HashMap<String, Kept>, wanted: usize) -> bool {
    let mut taken: usize = all.values().map(|kept| kept.bytes).sum();
    while taken + wanted > MOST_BYTES {
        let oldest = all.iter().filter_map(|(id, kept)| Some((kept.job.finished?, id))).min();
        let Some(oldest) = oldest.map(|(_, id)| id.clone()).and_then(|id| all.remove(&id)) else { return false };
        taken -= oldest.bytes;
    }
    true
}
