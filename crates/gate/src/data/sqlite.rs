//! Tables of a SQLite file, copied. The file is somebody else's: its views, triggers and virtual tables are not run.

use rusqlite::Connection;
use rusqlite::config::DbConfig;
use rusqlite::types::ValueRef;

use super::fill;
use super::infer::Inferred;
use super::table::{Fault, Field, Sink, Table, quoted};
use crate::scalar::Scalar;

/// What a SQLite file holds.
#[derive(Debug, Clone, Default)]
pub struct Held {
    /// Its tables, with what their columns hold.
    pub tables: Vec<Table>,
    /// What else there is and was not loaded: views and virtual tables.
    pub left: Vec<String>,
}

/// Looks at every table of a database that was opened read-only.
///
/// # Errors
/// When it is no database, or broken.
pub fn look(file: &str, from: &Connection) -> Result<Held, Fault> {
    from.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    from.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    let mut statement = from.prepare("SELECT type, name, coalesce(sql, '') FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name")?;
    let entries = statement
        .query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get::<_, String>(2)?)))?;
    let mut held = Held::default();
    for entry in entries {
        let (kind, name, sql) = entry?;
        let is_virtual = sql.trim_start().get(..14).is_some_and(|start| start.eq_ignore_ascii_case("create virtual"));
        if kind == "view" || is_virtual {
            held.left.push(format!("{} {name}", if is_virtual { "virtual table" } else { "view" }));
            continue;
        }
        let mut inferred = Inferred::default();
        each_row(from, &name, &mut inferred)?;
        let rows = inferred.rows;
        let columns = inferred.finish()?;
        held.tables.push(Table { name, columns, rows, file: file.to_owned() });
    }
    Ok(held)
}

/// Copies one table that was looked at.
///
/// # Errors
/// As [`look`].
pub fn copy_table(from: &Connection, to: &Connection, table: &Table) -> Result<(), Fault> {
    fill(to, table, |loader| each_row(from, &table.name, loader))
}

fn each_row(from: &Connection, table: &str, sink: &mut dyn Sink) -> Result<(), Fault> {
    let mut statement = from.prepare(&format!("SELECT * FROM {}", quoted(table)))?;
    let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
    sink.columns(&names)?;
    let mut rows = statement.query([])?;
    let mut number = 0;
    while let Some(row) = rows.next()? {
        number += 1;
        let mut fields = Vec::with_capacity(names.len());
        for index in 0..names.len() {
            fields.push(match row.get_ref(index)? {
                ValueRef::Null => Field::Null,
                ValueRef::Integer(whole) => Field::Number(Scalar::Whole(whole)),
                ValueRef::Real(real) => Field::Number(Scalar::Real(real)),
                ValueRef::Text(text) => match std::str::from_utf8(text) {
                    Ok(text) => Field::Text(text),
                    Err(_) => {
                        return Err(Fault::Malformed(Some(number), format!("table {table}: text that is not UTF-8")));
                    }
                },
                ValueRef::Blob(bytes) => Field::Bytes(bytes),
            });
        }
        sink.record(number, &fields)?;
    }
    Ok(())
}
