//! Who asks what: hosts with due sources are lent to workers, one worker a host.
//!
//! `host.next_at` is when a host may be asked: nothing while there is nothing to ask, in the future while it rests or is lent. A lease is
//! that time and the token: whoever claims a host whose time has come gets a new token, and results that come with an old one are not
//! taken.
//!
//! The manners of a host stand in its row, so that they outlive workers and rounds: `pause` between two requests, `rests_until` when it
//! wants to be left alone, and `backoff`, the last rest that it got for asking for fewer requests.

use std::collections::HashMap;
use std::time::Duration;

use super::engine::{Engine, Fault, Row};
use super::{Store, integer, json, most_rows, number, parse, text};
use crate::{Observation, Remembered};
use cited_core::error::Result;
use cited_fetch::Wish;

/// Sentences of one source that its page is held against.
const CLAIMS: usize = 12;
/// The first rest of a host that asks for fewer requests and does not say for how long; doubled each time …
const REST: Duration = Duration::from_mins(1);
/// … up to this. A round does not wait longer for any host.
pub(super) const LONGEST_REST: Duration = Duration::from_mins(8);
/// Nothing is lent or left alone for longer: what is said to be was written before the clock was set back.
pub(super) const LONGEST: Duration = Duration::from_hours(25);
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

/// How a host is given back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Manners {
    /// Whether it asked for fewer requests.
    pub tired: bool,
    /// What it made known beside that; nothing when nobody can tell: then what was known stays.
    pub wish: Option<Wish>,
}

/// Due sources of one host, to be asked one after the other.
#[derive(Debug)]
pub struct Batch {
    /// The right to do so.
    pub lease: Lease,
    /// The host.
    pub host: String,
    /// The time between two requests that whoever asked it last had come to, where it is more than usual.
    pub pause: Duration,
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
                    SELECT id FROM host WHERE next_at <= {clock} ORDER BY next_at, id LIMIT ?2 {skip})) RETURNING id, token, name, pause"
            } else {
                "UPDATE host SET token = token + 1, next_at = {clock} + ?1 WHERE id IN (
                    SELECT id FROM host WHERE next_at <= {clock} ORDER BY next_at, id LIMIT ?2) RETURNING id, token, name, pause"
            };
            let claimed = engine.query(sql, &[millis(lease).into(), most_rows(hosts)])?;
            let mut batches = Vec::with_capacity(claimed.len());
            for mut row in claimed {
                let lease = Lease { host: integer(&row, 0), token: integer(&row, 1), round };
                let work = work_of(engine, lease.host, most)?;
                if work.is_empty() {
                    engine.execute("UPDATE host SET next_at = NULL WHERE id = ?1", &[lease.host.into()])?;
                } else {
                    let pause = Duration::from_millis(integer(&row, 3).max(0).cast_unsigned());
                    batches.push(Batch { lease, host: text(&mut row, 2), pause, work });
                }
            }
            Ok(batches)
        })
    }

    /// Keeps leases from running out for the time of `lease` from now on: those that somebody else has by now.
    ///
    /// # Errors
    /// When the state cannot be written.
    pub fn renew(&mut self, leases: &[Lease], lease: Duration) -> Result<Vec<Lease>> {
        let mut rows: Vec<_> =
            leases.iter().map(|held| vec![held.host.into(), held.token.into(), millis(lease).into()]).collect();
        rows.sort_by_key(|row| integer(row, 0));
        self.run(|engine| {
            let renewed = engine.batch(
                "UPDATE host SET next_at = {clock} + ?3 WHERE id = ?1 AND token = ?2 AND next_at IS NOT NULL",
                &rows,
            )?;
            let mut lost = Vec::new();
            if renewed < rows.len() as u64 {
                for lease in leases {
                    if find_lease(engine, *lease)?.is_none() {
                        lost.push(*lease);
                    }
                }
            }
            Ok(lost)
        })
    }

    /// Takes results of a host. They are stored once, whoever reports them; results under a lease that somebody else has by now, or of a
    /// round that is over, are not taken: `false`.
    ///
    /// # Errors
    /// When the state cannot be written.
    pub fn record(&mut self, lease: &Lease, results: &[(i64, Observation)]) -> Result<bool> {
        self.run(|engine| store_results(engine, *lease, results))
    }

    /// Gives a host back. One that is tired rests as long as it asked for, each time at least twice as long as before. One that is so after
    /// the longest rest, or asks for a longer one, is left alone: what is left of it is carried over.
    ///
    /// Whoever queues work for the host holds its row meanwhile, so what is queued right now is seen, or finds the row as it is left here.
    ///
    /// # Errors
    /// When the state cannot be written.
    pub fn release(&mut self, lease: &Lease, manners: Manners) -> Result<bool> {
        self.run(|engine| give_back(engine, *lease, manners))
    }

    /// Takes results of several hosts and gives some of them back, all in one transaction: of each of `results` whether it was taken, as
    /// [`record`](Self::record) says.
    ///
    /// # Errors
    /// When the state cannot be written.
    pub fn take(&mut self, results: &[Results], over: &[(Lease, Manners)]) -> Result<Vec<bool>> {
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
            for &(lease, manners) in &over {
                give_back(engine, lease, manners)?;
            }
            Ok(taken)
        })
    }

    /// How many sources of the round are still to be asked.
    ///
    /// # Errors
    /// When the state cannot be read.
    pub fn left(&mut self) -> Result<u64> {
        self.run(|engine| Ok(number(engine, "SELECT count(*) FROM job", &[])?.cast_unsigned()))
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
}

fn store_results(
    engine: &mut dyn Engine,
    lease: Lease,
    results: &[(i64, Observation)],
) -> std::result::Result<bool, Fault> {
    if find_lease(engine, lease)?.is_none() {
        return Ok(false);
    }
    let mut rows = Vec::with_capacity(results.len());
    for (source, observation) in results {
        let seen: &str = observation.seen.into();
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

fn give_back(engine: &mut dyn Engine, lease: Lease, manners: Manners) -> std::result::Result<bool, Fault> {
    let held = find_lease(engine, lease)?;
    let Some(row) = held else { return Ok(false) };
    let (rested, paused) = (integer(&row, 1), integer(&row, 2));
    let asked = manners.wish.map_or(0, |wish| millis(wish.rest));
    let rest = match (manners.tired, asked) {
        (false, _) => 0,
        (true, 0) => (rested * 2).clamp(millis(REST), millis(LONGEST_REST)),
        (true, asked) => asked.max((rested * 2).min(millis(LONGEST_REST))),
    };
    let gives_up = rest > millis(LONGEST_REST) || (manners.tired && rested >= millis(LONGEST_REST));
    if gives_up {
        engine.execute("DELETE FROM job WHERE host = ?1", &[lease.host.into()])?;
    }
    let pause = manners.wish.map_or(paused, |wish| millis(wish.pause));
    // The next round begins anew with a host that was given up, once it has rested.
    let backoff = if gives_up { 0 } else { rest };
    // Another worker that gets it knows nothing of the last request to it.
    let gap = if engine.is_shared() { pause.max(millis(PAUSE)) } else { 0 };
    engine.execute(
        "UPDATE host SET backoff = ?2, pause = ?3, rests_until = CASE WHEN CAST(?4 AS BIGINT) > 0 THEN {clock} + ?4 ELSE 0 END,
            next_at = CASE WHEN EXISTS (SELECT 1 FROM job WHERE job.host = ?1) THEN {clock} + ?5 END
         WHERE id = ?1",
        &[lease.host.into(), backoff.into(), pause.into(), rest.into(), rest.max(gap).into()],
    )?;
    Ok(true)
}

/// What is known of the host, when a lease is the newest of it: token, last rest and pause. Its row is kept until the end of the transaction.
fn find_lease(engine: &mut dyn Engine, lease: Lease) -> std::result::Result<Option<Row>, Fault> {
    let rows = engine.query("SELECT token, backoff, pause FROM host WHERE id = ?1 {lock}", &[lease.host.into()])?;
    Ok(rows.into_iter().next().filter(|row| integer(row, 0) == lease.token))
}

fn work_of(engine: &mut dyn Engine, host: i64, most: usize) -> std::result::Result<Vec<Work>, Fault> {
    let jobs = "SELECT source FROM job WHERE host = ?1 ORDER BY source LIMIT ?2";
    let values = [host.into(), most_rows(most)];
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
