//! Jobs: calls that outlive their request. They stand in SQLite until their results are old, so a service that is killed finds
//! them again: what was not done is done then, and what is done is not done twice.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::http::StatusCode;
use rusqlite::{Connection, OptionalExtension as _, params};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::log::log;
use super::problem::Problem;
use crate::error::{Error, Result};
use crate::fetch::page::sha256_hex;
use crate::serve::tools::{self, Call, Context, Step};

/// Jobs that may be waiting or running at once.
const MOST_OPEN: i64 = 1000;
/// Bytes that all jobs together may take: arguments of those that wait, and results. The results that were kept longest make room.
const MOST_BYTES: i64 = 512 << 20;
/// Results that make room at once.
const MAKING_ROOM: i64 = 100;
/// How long another process may hold the file.
const PATIENCE: Duration = Duration::from_secs(5);
/// Seconds after which a client whose job was refused may try again.
const LATER: u64 = 10;

const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS jobs (
        id TEXT PRIMARY KEY, tool TEXT NOT NULL, arguments TEXT NOT NULL, hash TEXT NOT NULL, key TEXT UNIQUE,
        state TEXT NOT NULL, text TEXT, result TEXT, problem TEXT, created INTEGER NOT NULL, finished INTEGER
    ) STRICT;
    CREATE INDEX IF NOT EXISTS jobs_finished ON jobs (finished);
";

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
            State::Open => "open",
            State::Done => "done",
            State::Failed => "failed",
            State::Cancelled => "cancelled",
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

/// All jobs of a service.
pub struct Jobs {
    context: Arc<Context>,
    store: Mutex<Connection>,
    keep: Duration,
    live: Mutex<HashMap<String, Live>>,
}

struct Live {
    cancel: CancellationToken,
    news: watch::Receiver<News>,
}

fn seconds() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs().cast_signed())
}

/// Makes room for so many bytes more by letting go of the results that were kept longest; whether there is room then.
fn make_room(store: &Connection, more: usize, most: i64) -> rusqlite::Result<bool> {
    let more = i64::try_from(more).unwrap_or(i64::MAX);
    let taken = "SELECT (page_count - freelist_count) * page_size
                 FROM pragma_page_count, pragma_freelist_count, pragma_page_size";
    let oldest = "DELETE FROM jobs WHERE id IN
                  (SELECT id FROM jobs WHERE finished IS NOT NULL ORDER BY finished LIMIT ?1)";
    while store.query_row(taken, [], |row| row.get::<_, i64>(0))?.saturating_add(more) > most {
        if store.execute(oldest, [MAKING_ROOM])? == 0 {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Why a job was not taken in.
enum Refused {
    /// So many are open.
    Open(i64),
    /// Those that are open take all the room.
    Full,
}

fn broken(error: &rusqlite::Error) -> Problem {
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, "store", format!("the store of jobs cannot be used: {error}"))
        .later(LATER)
}

impl Jobs {
    /// The jobs in a file, or in memory.
    ///
    /// # Errors
    /// When the file cannot be used.
    pub fn open(context: Arc<Context>, file: Option<&Path>, keep: Duration) -> Result<Jobs> {
        let opened = || -> rusqlite::Result<Connection> {
            let store = match file {
                Some(file) => Connection::open(file)?,
                None => Connection::open_in_memory()?,
            };
            store.busy_timeout(PATIENCE)?;
            store.pragma_update(None, "journal_mode", "WAL")?;
            store.pragma_update(None, "synchronous", "NORMAL")?;
            store.execute_batch(TABLES)?;
            Ok(store)
        };
        let name = file.map_or_else(|| "memory".to_owned(), |file| file.display().to_string());
        let store = opened().map_err(|error| {
            Error::input(format!("{name}: cannot be used as a store of jobs: {error}; name another file with --jobs"))
        })?;
        Ok(Jobs { context, store: Mutex::new(store), keep, live: Mutex::default() })
    }

    fn store(&self) -> MutexGuard<'_, Connection> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn live(&self) -> MutexGuard<'_, HashMap<String, Live>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins what was open when the service ended the last time.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn resume(self: &Arc<Self>) -> Result<usize> {
        let read = || -> rusqlite::Result<Vec<(String, String, String)>> {
            let store = self.store();
            let mut open =
                store.prepare("SELECT id, tool, arguments FROM jobs WHERE state = 'open' ORDER BY created")?;
            open.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?.collect()
        };
        let open = read().map_err(|error| Error::input(format!("the store of jobs cannot be read: {error}")))?;
        for (id, tool, arguments) in &open {
            self.begin(id.clone(), tool, serde_json::from_str(arguments).unwrap_or(Value::Null));
        }
        Ok(open.len())
    }

    /// Takes a job in and begins it. The same `key` with the same arguments is the same job.
    ///
    /// # Errors
    /// When the key stands for another job, or too many are open.
    pub fn add(
        self: &Arc<Self>,
        tool: &'static str,
        arguments: Value,
        key: Option<&str>,
    ) -> std::result::Result<String, Problem> {
        let text = arguments.to_string();
        let hash = sha256_hex(format!("{tool}\n{text}").as_bytes());
        let id = uuid::Uuid::new_v4().simple().to_string();
        let known = {
            let mut store = self.store();
            let mut work = || -> rusqlite::Result<std::result::Result<Option<(String, String)>, Refused>> {
                let transaction = store.transaction()?;
                let old = seconds() - self.keep.as_secs().cast_signed();
                transaction.execute("DELETE FROM jobs WHERE finished < ?1", [old])?;
                let same = "SELECT id, hash FROM jobs WHERE key = ?1";
                let known = transaction.query_row(same, [key], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
                if known.is_some() {
                    transaction.commit()?;
                    return Ok(Ok(known));
                }
                let open: i64 =
                    transaction.query_row("SELECT count(*) FROM jobs WHERE state = 'open'", [], |row| row.get(0))?;
                if open >= MOST_OPEN {
                    return Ok(Err(Refused::Open(open)));
                }
                if !make_room(&transaction, text.len(), MOST_BYTES)? {
                    return Ok(Err(Refused::Full));
                }
                transaction.execute(
                    "INSERT INTO jobs (id, tool, arguments, hash, key, state, created) VALUES (?1, ?2, ?3, ?4, ?5, 'open', ?6)",
                    params![id, tool, text, hash, key, seconds()],
                )?;
                transaction.commit()?;
                Ok(Ok(None))
            };
            work().map_err(|error| broken(&error))?
        };
        match known {
            Err(refused) => {
                let detail = match refused {
                    Refused::Open(open) => format!("{open} jobs are open already; try again later"),
                    Refused::Full => "the jobs that are open already take all the room; try again later".to_owned(),
                };
                Err(Problem::new(StatusCode::TOO_MANY_REQUESTS, "busy", detail).later(LATER))
            }
            Ok(Some((id, known))) if known == hash => Ok(id),
            Ok(Some(_)) => {
                let detail = "this Idempotency-Key stands for another call; use a new key for new arguments";
                Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "idempotency-key-reused", detail))
            }
            Ok(None) => {
                self.begin(id.clone(), tool, arguments);
                Ok(id)
            }
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
            let stopped = cancel.is_cancelled();
            jobs.finish(&id, done, stopped);
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

    /// Writes down how a job ended. One that was taken away meanwhile, by a client or by the end of the service, stays as it is.
    fn finish(&self, id: &str, done: std::result::Result<tools::Answer, Problem>, stopped: bool) {
        if stopped {
            return;
        }
        let (state, text, result, problem) = match done {
            Ok(answer) => (State::Done, Some(answer.text), Some(answer.value.to_string()), None),
            Err(problem) => (State::Failed, None, None, Some(problem.value().to_string())),
        };
        let sql = "UPDATE jobs SET state = ?2, text = ?3, result = ?4, problem = ?5, finished = ?6 \
                   WHERE id = ?1 AND state = 'open'";
        let written = self.store().execute(sql, params![id, state.as_str(), text, result, problem, seconds()]);
        if let Err(error) = written {
            log(&json!({"event": "job cannot be written", "job": id, "error": error.to_string()}));
        }
    }

    /// A job.
    ///
    /// # Errors
    /// When there is none of this name, or no more.
    pub fn get(&self, id: &str) -> std::result::Result<Job, Problem> {
        let sql = "SELECT id, tool, state, text, result, problem, created, finished FROM jobs WHERE id = ?1";
        let value = |text: Option<String>| text.and_then(|text| serde_json::from_str(&text).ok());
        let found = self.store().query_row(sql, [id], |row| {
            Ok(Job {
                id: row.get(0)?,
                tool: row.get(1)?,
                state: State::named(&row.get::<_, String>(2)?),
                text: row.get(3)?,
                result: value(row.get(4)?),
                problem: value(row.get(5)?),
                created: row.get(6)?,
                finished: row.get(7)?,
            })
        });
        let none = || Problem::not_found("there is no such job; results are kept for a time only");
        found.optional().map_err(|error| broken(&error))?.ok_or_else(none)
    }

    /// The newest jobs whose result has a record; without their results.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn with_record(&self, most: usize) -> std::result::Result<Vec<Job>, Problem> {
        let sql = "SELECT id, tool, state, created, finished FROM jobs \
                   WHERE state = 'done' AND tool = 'verify_draft' AND json_type(result, '$.record') = 'object' \
                   ORDER BY finished DESC, id LIMIT ?1";
        let read = || -> rusqlite::Result<Vec<Job>> {
            let store = self.store();
            let mut jobs = store.prepare(sql)?;
            let of = |row: &rusqlite::Row<'_>| {
                Ok(Job {
                    id: row.get(0)?,
                    tool: row.get(1)?,
                    state: State::named(&row.get::<_, String>(2)?),
                    text: None,
                    result: None,
                    problem: None,
                    created: row.get(3)?,
                    finished: row.get(4)?,
                })
            };
            jobs.query_map([i64::try_from(most).unwrap_or(i64::MAX)], of)?.collect()
        };
        read().map_err(|error| broken(&error))
    }

    /// What is going on with a job; none when it is over.
    pub fn news(&self, id: &str) -> Option<watch::Receiver<News>> {
        self.live().get(id).map(|live| live.news.clone())
    }

    /// Waits for the end of a job.
    ///
    /// # Errors
    /// When there is none of this name.
    pub async fn wait(&self, id: &str) -> std::result::Result<Job, Problem> {
        if let Some(mut news) = self.news(id) {
            // A sender that is gone has finished, too.
            let _ = news.wait_for(|news| matches!(news, News::Over)).await;
        }
        self.get(id)
    }

    /// Cancels a job that is open.
    ///
    /// # Errors
    /// When there is none of this name.
    pub fn cancel(&self, id: &str) -> std::result::Result<Job, Problem> {
        let sql = "UPDATE jobs SET state = 'cancelled', finished = ?2 WHERE id = ?1 AND state = 'open'";
        self.store().execute(sql, params![id, seconds()]).map_err(|error| broken(&error))?;
        if let Some(live) = self.live().get(id) {
            live.cancel.cancel();
        }
        self.get(id)
    }

    /// How many jobs there are in each state.
    pub fn counts(&self) -> Vec<(String, i64)> {
        let read = || -> rusqlite::Result<Vec<(String, i64)>> {
            let store = self.store();
            let mut counts = store.prepare("SELECT state, count(*) FROM jobs GROUP BY state ORDER BY state")?;
            counts.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        };
        read().unwrap_or_default()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_that_were_kept_longest_make_room() {
        let store = Connection::open_in_memory().unwrap();
        store.execute_batch(TABLES).unwrap();
        let add = |id: i64, state: State| {
            let finished = (state == State::Done).then_some(id);
            let sql = "INSERT INTO jobs (id, tool, arguments, hash, state, result, created, finished) VALUES (?1, 't', '', '', ?2, ?3, 0, ?4)";
            store.execute(sql, params![format!("{id:04}"), state.as_str(), "x".repeat(10_000), finished]).unwrap();
        };
        let kept = || -> (i64, Option<String>) {
            store.query_row("SELECT count(*), min(id) FROM jobs", [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap()
        };
        (0..300).for_each(|id| add(id, State::Done));
        assert!(make_room(&store, 1000, 4_000_000).unwrap());
        assert_eq!(kept(), (300, Some("0000".to_owned())));
        assert!(make_room(&store, 1_500_000, 4_000_000).unwrap());
        assert_eq!(kept(), (200, Some("0100".to_owned())));
        // What is open is not let go of.
        (300..600).for_each(|id| add(id, State::Open));
        assert!(!make_room(&store, 1_500_000, 4_000_000).unwrap());
        assert_eq!(kept(), (300, Some("0300".to_owned())));
    }
}
