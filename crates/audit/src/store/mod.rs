//! What the audit remembers: one API over an embedded SQLite file or a PostgreSQL server.
//!
//! The statements are the same for both (an engine carries them out); what differs is how hosts are claimed by several workers at
//! once. Every operation is one transaction and can be repeated: a process that is killed at any moment loses at most the checks that
//! were under way.
//!
//! A **round** is one audit: [`Store::begin`] queues what is due, by host. [`Store::claim`] lends hosts to whoever works, with a lease
//! and a fencing token; [`Store::take`] takes results while the token is the newest. [`Store::settle`] lets the sources learn from the
//! round, unless the night was bad.

mod engine;
#[cfg(feature = "postgres")]
mod postgres;
mod queue;
mod reading;
mod rounds;
mod schema;
mod sqlite;
#[cfg(test)]
mod tests;

pub use queue::{Batch, Done, Lease, Manners, Work};
pub use reading::ReportedSource;
pub use rounds::Round;

use std::collections::HashMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use url::Position;

use crate::{Pin, Remembered};
use cited_core::error::{Error, Result};
use engine::{Engine, Fault, Json, Row, row};
use serde_json::Value;

/// The addresses by which PostgreSQL is named.
const POSTGRES: [&str; 2] = ["postgres://", "postgresql://"];
/// Sources that are brought in line at once.
const PAGE: usize = 256;
/// What the audit remembers.
pub struct Store {
    engine: Box<dyn Engine>,
    /// How users know it; a password is not part of it.
    pub name: String,
}

/// A document that cites.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// Its path, as users know it.
    pub path: String,
    /// SHA-256 of its text: one that did not change is not read again.
    pub sha256: String,
    /// What it cites.
    pub sources: Vec<Cited>,
}

/// A source that a document cites.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Cited {
    /// What it is compared by.
    pub key: String,
    /// Its addresses, the one to show first.
    pub addresses: Vec<String>,
    /// Titles that the document gives it.
    pub titles: Vec<String>,
    /// When the author looked.
    pub accessed: Option<jiff::civil::Date>,
    /// Where the document stands on it.
    pub places: Vec<CitedAt>,
    /// Passages that a record pinned.
    pub pins: Vec<Pin>,
}

/// Where a document stands on a source.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CitedAt {
    /// The line, from 1; 0 where there are none.
    pub line: i64,
    /// Whether the sentence is a claim that the page is to support; otherwise it only links to it.
    pub is_claim: bool,
    /// The sentence; empty where there is none.
    pub sentence: String,
}

impl Store {
    /// Whether several processes may work on it at once.
    pub fn is_shared(&self) -> bool {
        self.engine.is_shared()
    }

    /// Keeps other audits away until this one is over, also when it is killed. `waiting` is called once when another one is at work.
    ///
    /// # Errors
    /// When it cannot be locked.
    pub fn lock(&mut self, waiting: impl FnOnce()) -> Result<()> {
        let name = self.name.clone();
        let wrong = |fault: Fault| Error::input(format!("{name}: {fault}"));
        if !self.engine.lock(false).map_err(wrong)? {
            waiting();
            self.engine.lock(true).map_err(wrong)?;
        }
        Ok(())
    }

    /// Carries out `work` in one transaction, again when the connection was lost: all of it may be repeated.
    fn run<T>(&mut self, mut work: impl FnMut(&mut dyn Engine) -> std::result::Result<T, Fault>) -> Result<T> {
        let mut tries = 0;
        loop {
            let engine = self.engine.as_mut();
            let result = engine.script("{begin}").and_then(|()| {
                let done = work(engine).and_then(|done| engine.script("COMMIT").map(|()| done));
                done.inspect_err(|_| drop(engine.script("ROLLBACK")))
            });
            match result {
                Ok(done) => return Ok(done),
                Err(Fault::Lost(why)) => {
                    tries += 1;
                    engine.reconnect(tries).map_err(|fault| {
                        Error::input(format!(
                            "{}: {why}, and {fault}; what was stored is kept, run it again",
                            self.name
                        ))
                    })?;
                }
                Err(fault) => return Err(Error::input(format!("{}: {fault}", self.name))),
            }
        }
    }

    /// Whether a document is known as it is now.
    ///
    /// # Errors
    /// When the state cannot be read.
    pub fn is_known(&mut self, path: &str, sha256: &str) -> Result<bool> {
        let sql = "SELECT count(*) FROM document WHERE id = ?1 AND sha256 = ?2";
        Ok(self.run(|engine| engine.number(sql, (id_of(path), sha256)))? > 0)
    }

    /// The paths of all documents.
    ///
    /// # Errors
    /// When the state cannot be read.
    pub fn documents(&mut self) -> Result<Vec<String>> {
        let rows = self.run(|engine| engine.rows("SELECT path FROM document ORDER BY path", ()))?;
        Ok(rows.into_iter().map(|(path,)| path).collect())
    }

    /// Takes note of a document as it is now: what it cites is asked from now on, what nothing cites any more is not.
    ///
    /// # Errors
    /// When the state cannot be written.
    pub fn document(&mut self, document: &Document, now: Timestamp) -> Result<()> {
        self.run(|engine| {
            let id = id_of(&document.path);
            let mut touched = sources_of(engine, id)?;
            engine.execute("DELETE FROM citation WHERE document = ?1", [id])?;
            engine.execute(
                "INSERT INTO document (id, path, sha256) VALUES (?1, ?2, ?3)
                 ON CONFLICT (id) DO UPDATE SET path = excluded.path, sha256 = excluded.sha256",
                (id, &document.path, &document.sha256),
            )?;
            let (mut hosts, mut sources, mut citations) = (Vec::new(), Vec::new(), Vec::new());
            for cited in &document.sources {
                let source = id_of(&cited.key);
                let host = host_of(cited.addresses.first().unwrap_or(&cited.key));
                hosts.push(row((id_of(&host), &host))?);
                let mut body = Remembered { addresses: Vec::new(), ..Remembered::new(&cited.key, now) };
                learn_of(&mut body, cited);
                sources.push(row((source, &cited.key, id_of(&host), body.state, now.as_second(), Json(&body)))?);
                touched.push(source);
                for at in &cited.places {
                    citations.push(row((source, id, at.line, i64::from(at.is_claim), &at.sentence))?);
                }
            }
            engine.batch("INSERT INTO host (id, name) VALUES (?1, ?2) ON CONFLICT (id) DO NOTHING", &sorted(hosts))?;
            engine.batch(
                "INSERT INTO source (id, key, host, state, due, body) VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (id) DO NOTHING",
                &sorted(sources),
            )?;
            engine.batch("INSERT INTO citation (source, document, line, claim, sentence) VALUES (?1, ?2, ?3, ?4, ?5)", &citations)?;
            touched.sort_unstable();
            touched.dedup();
            let given = document.sources.iter().map(|cited| (id_of(&cited.key), cited)).collect();
            reconcile(engine, &touched, &given, now)
        })
    }

    /// Takes note that a document is no more.
    ///
    /// # Errors
    /// When the state cannot be written.
    pub fn forget(&mut self, path: &str, now: Timestamp) -> Result<()> {
        self.run(|engine| {
            let id = id_of(path);
            let touched = sources_of(engine, id)?;
            engine.execute("DELETE FROM citation WHERE document = ?1", [id])?;
            engine.execute("DELETE FROM document WHERE id = ?1", [id])?;
            reconcile(engine, &touched, &HashMap::new(), now)
        })
    }
}

/// The sources that a document cites.
fn sources_of(engine: &mut dyn Engine, document: i64) -> std::result::Result<Vec<i64>, Fault> {
    let rows = engine.rows("SELECT DISTINCT source FROM citation WHERE document = ?1", [document])?;
    Ok(rows.into_iter().map(|(source,)| source).collect())
}

/// Brings sources in line with what cites them now: addresses and titles of documents, passages of claims that are still made, and
/// whether they are asked at all.
fn reconcile(
    engine: &mut dyn Engine,
    touched: &[i64],
    given: &HashMap<i64, &Cited>,
    now: Timestamp,
) -> std::result::Result<(), Fault> {
    for part in touched.chunks(PAGE) {
        // One statement for all parts: a short one names its last source again and again.
        let ids: Vec<Option<&i64>> = (0..PAGE).map(|at| part.get(at).or(part.last())).collect();
        let names = (1..=PAGE).map(|number| format!("?{number}")).collect::<Vec<_>>().join(", ");
        let sql = format!("SELECT id, key, body, due FROM source WHERE id IN ({names})");
        let rows: Vec<(i64, String, String, Option<i64>)> = engine.rows(&sql, &ids)?;
        let sql = format!("SELECT DISTINCT source, sentence FROM citation WHERE source IN ({names})");
        let mut claims: HashMap<i64, Vec<String>> = HashMap::new();
        for (source, sentence) in engine.rows(&sql, &ids)? {
            claims.entry(source).or_default().push(sentence);
        }
        let mut updates = Vec::with_capacity(rows.len());
        for (id, key, body, was_due) in rows {
            let mut source: Remembered = serde_json::from_str(&body)?;
            if let Some(cited) = given.get(&id) {
                if cited.key != key {
                    return Err(Fault::Wrong(format!(
                        "two sources have one number, {key} and {}: please report it",
                        cited.key
                    )));
                }
                learn_of(&mut source, cited);
            }
            let cites = claims.remove(&id);
            source.retain_claims(|claim| cites.as_ref().is_some_and(|cites| cites.iter().any(|known| known == claim)));
            let due = cites.and(was_due.or(Some(now.as_second())));
            let row = written(id, &source, due)?;
            // What stays as it was is not written: a new source just was.
            if due != was_due || row.last() != Some(&Value::String(body)) {
                updates.push(row);
            }
        }
        write_back(engine, &updates)?;
    }
    Ok(())
}

/// Adds what a document says of a source.
fn learn_of(source: &mut Remembered, cited: &Cited) {
    let add = |known: &mut Vec<String>, more: &[String]| {
        let new: Vec<String> = more.iter().filter(|one| !known.contains(one)).cloned().collect();
        known.extend(new);
    };
    add(&mut source.addresses, &cited.addresses);
    add(&mut source.titles, &cited.titles);
    source.accessed = source.accessed.max(cited.accessed);
    let new = cited.pins.iter().filter(|pin| source.pins.iter().all(|known| known.claim != pin.claim));
    let new: Vec<Pin> = new.cloned().collect();
    source.pins.extend(new);
}

/// The row of a source as [`write_back`] takes it.
fn written(id: i64, source: &Remembered, due: Option<i64>) -> std::result::Result<Row, Fault> {
    let known_until = source.acknowledgement.as_ref().map_or(0, |given| given.until.as_second());
    let news = i64::from(source.is_worth_a_look());
    row((id, source.state, due, known_until, news, Json(source)))
}

fn write_back(engine: &mut dyn Engine, rows: &[Row]) -> std::result::Result<(), Fault> {
    engine
        .batch("UPDATE source SET state = ?2, due = ?3, known_until = ?4, news = ?5, body = ?6 WHERE id = ?1", rows)?;
    Ok(())
}

/// Rows in the order of their first value, each once: transactions that write the same rows in one order wait for each other and never
/// lock each other out.
fn sorted(mut rows: Vec<Row>) -> Vec<Row> {
    rows.sort_by_key(|row| row[0].as_i64());
    rows.dedup_by_key(|row| row[0].as_i64());
    rows
}

/// The number of a name: 63 bits of its SHA-256. At a hundred million sources two have the same with a probability of one in two
/// thousand; that is noticed and said.
fn id_of(name: &str) -> i64 {
    let digest = Sha256::digest(name.as_bytes());
    let first = digest.first_chunk::<8>().copied().unwrap_or_default();
    (u64::from_be_bytes(first) >> 1).cast_signed()
}

/// Whether a state is named by the address of a server.
pub fn is_server(place: &str) -> bool {
    POSTGRES.iter().any(|scheme| place.starts_with(scheme))
}

/// How users know a state: an address without its password.
pub fn shown(place: &str) -> String {
    if !place.contains("://") {
        return place.to_owned();
    }
    match url::Url::parse(place) {
        Ok(mut url) => {
            let _ = url.set_password(None);
            // A password may stand there, too.
            url.set_query(None);
            url.to_string()
        }
        Err(_) => "postgres://…".to_owned(),
    }
}

/// The host of an address, with its port where it names one; the address itself where it has none.
pub fn host_of(address: &str) -> String {
    match url::Url::parse(address) {
        Ok(url) if url.has_host() => url[Position::BeforeHost..Position::AfterPort].to_owned(),
        _ => address.to_owned(),
    }
}

fn moment(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap_or(Timestamp::UNIX_EPOCH)
}
