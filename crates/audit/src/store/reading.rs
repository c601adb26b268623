//! What reports read, and what they leave behind.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::engine::{Engine, Fault};
use super::{Store, id_of, integer, moment, most_rows, number, parse, text, write_back, written};
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
            engine.query(
                "SELECT CASE WHEN known_until > ?1 AND state NOT IN ('alive', 'unknown') THEN 'acknowledged' ELSE state END AS counted, count(*)
                 FROM source WHERE due IS NOT NULL GROUP BY counted",
                &[now.as_second().into()],
            )
        })?;
        Ok(rows
            .into_iter()
            .filter_map(|mut row| Some((text(&mut row, 0).parse::<State>().ok()?, integer(&row, 1).cast_unsigned())))
            .collect())
    }

    /// The next sources after `after` that a report has something to look at, in the order of their numbers.
    ///
    /// # Errors
    /// When the state cannot be read.
    pub fn page(&mut self, after: i64, most: usize) -> Result<Vec<ReportedSource>> {
        self.sources("news = 1 AND due IS NOT NULL AND", after, most)
    }

    /// The next sources after `after`, whatever they are.
    ///
    /// # Errors
    /// When the state cannot be read.
    pub fn every(&mut self, after: i64, most: usize) -> Result<Vec<ReportedSource>> {
        self.sources("", after, most)
    }

    fn sources(&mut self, which: &str, after: i64, most: usize) -> Result<Vec<ReportedSource>> {
        self.run(|engine| {
            let sql = format!("SELECT id, body, due FROM source WHERE {which} id > ?1 ORDER BY id LIMIT ?2");
            let rows = engine.query(&sql, &[after.into(), most_rows(most)])?;
            let of = |mut row: super::Row| {
                let source = parse(&text(&mut row, 1))?;
                Ok(ReportedSource { id: integer(&row, 0), source, due: super::integer_or_null(&row, 2).map(moment) })
            };
            rows.into_iter().map(of).collect()
        })
    }

    /// Where documents stand on a source, the first `most` places.
    ///
    /// # Errors
    /// When the state cannot be read.
    pub fn places(&mut self, source: i64, most: usize) -> Result<Vec<CitationPosition>> {
        let rows = self.run(|engine| {
            engine.query(
                "SELECT d.path, c.line, c.sentence, c.claim FROM citation c JOIN document d ON d.id = c.document
                 WHERE c.source = ?1 ORDER BY d.path, c.line, c.sentence LIMIT ?2",
                &[source.into(), most_rows(most)],
            )
        })?;
        let of = |mut row: super::Row| CitationPosition {
            document: text(&mut row, 0),
            line: integer(&row, 1),
            sentence: text(&mut row, 2),
            is_claim: integer(&row, 3) == 1,
        };
        Ok(rows.into_iter().map(of).collect())
    }

    /// In how many places documents stand on a source.
    ///
    /// # Errors
    /// When the state cannot be read.
    pub fn places_in_all(&mut self, source: i64) -> Result<u64> {
        let sql = "SELECT count(*) FROM citation WHERE source = ?1";
        self.run(|engine| Ok(number(engine, sql, &[source.into()])?.cast_unsigned()))
    }

    /// The last `most` rounds, the oldest of them first.
    ///
    /// # Errors
    /// When the state cannot be read.
    pub fn days(&mut self, most: usize) -> Result<Vec<FinishedRound>> {
        self.run(|engine| {
            let rows = engine.query(
                "SELECT id, began, body FROM round WHERE status = 'closed' ORDER BY id DESC LIMIT ?1",
                &[most_rows(most)],
            )?;
            let of = |mut row: super::Row| {
                let settled = parse(&text(&mut row, 2))?;
                Ok(FinishedRound { round: integer(&row, 0), began: moment(integer(&row, 1)), settled })
            };
            rows.into_iter().rev().map(of).collect()
        })
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

    /// Notes that somebody knows of a source, or takes that back.
    ///
    /// # Errors
    /// When the state cannot be written, or nothing cites the address.
    pub fn acknowledge(&mut self, address: &str, given: Option<&Acknowledgement>) -> Result<()> {
        let id = id_of(&followed_key(address).0);
        let found = self.run(|engine| change(engine, id, |source| source.acknowledgement = given.cloned()))?;
        if found {
            return Ok(());
        }
        Err(Error::input(format!("{}: no document cites {address}; write it as the report does", self.name)))
    }
}

/// Changes a source that is known, and says whether it is.
fn change(engine: &mut dyn Engine, id: i64, change: impl FnOnce(&mut Remembered)) -> std::result::Result<bool, Fault> {
    let Some(mut row) = engine.query("SELECT body, due FROM source WHERE id = ?1", &[id.into()])?.pop() else {
        return Ok(false);
    };
    let mut source: Remembered = parse(&text(&mut row, 0))?;
    change(&mut source);
    write_back(engine, &[written(id, &source, row.swap_remove(1))?])?;
    Ok(true)
}
