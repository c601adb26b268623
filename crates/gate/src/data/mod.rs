//! The raw data that values are recomputed from: CSV, TSV, JSON, NDJSON and SQLite files as tables.
//!
//! Nothing is dropped in silence: a row that does not fit, a text that is not UTF-8, a quotation mark that is never closed
//! are errors with file and line. A file is read twice, once to see what its columns hold and once to load them, so that
//! no more than a record of it is in memory.

mod infer;
mod records;
mod separated;
mod sqlite;
mod table;
#[cfg(test)]
mod tests;

pub use infer::number;
pub use sqlite::{Held, copy_table, look};
pub use table::quoted;
pub use table::{Column, Fault, Kind, Table};
use table::{Field, Sink};

use std::io::{self, BufReader, Read};

use data_encoding::HEXLOWER;
use rusqlite::Connection;
use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use sha2::{Digest, Sha256};

use crate::scalar::Scalar;
use infer::Inferred;

/// How a data file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values (RFC 4180) with a header.
    Csv,
    /// Tab-separated values with a header.
    Tsv,
    /// A JSON list of objects.
    Json,
    /// A JSON object a line.
    Ndjson,
    /// A SQLite database.
    Sqlite,
}

/// Endings of data files.
const ENDINGS: [(&str, Format); 9] = [
    ("csv", Format::Csv),
    ("tsv", Format::Tsv),
    ("tab", Format::Tsv),
    ("json", Format::Json),
    ("ndjson", Format::Ndjson),
    ("jsonl", Format::Ndjson),
    ("db", Format::Sqlite),
    ("sqlite", Format::Sqlite),
    ("sqlite3", Format::Sqlite),
];

impl Format {
    /// The format of a file by the ending of its name.
    pub fn of_name(name: &str) -> Option<Format> {
        let (_, ending) = name.rsplit_once('.')?;
        ENDINGS.iter().find(|(known, _)| ending.eq_ignore_ascii_case(known)).map(|(_, format)| *format)
    }

    /// The endings that are known, for messages.
    pub fn endings() -> String {
        ENDINGS.map(|(ending, _)| format!(".{ending}")).join(", ")
    }
}

/// The name of the table for a file of this name: its stem, with `_` for what an identifier cannot have.
///
/// ```
/// assert_eq!(cited_gate::data::table_name("2024-weekly sales.csv"), "_2024_weekly_sales");
/// ```
pub fn table_name(file: &str) -> String {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let mut out: String = stem.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    if !out.starts_with(|c: char| c.is_alphabetic() || c == '_') || out.to_ascii_lowercase().starts_with("sqlite_") {
        out.insert(0, '_');
    }
    out
}

/// Opens a data file from its start.
pub type Open<'a> = dyn Fn() -> io::Result<Box<dyn Read>> + 'a;

/// A file whose columns have been looked at.
#[derive(Debug, Clone)]
pub struct Scanned {
    /// The table that it makes.
    pub table: Table,
    /// SHA-256 of the file, in hexadecimal.
    pub sha256: String,
    /// Its bytes.
    pub bytes: u64,
}

/// Reads a file of records once: what its columns hold, how many rows there are, and its hash.
///
/// # Errors
/// When it cannot be read, or a record does not fit.
pub fn scan(file: &str, format: Format, open: &Open<'_>) -> Result<Scanned, Fault> {
    let mut inferred = Inferred::default();
    let (sha256, bytes) = each_record(format, open, &mut inferred)?;
    let rows = inferred.rows;
    let columns = inferred.finish()?;
    let table = Table { name: table_name(file), columns, rows, file: file.to_owned() };
    Ok(Scanned { table, sha256, bytes })
}

fn each_record(format: Format, open: &Open<'_>, sink: &mut dyn Sink) -> Result<(String, u64), Fault> {
    let mut reader = BufReader::with_capacity(256 << 10, Hashing { inner: open()?, digest: Sha256::new(), bytes: 0 });
    match format {
        Format::Csv => separated::read(&mut reader, b',', sink)?,
        Format::Tsv => separated::read(&mut reader, b'\t', sink)?,
        Format::Json => records::read_list(&mut reader, sink)?,
        Format::Ndjson => records::read_lines(&mut reader, sink)?,
        Format::Sqlite => return Err(Fault::Malformed(None, "a database is no file of records".to_owned())),
    }
    let Hashing { digest, bytes, .. } = reader.into_inner();
    Ok((HEXLOWER.encode(&digest.finalize()), bytes))
}

/// SHA-256 of all that is read, in hexadecimal, and its bytes.
///
/// # Errors
/// When it cannot be read.
pub fn hash(inner: impl Read) -> io::Result<(String, u64)> {
    let mut reader = Hashing { inner, digest: Sha256::new(), bytes: 0 };
    let bytes = io::copy(&mut reader, &mut io::sink())?;
    Ok((HEXLOWER.encode(&reader.digest.finalize()), bytes))
}

/// Hashes what is read.
struct Hashing<R> {
    inner: R,
    digest: Sha256,
    bytes: u64,
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.digest.update(&buffer[..read]);
        self.bytes += read as u64;
        Ok(read)
    }
}

/// Makes the empty table.
pub(crate) fn create(connection: &Connection, table: &Table) -> Result<(), Fault> {
    let columns = table.columns.iter().map(|column| format!("{} {}", quoted(&column.name), column.kind.sql()));
    let columns: Vec<String> = columns.collect();
    Ok(connection.execute_batch(&format!("CREATE TABLE {} ({})", quoted(&table.name), columns.join(", ")))?)
}

/// Reads a file that was scanned a second time, into its table.
///
/// # Errors
/// When the file has changed since, or the engine has no memory left.
pub fn load(connection: &Connection, scanned: &Scanned, format: Format, open: &Open<'_>) -> Result<(), Fault> {
    let read = |loader: &mut dyn Sink| each_record(format, open, loader);
    let (sha256, _) = fill(connection, &scanned.table, read)?;
    if sha256 == scanned.sha256 {
        Ok(())
    } else {
        Err(Fault::Malformed(None, "changed while it was read; run again when it is complete".to_owned()))
    }
}

/// Fills a table with what is read.
pub(crate) fn fill<T>(
    connection: &Connection,
    table: &Table,
    read: impl FnOnce(&mut dyn Sink) -> Result<T, Fault>,
) -> Result<T, Fault> {
    let marks = vec!["?"; table.columns.len()].join(", ");
    let sql = format!("INSERT INTO {} VALUES ({marks})", quoted(&table.name));
    let mut loader = Loader { statement: connection.prepare(&sql)?, table };
    connection.execute_batch("BEGIN")?;
    let done = read(&mut loader)?;
    drop(loader);
    connection.execute_batch("COMMIT")?;
    Ok(done)
}

struct Loader<'c, 't> {
    statement: rusqlite::Statement<'c>,
    table: &'t Table,
}

impl Sink for Loader<'_, '_> {
    fn columns(&mut self, _: &[String]) -> Result<(), Fault> {
        Ok(())
    }

    fn record(&mut self, _: u64, fields: &[Field<'_>]) -> Result<(), Fault> {
        for (index, column) in self.table.columns.iter().enumerate() {
            let field = fields.get(index).copied().unwrap_or(Field::Null);
            self.statement.raw_bind_parameter(index + 1, stored(field, column.kind))?;
        }
        self.statement.raw_execute()?;
        Ok(())
    }
}

/// A value as a column of this kind stores it.
fn stored(field: Field<'_>, kind: Kind) -> ToSqlOutput<'_> {
    let owned = |value| ToSqlOutput::Owned(value);
    let number = |number: Scalar| match (number, kind) {
        (Scalar::Whole(whole), Kind::Real) => owned(Value::Real(whole as f64)),
        (Scalar::Whole(whole), _) => owned(Value::Integer(whole)),
        (Scalar::Real(real), _) => owned(Value::Real(real)),
    };
    let text = |text| ToSqlOutput::Borrowed(ValueRef::Text(text));
    match field {
        Field::Null => owned(Value::Null),
        Field::Written(written) if kind == Kind::Text => text(written.as_bytes()),
        Field::Written(written) => infer::number(written).map_or_else(|| text(written.as_bytes()), number),
        Field::Number(written) => number(written),
        Field::Text(written) => text(written.as_bytes()),
        Field::Bytes(bytes) => ToSqlOutput::Borrowed(ValueRef::Blob(bytes)),
    }
}
