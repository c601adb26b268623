//! Rounds: what is due is queued, asked, and learnt from together.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::engine::{Engine, Fault, Json};
use super::queue::{LONGEST, LONGEST_REST, millis};
use super::{Store, moment, write_back, written};
use crate::due::due;
use crate::report::Settled;
use crate::{Night, Observation, Remembered, Seen, State};
use cited_core::error::{Error, Result};

/// A round that was cut short is gone on with for so long; after that it is closed with what it has.
const RESUMED: SignedDuration = SignedDuration::from_hours(20);
/// So far a clock may be set back without a word: machines do not agree to the second.
const CLOCKS_DIFFER: SignedDuration = SignedDuration::from_hours(1);
/// Rounds that are remembered.
const NIGHTS: i64 = 1000;
/// Sources that learn in one transaction.
const PAGE: i64 = 500;
/// What is due at a time and was not asked in a round.
const WANTED: &str =
    "due <= ?1 AND NOT EXISTS (SELECT 1 FROM observation WHERE round = ?2 AND observation.source = source.id)";

/// A round that is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Round {
    /// Its number.
    pub id: i64,
    /// When it began.
    pub began: Timestamp,
    /// Sources that were due and are not yet asked.
    pub due: u64,
    /// Those of them that are queued: fewer where the run is bounded.
    pub queued: u64,
}

/// How far a round is. A bad night is decided once: a run that is killed while sources learn goes on with that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Status {
    Open,
    Learning,
    Void,
}

impl Store {
    /// Begins a round at `now`, or goes on with one that was cut short: what is due is queued, at most `most` checks in all, those with
    /// the highest risk first.
    ///
    /// # Errors
    /// When the state cannot be written, or the clock is before the last round.
    pub fn begin(&mut self, now: Timestamp, most: Option<u64>) -> Result<Round> {
        self.vet_clock(now)?;
        let sql = "SELECT id, began, status FROM round WHERE status <> 'closed' ORDER BY id DESC LIMIT 1";
        let unfinished = self.run(|engine| engine.rows(sql, ()))?.pop();
        let unfinished = unfinished.map(|(id, began, status): (i64, i64, Status)| (id, moment(began), status));
        let is_resumed = |began: Timestamp, status| status == Status::Open && now.duration_since(began) < RESUMED;
        if let Some((id, began, _)) = unfinished.filter(|(_, began, status)| !is_resumed(*began, *status)) {
            self.settle(id, began.max(now), false)?;
        }
        let open = unfinished.filter(|(_, began, status)| is_resumed(*began, *status));
        self.run(|engine| {
            let (id, began) = match open {
                Some((id, began, _)) => (id, began),
                None => {
                    let id = engine.number("SELECT coalesce(max(id), 0) FROM round", ())? + 1;
                    let sql = "INSERT INTO round (id, began, status, body) VALUES (?1, ?2, 'open', '{}')";
                    engine.execute(sql, (id, now.as_second()))?;
                    (id, now)
                }
            };
            let values = [now.as_second(), id];
            let due = engine.number(&format!("SELECT count(*) FROM source WHERE {WANTED}"), values)?;
            let done = engine.number("SELECT count(*) FROM observation WHERE round = ?1", [id])?;
            // A host that wants to be left alone for longer than a round waits for any is carried over.
            let longest = millis(LONGEST);
            let may_be_asked = format!(
                "host NOT IN (SELECT id FROM host WHERE rests_until BETWEEN {{clock}} + {} AND {{clock}} + {longest})",
                millis(LONGEST_REST)
            );
            // What an earlier bound left out, or queued beyond this one, is chosen anew.
            engine.execute("DELETE FROM job", ())?;
            let most = most.map_or(i64::MAX, |most| i64::try_from(most).unwrap_or(i64::MAX)).saturating_sub(done).max(0);
            // What began to fail comes first, then what waits longest.
            let first = "ORDER BY CASE state WHEN 'suspect' THEN 0 WHEN 'unknown' THEN 1 ELSE 2 END, due, id LIMIT";
            let first = if most >= due { String::new() } else { format!("{first} {most}") };
            let chosen = format!("SELECT id, host FROM source WHERE {WANTED} AND {may_be_asked} {first}");
            // Nobody else works on a file: what a killed process had borrowed is free.
            if !engine.is_shared() {
                engine.execute("UPDATE host SET token = token + 1, next_at = NULL WHERE next_at IS NOT NULL", ())?;
            }
            // The rows of the hosts first: whoever gives one back meanwhile waits, and then sees what is queued.
            engine.execute(
                &format!(
                    "UPDATE host SET next_at = CASE WHEN next_at <= {{clock}} + {longest} THEN next_at
                        WHEN rests_until BETWEEN {{clock}} AND {{clock}} + {longest} THEN rests_until ELSE {{clock}} END
                     WHERE id IN (SELECT DISTINCT host FROM ({chosen}) AS chosen)"
                ),
                values,
            )?;
            let queued = engine.execute(
                &format!("INSERT INTO job (source, host) SELECT id, host FROM ({chosen}) AS chosen WHERE true ON CONFLICT (source) DO NOTHING"),
                values,
            )?;
            Ok(Round { id, began, due: due.cast_unsigned(), queued })
        })
    }

    /// Makes sure that the clock is not before the last round.
    ///
    /// # Errors
    /// When it is.
    pub fn vet_clock(&mut self, now: Timestamp) -> Result<()> {
        let rows = self.run(|engine| engine.rows("SELECT max(coalesce(ended, began)) FROM round", ()))?;
        let Some(last) = rows.first().and_then(|(last,): &(Option<i64>,)| *last).map(moment) else { return Ok(()) };
        if now + CLOCKS_DIFFER < last {
            return Err(Error::input(format!(
                "{}: the last round was at {last}, and the clock says {now}; nothing was changed, set the clock",
                self.name
            )));
        }
        Ok(())
    }

    /// Ends a round: takes back what is lent, decides whether the night can be believed, lets sources learn, and closes.
    ///
    /// A run that is killed on the way is gone on with here: a source learns nothing twice from one check. A round in which nobody could be
    /// asked at all, as the network `is_down`, changes no state either.
    ///
    /// # Errors
    /// When the state cannot be written.
    pub fn settle(&mut self, round: i64, now: Timestamp, is_down: bool) -> Result<Settled> {
        let carried = self.run(|engine| {
            // Whoever still works comes too late.
            engine.execute("UPDATE host SET token = token + 1, next_at = NULL WHERE next_at IS NOT NULL", ())?;
            engine.execute("DELETE FROM job", ())?;
            engine.number(&format!("SELECT count(*) FROM source WHERE {WANTED}"), [now.as_second(), round])
        })?;
        let carried = carried.cast_unsigned();
        let mut settled = Settled { carried, ..Settled::default() };
        settled.failed_hosts = self.failed_hosts(round)?;
        let is_void = is_down || settled.failed_hosts.is_some();
        let status = if is_void { Status::Void } else { Status::Learning };
        let status = self.run(|engine| {
            engine.execute("UPDATE round SET status = ?2 WHERE id = ?1 AND status = 'open'", (round, status))?;
            let rows: Vec<(Status,)> = engine.rows("SELECT status FROM round WHERE id = ?1", [round])?;
            Ok(rows.first().map_or(status, |(status,)| *status))
        })?;
        let mut after = i64::MIN;
        loop {
            let (last, outcomes) = self.run(|engine| learn(engine, round, after, status))?;
            for outcome in outcomes {
                settled.checked += 1;
                *settled.outcomes.entry(outcome).or_default() += 1;
            }
            let Some(last) = last else { break };
            after = last;
        }
        settled.states = self.counts(now)?;
        self.run(|engine| {
            engine.execute(
                "UPDATE round SET status = 'closed', ended = ?2, body = ?3 WHERE id = ?1",
                (round, now.as_second(), Json(&settled)),
            )?;
            engine.execute("DELETE FROM round WHERE id <= ?1 AND status = 'closed'", [round - NIGHTS])?;
            engine.execute("DELETE FROM observation WHERE round <= ?1", [round])
        })?;
        Ok(settled)
    }

    fn failed_hosts(&mut self, round: i64) -> Result<Option<(usize, usize)>> {
        let mut night = Night::default();
        let mut after = i64::MIN;
        loop {
            let rows: Vec<(i64, String, State, Seen)> = self.run(|engine| {
                engine.rows(
                    "SELECT o.source, h.name, s.state, o.seen FROM observation o JOIN source s ON s.id = o.source JOIN host h ON h.id = s.host
                     WHERE o.round = ?1 AND o.source > ?2 ORDER BY o.source LIMIT ?3",
                    (round, after, PAGE * 10),
                )
            })?;
            let Some((last, ..)) = rows.last() else { return Ok(night.failed_hosts()) };
            after = *last;
            rows.iter().for_each(|(_, host, state, seen)| night.note(host, *state, *seen));
        }
    }
}

/// A source that learns: its number, what was seen, what is remembered of it, and when it was due.
type Learner = (i64, Json<Observation>, Json<Remembered>, Option<i64>);

/// Lets one page of sources learn: the last of them, and the outcomes.
fn learn(
    engine: &mut dyn Engine,
    round: i64,
    after: i64,
    status: Status,
) -> std::result::Result<(Option<i64>, Vec<String>), Fault> {
    let rows: Vec<Learner> = engine.rows(
        "SELECT o.source, o.body, s.body, s.due FROM observation o JOIN source s ON s.id = o.source
         WHERE o.round = ?1 AND o.source > ?2 ORDER BY o.source LIMIT ?3",
        (round, after, PAGE),
    )?;
    let last = rows.last().map(|(id, ..)| *id);
    let outcomes = rows.iter().map(|(_, Json(seen), ..)| seen.outcome.as_str().to_owned()).collect();
    let mut updates = Vec::with_capacity(rows.len());
    for (id, Json(observation), Json(mut source), was_due) in rows.into_iter().filter(|_| status != Status::Void) {
        source.take(&observation);
        // What nothing cites any more is not asked again.
        updates.push(written(id, &source, was_due.map(|_| due(&source, Some(observation.at)).as_second()))?);
    }
    write_back(engine, &updates)?;
    Ok((last, outcomes))
}

/// One page of learning, for a test of what happens when a run is killed after it.
#[cfg(test)]
pub(super) fn tests_learn(engine: &mut dyn Engine, round: i64) -> std::result::Result<(), Fault> {
    learn(engine, round, i64::MIN, Status::Learning).map(drop)
}
