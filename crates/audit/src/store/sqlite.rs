//! SQLite: one file, no service.

use std::fs::File;
use std::path::PathBuf;
use std::time::Duration;

use rusqlite::types::{ToSqlOutput, Value as Stored, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, ToSql, params_from_iter};

use super::engine::{APPLICATION, Engine, Fault, Row, Value};
use cited_core::error::{Error, Result};

/// How long a statement waits for another process that writes.
const BUSY: Duration = Duration::from_secs(30);

pub(super) struct Sqlite {
    connection: Connection,
    path: PathBuf,
    lock: Option<File>,
}

impl Sqlite {
    pub(super) fn open(path: &str) -> Result<Sqlite> {
        let path = PathBuf::from(path);
        let wrong = |error: &rusqlite::Error| Error::input(format!("{}: {}", path.display(), fault(error)));
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&path, flags).map_err(|error| wrong(&error))?;
        let prepare = || -> rusqlite::Result<i64> {
            connection.busy_timeout(BUSY)?;
            connection.set_prepared_statement_cache_capacity(64);
            connection.query_row("PRAGMA application_id", [], |row| row.get(0))
        };
        let application = prepare().map_err(|error| wrong(&error))?;
        let tables: i64 = connection
            .query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
            .map_err(|error| wrong(&error))?;
        if application != APPLICATION && tables > 0 {
            return Err(Error::input(format!(
                "{}: is a database of another program; nothing was changed, name another file with --state",
                path.display()
            )));
        }
        // Readers do not wait for the writer, and a commit costs no wait for the disk: after a loss of power the last commits may be
        // missing, and the file is whole.
        let pragmas = format!(
            "PRAGMA application_id = {APPLICATION}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA temp_store = FILE;
             PRAGMA cache_size = -32768;"
        );
        connection.execute_batch(&pragmas).map_err(|error| wrong(&error))?;
        Ok(Sqlite { connection, path, lock: None })
    }
}

fn fault(error: &rusqlite::Error) -> Fault {
    let words = match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            "another process holds it; try again later".to_owned()
        }
        Some(ErrorCode::ReadOnly) => {
            "cannot be written (it or its folder is read-only); check its permissions".to_owned()
        }
        Some(ErrorCode::DiskFull) => {
            "the disk is full; what was stored before is kept, make room and run it again".to_owned()
        }
        Some(ErrorCode::NotADatabase) => {
            "is no state of an audit (not an SQLite file); nothing was changed, name another file with --state"
                .to_owned()
        }
        Some(ErrorCode::DatabaseCorrupt) => "is damaged; restore it from a backup".to_owned(),
        Some(ErrorCode::CannotOpen) => {
            "cannot be opened; check that its folder is there, and its permissions".to_owned()
        }
        Some(ErrorCode::SystemIoFailure) => {
            format!("cannot be read or written: {error}; check the disk and run it again")
        }
        _ => format!("does not work as a state: {error}"),
    };
    Fault::Wrong(words)
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Value::Null => ToSqlOutput::Owned(Stored::Null),
            Value::Int(value) => ToSqlOutput::Owned(Stored::Integer(*value)),
            Value::Text(value) => ToSqlOutput::Borrowed(ValueRef::Text(value.as_bytes())),
        })
    }
}

fn own(sql: &str) -> String {
    // Only one process writes at a time: there is no row to lock.
    sql.replace("{clock}", "CAST(unixepoch('subsec') * 1000 AS INTEGER)")
        .replace("{lock}", "")
        .replace("{skip}", "")
        .replace("{alone}", "")
}

impl Engine for Sqlite {
    fn begin(&mut self) -> std::result::Result<(), Fault> {
        self.script("BEGIN IMMEDIATE")
    }

    fn commit(&mut self) -> std::result::Result<(), Fault> {
        self.script("COMMIT").inspect_err(|_| {
            let _ = self.connection.execute_batch("ROLLBACK");
        })
    }

    fn rollback(&mut self) -> std::result::Result<(), Fault> {
        self.script("ROLLBACK")
    }

    fn execute(&mut self, sql: &str, values: &[Value]) -> std::result::Result<u64, Fault> {
        let mut statement = self.connection.prepare_cached(&own(sql)).map_err(|error| fault(&error))?;
        let changed = statement.execute(params_from_iter(values)).map_err(|error| fault(&error))?;
        Ok(changed as u64)
    }

    fn query(&mut self, sql: &str, values: &[Value]) -> std::result::Result<Vec<Row>, Fault> {
        let read = || -> rusqlite::Result<Vec<Row>> {
            let mut statement = self.connection.prepare_cached(&own(sql))?;
            let columns = statement.column_count();
            let mut rows = statement.query(params_from_iter(values))?;
            let mut all = Vec::new();
            while let Some(row) = rows.next()? {
                let value = |column| -> rusqlite::Result<Value> {
                    Ok(match row.get_ref(column)? {
                        ValueRef::Integer(value) => Value::Int(value),
                        ValueRef::Text(value) => Value::Text(String::from_utf8_lossy(value).into_owned()),
                        ValueRef::Real(_) | ValueRef::Blob(_) | ValueRef::Null => Value::Null,
                    })
                };
                all.push((0..columns).map(value).collect::<rusqlite::Result<Row>>()?);
            }
            Ok(all)
        };
        read().map_err(|error| fault(&error))
    }

    fn batch(&mut self, sql: &str, rows: &[Row]) -> std::result::Result<u64, Fault> {
        let mut statement = self.connection.prepare_cached(&own(sql)).map_err(|error| fault(&error))?;
        let mut changed = 0;
        for row in rows {
            changed += statement.execute(params_from_iter(row)).map_err(|error| fault(&error))? as u64;
        }
        Ok(changed)
    }

    fn script(&mut self, sql: &str) -> std::result::Result<(), Fault> {
        self.connection.execute_batch(&own(sql)).map_err(|error| fault(&error))
    }

    fn reconnect(&mut self, _: u32) -> std::result::Result<(), Fault> {
        Err(Fault::Wrong("there is no connection to lose".to_owned()))
    }

    /// The lock of a file beside the state: the system gives it back when its process ends, however it ends.
    fn lock(&mut self, wait: bool) -> std::result::Result<bool, Fault> {
        let mut name = self.path.clone().into_os_string();
        name.push(".lock");
        let path = PathBuf::from(name);
        let wrong =
            |error: &dyn std::fmt::Display| Fault::Wrong(format!("cannot be locked by {}: {error}", path.display()));
        let file =
            File::options().create(true).truncate(false).write(true).open(&path).map_err(|error| wrong(&error))?;
        if wait {
            file.lock().map_err(|error| wrong(&error))?;
        } else {
            match file.try_lock() {
                Ok(()) => {}
                Err(std::fs::TryLockError::WouldBlock) => return Ok(false),
                Err(std::fs::TryLockError::Error(error)) => return Err(wrong(&error)),
            }
        }
        self.lock = Some(file);
        Ok(true)
    }

    fn is_shared(&self) -> bool {
        false
    }
}
