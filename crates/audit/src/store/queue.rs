//! Who asks what: hosts with due sources are lent to workers, one worker a host.
//!
//! `host.next_at` is when a host may be asked: nothing while there is nothing to ask, in the future while it rests or is lent. A lease is
//! that time and the token: whoever claims a host whose time has come gets a new token, and results that come with an old one are not
//! taken.
//!
//! The manners of a host stand in its row, so that they outlive workers and rounds: `pause` between two requests, `rests_until` when it
//! wants to be left alone, and `backoff`, the last rest that it got for asking for fewer requests.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use super::Store;
use super::engine::{Engine, Fault, Json, row};
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lease {
    host: i64,
    token: i64,
    round: i64,
}

/// What was seen of sources of one host, and how it is given back, if it is.
pub type Done = (Vec<(i64, Observation)>, Option<Manners>);

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
            let open = engine.rows("SELECT id FROM round WHERE status = 'open' ORDER BY id DESC LIMIT 1", ())?.pop();
            let Some((round,)) = open else { return Ok(Vec::new()) };
            let sql = "UPDATE host SET token = token + 1, next_at = {clock} + ?1 WHERE id {in}SELECT id FROM host
                WHERE next_at <= {clock} ORDER BY next_at, id LIMIT ?2 {skip}{end} RETURNING id, token, name, pause";
            let claimed: Vec<(i64, i64, String, u64)> = engine.rows(sql, (millis(lease), hosts))?;
            let mut batches = Vec::with_capacity(claimed.len());
            for (id, token, host, pause) in claimed {
                let work = work_of(engine, id, most)?;
                if work.is_empty() {
                    engine.execute("UPDATE host SET next_at = NULL WHERE id = ?1", [id])?;
                } else {
                    let lease = Lease { host: id, token, round };
                    batches.push(Batch { lease, host, pause: Duration::from_millis(pause), work });
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
        let mut held = leases.to_vec();
        held.sort_unstable();
        let sql = "UPDATE host SET next_at = {clock} + ?3 WHERE id = ?1 AND token = ?2 AND next_at IS NOT NULL";
        self.run(|engine| {
            let mut lost = Vec::new();
            for held in &held {
                let renewed = engine.execute(sql, (held.host, held.token, millis(lease)))?;
                lost.extend((renewed == 0).then_some(*held));
            }
            Ok(lost)
        })
    }

    /// Takes what was done with hosts, all in one transaction, and says of each whether it was taken. Results are stored once, whoever reports
    /// them; nothing is taken under a lease that somebody else has by now, or of a round that is over.
    ///
    /// A host that is given back tired rests as long as it asked for, each time at least twice as long as before. One that is so after the
    /// longest rest, or asks for a longer one, is left alone: what is left of it is carried over. Whoever queues work for the host holds its row
    /// meanwhile, so what is queued right now is seen, or finds the row as it is left here.
    ///
    /// # Errors
    /// When the state cannot be written.
    pub fn take(&mut self, done: &BTreeMap<Lease, Done>) -> Result<Vec<bool>> {
        // Rows in one order: whoever else holds several of them does it in the same.
        self.run(|engine| done.iter().map(|(lease, (results, over))| take(engine, *lease, results, *over)).collect())
    }

    /// How long it is until a host may be asked; nothing when there is nothing to ask.
    ///
    /// # Errors
    /// When the state cannot be read.
    pub fn soonest(&mut self) -> Result<Option<Duration>> {
        let sql = "SELECT next_at - {clock} FROM host WHERE next_at IS NOT NULL ORDER BY next_at LIMIT 1";
        let rows = self.run(|engine| engine.rows(sql, ()))?;
        Ok(rows.first().map(|(time,): &(i64,)| Duration::from_millis((*time).max(0).cast_unsigned())))
    }
}

fn take(
    engine: &mut dyn Engine,
    lease: Lease,
    results: &[(i64, Observation)],
    over: Option<Manners>,
) -> std::result::Result<bool, Fault> {
    let sql = "SELECT backoff, pause FROM host WHERE id = ?1 AND token = ?2 {lock}";
    let rows: Vec<(i64, i64)> = engine.rows(sql, (lease.host, lease.token))?;
    let Some(&(rested, paused)) = rows.first() else { return Ok(false) };
    let seen = |(source, seen): &(i64, Observation)| row((lease.round, source, seen.seen, Json(seen)));
    engine.batch(
        "INSERT INTO observation (round, source, seen, body) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (round, source) DO NOTHING",
        &results.iter().map(seen).collect::<std::result::Result<Vec<_>, _>>()?,
    )?;
    let done: Vec<_> = results.iter().map(|(source, _)| vec![(*source).into()]).collect();
    engine.batch("DELETE FROM job WHERE source = ?1", &done)?;
    let Some(manners) = over else { return Ok(true) };
    let asked = manners.wish.map_or(0, |wish| millis(wish.rest));
    let rest = match (manners.tired, asked) {
        (false, _) => 0,
        (true, 0) => (rested * 2).clamp(millis(REST), millis(LONGEST_REST)),
        (true, asked) => asked.max((rested * 2).min(millis(LONGEST_REST))),
    };
    let gives_up = rest > millis(LONGEST_REST) || (manners.tired && rested >= millis(LONGEST_REST));
    if gives_up {
        engine.execute("DELETE FROM job WHERE host = ?1", [lease.host])?;
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
        [lease.host, backoff, pause, rest, rest.max(gap)],
    )?;
    Ok(true)
}

fn work_of(engine: &mut dyn Engine, host: i64, most: usize) -> std::result::Result<Vec<Work>, Fault> {
    let jobs = "SELECT source FROM job WHERE host = ?1 ORDER BY source LIMIT ?2";
    let values = (host, most);
    let sources = format!("SELECT id, body FROM source WHERE id IN ({jobs}) ORDER BY id");
    let sentences = format!(
        "SELECT DISTINCT source, sentence FROM citation WHERE source IN ({jobs}) AND claim = 1 ORDER BY source, sentence"
    );
    let mut claims: HashMap<i64, Vec<String>> = HashMap::new();
    for (source, sentence) in engine.rows(&sentences, values)? {
        claims.entry(source).or_default().push(sentence);
    }
    let of = |(id, Json(source))| {
        let mut claims = claims.remove(&id).unwrap_or_default();
        claims.truncate(CLAIMS);
        Work { id, source, claims }
    };
    Ok(engine.rows(&sources, values)?.into_iter().map(of).collect())
}

pub(super) fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX / 4)
}
