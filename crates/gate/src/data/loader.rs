//! Records into a table, as they come.

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, Statement};

use super::infer::Inferred;
use super::table::{Fault, Field, Sink, Table, quoted};
use crate::scalar::Scalar;

/// Writes records into a table. They stand in one without types first: which type a column has is known when its last value is.
pub(super) struct Loader<'c> {
    to: &'c Connection,
    inferred: Inferred,
    columns: usize,
    insert: Option<Statement<'c>>,
}

impl<'c> Loader<'c> {
    pub(super) fn begin(to: &'c Connection) -> Result<Self, Fault> {
        to.execute_batch("BEGIN")?;
        Ok(Loader { to, inferred: Inferred::default(), columns: 0, insert: None })
    }

    /// Makes the table of what was written. The types of its columns turn what is written in digits into numbers, and only that.
    pub(super) fn finish(self, name: String, file: &str) -> Result<Table, Fault> {
        let Loader { to, inferred, insert, .. } = self;
        drop(insert);
        let rows = inferred.rows;
        let table = Table { name, columns: inferred.finish()?, rows, file: file.to_owned() };
        let columns = table.columns.iter().map(|column| format!("{} {}", quoted(&column.name), column.kind.sql()));
        let (name, columns) = (quoted(&table.name), columns.collect::<Vec<_>>().join(", "));
        to.execute_batch(&format!(
            "CREATE TABLE main.{name} ({columns}); INSERT INTO main.{name} SELECT * FROM temp.read; DROP TABLE temp.read; COMMIT"
        ))?;
        Ok(table)
    }
}

impl Sink for Loader<'_> {
    fn columns(&mut self, names: &[String]) -> Result<(), Fault> {
        self.inferred.columns(names)?;
        self.insert = None;
        for new in self.columns..names.len() {
            let first = "CREATE TABLE temp.read (c0)".to_owned();
            let change = if new == 0 { first } else { format!("ALTER TABLE temp.read ADD COLUMN c{new}") };
            self.to.execute_batch(&change)?;
        }
        self.columns = names.len();
        let marks = vec!["?"; names.len()].join(", ");
        self.insert = Some(self.to.prepare(&format!("INSERT INTO temp.read VALUES ({marks})"))?);
        Ok(())
    }

    fn record(&mut self, line: u64, fields: &[Field<'_>]) -> Result<(), Fault> {
        self.inferred.record(line, fields)?;
        let Some(insert) = &mut self.insert else { return Ok(()) };
        for index in 0..self.columns {
            let value = match fields.get(index).copied().unwrap_or(Field::Null) {
                Field::Null => ValueRef::Null,
                Field::Written(text) | Field::Text(text) => ValueRef::Text(text.as_bytes()),
                Field::Number(Scalar::Whole(whole)) => ValueRef::Integer(whole),
                Field::Number(Scalar::Real(real)) => ValueRef::Real(real),
                Field::Bytes(bytes) => ValueRef::Blob(bytes),
            };
            insert.raw_bind_parameter(index + 1, ToSqlOutput::Borrowed(value))?;
        }
        insert.raw_execute()?;
        Ok(())
    }
}
