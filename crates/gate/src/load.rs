//! Data into the engine, for the metrics of a ledger.

use std::io::Read;

use rusqlite::Connection;

use super::data::{self, Fault, Format, Table};
use super::engine::{Engine, Limits};
use super::examine::{Evidence, Examined, Metrics, collect_metrics, examine};
use super::ledger;
use super::report::{DataFile, DataTable};
use super::sources::Source;
use cited_core::error::{Error, Result};
use cited_core::input::Input;
use cited_core::page::sha256_hex;

/// The engine with the data that was loaded.
pub struct Data {
    engine: Engine,
    files: Vec<DataFile>,
}

impl Data {
    /// An engine without data.
    ///
    /// # Errors
    /// When it has no memory.
    pub fn new(limits: Limits) -> Result<Data> {
        Ok(Data { engine: Engine::new(limits).map_err(|fault| engine_fault(&fault))?, files: Vec::new() })
    }

    /// Loads a file of records.
    ///
    /// # Errors
    /// When it cannot be read, a record does not fit, or another file has a table of its name.
    pub fn load_records(&mut self, name: &str, format: Format, from: impl Read) -> std::result::Result<(), Fault> {
        self.vet_table(&data::table_name(name))?;
        let (table, sha256, bytes) = data::load(self.engine.connection(), name, format, from)?;
        self.add(name, (sha256, bytes), vec![table], Vec::new());
        Ok(())
    }

    /// Loads the tables of a database with this hash and so many bytes.
    ///
    /// # Errors
    /// When it cannot be read, or another file has a table of the same name.
    pub fn load_database(
        &mut self,
        name: &str,
        from: &Connection,
        hashed: (String, u64),
    ) -> std::result::Result<(), Fault> {
        let (tables, left) = data::list(from)?;
        tables.iter().try_for_each(|table| self.vet_table(table))?;
        let copy = |table: String| data::copy_table(from, self.engine.connection(), table, name);
        let tables = tables.into_iter().map(copy).collect::<std::result::Result<_, _>>()?;
        self.add(name, hashed, tables, left);
        Ok(())
    }

    fn vet_table(&self, name: &str) -> std::result::Result<(), Fault> {
        let other = self.engine.tables().iter().find(|other| other.name.eq_ignore_ascii_case(name));
        other.map_or(Ok(()), |other| {
            let message = format!("its table `{name}` is already that of {}; rename one", other.file);
            Err(Fault::Malformed(None, message))
        })
    }

    fn add(&mut self, name: &str, (sha256, bytes): (String, u64), tables: Vec<Table>, left: Vec<String>) {
        let described = |table: &Table| DataTable {
            name: table.name.clone(),
            rows: table.rows,
            columns: table.columns.iter().map(|column| (column.name.clone(), column.kind)).collect(),
        };
        let described = tables.iter().map(described).collect();
        self.files.push(DataFile { path: name.to_owned(), sha256, bytes, tables: described, left });
        tables.into_iter().for_each(|table| self.engine.add(table));
    }

    /// What a ledger is examined with: the data, behind a closed engine, with the metrics that count and the sources that may be quoted.
    ///
    /// # Errors
    /// When the engine has no memory left.
    pub fn evidence(mut self, metrics: Metrics, sources: Vec<Source>, allow_empty: bool) -> Result<Evidence> {
        self.engine.close().map_err(|fault| engine_fault(&fault))?;
        Ok(Evidence { engine: self.engine, metrics, sources, data: self.files, allow_empty })
    }
}

fn engine_fault(fault: &Fault) -> Error {
    Error::input(fault.in_file("the engine"))
}

/// Examines a ledger with data and sources that are texts, each called by its path and its stem: the gate for programs.
///
/// # Errors
/// When data is malformed, or its ending is none that is known. A ledger that cannot be read is no error: it is not accepted, and says why.
pub fn examine_texts(ledger: &Input, data: &[Input], sources: &[Input]) -> Result<Examined> {
    let read = ledger::read(&ledger.text);
    let mut loaded = Data::new(Limits::default())?;
    for Input { path, text } in data {
        let format = Format::of_name(path).filter(|format| *format != Format::Sqlite);
        let Some(format) = format else {
            let known = Format::endings();
            return Err(Error::input(format!("{path}: the ending says what data is; it must be one of {known}")));
        };
        let done = loaded.load_records(path, format, text.as_bytes());
        done.map_err(|fault| Error::input(fault.in_file(path)))?;
    }
    let source = |input: &Input| {
        let name = input.path.rsplit(['/', '\\']).next().unwrap_or(&input.path);
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let names = vec![name.to_owned(), stem.to_owned()];
        Source::file(names, &input.path, input.text.to_string(), sha256_hex(input.text.as_bytes()))
    };
    let sources: Vec<Source> = sources.iter().map(source).collect();
    let sha256 = Some(sha256_hex(ledger.text.as_bytes()));
    let metrics = collect_metrics(&read, &ledger.path, &[], false);
    Ok(examine(&read, &ledger.path, sha256, loaded.evidence(metrics, sources, false)?))
}
