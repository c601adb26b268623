//! A table of the data, its columns, and what reads a file of records into one.

use std::io::{self, BufRead, Read as _};

use cited_core::error::Error;

/// What all values of a column are.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
#[derive(strum::Display)]
#[strum(serialize_all = "UPPERCASE")]
pub enum Kind {
    /// Whole numbers of 64 bits.
    Integer,
    /// Numbers.
    Real,
    /// Text: at least one value is no number, or there is no value.
    Text,
}

/// Bytes of one record, at most: a quotation mark that is never closed ends here.
const LONGEST_RECORD: usize = 4 << 20;

/// Columns of one table, at most; the engine takes no more.
pub(super) const MOST_COLUMNS: usize = 1_000;

/// A table of the data.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Table {
    /// Its name: the stem of the file made an identifier, or the name in the SQLite file.
    pub name: String,
    /// How many rows it has.
    pub rows: u64,
    /// Its columns and what they hold.
    pub columns: Vec<(String, Kind)>,
    /// Columns of which at least half of all values look like numbers, and some are written otherwise: the row and the words of the first
    /// that is no number.
    #[serde(skip)]
    pub mixed: Vec<(String, u64, String)>,
    /// What the texts of one row take at most, in bytes.
    #[serde(skip)]
    pub longest: usize,
}

/// Why data cannot be used: the line, where one is at fault, and what is wrong.
#[derive(Debug)]
pub struct Fault(pub(super) Option<u64>, pub(super) String);

impl Fault {
    pub(super) fn whole<T>(message: impl Into<String>) -> Result<T, Fault> {
        Err(Fault(None, message.into()))
    }

    pub(super) fn line<T>(line: u64, message: impl Into<String>) -> Result<T, Fault> {
        Err(Fault(Some(line), message.into()))
    }

    /// The error of a file that has it.
    pub(crate) fn in_file(&self, file: &str) -> Error {
        let line = self.0.map(|line| format!(":{line}")).unwrap_or_default();
        Error::input(format!("{file}{line}: {}", self.1))
    }
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Fault(None, format!("cannot be read: {error}"))
    }
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        Fault(None, format!("cannot be loaded: {error}"))
    }
}

/// Reads a line with its end into `line`, which is emptied before; false at the end of the file.
pub(super) fn read_line(reader: &mut dyn BufRead, line: &mut Vec<u8>, number: u64) -> Result<bool, Fault> {
    line.clear();
    append_line(reader, line, number)
}

pub(super) fn append_line(reader: &mut dyn BufRead, line: &mut Vec<u8>, number: u64) -> Result<bool, Fault> {
    let before = line.len();
    let limit = LONGEST_RECORD.saturating_sub(before) as u64 + 1;
    reader.take(limit).read_until(b'\n', line)?;
    if line.len() > LONGEST_RECORD {
        return Fault::line(number, format!("a record of more than {} MiB", LONGEST_RECORD >> 20));
    }
    Ok(line.len() > before)
}

/// `name` as SQL writes names.
pub fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
