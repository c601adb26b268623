//! SQLite: one file, no service.

use std::fs::File;
use std::time::Duration;

use rusqlite::types::Value as Stored;
use rusqlite::{Connection, OpenFlags, params_from_iter};
use serde_json::Value;

use super::engine::{APPLICATION, Engine, Fault, Row, WORDS};

/// How long a statement waits for another process that writes.
const BUSY: Duration = Duration::from_secs(30);

pub(super) struct Sqlite {
    connection: Connection,
    path: String,
    lock: Option<File>,
}

impl Sqlite {
    pub(super) fn open(path: &str) -> Result<Sqlite, Fault> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(BUSY)?;
        connection.set_prepared_statement_cache_capacity(64);
        let number = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0));
        let application = number("PRAGMA application_id")?;
        if number("SELECT count(*) FROM sqlite_schema")? > 0 && application != APPLICATION {
            let why = "is a database of another program; nothing was changed, name another file with --state";
            return Err(Fault::Wrong(why.to_owned()));
        }
        // Readers do not wait for the writer, and a commit costs no wait for the disk: after a loss of power the last commits may be
        // missing, and the file is whole.
        connection.execute_batch(&format!(
            "PRAGMA application_id = {APPLICATION}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA temp_store = FILE;
             PRAGMA cache_size = -32768;"
        ))?;
        Ok(Sqlite { connection, path: path.to_owned(), lock: None })
    }
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        Fault::unusable(&error.to_string())
    }
}

fn stored(value: &Value) -> Stored {
    let text = || value.as_str().map(|text| Stored::Text(text.to_owned()));
    value.as_i64().map(Stored::Integer).or_else(text).unwrap_or(Stored::Null)
}

fn own(sql: &str) -> String {
    WORDS.iter().fold(sql.to_owned(), |sql, (word, own, _)| sql.replace(word, own))
}

impl Engine for Sqlite {
    fn query(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, Fault> {
        let mut statement = self.connection.prepare_cached(&own(sql))?;
        let columns = statement.column_count();
        let value = |stored| match stored {
            Stored::Integer(value) => value.into(),
            Stored::Text(value) => value.into(),
            Stored::Real(_) | Stored::Blob(_) | Stored::Null => Value::Null,
        };
        let rows = statement.query_map(params_from_iter(values.iter().map(stored)), |row| {
            (0..columns).map(|column| row.get(column).map(value)).collect()
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    fn batch(&mut self, sql: &str, rows: &[Row]) -> Result<u64, Fault> {
        let mut statement = self.connection.prepare_cached(&own(sql))?;
        let mut changed = 0;
        for row in rows {
            changed += statement.execute(params_from_iter(row.iter().map(stored)))? as u64;
        }
        Ok(changed)
    }

    fn script(&mut self, sql: &str) -> Result<(), Fault> {
        Ok(self.connection.execute_batch(&own(sql))?)
    }

    fn reconnect(&mut self, _: u32) -> Result<(), Fault> {
        Err(Fault::Wrong("there is no connection to lose".to_owned()))
    }

    /// The lock of a file beside the state: the system gives it back when its process ends, however it ends.
    fn lock(&mut self, wait: bool) -> Result<bool, Fault> {
        let path = format!("{}.lock", self.path);
        let locked = || -> std::io::Result<Option<File>> {
            let file = File::options().create(true).truncate(false).write(true).open(&path)?;
            if wait {
                file.lock()?;
                return Ok(Some(file));
            }
            match file.try_lock() {
                Ok(()) => Ok(Some(file)),
                Err(std::fs::TryLockError::WouldBlock) => Ok(None),
                Err(std::fs::TryLockError::Error(error)) => Err(error),
            }
        };
        self.lock = locked().map_err(|error| Fault::Wrong(format!("cannot be locked by {path}: {error}")))?;
        Ok(self.lock.is_some())
    }

    fn is_shared(&self) -> bool {
        false
    }
}
