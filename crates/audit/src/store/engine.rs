//! What carries statements out: SQLite or PostgreSQL.

/// Marks an SQLite file as ours: "cite" in ASCII.
pub(super) const APPLICATION: i64 = 0x6369_7465;

/// A value of a row.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) enum Value {
    #[default]
    Null,
    Int(i64),
    Text(String),
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Value::Int(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Value::Text(value.to_owned())
    }
}

impl From<String> for Value {
    fn from(value: String) -> Self {
        Value::Text(value)
    }
}

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

/// Carries statements out. They are written with `?1`, `?2`, … for values, in the part of SQL that both engines know; `{clock}` is the
/// engine's own time in milliseconds, so that leases do not depend on the clocks of workers; `{lock}` keeps the rows of a query until the
/// end of the transaction, `{skip}` also passes over those that somebody else keeps; `{alone}` is a
/// statement that waits until nobody else changes tables.
pub(super) trait Engine: Send {
    fn begin(&mut self) -> Result<(), Fault>;
    fn commit(&mut self) -> Result<(), Fault>;
    fn rollback(&mut self) -> Result<(), Fault>;
    /// Rows changed.
    fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64, Fault>;
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
