//! Tables of a SQLite file, copied. The file is somebody else's: its views, triggers and virtual tables are not run.

use rusqlite::Connection;
use rusqlite::config::DbConfig;
use rusqlite::types::ValueRef;

use super::loader::Loader;
use super::table::{Fault, Table, quoted};

/// The tables of a database that was opened read-only; and what else there is and is not loaded: views and virtual tables.
///
/// # Errors
/// When it is no database, or broken.
pub(crate) fn list(from: &Connection) -> Result<(Vec<String>, Vec<String>), Fault> {
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

/// Copies a table of a database.
///
/// # Errors
/// As [`list`]; when a text is not UTF-8, or the engine has no memory left.
pub(crate) fn copy_table(from: &Connection, to: &Connection, table: String) -> Result<Table, Fault> {
    let mut loader = Loader::begin(to, false)?;
    let mut statement = from.prepare(&format!("SELECT * FROM {}", quoted(&table)))?;
    let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
    loader.columns(&names)?;
    let mut rows = statement.query([])?;
    let mut number = 0;
    while let Some(row) = rows.next()? {
        number += 1;
        let fields: Vec<ValueRef<'_>> = (0..names.len()).map(|index| row.get_ref(index)).collect::<Result<_, _>>()?;
        if fields.iter().any(|field| matches!(field, ValueRef::Text(text) if std::str::from_utf8(text).is_err())) {
            return Fault::line(number, format!("table {table}: text that is not UTF-8"));
        }
        loader.record(number, &fields)?;
    }
    loader.finish(table)
}
