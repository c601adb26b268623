//! Who asks what: hosts with due sources are lent to workers, one worker a host.
//!
//! `host.next_at` is when a host may be asked: nothing while there is nothing to ask, in the future while it rests or is lent. A lease is
//! that time and the token: whoever claims a host whose time has come gets a new token, and results that come with an old one are not
//! taken.

use std::collections::HashMap;
use std::time::Duration;

use super::engine::{Engine, Fault, Wake};
use super::{Store, integer, json, parse, text};
use crate::audit::{Observation, Remembered};
use crate::error::Result;

/// Sentences of one source that its page is held against.
const CLAIMS: usize = 12;
/// The first rest of a host that asks for fewer requests; doubled each time …
const REST: Duration = Duration::from_mins(1);
/// … up to this.
const LONGEST_REST: Duration = Duration::from_mins(8);
/// Between the last request of one worker to a host and the first of another.
const PAUSE: Duration = Duration::from_millis(100);

/// A host that is lent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Lease {
    host: i64,
    token: i64,
    round: i64,
}

/// What was seen of sources of one host, under its lease.
pub type Results = (Lease, Vec<(i64, Observation)>);

/// One source to ask.
#[derive(Debug, Clone, PartialEq)]
pub struct Work {
    /// Its number.
    pub id: i64,
    /// What is known of it.
    pub source: Remembered,
    /// The sentences that stand on it, as far as its page is held against them.
    pub claims: Vec<String>,
}

/// Due sources of one host, to be asked one after the other.
#[derive(Debug)]
pub struct Batch {
    /// The right to do so.
    pub lease: Lease,
    /// The host.
    pub host: String,
    /// The sources.
    pub work: Vec<Work>,
}

impl Store {
    /// Claims up to `hosts` hosts with something due, up to `most` sources of each, for the time of `lease`.
    ///
    /// # Errors
    /// When the state cannot be written.
    pub fn claim(&mut self, hosts: usize, most: usize, lease: Duration) -> Result<Vec<Batch>> {
        self.run(|engine| {
            let Some(round) = engine.query("SELECT id FROM round WHERE status = 'open' ORDER BY id DESC LIMIT 1", &[])?.first().map(|row| integer(row, 0))
            else {
                return Ok(Vec::new());
            };
            // `= ANY (ARRAY (…))` looks the hosts up by index; `IN (…)` gets a plan that reads all of them.
            let sql = if engine.is_shared() {
                "UPDATE host SET token = token + 1, next_at = {clock} + ?1 WHERE id = ANY (ARRAY (
                    SELECT id FROM host WHERE next_at <= {clock} ORDER BY next_at, id LIMIT ?2 {skip})) RETURNING id, token, name"
            } else {
                "UPDATE host SET token = token + 1, next_at = {clock} + ?1 WHERE id IN (
                    SELECT id FROM host WHERE next_at <= {clock} ORDER BY next_at, id LIMIT ?2) RETURNING id, token, name"
            };
            let claimed = engine.query(sql, &[millis(lease).into(), count(hosts).into()])?;
            let mut batches = Vec::with_capacity(claimed.len());
            for mut row in claimed {
                let lease = Lease { host: integer(&row, 0), token: integer(&row, 1), round };
                let work = work_of(engine, lease.host, most)?;
                if work.is_empty() {
                    engine.execute("UPDATE host SET next_at = NULL WHERE id = ?1", &[lease.host.into()])?;
                } else {
                    batches.push(Batch { lease, host: text(&mut row, 2), work });
                }
            }
            Ok(batches)
        })
    }

    /// Keeps leases from running out for the time of `lease` from now on.
    ///
    /// # Errors
    /// When the state cannot be written.
    pub fn renew(&mut self, leases: &[Lease], lease: Duration) -> Result<()> {
        let mut rows: Vec<_> =
            leases.iter().map(|held| vec![held.host.into(), held.token.into(), millis(lease).into()]).collect();
        rows.sort_by_key(|row| integer(row, 0));
        self.run(|engine| {
            engine.batch(
                "UPDATE host SET next_at = {clock} + ?3 WHERE id = ?1 AND token = ?2 AND next_at IS NOT NULL",
                &rows,
            )
        })?;
        Ok(())
    }

    /// Takes results of a host. They are stored once, whoever reports them; results under a lease that somebody else has by now, or of a
    /// round that is over, are not taken: `false`.
    ///
    /// # Errors
    /// When the state cannot be written.
    pub fn record(&mut self, lease: &Lease, results: &[(i64, Observation)]) -> Result<bool> {
        self.run(|engine| store_results(engine, *lease, results))
    }

    /// Gives a host back; with `tired` after a rest, since it asked for fewer requests: each time twice as long. One that does so after the
    /// longest rest, too, is left alone: what is left of it is carried over.
    ///
    /// Whoever queues work for the host holds its row meanwhile, so what is queued right now is seen, or finds the row as it is left here.
    ///
    /// # Errors
    /// When the state cannot be written.
    pub fn release(&mut self, lease: &Lease, tired: bool) -> Result<bool> {
        self.run(|engine| give_back(engine, *lease, tired))
    }

    /// Takes results of several hosts and gives some of them back, all in one transaction: of each of `results` whether it was taken, as
    /// [`record`](Self::record) says.
    ///
    /// # Errors
    /// When the state cannot be written.
    pub fn take(&mut self, results: &[Results], over: &[(Lease, bool)]) -> Result<Vec<bool>> {
        // Rows in one order: whoever else holds several of them does it in the same.
        let mut order: Vec<usize> = (0..results.len()).collect();
        order.sort_by_key(|&at| results[at].0.host);
        let mut over = over.to_vec();
        over.sort_by_key(|(lease, _)| lease.host);
        self.run(|engine| {
            let mut taken = vec![false; results.len()];
            for &at in &order {
                taken[at] = store_results(engine, results[at].0, &results[at].1)?;
            }
            for &(lease, tired) in &over {
                give_back(engine, lease, tired)?;
            }
            Ok(taken)
        })
    }

    /// How many sources of the round are still to be asked.
    ///
    /// # Errors
    /// When the state cannot be read.
    pub fn left(&mut self) -> Result<u64> {
        let rows = self.run(|engine| engine.query("SELECT count(*) FROM job", &[]))?;
        Ok(rows.first().map_or(0, |row| integer(row, 0).cast_unsigned()))
    }

    /// How long it is until a host may be asked; nothing when there is nothing to ask.
    ///
    /// # Errors
    /// When the state cannot be read.
    pub fn soonest(&mut self) -> Result<Option<Duration>> {
        let rows = self.run(|engine| {
            engine.query("SELECT next_at - {clock} FROM host WHERE next_at IS NOT NULL ORDER BY next_at LIMIT 1", &[])
        })?;
        Ok(rows.first().map(|row| Duration::from_millis(integer(row, 0).max(0).cast_unsigned())))
    }

    /// Waits until there may be work, at most for `time`.
    ///
    /// # Errors
    /// When the connection is gone for good.
    pub fn wait(&mut self, time: Duration) -> Result<Wake> {
        match self.engine.wait(time) {
            Ok(wake) => Ok(wake),
            // Whoever asks next connects again.
            Err(Fault::Lost(_)) => {
                std::thread::sleep(Duration::from_millis(100).min(time));
                Ok(Wake::Time)
            }
            Err(fault) => Err(crate::Error::input(format!("{}: {fault}", self.name))),
        }
    }
}

fn store_results(
    engine: &mut dyn Engine,
    lease: Lease,
    results: &[(i64, Observation)],
) -> std::result::Result<bool, Fault> {
    if !is_held(engine, lease)? {
        return Ok(false);
    }
    let mut rows = Vec::with_capacity(results.len());
    for (source, observation) in results {
        let seen = serde_json::to_value(observation.seen).ok();
        let seen = seen.as_ref().and_then(serde_json::Value::as_str).unwrap_or_default().to_owned();
        rows.push(vec![lease.round.into(), (*source).into(), seen.into(), json(observation)?.into()]);
    }
    engine.batch(
        "INSERT INTO observation (round, source, seen, body) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (round, source) DO NOTHING",
        &rows,
    )?;
    let done: Vec<_> = results.iter().map(|(source, _)| vec![(*source).into()]).collect();
    engine.batch("DELETE FROM job WHERE source = ?1", &done)?;
    Ok(true)
}

fn give_back(engine: &mut dyn Engine, lease: Lease, tired: bool) -> std::result::Result<bool, Fault> {
    if !is_held(engine, lease)? {
        return Ok(false);
    }
    let host = || [lease.host.into()];
    let rested = engine.query("SELECT backoff FROM host WHERE id = ?1", &host())?;
    let rested = rested.first().map_or(0, |row| integer(row, 0));
    if tired && rested >= millis(LONGEST_REST) {
        engine.execute("DELETE FROM job WHERE host = ?1", &host())?;
    }
    if engine.query("SELECT 1 FROM job WHERE host = ?1 LIMIT 1", &host())?.is_empty() {
        engine.execute("UPDATE host SET next_at = NULL, backoff = 0 WHERE id = ?1", &host())?;
        return Ok(true);
    }
    let rest = match (tired, rested) {
        (false, _) => 0,
        (true, 0) => millis(REST),
        (true, rested) => (rested * 2).min(millis(LONGEST_REST)),
    };
    // Another worker that gets it knows nothing of the last request to it.
    let pause = if engine.is_shared() { millis(PAUSE) } else { 0 };
    engine.execute(
        "UPDATE host SET backoff = ?2, next_at = {clock} + ?3 WHERE id = ?1",
        &[lease.host.into(), rest.into(), rest.max(pause).into()],
    )?;
    engine.notify()?;
    Ok(true)
}

/// Whether a lease is the newest of its host; the host's row is kept until the end of the transaction.
fn is_held(engine: &mut dyn Engine, lease: Lease) -> std::result::Result<bool, Fault> {
    let rows = engine.query("SELECT token FROM host WHERE id = ?1 {lock}", &[lease.host.into()])?;
    Ok(rows.first().is_some_and(|row| integer(row, 0) == lease.token))
}

fn work_of(engine: &mut dyn Engine, host: i64, most: usize) -> std::result::Result<Vec<Work>, Fault> {
    let jobs = "SELECT source FROM job WHERE host = ?1 ORDER BY source LIMIT ?2";
    let values = [host.into(), count(most).into()];
    let rows = engine.query(&format!("SELECT id, body FROM source WHERE id IN ({jobs}) ORDER BY id"), &values)?;
    let sentences = format!("SELECT DISTINCT source, sentence FROM citation WHERE source IN ({jobs}) AND claim = 1");
    let mut claims: HashMap<i64, Vec<String>> = HashMap::new();
    for mut row in engine.query(&sentences, &values)? {
        let known = claims.entry(integer(&row, 0)).or_default();
        if known.len() < CLAIMS {
            known.push(text(&mut row, 1));
        }
    }
    let mut work = Vec::with_capacity(rows.len());
    for mut row in rows {
        let (id, source) = (integer(&row, 0), parse(&text(&mut row, 1))?);
        let mut claims = claims.remove(&id).unwrap_or_default();
        claims.sort_unstable();
        work.push(Work { id, source, claims });
    }
    Ok(work)
}

pub(super) fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX / 4)
}

fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
