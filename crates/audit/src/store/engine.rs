//! What carries statements out: SQLite or PostgreSQL.
//!
//! A value of a row is a whole number, a text or nothing, held as JSON: so rows are read into tuples and written from tuples by `serde`.

use serde::de::{DeserializeOwned, Error as _};
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// Marks an SQLite file as ours: "cite" in ASCII.
pub(super) const APPLICATION: i64 = 0x6369_7465;

/// A row.
pub(super) type Row = Vec<Value>;

/// Why a statement was not carried out.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub(super) enum Fault {
    /// The connection is gone; what was asked may be asked again.
    #[cfg_attr(not(feature = "postgres"), expect(dead_code, reason = "a file has no connection"))]
    #[error("{0}")]
    Lost(String),
    /// It cannot be done.
    #[error("{0}")]
    Wrong(String),
}

impl Fault {
    /// That a database does not do its work, in its own words.
    pub(super) fn unusable(why: &str) -> Fault {
        Fault::Wrong(format!(
            "cannot be used as a state: {why}; what was stored before is kept, check its address, your rights to it and its disk"
        ))
    }
}

impl From<serde_json::Error> for Fault {
    fn from(error: serde_json::Error) -> Self {
        Fault::Wrong(format!("holds something that is not understood: {error}; restore it from a backup"))
    }
}

/// A value that stands in its column as JSON.
pub(super) struct Json<T>(pub T);

impl<T: Serialize> Serialize for Json<T> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        serde_json::to_string(&self.0).map_err(S::Error::custom)?.serialize(out)
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Json<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        serde_json::from_str(&String::deserialize(from)?).map(Json).map_err(D::Error::custom)
    }
}

/// The row of a tuple, or of an array.
pub(super) fn row(values: impl Serialize) -> Result<Row, Fault> {
    let value = serde_json::to_value(values)?;
    Ok(if let Value::Array(row) = value { row } else { Row::new() })
}

/// What the words of statements are to SQLite, of which only one process writes at a time, so that there is no row to lock, and to PostgreSQL.
/// `{clock}` is the engine's own time in milliseconds, so that leases do not depend on the clocks of workers; `{begin}` begins a transaction
/// that writes; `{lock}` keeps the rows of a query until its end, `{skip}` also passes over those that somebody else keeps; what stands
/// between `{in}` and `{end}` is looked up by index, where `IN (…)` gets a plan that reads all of them; `{alone}` is a statement that waits
/// until nobody else changes tables.
pub(super) const WORDS: [(&str, &str, &str); 7] = [
    (
        "{clock}",
        "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
        "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)",
    ),
    ("{begin}", "BEGIN IMMEDIATE", "BEGIN"),
    ("{in}", "IN (", "= ANY (ARRAY ("),
    ("{end}", ")", "))"),
    ("{lock}", "", "FOR UPDATE"),
    ("{skip}", "", "FOR UPDATE SKIP LOCKED"),
    ("{alone}", "", "SELECT pg_advisory_xact_lock(1667855462)"),
];

/// Carries statements out. They are written with `?1`, `?2`, … for values, in the part of SQL that both engines know, and with [`WORDS`].
pub(super) trait Engine: Send {
    fn query(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, Fault>;
    /// The same statement for many rows: rows changed.
    fn batch(&mut self, sql: &str, rows: &[Row]) -> Result<u64, Fault>;
    /// Several statements without values.
    fn script(&mut self, sql: &str) -> Result<(), Fault>;
    /// Connects again after the connection was lost, for the `tries`-th time in a row.
    fn reconnect(&mut self, tries: u32) -> Result<(), Fault>;
    /// Takes the lock that only one audit holds; without `wait` it says whether it got it.
    fn lock(&mut self, wait: bool) -> Result<bool, Fault>;
    /// Whether several processes may work on it at once.
    fn is_shared(&self) -> bool;
}

impl dyn Engine + '_ {
    /// The rows that a query gives, each as a tuple of its columns.
    pub(super) fn rows<T: DeserializeOwned>(&mut self, sql: &str, values: impl Serialize) -> Result<Vec<T>, Fault> {
        let rows = self.query(sql, &row(values)?)?;
        rows.into_iter().map(|row| Ok(serde_json::from_value(Value::Array(row))?)).collect()
    }

    /// The one number that a query gives, or 0.
    pub(super) fn number(&mut self, sql: &str, values: impl Serialize) -> Result<i64, Fault> {
        Ok(self.rows(sql, values)?.first().map_or(0, |(number,)| *number))
    }

    /// Rows changed.
    pub(super) fn execute(&mut self, sql: &str, values: impl Serialize) -> Result<u64, Fault> {
        self.batch(sql, &[row(values)?])
    }
}
