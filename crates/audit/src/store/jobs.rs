//! Jobs of a service: calls that outlive their request, until their results are old. They stand in a file of SQLite that is one server's,
//! or in memory. What was open when a server ended is begun again by the next one on the file.

use std::path::Path;
use std::time::Duration;

use super::engine::{Engine, Fault, Value};
use super::{Store, integer, integer_or_null, number, sqlite, text};
use cited_core::error::{Error, Result};

/// The table. What is counted stands before what is long.
const TABLE: &str = "
    {alone};
    CREATE TABLE IF NOT EXISTS service_job (
        id TEXT PRIMARY KEY, state TEXT NOT NULL, created BIGINT NOT NULL, finished BIGINT,
        bytes BIGINT NOT NULL, reported BIGINT NOT NULL DEFAULT 0, tool TEXT NOT NULL, hash TEXT NOT NULL, key TEXT UNIQUE,
        arguments TEXT NOT NULL, text TEXT, result TEXT, problem TEXT
    );
    CREATE INDEX IF NOT EXISTS service_job_finished ON service_job (finished, id);
    CREATE INDEX IF NOT EXISTS service_job_state ON service_job (state);
    CREATE INDEX IF NOT EXISTS service_job_bytes ON service_job (bytes);
";
/// Results that make room at once.
const MAKING_ROOM: i64 = 100;

/// The state of a job that waits or runs.
pub const OPEN: &str = "open";
/// The state of a job that was cancelled.
pub const CANCELLED: &str = "cancelled";

/// Jobs of a service.
pub struct JobStore {
    store: Store,
}

/// How many jobs there may be.
#[derive(Debug, Clone, Copy)]
pub struct Room {
    /// That are open.
    pub open: i64,
    /// Bytes of the arguments of those that are open and of all results.
    pub bytes: i64,
    /// How long results are kept.
    pub keep: Duration,
}

/// A job that is asked for.
#[derive(Debug, Clone)]
pub struct NewJob {
    /// Its name.
    pub id: String,
    /// The tool.
    pub tool: String,
    /// What the tool gets, JSON.
    pub arguments: String,
    /// The same with the tool, as a hash.
    pub hash: String,
    /// The key by which it is the same job however often it is asked for.
    pub key: Option<String>,
}

/// What became of a job that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Added {
    /// It is in.
    New,
    /// Its key stands for this job.
    Known {
        /// The name of that job.
        id: String,
        /// And its hash.
        hash: String,
    },
    /// So many are open already.
    TooMany(i64),
    /// Those that are open take all the room.
    Full,
}

/// A job that was open when its server ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOpen {
    /// Its name.
    pub id: String,
    /// The tool.
    pub tool: String,
    /// What the tool gets, JSON.
    pub arguments: String,
}

/// How a job ended.
#[derive(Debug, Clone, Default)]
pub struct Ended {
    /// Its state.
    pub state: &'static str,
    /// The short text.
    pub text: Option<String>,
    /// The result, JSON.
    pub result: Option<String>,
    /// Why there is none, JSON.
    pub problem: Option<String>,
    /// Whether the result has a report for people.
    pub reported: bool,
}

/// A job as it stands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoredJob {
    /// Its name.
    pub id: String,
    /// The tool.
    pub tool: String,
    /// Its state.
    pub state: String,
    /// When it was asked for, in seconds since 1970.
    pub created: i64,
    /// When it was over.
    pub finished: Option<i64>,
    /// The short text.
    pub text: Option<String>,
    /// The result, JSON.
    pub result: Option<String>,
    /// Why there is none, JSON.
    pub problem: Option<String>,
}

impl JobStore {
    /// The jobs in a file, which no other server may use meanwhile; in memory without one.
    ///
    /// # Errors
    /// When the file cannot be used.
    pub fn open(path: Option<&Path>) -> Result<JobStore> {
        let name = path.map_or_else(|| "memory".to_owned(), |path| path.display().to_string());
        let wrong = |why: String| {
            Error::input(format!("{name}: cannot be used as a store of jobs: {why}; name another file with --jobs"))
        };
        let mut engine = sqlite::Sqlite::of_jobs(path).map_err(|fault| wrong(fault.to_string()))?;
        if path.is_some() && !engine.lock(false).map_err(|fault| wrong(fault.to_string()))? {
            return Err(wrong("another server uses it".to_owned()));
        }
        let mut store = Store { engine: Box::new(engine), name: name.clone() };
        store.run(|engine| engine.script(TABLE)).map_err(|error| wrong(error.to_string()))?;
        Ok(JobStore { store })
    }

    /// Takes a job in. Results that are too old go first, and then those that were kept longest, as far as there
    /// is no room.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn add(&mut self, job: &NewJob, room: Room) -> Result<Added> {
        let keep = seconds(room.keep);
        self.store.run(|engine| {
            engine.execute("DELETE FROM service_job WHERE finished < {clock} / 1000 - ?1", &[keep.into()])?;
            // A transaction that was repeated may have put it in already.
            if let Some(known) = known(engine, job)? {
                return Ok(known);
            }
            let open = number(engine, "SELECT count(*) FROM service_job WHERE state = 'open'", &[])?;
            if open >= room.open {
                return Ok(Added::TooMany(open));
            }
            if !make_room(engine, job.arguments.len(), room.bytes)? {
                return Ok(Added::Full);
            }
            engine.execute(
                "INSERT INTO service_job (id, state, created, bytes, tool, hash, key, arguments)
                 VALUES (?1, 'open', {clock} / 1000, ?2, ?3, ?4, ?5, ?6)",
                &[
                    job.id.as_str().into(),
                    length(&job.arguments).into(),
                    job.tool.as_str().into(),
                    job.hash.as_str().into(),
                    job.key.as_deref().map_or(Value::Null, Into::into),
                    job.arguments.as_str().into(),
                ],
            )?;
            Ok(Added::New)
        })
    }

    /// The jobs that are open, in the order in which they were asked for.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn left_open(&mut self) -> Result<Vec<LeftOpen>> {
        let sql = "SELECT id, tool, arguments FROM service_job WHERE state = 'open' ORDER BY created, id";
        let left = self.store.run(|engine| engine.query(sql, &[]))?;
        let job = |mut row| LeftOpen { id: text(&mut row, 0), tool: text(&mut row, 1), arguments: text(&mut row, 2) };
        Ok(left.into_iter().map(job).collect())
    }

    /// Takes down how a job ended; `false` when it is over already.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn finish(&mut self, id: &str, ended: &Ended) -> Result<bool> {
        let parts = [&ended.text, &ended.result, &ended.problem];
        let bytes: i64 = parts.into_iter().flatten().map(|part| length(part)).sum();
        let maybe = |text: &Option<String>| text.as_deref().map_or(Value::Null, Value::from);
        let row = [
            id.into(),
            ended.state.into(),
            maybe(&ended.text),
            maybe(&ended.result),
            maybe(&ended.problem),
            bytes.into(),
            i64::from(ended.reported).into(),
        ];
        let changed = self.store.run(|engine| {
            engine.execute(
                "UPDATE service_job SET state = ?2, text = ?3, result = ?4, problem = ?5, bytes = ?6, reported = ?7,
                 arguments = '', finished = {clock} / 1000 WHERE id = ?1 AND state = 'open'",
                &row,
            )
        })?;
        Ok(changed > 0)
    }

    /// Cancels a job that is open.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn cancel(&mut self, id: &str) -> Result<()> {
        let sql = "UPDATE service_job SET state = 'cancelled', bytes = 0, arguments = '', finished = {clock} / 1000
                   WHERE id = ?1 AND state = 'open'";
        self.store.run(|engine| engine.execute(sql, &[id.into()]))?;
        Ok(())
    }

    /// A job.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn get(&mut self, id: &str) -> Result<Option<StoredJob>> {
        let sql = "SELECT id, tool, state, created, finished, text, result, problem FROM service_job WHERE id = ?1";
        let rows = self.store.run(|engine| engine.query(sql, &[id.into()]))?;
        Ok(rows.into_iter().next().map(|mut row| {
            let [text, result, problem] = [5, 6, 7].map(|column| match row.get_mut(column).map(std::mem::take) {
                Some(Value::Text(text)) => Some(text),
                _ => None,
            });
            StoredJob { text, result, problem, ..brief(row) }
        }))
    }

    /// The newest jobs whose result has a report for people; without their results.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn reported(&mut self, most: usize) -> Result<Vec<StoredJob>> {
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let sql = "SELECT id, tool, state, created, finished FROM service_job
                   WHERE finished IS NOT NULL AND reported = 1 ORDER BY finished DESC, id LIMIT ?1";
        Ok(self.store.run(|engine| engine.query(sql, &[most.into()]))?.into_iter().map(brief).collect())
    }

    /// How many jobs there are in each state.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn counts(&mut self) -> Result<Vec<(String, i64)>> {
        let sql = "SELECT state, count(*) FROM service_job GROUP BY state ORDER BY state";
        let rows = self.store.run(|engine| engine.query(sql, &[]))?;
        Ok(rows.into_iter().map(|mut row| (text(&mut row, 0), integer(&row, 1))).collect())
    }
}

fn brief(mut row: super::engine::Row) -> StoredJob {
    let (created, finished) = (integer(&row, 3), integer_or_null(&row, 4));
    let (id, tool, state) = (text(&mut row, 0), text(&mut row, 1), text(&mut row, 2));
    StoredJob { id, tool, state, created, finished, ..StoredJob::default() }
}

/// The job that a key stands for; the job itself when it is in already.
fn known(engine: &mut dyn Engine, job: &NewJob) -> std::result::Result<Option<Added>, Fault> {
    let key = job.key.as_deref().map_or(Value::Null, Into::into);
    let rows =
        engine.query("SELECT id, hash FROM service_job WHERE id = ?1 OR key = ?2", &[job.id.as_str().into(), key])?;
    Ok(rows.into_iter().next().map(|mut row| {
        let (id, hash) = (text(&mut row, 0), text(&mut row, 1));
        if id == job.id { Added::New } else { Added::Known { id, hash } }
    }))
}

/// Makes room for so many bytes more by letting go of the results that were kept longest; whether there is room then.
fn make_room(engine: &mut dyn Engine, more: usize, most: i64) -> std::result::Result<bool, Fault> {
    let more = i64::try_from(more).unwrap_or(i64::MAX);
    // Each turn lets some go, or it is the last.
    while number(engine, "SELECT CAST(coalesce(sum(bytes), 0) AS BIGINT) FROM service_job", &[])?.saturating_add(more)
        > most
    {
        let oldest = "DELETE FROM service_job WHERE id IN
                      (SELECT id FROM service_job WHERE finished IS NOT NULL ORDER BY finished, id LIMIT ?1)";
        if engine.execute(oldest, &[MAKING_ROOM.into()])? == 0 {
            return Ok(false);
        }
    }
    Ok(true)
}

fn length(text: &str) -> i64 {
    i64::try_from(text.len()).unwrap_or(i64::MAX)
}

fn seconds(time: Duration) -> i64 {
    i64::try_from(time.as_secs()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOM: Room = Room { open: 1000, bytes: 1 << 30, keep: Duration::from_hours(1) };

    fn job(id: &str, key: Option<&str>) -> NewJob {
        let (id, key) = (id.to_owned(), key.map(str::to_owned));
        NewJob {
            hash: format!("hash of {id}"),
            id,
            tool: "explain".to_owned(),
            arguments: "{\"a\": \"\\u0000\"}".to_owned(),
            key,
        }
    }

    fn done(text: &str) -> Ended {
        Ended { state: "done", text: Some(text.to_owned()), result: Some("{}".to_owned()), ..Ended::default() }
    }

    #[test]
    fn a_job_is_taken_in_done_and_read() {
        let mut jobs = JobStore::open(None).unwrap();
        assert_eq!(jobs.add(&job("a", Some("k")), ROOM).unwrap(), Added::New);
        assert_eq!(jobs.add(&job("b", None), ROOM).unwrap(), Added::New);
        assert_eq!(jobs.add(&job("c", None), ROOM).unwrap(), Added::New);
        // The key stands for the first, whoever comes with it.
        let known = Added::Known { id: "a".to_owned(), hash: "hash of a".to_owned() };
        assert_eq!(jobs.add(&job("d", Some("k")), ROOM).unwrap(), known);
        assert_eq!(jobs.get("d").unwrap(), None);
        assert_eq!(jobs.get("a").unwrap().unwrap().state, OPEN);
        assert!(jobs.finish("a", &Ended { reported: true, ..done("1\u{2028}") }).unwrap());
        assert!(!jobs.finish("a", &done("2")).unwrap(), "it is over");
        jobs.cancel("a").unwrap();
        jobs.cancel("b").unwrap();
        assert!(!jobs.finish("b", &done("2")).unwrap(), "it was cancelled");
        let a = jobs.get("a").unwrap().unwrap();
        assert_eq!((a.state.as_str(), a.text.as_deref(), a.result.as_deref()), ("done", Some("1\u{2028}"), Some("{}")));
        assert!(a.created > 1_700_000_000 && a.finished >= Some(a.created), "{a:?}");
        assert_eq!(
            jobs.counts().unwrap(),
            [("cancelled", 1), ("done", 1), ("open", 1)].map(|(name, count)| (name.to_owned(), count))
        );
        let reported: Vec<_> = jobs.reported(9).unwrap().into_iter().map(|job| (job.id, job.result)).collect();
        assert_eq!(reported, [("a".to_owned(), None)]);
    }

    #[test]
    fn what_a_server_leaves_open_the_next_one_finds() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("jobs.db");
        let mut one = JobStore::open(Some(&path)).unwrap();
        for id in ["a", "b", "c"] {
            one.add(&job(id, None), ROOM).unwrap();
        }
        assert!(one.finish("a", &done("1")).unwrap());
        one.cancel("b").unwrap();
        drop(one);
        let left = JobStore::open(Some(&path)).unwrap().left_open().unwrap();
        assert_eq!(left.iter().map(|job| job.id.as_str()).collect::<Vec<_>>(), ["c"]);
        assert_eq!((left[0].tool.as_str(), left[0].arguments.as_str()), ("explain", "{\"a\": \"\\u0000\"}"));
    }

    #[test]
    fn results_that_were_kept_longest_make_room() {
        let mut jobs = JobStore::open(None).unwrap();
        let long = NewJob { arguments: "x".repeat(10_000), ..job("", None) };
        let add = |jobs: &mut JobStore, id: i32, bytes: i64| {
            jobs.add(&NewJob { id: format!("{id:04}"), ..long.clone() }, Room { bytes, ..ROOM }).unwrap()
        };
        for id in 0..300 {
            assert_eq!(add(&mut jobs, id, i64::MAX), Added::New);
            assert!(jobs.finish(&format!("{id:04}"), &Ended { text: Some("x".repeat(10_000)), ..done("") }).unwrap());
        }
        // 300 × 10,002 bytes and one job more fit; a byte less, and the oldest hundred goes.
        assert_eq!(add(&mut jobs, 300, 3_010_600), Added::New);
        assert!(jobs.get("0000").unwrap().is_some());
        assert_eq!(add(&mut jobs, 301, 3_020_599), Added::New);
        assert!(jobs.get("0099").unwrap().is_none() && jobs.get("0100").unwrap().is_some());
        // What is open is not let go of, and no more are open than may be.
        assert_eq!(add(&mut jobs, 302, 20_000), Added::Full);
        assert_eq!(jobs.counts().unwrap(), [("open".to_owned(), 2)]);
        let few = Room { open: 2, ..ROOM };
        assert_eq!(jobs.add(&job("more", None), few).unwrap(), Added::TooMany(2));
    }

    #[test]
    fn a_file_is_one_servers() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("jobs.db");
        let first = JobStore::open(Some(&path)).unwrap();
        let told = JobStore::open(Some(&path)).map(|_| ()).unwrap_err().to_string();
        assert!(told.contains("another server uses it") && told.contains("--jobs"), "{told}");
        drop(first);
        JobStore::open(Some(&path)).unwrap();
        std::fs::write(folder.path().join("x"), "no database, but a text that is long enough to be one").unwrap();
        let told = JobStore::open(Some(&folder.path().join("x"))).map(|_| ()).unwrap_err().to_string();
        assert!(told.contains("--jobs") && !told.contains("--state"), "{told}");
    }
}
