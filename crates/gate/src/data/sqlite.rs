//! Tables of a SQLite file, copied. The file is somebody else's: its views, triggers and virtual tables are not run.

use rusqlite::Connection;
use rusqlite::config::DbConfig;
use rusqlite::types::ValueRef;

use super::loader::Loader;
use super::table::{Fault, Field, Table, quoted};
use crate::scalar::Scalar;

/// The tables of a database that was opened read-only; and what else there is and is not loaded: views and virtual tables.
///
/// # Errors
/// When it is no database, or broken.
pub fn list(from: &Connection) -> Result<(Vec<String>, Vec<String>), Fault> {
    from.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    from.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    let mut statement = from.prepare("SELECT type, name, coalesce(sql, '') FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name")?;
    let entries = statement
        .query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get::<_, String>(2)?)))?;
    let (mut tables, mut left) = (Vec::new(), Vec::new());
    for entry in entries {
        let (kind, name, sql) = entry?;
        let is_virtual = sql.trim_start().get(..14).is_some_and(|start| start.eq_ignore_ascii_case("create virtual"));
        match kind.as_str() {
            _ if is_virtual => left.push(format!("virtual table {name}")),
            "view" => left.push(format!("view {name}")),
            _ => tables.push(name),
        }
    }
    Ok((tables, left))
}

/// Copies a table of the database `file`.
///
/// # Errors
/// As [`list`]; when a text is not UTF-8, or the engine has no memory left.
pub fn copy_table(from: &Connection, to: &Connection, name: String, file: &str) -> Result<Table, Fault> {
    let mut loader = Loader::begin(to)?;
    copy_rows(from, &name, &mut loader)?;
    loader.finish(name, file)
}

fn copy_rows(from: &Connection, table: &str, loader: &mut Loader<'_>) -> Result<(), Fault> {
    let mut statement = from.prepare(&format!("SELECT * FROM {}", quoted(table)))?;
    let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
    loader.columns(&names)?;
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
        loader.record(number, &fields)?;
    }
    Ok(())
}
