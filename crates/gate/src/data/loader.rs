//! Records into a table, as they come.

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, Statement};

use super::infer::Guess;
use super::table::{Fault, MOST_COLUMNS, Table, quoted};

/// Writes records into a table. They stand in one without types first: which type a column has is known when its last value is.
pub(super) struct Loader<'c> {
    to: &'c Connection,
    columns: Vec<(String, Guess)>,
    rows: u64,
    insert: Option<Statement<'c>>,
    /// Whether all values are written as text, whatever they are.
    written: bool,
}

impl<'c> Loader<'c> {
    pub(super) fn begin(to: &'c Connection, written: bool) -> Result<Self, Fault> {
        to.execute_batch("BEGIN")?;
        Ok(Loader { to, columns: Vec::new(), rows: 0, insert: None, written })
    }

    /// Makes the table of what was written. The types of its columns turn what is written in digits into numbers, and only that.
    pub(super) fn finish(self, name: String) -> Result<Table, Fault> {
        if self.columns.is_empty() {
            return Fault::whole("is empty: there is no data in it");
        }
        drop(self.insert);
        let mut table = Table { name, rows: self.rows, columns: Vec::new(), mixed: Vec::new(), longest: 0 };
        for (name, guess) in self.columns {
            let (kind, mixed, longest) = guess.end();
            table.longest += longest;
            table.mixed.extend(mixed.map(|(line, text)| (name.clone(), line, text)));
            table.columns.push((name, kind));
        }
        let columns = table.columns.iter().map(|(name, kind)| format!("{} {kind}", quoted(name)));
        let (name, columns) = (quoted(&table.name), columns.collect::<Vec<_>>().join(", "));
        self.to.execute_batch(&format!(
            "CREATE TABLE main.{name} ({columns}); INSERT INTO main.{name} SELECT * FROM temp.read; DROP TABLE temp.read; COMMIT"
        ))?;
        Ok(table)
    }

    /// The columns known so far; called again when more show up.
    pub(super) fn columns(&mut self, names: &[String]) -> Result<(), Fault> {
        if names.len() > MOST_COLUMNS {
            return Fault::whole(format!("more than {MOST_COLUMNS} columns"));
        }
        self.insert = None;
        for (new, name) in names.iter().enumerate().skip(self.columns.len()) {
            let first = "CREATE TABLE temp.read (c0)".to_owned();
            let change = if new == 0 { first } else { format!("ALTER TABLE temp.read ADD COLUMN c{new}") };
            self.to.execute_batch(&change)?;
            self.columns.push((name.clone(), Guess::default()));
        }
        let marks = vec!["?"; names.len()].join(", ");
        self.insert = Some(self.to.prepare(&format!("INSERT INTO temp.read VALUES ({marks})"))?);
        Ok(())
    }

    /// A record; columns behind its end are empty.
    pub(super) fn record(&mut self, line: u64, fields: &[ValueRef<'_>]) -> Result<(), Fault> {
        self.rows += 1;
        let Some(insert) = &mut self.insert else { return Ok(()) };
        for (index, (_, guess)) in self.columns.iter_mut().enumerate() {
            let field = fields.get(index).copied().unwrap_or(ValueRef::Null);
            guess.see(line, field, self.written);
            insert.raw_bind_parameter(index + 1, ToSqlOutput::Borrowed(field))?;
        }
        insert.raw_execute()?;
        Ok(())
    }
}
