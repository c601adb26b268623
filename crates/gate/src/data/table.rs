//! A table of the data, its columns, and what reads a file of records into one.

use std::io::{self, BufRead, Read as _};

use crate::scalar::Scalar;

/// What all values of a column are.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Whole numbers of 64 bits.
    Integer,
    /// Numbers.
    Real,
    /// Text: at least one value is no number, or there is no value.
    Text,
}

impl Kind {
    /// That of a number.
    pub(super) fn from_scalar(number: Scalar) -> Kind {
        match number {
            Scalar::Whole(_) => Kind::Integer,
            Scalar::Real(_) => Kind::Real,
        }
    }

    pub(super) fn sql(self) -> &'static str {
        match self {
            Kind::Integer => "INTEGER",
            Kind::Real => "REAL",
            Kind::Text => "TEXT",
        }
    }
}

/// Bytes of one record, at most: a quotation mark that is never closed ends here.
const LONGEST_RECORD: usize = 4 << 20;

/// Columns of one table, at most; the engine takes no more.
pub(super) const MOST_COLUMNS: usize = 1_000;

/// A table of the data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// Its name: the stem of the file made an identifier, or the name in the SQLite file.
    pub name: String,
    /// Its columns.
    pub columns: Vec<Column>,
    /// How many rows it has.
    pub rows: u64,
    /// The file that it is from, as given by the user.
    pub file: String,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What all its values are.
    pub kind: Kind,
    /// The row and the words of the first value that is no number, where at least half of all look like numbers: some of them are
    /// written otherwise.
    pub mixed: Option<(u64, String)>,
}

/// Why data cannot be used.
#[derive(Debug)]
pub enum Fault {
    /// The file cannot be read.
    Io(io::Error),
    /// What it holds is not as it should be; the line, and what is wrong.
    Malformed(Option<u64>, String),
    /// The engine took it not.
    Engine(rusqlite::Error),
}

impl Fault {
    pub(super) fn line<T>(line: u64, message: impl Into<String>) -> Result<T, Fault> {
        Err(Fault::Malformed(Some(line), message.into()))
    }

    /// The fault with the file and line that it is in.
    pub fn in_file(&self, file: &str) -> String {
        match self {
            Fault::Io(error) => format!("{file}: cannot be read: {error}"),
            Fault::Malformed(Some(line), message) => format!("{file}:{line}: {message}"),
            Fault::Malformed(None, message) => format!("{file}: {message}"),
            Fault::Engine(error) => format!("{file}: cannot be loaded: {error}"),
        }
    }
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Fault::Io(error)
    }
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        Fault::Engine(error)
    }
}

/// A value of one row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Field<'a> {
    /// Nothing.
    Null,
    /// A text whose meaning the column decides.
    Written(&'a str),
    /// A number.
    Number(Scalar),
    /// A text that is text whatever it looks like.
    Text(&'a str),
    /// Bytes.
    Bytes(&'a [u8]),
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
