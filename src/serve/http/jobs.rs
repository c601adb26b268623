//! Jobs: calls that outlive their request. They stand in a store until their results are old, so a service that is killed finds
//! them again: what was not done is done then, and what is done is not done twice.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot, watch};
use tokio_util::sync::CancellationToken;

use super::log::log;
use super::problem::Problem;
use crate::serve::tools::{self, Call, Context, Step};
use cited_audit::store::jobs::{Added, CANCELLED, Ended, JobStore, LeftOpen, NewJob, OPEN, Room, StoredJob};
use cited_core::error::{Error, Result};
use cited_core::page::sha256_hex;

/// Jobs that may be waiting or running at once.
const MOST_OPEN: i64 = 1000;
/// Bytes that all jobs together may take: arguments of those that wait, and results. The results that were kept longest make room.
const MOST_BYTES: i64 = 512 << 20;
/// How long the store may take for an answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// Questions that the store is asked at once.
const ASKED: usize = 256;
/// Seconds after which a client whose job was refused may try again.
const LATER: u64 = 10;
/// Between tries to write down how a job ended, while the store cannot be written.
const AGAIN: [Duration; 6] = [
    Duration::from_millis(200),
    Duration::from_secs(1),
    Duration::from_secs(3),
    Duration::from_secs(10),
    Duration::from_secs(30),
    Duration::from_mins(1),
];

/// Where a job stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// It waits or runs.
    Open,
    /// It is done, and the result is there.
    Done,
    /// It is over without a result.
    Failed,
    /// It was cancelled.
    Cancelled,
}

impl State {
    fn as_str(self) -> &'static str {
        match self {
            State::Open => OPEN,
            State::Done => "done",
            State::Failed => "failed",
            State::Cancelled => CANCELLED,
        }
    }

    fn named(name: &str) -> State {
        [State::Open, State::Done, State::Cancelled]
            .into_iter()
            .find(|state| state.as_str() == name)
            .unwrap_or(State::Failed)
    }
}

/// A job as clients see it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
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

/// What is going on with a job.
#[derive(Debug, Clone)]
pub enum News {
    /// It waits or runs; the last step that it told of.
    Open(Option<Step>),
    /// It is over.
    Over,
}

/// What is done with the store, on its thread.
type Work = Box<dyn FnOnce(&mut JobStore) + Send>;

/// All jobs of a service.
pub struct Jobs {
    context: Arc<Context>,
    /// The store has a thread of its own: a database that is slow or gone holds up nobody who does not need it.
    store: mpsc::Sender<Work>,
    keep: Duration,
    live: Mutex<HashMap<String, Live>>,
}

struct Live {
    cancel: CancellationToken,
    news: watch::Receiver<News>,
}

/// The store gave no answer. What it says is for the log: it may name hosts and users of the database.
fn broken(why: &str) -> Problem {
    log(&json!({"event": "store of jobs cannot be used", "error": why}));
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, "store", "the store of jobs cannot be used now; try again later")
        .later(LATER)
}

impl From<StoredJob> for Job {
    fn from(job: StoredJob) -> Job {
        let value = |text: Option<String>| text.and_then(|text| serde_json::from_str(&text).ok());
        Job {
            state: State::named(&job.state),
            id: job.id,
            tool: job.tool,
            text: job.text,
            result: value(job.result),
            problem: value(job.problem),
            created: job.created,
            finished: job.finished,
        }
    }
}

impl Jobs {
    /// The jobs of a store, with results that are kept for so long.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn open(context: Arc<Context>, mut store: JobStore, keep: Duration) -> Result<Jobs> {
        let (ask, mut asked) = mpsc::channel::<Work>(ASKED);
        std::thread::Builder::new()
            .name("jobs".to_owned())
            .spawn(move || {
                while let Some(work) = asked.blocking_recv() {
                    work(&mut store);
                }
            })
            .map_err(|error| Error::blocked(format!("the system gives no thread: {error}")))?;
        Ok(Jobs { context, store: ask, keep, live: Mutex::default() })
    }

    /// Asks the store.
    async fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut JobStore) -> Result<T> + Send + 'static,
    ) -> std::result::Result<T, Problem> {
        let (send, receive) = oneshot::channel();
        let work: Work = Box::new(move |store| {
            // Nobody waits any more for what took too long to begin.
            if !send.is_closed() {
                let _ = send.send(work(store));
            }
        });
        self.store.try_send(work).map_err(|_| broken("too much is asked of it at once"))?;
        match tokio::time::timeout(PATIENCE, receive).await {
            Ok(Ok(done)) => done.map_err(|error| broken(&error.to_string())),
            Ok(Err(_)) => Err(broken("its thread has ended")),
            Err(_) => Err(broken("it takes too long")),
        }
    }

    fn live(&self) -> MutexGuard<'_, HashMap<String, Live>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins what was open when its server ended; gives how many.
    ///
    /// # Errors
    /// When the store cannot be used.
    pub async fn resume(self: &Arc<Self>) -> std::result::Result<usize, Problem> {
        let left = self.ask(JobStore::left_open).await?;
        let count = left.len();
        for LeftOpen { id, tool, arguments } in left {
            self.begin(id, &tool, serde_json::from_str(&arguments).unwrap_or(Value::Null));
        }
        Ok(count)
    }

    /// Takes a job in and begins it. The same `key` with the same arguments is the same job.
    ///
    /// # Errors
    /// When the key stands for another job, too many are open, or the store cannot be used.
    pub async fn add(
        self: &Arc<Self>,
        tool: &'static str,
        arguments: Value,
        key: Option<&str>,
    ) -> std::result::Result<String, Problem> {
        let text = arguments.to_string();
        let hash = sha256_hex(format!("{tool}\n{text}").as_bytes());
        let id = uuid::Uuid::new_v4().simple().to_string();
        let job = NewJob {
            id: id.clone(),
            tool: tool.to_owned(),
            arguments: text,
            hash: hash.clone(),
            key: key.map(str::to_owned),
        };
        let room = Room { open: MOST_OPEN, bytes: MOST_BYTES, keep: self.keep };
        let busy = |detail: String| Err(Problem::new(StatusCode::TOO_MANY_REQUESTS, "busy", detail).later(LATER));
        match self.ask(move |store| store.add(&job, room)).await? {
            Added::New => {
                self.begin(id.clone(), tool, arguments);
                Ok(id)
            }
            Added::Known { id, hash: known } if known == hash => Ok(id),
            Added::Known { .. } => {
                let detail = "this Idempotency-Key stands for another call; use a new key for new arguments";
                Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "idempotency-key-reused", detail))
            }
            Added::TooMany(open) => busy(format!("{open} jobs are open already; try again later")),
            Added::Full => busy("the jobs that are open already take all the room; try again later".to_owned()),
        }
    }

    fn begin(self: &Arc<Self>, id: String, tool: &str, arguments: Value) {
        let cancel = CancellationToken::new();
        let (send, news) = watch::channel(News::Open(None));
        self.live().insert(id.clone(), Live { cancel: cancel.clone(), news });
        let (jobs, tool) = (Arc::clone(self), tools::tool(tool));
        tokio::spawn(async move {
            let steps = send.clone();
            let told = Arc::new(move |step: Step| {
                steps.send_replace(News::Open(Some(step)));
            });
            let done = match tool {
                Some(tool) => jobs.patiently(tool, arguments, &cancel, told).await,
                None => Err(Problem::not_found("the tool of this job is none of this version")),
            };
            jobs.finish(&id, done, &cancel).await;
            jobs.live().remove(&id);
            send.send_replace(News::Over);
        });
    }

    /// Runs a call; a job waits for its turn for as long as it takes.
    async fn patiently(
        &self,
        tool: &'static tools::Tool,
        arguments: Value,
        cancel: &CancellationToken,
        told: tools::call::Told,
    ) -> std::result::Result<tools::Answer, Problem> {
        /// How long a job waits when too many calls wait already.
        const PAUSE: Duration = Duration::from_millis(200);
        loop {
            let call = Call::new(cancel.child_token(), Arc::clone(&told));
            match tools::call(Arc::clone(&self.context), tool, arguments.clone(), call).await {
                Err(failure) if failure.kind == tools::FailureKind::Busy => tokio::time::sleep(PAUSE).await,
                done => return done.map_err(Problem::from),
            }
        }
    }

    /// Writes down how a job ended. One that was taken away meanwhile, by a client or the end of the service, stays as it is.
    async fn finish(&self, id: &str, done: std::result::Result<tools::Answer, Problem>, cancel: &CancellationToken) {
        let ended = match done {
            Ok(answer) => Ended {
                state: State::Done.as_str(),
                reported: answer.value.get("record").is_some_and(Value::is_object),
                text: Some(answer.text),
                result: Some(answer.value.to_string()),
                problem: None,
            },
            Err(problem) => {
                Ended { state: State::Failed.as_str(), problem: Some(problem.value().to_string()), ..Ended::default() }
            }
        };
        let ended = Arc::new(ended);
        for pause in AGAIN {
            if cancel.is_cancelled() {
                return;
            }
            let (name, how) = (id.to_owned(), Arc::clone(&ended));
            if self.ask(move |store| store.finish(&name, &how)).await.is_ok() {
                return;
            }
            // A store that comes back finds the result here.
            let _ = cancel.run_until_cancelled(tokio::time::sleep(pause)).await;
        }
        log(&json!({"event": "job cannot be written", "job": id}));
    }

    /// A job.
    ///
    /// # Errors
    /// When there is none of this name, or no more, or the store cannot be used.
    pub async fn get(&self, id: &str) -> std::result::Result<Job, Problem> {
        let name = id.to_owned();
        let found = self.ask(move |store| store.get(&name)).await?;
        found.map(Job::from).ok_or_else(|| Problem::not_found("there is no such job; results are kept for a time only"))
    }

    /// The newest jobs whose result has a record; without their results.
    ///
    /// # Errors
    /// When the store cannot be used.
    pub async fn with_record(&self, most: usize) -> std::result::Result<Vec<Job>, Problem> {
        let found = self.ask(move |store| store.reported(most)).await?;
        Ok(found.into_iter().map(Job::from).collect())
    }

    /// What is going on with a job that this server is at; none when it is over.
    pub fn news(&self, id: &str) -> Option<watch::Receiver<News>> {
        self.live().get(id).map(|live| live.news.clone())
    }

    /// Waits for the end of a job.
    ///
    /// # Errors
    /// When there is none of this name, or the store cannot be used.
    pub async fn wait(&self, id: &str) -> std::result::Result<Job, Problem> {
        if let Some(mut news) = self.news(id) {
            // A sender that is gone has finished, too.
            let _ = news.wait_for(|news| matches!(news, News::Over)).await;
        }
        self.get(id).await
    }

    /// Cancels a job that is open.
    ///
    /// # Errors
    /// When there is none of this name, or the store cannot be used.
    pub async fn cancel(&self, id: &str) -> std::result::Result<Job, Problem> {
        let name = id.to_owned();
        self.ask(move |store| store.cancel(&name)).await?;
        if let Some(live) = self.live().get(id) {
            live.cancel.cancel();
        }
        self.get(id).await
    }

    /// How many jobs there are in each state; nothing while the store cannot be used.
    pub async fn counts(&self) -> Vec<(String, i64)> {
        self.ask(JobStore::counts).await.unwrap_or_default()
    }

    /// Lets jobs that run come to their end for a while; what is not done then stays open in the store, for the next start.
    pub async fn drain(&self, patience: Duration) {
        /// How often is looked.
        const GLANCE: Duration = Duration::from_millis(50);
        let until = tokio::time::Instant::now() + patience;
        while !self.live().is_empty() && tokio::time::Instant::now() < until {
            tokio::time::sleep(GLANCE).await;
        }
        for live in self.live().values() {
            live.cancel.cancel();
        }
    }
}
