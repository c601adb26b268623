//! What reports read, and what they leave behind.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::engine::{Engine, Fault, Json};
use super::{Store, id_of, moment, write_back, written};
use crate::report::{CitationPosition, FinishedRound};
use crate::{Acknowledgement, News, Remembered, State};
use cited_core::address::identity::followed_key;
use cited_core::error::{Error, Result};

/// A source that a report looks at.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportedSource {
    /// Its number.
    pub id: i64,
    /// What is known of it.
    pub source: Remembered,
    /// When it is asked again; nothing when no document cites it any more.
    pub due: Option<Timestamp>,
}

impl Store {
    /// All sources that a document cites, by state.
    ///
    /// # Errors
    /// When the state cannot be read.
    pub fn counts(&mut self, now: Timestamp) -> Result<BTreeMap<State, u64>> {
        let rows = self.run(|engine| {
            engine.rows::<(State, u64)>(
                "SELECT CASE WHEN known_until > ?1 AND state NOT IN ('alive', 'unknown') THEN 'acknowledged' ELSE state END AS counted, count(*)
                 FROM source WHERE due IS NOT NULL GROUP BY counted",
                [now.as_second()],
            )
        })?;
        Ok(rows.into_iter().collect())
    }

    /// The next sources after `after`, in the order of their numbers: all, or those that a report has something to look at.
    ///
    /// # Errors
    /// When the state cannot be read.
    pub fn page(&mut self, all: bool, after: i64, most: usize) -> Result<Vec<ReportedSource>> {
        let which = if all { "" } else { "news = 1 AND due IS NOT NULL AND" };
        self.run(|engine| {
            let sql = format!("SELECT id, body, due FROM source WHERE {which} id > ?1 ORDER BY id LIMIT ?2");
            let of = |(id, Json(source), due): (i64, Json<Remembered>, Option<i64>)| ReportedSource {
                id,
                source,
                due: due.map(moment),
            };
            Ok(engine.rows(&sql, (after, most))?.into_iter().map(of).collect())
        })
    }

    /// Where documents stand on a source, the first `most` places.
    ///
    /// # Errors
    /// When the state cannot be read.
    pub fn places(&mut self, source: i64, most: usize) -> Result<Vec<CitationPosition>> {
        let rows = self.run(|engine| {
            engine.rows(
                "SELECT d.path, c.line, c.sentence, c.claim FROM citation c JOIN document d ON d.id = c.document
                 WHERE c.source = ?1 ORDER BY d.path, c.line, c.sentence LIMIT ?2",
                (source, most),
            )
        })?;
        let of = |(document, line, sentence, claim): (String, i64, String, i64)| CitationPosition {
            document,
            line,
            sentence,
            is_claim: claim == 1,
        };
        Ok(rows.into_iter().map(of).collect())
    }

    /// In how many places documents stand on a source.
    ///
    /// # Errors
    /// When the state cannot be read.
    pub fn places_in_all(&mut self, source: i64) -> Result<u64> {
        let sql = "SELECT count(*) FROM citation WHERE source = ?1";
        Ok(self.run(|engine| engine.number(sql, [source]))?.cast_unsigned())
    }

    /// The last `most` rounds, the oldest of them first.
    ///
    /// # Errors
    /// When the state cannot be read.
    pub fn days(&mut self, most: usize) -> Result<Vec<FinishedRound>> {
        let sql = "SELECT id, began, body FROM round WHERE status = 'closed' ORDER BY id DESC LIMIT ?1";
        let rows = self.run(|engine| engine.rows(sql, [most]))?;
        let of = |(round, began, Json(settled))| FinishedRound { round, began: moment(began), settled };
        Ok(rows.into_iter().rev().map(of).collect())
    }

    /// Takes note of what a report has told.
    ///
    /// # Errors
    /// When the state cannot be written.
    pub fn mark_reported(&mut self, news: &[(i64, News)]) -> Result<()> {
        self.run(|engine| {
            news.iter().try_for_each(|(id, news)| change(engine, *id, |source| source.mark_reported(*news)).map(drop))
        })
    }

    /// Notes that somebody knows of a source.
    ///
    /// # Errors
    /// When the state cannot be written, or nothing cites the address.
    pub fn acknowledge(&mut self, address: &str, given: &Acknowledgement) -> Result<()> {
        let id = id_of(&followed_key(address).0);
        let found = self.run(|engine| change(engine, id, |source| source.acknowledgement = Some(given.clone())))?;
        if found {
            return Ok(());
        }
        Err(Error::input(format!("{}: no document cites {address}; write it as the report does", self.name)))
    }
}

/// Changes a source that is known, and says whether it is.
fn change(engine: &mut dyn Engine, id: i64, change: impl FnOnce(&mut Remembered)) -> std::result::Result<bool, Fault> {
    let mut rows = engine.rows("SELECT body, due FROM source WHERE id = ?1", [id])?;
    let Some((Json(mut source), due)) = rows.pop() else { return Ok(false) };
    change(&mut source);
    write_back(engine, &[written(id, &source, due)?])?;
    Ok(true)
}
