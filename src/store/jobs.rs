//! Jobs of a service: calls that outlive their request, until their results are old. They stand in a file of SQLite, in memory, or in the
//! PostgreSQL of the audit; the statements are the same.
//!
//! A job that is open belongs to the server that took it in, for the time of a lease that it renews while it lives. What a server leaves
//! behind when it dies is claimed by the next one whose turn it is, and what it says afterwards counts no more: no job is done twice.

use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;

use super::engine::{Engine, Fault, Value};
#[cfg(feature = "postgres")]
use super::postgres;
use super::queue::millis;
use super::{Store, integer, integer_or_null, shown, sqlite, text};
use crate::error::{Error, Result};

/// The table. What is counted stands before what is long.
const TABLE: &str = "
    {alone};
    CREATE TABLE IF NOT EXISTS service_job (
        id TEXT PRIMARY KEY, state TEXT NOT NULL, owner TEXT NOT NULL, lease BIGINT NOT NULL, created BIGINT NOT NULL, finished BIGINT,
        bytes BIGINT NOT NULL, reported BIGINT NOT NULL DEFAULT 0, tool TEXT NOT NULL, hash TEXT NOT NULL, key TEXT UNIQUE,
        arguments TEXT NOT NULL, text TEXT, result TEXT, problem TEXT
    );
    CREATE INDEX IF NOT EXISTS service_job_finished ON service_job (finished, id);
    CREATE INDEX IF NOT EXISTS service_job_state ON service_job (state, lease);
    CREATE INDEX IF NOT EXISTS service_job_bytes ON service_job (bytes);
";
/// Results that make room at once.
const MAKING_ROOM: i64 = 100;
/// Jobs that are claimed at once.
const CLAIMED: i64 = 1000;

/// The state of a job that waits or runs.
pub const OPEN: &str = "open";
/// The state of a job that was cancelled.
pub const CANCELLED: &str = "cancelled";

/// Jobs of a service.
pub struct JobStore {
    store: Store,
    /// Whose jobs these are, among all servers.
    owner: String,
    lease: Duration,
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

/// A job that this server has to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claimed {
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
    pub fn file(path: Option<&Path>, owner: String, lease: Duration) -> Result<JobStore> {
        let name = path.map_or_else(|| "memory".to_owned(), |path| path.display().to_string());
        let wrong = |why: String| {
            Error::input(format!("{name}: cannot be used as a store of jobs: {why}; name another file with --jobs"))
        };
        let mut engine = sqlite::Sqlite::of_jobs(path).map_err(|fault| wrong(fault.to_string()))?;
        if path.is_some() && !engine.lock(false).map_err(|fault| wrong(fault.to_string()))? {
            return Err(wrong("another server uses it (several servers share PostgreSQL)".to_owned()));
        }
        let mut jobs = Self::ready(Store { engine: Box::new(engine), name: name.clone() }, owner, lease)
            .map_err(|error| wrong(error.to_string()))?;
        // Whoever had them is no more: the file was locked by nobody.
        jobs.store.run(|engine| engine.execute("UPDATE service_job SET lease = 0 WHERE state = 'open'", &[]))?;
        Ok(jobs)
    }

    /// The jobs in a database of the audit, which any number of servers may share.
    ///
    /// # Errors
    /// When it cannot be used.
    #[cfg(feature = "postgres")]
    pub fn server(address: &str, owner: String, lease: Duration) -> Result<JobStore> {
        // The audit's own tables say that the schema is ours.
        drop(Store::open(address)?);
        let name = shown(address);
        let engine = postgres::Postgres::open(address).map_err(|why| Error::input(format!("{name}: {why}")))?;
        Self::ready(Store { engine: Box::new(engine), name }, owner, lease)
    }

    /// The jobs in a database of the audit.
    ///
    /// # Errors
    /// Always: this program was built without.
    #[cfg(not(feature = "postgres"))]
    pub fn server(address: &str, _: String, _: Duration) -> Result<JobStore> {
        Store::open(address).map(|_| ())?;
        Err(Error::usage(format!("--state {}: this cited was built without PostgreSQL", shown(address))))
    }

    fn ready(mut store: Store, owner: String, lease: Duration) -> Result<JobStore> {
        store.run(|engine| engine.script(TABLE))?;
        Ok(JobStore { store, owner, lease })
    }

    /// Whether other servers may have jobs here.
    pub fn is_shared(&self) -> bool {
        self.store.is_shared()
    }

    /// Takes a job in, for this server to do. Results that are too old go first, and then those that were kept longest, as far as there
    /// is no room.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn add(&mut self, job: &NewJob, room: Room) -> Result<Added> {
        let (owner, lease, keep) = (self.owner.clone(), millis(self.lease), seconds(room.keep));
        self.store.run(|engine| {
            engine.execute("DELETE FROM service_job WHERE finished < {clock} / 1000 - ?1", &[keep.into()])?;
            // A transaction that was repeated may have put it in already.
            if let Some(known) = known(engine, job)? {
                return Ok(known);
            }
            let open = count(engine, "SELECT count(*) FROM service_job WHERE state = 'open'")?;
            if open >= room.open {
                return Ok(Added::TooMany(open));
            }
            if !make_room(engine, job.arguments.len(), room.bytes)? {
                return Ok(Added::Full);
            }
            let added = engine.execute(
                "INSERT INTO service_job (id, state, owner, lease, created, bytes, tool, hash, key, arguments)
                 VALUES (?1, 'open', ?2, {clock} + ?3, {clock} / 1000, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO NOTHING",
                &[
                    job.id.as_str().into(),
                    owner.as_str().into(),
                    lease.into(),
                    length(&job.arguments).into(),
                    job.tool.as_str().into(),
                    job.hash.as_str().into(),
                    job.key.as_deref().map_or(Value::Null, Into::into),
                    job.arguments.as_str().into(),
                ],
            )?;
            // Another server was faster with this key.
            if added == 0 { Ok(known(engine, job)?.unwrap_or(Added::Full)) } else { Ok(Added::New) }
        })
    }

    /// Jobs that no living server has: this one has to do them now.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn claim(&mut self) -> Result<Vec<Claimed>> {
        let (owner, lease) = (self.owner.clone(), millis(self.lease));
        self.store.run(|engine| {
            let left = engine.query(
                "SELECT id, tool, arguments FROM service_job WHERE state = 'open' AND lease < {clock} ORDER BY created, id LIMIT ?1 {skip}",
                &[CLAIMED.into()],
            )?;
            let left: Vec<Claimed> = left
                .into_iter()
                .map(|mut row| Claimed { id: text(&mut row, 0), tool: text(&mut row, 1), arguments: text(&mut row, 2) })
                .collect();
            let mut rows: Vec<_> =
                left.iter().map(|job| vec![job.id.as_str().into(), owner.as_str().into(), lease.into()]).collect();
            rows.sort_by(by_id);
            engine.batch("UPDATE service_job SET owner = ?2, lease = {clock} + ?3 WHERE id = ?1", &rows)?;
            Ok(left)
        })
    }

    /// Keeps the leases of jobs that this server is at; gives those that are still its own. The others were cancelled, are over, or are
    /// another server's by now.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn renew(&mut self, ids: &[String]) -> Result<HashSet<String>> {
        let (owner, lease) = (self.owner.clone(), millis(self.lease));
        let mut rows: Vec<_> =
            ids.iter().map(|id| vec![id.as_str().into(), owner.as_str().into(), lease.into()]).collect();
        rows.sort_by(by_id);
        self.store.run(|engine| {
            engine.batch(
                "UPDATE service_job SET lease = {clock} + ?3 WHERE id = ?1 AND owner = ?2 AND state = 'open'",
                &rows,
            )?;
            let own = "SELECT id FROM service_job WHERE owner = ?1 AND state = 'open'";
            Ok(engine.query(own, &[owner.as_str().into()])?.into_iter().map(|mut row| text(&mut row, 0)).collect())
        })
    }

    /// Lets jobs go that this server does not come to any more: the next one begins them at once.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn hand_back(&mut self) -> Result<()> {
        let owner = self.owner.clone();
        let sql = "UPDATE service_job SET lease = 0 WHERE owner = ?1 AND state = 'open'";
        self.store.run(|engine| engine.execute(sql, &[owner.as_str().into()]))?;
        Ok(())
    }

    /// Takes down how a job ended; `false` when it is this server's no more, or over.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn finish(&mut self, id: &str, ended: &Ended) -> Result<bool> {
        let parts = [&ended.text, &ended.result, &ended.problem];
        let bytes: i64 = parts.into_iter().flatten().map(|part| length(part)).sum();
        // PostgreSQL keeps no NUL in a text; in JSON none stands.
        let text = ended.text.as_ref().map(|text| text.replace('\0', "\u{fffd}"));
        let maybe = |text: &Option<String>| text.as_deref().map_or(Value::Null, Value::from);
        let row = [
            id.into(),
            ended.state.into(),
            maybe(&text),
            maybe(&ended.result),
            maybe(&ended.problem),
            bytes.into(),
            i64::from(ended.reported).into(),
            self.owner.as_str().into(),
        ];
        let changed = self.store.run(|engine| {
            engine.execute(
                "UPDATE service_job SET state = ?2, text = ?3, result = ?4, problem = ?5, bytes = ?6, reported = ?7,
                 arguments = '', finished = {clock} / 1000 WHERE id = ?1 AND owner = ?8 AND state = 'open'",
                &row,
            )
        })?;
        Ok(changed > 0)
    }

    /// Cancels a job that is open, whoever is at it.
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
    while count(engine, "SELECT CAST(coalesce(sum(bytes), 0) AS BIGINT) FROM service_job")?.saturating_add(more) > most
    {
        let oldest = "DELETE FROM service_job WHERE id IN
                      (SELECT id FROM service_job WHERE finished IS NOT NULL ORDER BY finished, id LIMIT ?1)";
        if engine.execute(oldest, &[MAKING_ROOM.into()])? == 0 {
            return Ok(false);
        }
    }
    Ok(true)
}

fn count(engine: &mut dyn Engine, sql: &str) -> std::result::Result<i64, Fault> {
    Ok(engine.query(sql, &[])?.first().map_or(0, |row| integer(row, 0)))
}

/// Rows in one order: two servers that write several wait for each other and never lock each other out.
fn by_id(one: &super::engine::Row, other: &super::engine::Row) -> std::cmp::Ordering {
    let id = |row: &super::engine::Row| match row.first() {
        Some(Value::Text(id)) => id.clone(),
        _ => String::new(),
    };
    id(one).cmp(&id(other))
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
    use crate::store::tests::server;

    const LEASE: Duration = Duration::from_millis(400);
    const ROOM: Room = Room { open: 1000, bytes: 1 << 30, keep: Duration::from_hours(1) };

    /// Opens the jobs of a server by its name, again and again on the same place.
    type Open<'a> = &'a mut dyn FnMut(&str) -> JobStore;

    /// Runs a test on each kind of store that can be had here.
    fn on_each(test: impl Fn(Open<'_>)) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("jobs.db");
        test(&mut |owner| JobStore::file(Some(&path), owner.to_owned(), LEASE).unwrap());
        #[cfg(feature = "postgres")]
        if let Some(server) = server::Server::start() {
            test(&mut |owner| JobStore::server(&server.address, owner.to_owned(), LEASE).unwrap());
        }
    }

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

    fn ids(claimed: Vec<Claimed>) -> Vec<String> {
        claimed.into_iter().map(|job| job.id).collect()
    }

    #[test]
    fn a_job_is_taken_in_done_and_read() {
        on_each(|open| {
            let mut jobs = open("one");
            assert_eq!(jobs.add(&job("a", Some("k")), ROOM).unwrap(), Added::New);
            assert_eq!(jobs.add(&job("b", None), ROOM).unwrap(), Added::New);
            assert_eq!(jobs.add(&job("c", None), ROOM).unwrap(), Added::New);
            // The key stands for the first, whoever comes with it.
            let known = Added::Known { id: "a".to_owned(), hash: "hash of a".to_owned() };
            assert_eq!(jobs.add(&job("d", Some("k")), ROOM).unwrap(), known);
            assert_eq!(jobs.get("d").unwrap(), None);
            assert_eq!(jobs.get("a").unwrap().unwrap().state, OPEN);
            assert!(jobs.finish("a", &Ended { reported: true, ..done("1\0\u{2028}") }).unwrap());
            assert!(!jobs.finish("a", &done("2")).unwrap(), "it is over");
            jobs.cancel("a").unwrap();
            jobs.cancel("b").unwrap();
            assert!(!jobs.finish("b", &done("2")).unwrap(), "it was cancelled");
            let a = jobs.get("a").unwrap().unwrap();
            assert_eq!(
                (a.state.as_str(), a.text.as_deref(), a.result.as_deref()),
                ("done", Some("1\u{fffd}\u{2028}"), Some("{}"))
            );
            assert!(a.created > 1_700_000_000 && a.finished >= Some(a.created), "{a:?}");
            assert_eq!(
                jobs.counts().unwrap(),
                [("cancelled", 1), ("done", 1), ("open", 1)].map(|(name, count)| (name.to_owned(), count))
            );
            let reported: Vec<_> = jobs.reported(9).unwrap().into_iter().map(|job| (job.id, job.result)).collect();
            assert_eq!(reported, [("a".to_owned(), None)]);
        });
    }

    #[test]
    fn what_a_dead_server_leaves_is_claimed_once() {
        on_each(|open| {
            let mut one = open("one");
            for id in ["a", "b", "c", "d"] {
                one.add(&job(id, None), ROOM).unwrap();
            }
            assert!(one.finish("a", &done("1")).unwrap());
            assert_eq!(one.claim().unwrap(), [], "they are being done");
            // A file is one server's; the database is shared by those that live.
            let shared = one.is_shared();
            let mut dead = shared.then_some(one);
            let mut two = open("two");
            if let Some(one) = &mut dead {
                let mut three = open("three");
                assert_eq!((two.claim().unwrap(), three.claim().unwrap()), (Vec::new(), Vec::new()));
                // While it renews what it is at, nobody else gets that.
                for _ in 0..4 {
                    std::thread::sleep(LEASE / 2);
                    assert_eq!(one.renew(&["b".to_owned()]).unwrap().len(), 3);
                }
                assert_eq!(ids(two.claim().unwrap()), ["c", "d"]);
                assert_eq!(three.claim().unwrap(), []);
                std::thread::sleep(LEASE * 2);
                two.renew(&["c".to_owned(), "d".to_owned()]).unwrap();
                assert_eq!(ids(three.claim().unwrap()), ["b"]);
                // What it says afterwards counts no more.
                assert!(one.renew(&["b".to_owned()]).unwrap().is_empty());
                assert!(!one.finish("b", &done("late")).unwrap());
                assert!(three.finish("b", &done("3")).unwrap());
            } else {
                assert_eq!(ids(two.claim().unwrap()), ["b", "c", "d"]);
                assert!(two.finish("b", &done("3")).unwrap());
            }
            assert_eq!(two.get("b").unwrap().unwrap().text.as_deref(), Some("3"));
            // Cancelled by one server, given up by the other at its next look.
            two.cancel("c").unwrap();
            let own = two.renew(&["c".to_owned(), "d".to_owned()]).unwrap();
            assert_eq!(own.into_iter().collect::<Vec<_>>(), ["d"]);
            two.hand_back().unwrap();
            assert_eq!(ids(two.claim().unwrap()), ["d"]);
        });
    }

    #[test]
    fn servers_that_begin_at_once_share_what_is_left() {
        on_each(|open| {
            let mut one = open("one");
            if !one.is_shared() {
                return;
            }
            let many: Vec<String> = (0..200).map(|i| format!("{i:03}")).collect();
            many.iter().for_each(|id| assert_eq!(one.add(&job(id, None), ROOM).unwrap(), Added::New));
            one.hand_back().unwrap();
            let mut servers: Vec<JobStore> = (0..4).map(|i| open(&format!("server {i}"))).collect();
            let claimed: Vec<Vec<String>> = std::thread::scope(|scope| {
                let all: Vec<_> = servers.iter_mut().map(|jobs| scope.spawn(|| ids(jobs.claim().unwrap()))).collect();
                all.into_iter().map(|one| one.join().unwrap()).collect()
            });
            let mut all = claimed.concat();
            all.sort();
            assert_eq!(all, many, "each once: {claimed:?}");
            // The same key at once, at each of them.
            let added: Vec<Added> = std::thread::scope(|scope| {
                let all: Vec<_> = servers
                    .iter_mut()
                    .enumerate()
                    .map(|(i, jobs)| scope.spawn(move || jobs.add(&job(&format!("x{i}"), Some("same")), ROOM).unwrap()))
                    .collect();
                all.into_iter().map(|one| one.join().unwrap()).collect()
            });
            assert_eq!(added.iter().filter(|added| **added == Added::New).count(), 1, "{added:?}");
        });
    }

    #[test]
    fn results_that_were_kept_longest_make_room() {
        on_each(|open| {
            let mut jobs = open("one");
            let long = NewJob { arguments: "x".repeat(10_000), ..job("", None) };
            let add = |jobs: &mut JobStore, id: i32, bytes: i64| {
                jobs.add(&NewJob { id: format!("{id:04}"), ..long.clone() }, Room { bytes, ..ROOM }).unwrap()
            };
            for id in 0..300 {
                assert_eq!(add(&mut jobs, id, i64::MAX), Added::New);
                assert!(
                    jobs.finish(&format!("{id:04}"), &Ended { text: Some("x".repeat(10_000)), ..done("") }).unwrap()
                );
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
        });
    }

    #[test]
    fn a_file_is_one_servers() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("jobs.db");
        let first = JobStore::file(Some(&path), "one".to_owned(), LEASE).unwrap();
        let told = JobStore::file(Some(&path), "two".to_owned(), LEASE).map(|_| ()).unwrap_err().to_string();
        assert!(told.contains("another server uses it") && told.contains("--jobs"), "{told}");
        drop(first);
        JobStore::file(Some(&path), "two".to_owned(), LEASE).unwrap();
        std::fs::write(folder.path().join("x"), "no database, but a text that is long enough to be one").unwrap();
        let told = JobStore::file(Some(&folder.path().join("x")), "one".to_owned(), LEASE)
            .map(|_| ())
            .unwrap_err()
            .to_string();
        assert!(told.contains("--jobs") && !told.contains("--state"), "{told}");
    }
}
