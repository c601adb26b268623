//! Data into the engine, for the metrics of a ledger.

use std::io::{Cursor, Read};
use std::sync::Arc;

use rusqlite::Connection;

use super::data::{self, Fault, Format, Held, Open, Scanned, Table};
use super::engine::{Engine, Limits};
pub use super::examine::Metric;
use super::examine::{Evidence, Examined, Metrics, examine};
use super::ledger::{self, Ledger};
use super::report::{DataFile, DataTable};
use super::sources::Source;
use cited_core::error::{Error, Result};
use cited_core::input::Input;
use cited_core::page::sha256_hex;

/// A data file that was looked at once, and how to read it a second time.
pub struct DataSource {
    name: String,
    from: From,
}

enum From {
    Records { format: Format, scanned: Scanned, open: Box<Open<'static>> },
    Database { connection: Connection, held: Held, sha256: String, bytes: u64, hash: Box<Hash> },
}

/// Gives the SHA-256 of a file as it is now.
type Hash = dyn Fn() -> Result<String>;

impl DataSource {
    /// Records that `open` gives, twice.
    ///
    /// # Errors
    /// When they cannot be read, or one does not fit.
    pub fn records(
        name: impl Into<String>,
        format: Format,
        open: Box<Open<'static>>,
    ) -> std::result::Result<Self, Fault> {
        let name = name.into();
        let scanned = data::scan(&name, format, &*open)?;
        Ok(DataSource { name, from: From::Records { format, scanned, open } })
    }

    /// The records of a text; the ending of its path says what they are.
    ///
    /// # Errors
    /// When the ending is none of a text with records, or a record does not fit.
    pub fn of_text(input: &Input) -> Result<Self> {
        let format = Format::of_name(&input.path).filter(|format| *format != Format::Sqlite);
        let Some(format) = format else {
            let known = Format::endings();
            return Err(Error::input(format!(
                "{}: the ending says what data is; it must be one of {known}",
                input.path
            )));
        };
        let text = Arc::clone(&input.text);
        let open = move || Ok(Box::new(Cursor::new(text.as_bytes().to_vec())) as Box<dyn Read>);
        DataSource::records(&input.path, format, Box::new(open))
            .map_err(|fault| Error::input(fault.in_file(&input.path)))
    }

    /// A database that is open; `hash` tells afterwards whether somebody changed it.
    pub fn database(
        name: impl Into<String>,
        connection: Connection,
        held: Held,
        (sha256, bytes): (String, u64),
        hash: Box<Hash>,
    ) -> Self {
        DataSource { name: name.into(), from: From::Database { connection, held, sha256, bytes, hash } }
    }

    fn tables(&self) -> &[Table] {
        match &self.from {
            From::Records { scanned, .. } => std::slice::from_ref(&scanned.table),
            From::Database { held, .. } => &held.tables,
        }
    }

    /// Puts it into the engine.
    fn fill(self, engine: &Engine) -> Result<DataFile> {
        let tables = self.tables().iter().map(described).collect();
        let DataSource { name, from } = self;
        let (result, sha256, bytes, left) = match from {
            From::Records { format, scanned, open } => {
                let result = data::load(engine.connection(), &scanned, format, &*open);
                (result, scanned.sha256, scanned.bytes, Vec::new())
            }
            From::Database { connection, held, sha256, bytes, hash } => {
                let copy = |table: &Table| data::copy_table(&connection, engine.connection(), table);
                let result = held.tables.iter().try_for_each(copy);
                if hash()? != sha256 {
                    let message = format!("{name}: changed while it was read; run again when it is complete");
                    return Err(Error::input(message));
                }
                (result, sha256, bytes, held.left)
            }
        };
        result.map_err(|fault| Error::input(fault.in_file(&name)))?;
        Ok(DataFile { path: name, sha256, bytes, tables, left })
    }
}

fn described(table: &Table) -> DataTable {
    DataTable {
        name: table.name.clone(),
        rows: table.rows,
        columns: table.columns.iter().map(|column| (column.name.clone(), column.kind)).collect(),
    }
}

/// The engine with all data, and the metrics that count.
pub struct Loaded {
    /// The engine, closed.
    pub engine: Engine,
    /// The metrics by name.
    pub metrics: Metrics,
    /// What was loaded, for the report.
    pub data: Vec<DataFile>,
}

impl Loaded {
    /// What a ledger is examined by, with the sources that may be quoted.
    pub fn evidence<'e>(&'e mut self, sources: &'e [Source], allow_empty: bool) -> Evidence<'e> {
        let data = std::mem::take(&mut self.data);
        Evidence { engine: &self.engine, metrics: &self.metrics, sources, data, allow_empty }
    }
}

/// Loads all data; `callers` are the metrics that somebody else than the ledger declares.
///
/// # Errors
/// When a file cannot be read or is malformed, or two tables have one name.
pub fn load(
    ledger: &Ledger,
    path: &str,
    data: Vec<DataSource>,
    (callers, trusted_only): (&[Metric], bool),
    limits: Limits,
) -> Result<Loaded> {
    let tables: Vec<Table> = data.iter().flat_map(DataSource::tables).cloned().collect();
    vet_names(&tables)?;
    let engine_fault = |fault: Fault| Error::input(fault.in_file("the engine"));
    let mut engine = Engine::new(tables, limits).map_err(engine_fault)?;
    let metrics = Metrics::collect(ledger, path, callers, trusted_only);
    let data = data.into_iter().map(|file| file.fill(&engine)).collect::<Result<_>>()?;
    engine.close().map_err(engine_fault)?;
    Ok(Loaded { engine, metrics, data })
}

fn vet_names(tables: &[Table]) -> Result<()> {
    for (at, table) in tables.iter().enumerate() {
        if let Some(other) = tables[..at].iter().find(|other| other.name.eq_ignore_ascii_case(&table.name)) {
            let (one, two) = (&other.file, &table.file);
            let message = format!("{two}: its table `{}` is already that of {one}; rename one", table.name);
            return Err(Error::input(message));
        }
    }
    Ok(())
}

/// Examines a ledger with data and sources that are texts, each called by its path and its stem: the gate for programs.
///
/// # Errors
/// When data is malformed, or its ending is none that is known. A ledger that cannot be read is no error: it is not accepted, and says why.
pub fn examine_texts(ledger: &Input, data: &[Input], sources: &[Input]) -> Result<Examined> {
    let read = ledger::read(&ledger.text);
    let data = data.iter().map(DataSource::of_text).collect::<Result<_>>()?;
    let mut loaded = load(&read, &ledger.path, data, (&[], false), Limits::default())?;
    let source = |input: &Input| {
        let name = input.path.rsplit(['/', '\\']).next().unwrap_or(&input.path);
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let names = vec![name.to_owned(), stem.to_owned()];
        Source::file(names, &input.path, input.text.to_string(), sha256_hex(input.text.as_bytes()))
    };
    let sources: Vec<Source> = sources.iter().map(source).collect();
    let sha256 = Some(sha256_hex(ledger.text.as_bytes()));
    Ok(examine(&read, &ledger.path, sha256, loaded.evidence(&sources, false)))
}
