//! The raw data that values are recomputed from: CSV, TSV, JSON, NDJSON and SQLite files as tables.
//!
//! Nothing is dropped in silence: a row that does not fit, a text that is not UTF-8, a quotation mark that is never closed
//! are errors with file and line. A file is read once, record by record; what its columns hold is known at its end.

mod loader;
mod records;
mod separated;
mod sqlite;
mod table;
#[cfg(test)]
mod tests;

pub(crate) use sqlite::{copy_table, list};
pub use table::{Fault, Kind, Table, quoted};

use std::io::{self, BufReader, Read};

use data_encoding::HEXLOWER;
use rusqlite::Connection;
use sha2::{Digest, Sha256};

use loader::Loader;
pub use loader::number;

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

/// Loads a file of records into a table that is called after it. Gives the table, and SHA-256 of the file.
///
/// # Errors
/// When it cannot be read, a record does not fit, or the engine has no memory left.
pub(crate) fn load(to: &Connection, file: &str, format: Format, inner: impl Read) -> Result<(Table, String), Fault> {
    let mut reader = BufReader::with_capacity(256 << 10, Hashing(inner, Sha256::new()));
    let mut loader = Loader::begin(to, matches!(format, Format::Csv | Format::Tsv))?;
    match format {
        Format::Csv => separated::read(&mut reader, b',', &mut loader)?,
        Format::Tsv => separated::read(&mut reader, b'\t', &mut loader)?,
        Format::Json => records::read_list(&mut reader, &mut loader)?,
        Format::Ndjson => records::read_lines(&mut reader, &mut loader)?,
        Format::Sqlite => return Fault::whole("a database is no file of records"),
    }
    Ok((loader.finish(table_name(file))?, HEXLOWER.encode(&reader.into_inner().1.finalize())))
}

/// SHA-256 of all that is read, in hexadecimal.
///
/// # Errors
/// When it cannot be read.
pub fn hash(from: impl Read) -> io::Result<String> {
    let mut reader = Hashing(from, Sha256::new());
    io::copy(&mut reader, &mut io::sink())?;
    Ok(HEXLOWER.encode(&reader.1.finalize()))
}

/// Hashes what is read.
struct Hashing<R>(R, Sha256);

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read(buffer)?;
        self.1.update(&buffer[..read]);
        Ok(read)
    }
}
