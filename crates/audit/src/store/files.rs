//! The state as JSON lines: for backups, for other programs, and from one engine to the other.

use std::io::{BufRead, Write};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Cited, CitedAt, Document, Store, id_of, integer, json, text, write_back, written};
use crate::Remembered;
use crate::report::DayOf;
use cited_core::error::{Error, Result};

/// Version of the lines.
const SCHEMA: &str = "cited/audit-state/1";
/// Rows that are held in memory at once.
const PAGE: usize = 500;

/// One line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "kind")]
enum Line {
    State { schema: String },
    Document(Document),
    Source { due: Option<i64>, source: Box<Remembered> },
    Round(DayOf),
}

impl Store {
    /// Writes everything as JSON lines, in an order that depends on the content alone.
    ///
    /// # Errors
    /// When the state cannot be read, or `out` takes no more.
    pub fn export(&mut self, out: &mut dyn Write) -> Result<()> {
        let mut put = |line: &Line| {
            let text = serde_json::to_string(line).map_err(|error| Error::defect(error.to_string()))?;
            writeln!(out, "{text}").map_err(|error| Error::write("the export", error))
        };
        put(&Line::State { schema: SCHEMA.to_owned() })?;
        for path in self.documents()? {
            let document = self.document_as_it_is(&path)?;
            put(&Line::Document(document))?;
        }
        let mut after = i64::MIN;
        loop {
            let page = self.every(after, PAGE)?;
            let Some(last) = page.last() else { break };
            after = last.id;
            for told in page {
                put(&Line::Source { due: told.due.map(Timestamp::as_second), source: Box::new(told.source) })?;
            }
        }
        self.days(usize::MAX)?.into_iter().try_for_each(|day| put(&Line::Round(day)))
    }

    fn document_as_it_is(&mut self, path: &str) -> Result<Document> {
        self.run(|engine| {
            let id = id_of(path);
            let mut known = engine.query("SELECT sha256 FROM document WHERE id = ?1", &[id.into()])?;
            let sha256 = known.first_mut().map(|row| text(row, 0)).unwrap_or_default();
            let rows = engine.query(
                "SELECT s.key, c.line, c.sentence, c.claim FROM citation c JOIN source s ON s.id = c.source WHERE c.document = ?1
                 ORDER BY c.line, s.key, c.sentence",
                &[id.into()],
            )?;
            let mut sources: Vec<Cited> = Vec::new();
            for mut row in rows {
                let (key, sentence) = (text(&mut row, 0), text(&mut row, 2));
                let place = CitedAt { line: integer(&row, 1), is_claim: integer(&row, 3) == 1, sentence };
                match sources.iter_mut().find(|cited| cited.key == key) {
                    Some(cited) => cited.places.push(place),
                    None => sources.push(Cited { key, places: vec![place], ..Cited::default() }),
                }
            }
            Ok(Document { path: path.to_owned(), sha256, sources })
        })
    }

    /// Reads what [`export`](Self::export) wrote into a state that is empty.
    ///
    /// # Errors
    /// When the state is not empty or cannot be written, or a line is not understood.
    pub fn import(&mut self, lines: &mut dyn BufRead) -> Result<()> {
        let held = self.run(|engine| engine.query("SELECT 1 FROM source LIMIT 1", &[]))?;
        if !held.is_empty() {
            return Err(Error::input(format!("{}: is not empty; import into a new state", self.name)));
        }
        let mut is_ours = false;
        // The addresses of sources come after the documents that cite them.
        for (number, line) in (1..).zip(lines.lines()) {
            let line = line.map_err(|error| Error::read("the import", error))?;
            if line.trim().is_empty() {
                continue;
            }
            let wrong =
                |why: &dyn std::fmt::Display| Error::input(format!("the import:{number}: {why}; export it again"));
            let read: Line = serde_json::from_str(&line).map_err(|error| wrong(&error))?;
            match read {
                Line::State { schema } if schema == SCHEMA => is_ours = true,
                Line::State { schema } => return Err(wrong(&format!("is a {schema}, not a {SCHEMA}"))),
                _ if !is_ours => return Err(wrong(&format!("does not begin with {SCHEMA}"))),
                Line::Document(document) => self.document(&document, Timestamp::UNIX_EPOCH)?,
                Line::Source { due, source } => self.put(&source, due)?,
                Line::Round(day) => self.put_round(&day)?,
            }
        }
        if is_ours { Ok(()) } else { Err(Error::input("the import: is empty; export it again")) }
    }

    fn put(&mut self, source: &Remembered, due: Option<i64>) -> Result<()> {
        self.run(|engine| {
            let id = id_of(&source.key);
            let host = super::host_of(source.address());
            let row = vec![id_of(&host).into(), host.as_str().into()];
            engine.batch("INSERT INTO host (id, name) VALUES (?1, ?2) ON CONFLICT (id) DO NOTHING", &[row])?;
            engine.execute(
                "INSERT INTO source (id, key, host, state, body) VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (id) DO UPDATE SET host = excluded.host",
                &[id.into(), source.key.as_str().into(), id_of(&host).into(), source.state.as_str().into(), json(source)?.into()],
            )?;
            write_back(engine, &[written(id, source, due.map_or(super::Value::Null, Into::into))?])
        })
    }

    fn put_round(&mut self, day: &DayOf) -> Result<()> {
        let second = day.began.as_second();
        self.run(|engine| {
            engine.execute(
                "INSERT INTO round (id, began, ended, status, body) VALUES (?1, ?2, ?2, 'closed', ?3) ON CONFLICT (id) DO NOTHING",
                &[day.round.into(), second.into(), json(&day.settled)?.into()],
            )
        })?;
        Ok(())
    }
}
