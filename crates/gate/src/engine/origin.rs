//! Whether a query takes its number from the data, or only looks as if it did: *SELECT 18 + 0 * sum(revenue) FROM sales*.
//!
//! A number that stays the same whatever the data are does not come from them. So the query of a ledger is run again while one thing
//! of its tables is changed, and the change is then taken back: rows stand twice, or one column has other values. One column at a
//! time, since filters on the others have to go on finding rows. It is taken when one of these runs gives another number that is not
//! written in the query itself: *CASE WHEN count(\*) = 4 THEN 18 ELSE 0 END* only ever gives what it says.

use std::collections::BTreeSet;
use std::time::Instant;

use super::super::data::{Column, Kind, Table, quoted};
use super::super::mixed::{Token, tokens};
use super::{Engine, finite, watched};
use crate::scalar::Scalar;

/// Numbers that are nearer than this part of them are one: what is left of arithmetic in binary fractions is no difference.
const NEAR: f64 = 1e-6;

impl Engine {
    /// Whether a query that gave `value` takes it from the data: over changed data it gives another number. All of it may take as long as one
    /// metric. Of nothing that was found, *0 failures*, no change of what is there shows where it is from.
    ///
    /// # Errors
    /// When it does not, or that could not be found out in time.
    pub fn vet_origin(&mut self, sql: &str, value: Scalar, reads: &BTreeSet<(String, String)>) -> Result<(), String> {
        if value.as_f64() == 0.0 {
            return Ok(());
        }
        let within = Instant::now().checked_add(self.limits.time);
        let is_over = || within.is_some_and(|within| Instant::now() >= within);
        watched(&self.watch).within = within;
        let (mut differs, mut made) = (false, false);
        for change in changes(sql, &self.tables, reads) {
            if let Ok(other) = self.value_after(&change, sql) {
                made = true;
                differs = other.is_some_and(|other| is_another(sql, value, other));
            }
            if differs || self.lost || is_over() {
                break;
            }
        }
        watched(&self.watch).within = None;
        if differs {
            return Ok(());
        }
        Err(if is_over() {
            let limit = self.limits.time.as_secs_f64();
            format!("could not be shown within {limit} s to take its number from the data")
        } else if !made {
            format!("could not be run over changed data in {} MiB, to show that it reads the data", self.limits.memory)
        } else {
            "gives the same whatever the data are, or only numbers that are written in it".to_owned()
        })
    }

    /// The number of a query after a change, if it is one, the change taken back; an error when there was no room or time for the change.
    fn value_after(&mut self, change: &str, sql: &str) -> rusqlite::Result<Option<Scalar>> {
        self.start_clock();
        let made = self.ours(&format!("BEGIN; {change}"));
        let value = made.map(|()| finite(self.value(sql).unwrap_or(None)).ok());
        {
            // What must not be left half done takes no time worth a limit.
            let mut watch = watched(&self.watch);
            (watch.until, watch.over) = (None, false);
        }
        self.lost |= !self.connection.is_autocommit() && self.ours("ROLLBACK").is_err();
        value
    }

    /// Does something of our own with the tables.
    fn ours(&self, sql: &str) -> rusqlite::Result<()> {
        watched(&self.watch).ours = true;
        let done = self.connection.execute_batch(sql);
        watched(&self.watch).ours = false;
        done
    }
}

/// What is changed to see whether a query takes its number from the data, the most telling first.
fn changes(sql: &str, tables: &[Table], reads: &BTreeSet<(String, String)>) -> Vec<String> {
    let lower = sql.to_lowercase();
    // What is joined by USING, or by all names that two tables share, is read without asking the authorizer.
    let named = |name: &str| lower.contains(&name.to_lowercase());
    let is_read = |table: &Table, column: &Column| {
        let read = |(of, name): &(String, String)| {
            of.eq_ignore_ascii_case(&table.name) && name.eq_ignore_ascii_case(&column.name)
        };
        lower.contains("natural") || named(&column.name) || reads.iter().any(read)
    };
    let used = |table: &&Table| named(&table.name) || reads.iter().any(|(of, _)| of.eq_ignore_ascii_case(&table.name));
    let used: Vec<&Table> = tables.iter().filter(used).collect();
    let mut changes = Vec::new();
    for table in &used {
        let row = quoted(table.row_name);
        let twice = [format!("WHERE {row} % 2 = 1"), format!("WHERE {row} % 2 = 0"), String::new()];
        changes.extend(twice.map(|rows| format!("{} {rows}", added(table, None))));
    }
    for (table, column) in used.iter().flat_map(|table| table.columns.iter().map(move |column| (table, column))) {
        if is_read(table, column) {
            let others = other_values(table, column);
            // These are others in every row, so that a table of one row gets a second value too.
            let second = added(table, Some((column, &others[0])));
            let update = |value| format!("UPDATE {} SET {} = {value}", quoted(&table.name), quoted(&column.name));
            changes.extend(others.iter().map(update).chain([second]));
        }
    }
    changes
}

/// The statement that adds the rows of a table to it once more, one of their columns with another value.
fn added(table: &Table, with: Option<(&Column, &str)>) -> String {
    let names: Vec<String> = table.columns.iter().map(|column| quoted(&column.name)).collect();
    let value = |column: &Column| match with {
        Some((changed, value)) if changed == column => value.to_owned(),
        _ => quoted(&column.name),
    };
    let values: Vec<String> = table.columns.iter().map(value).collect();
    let name = quoted(&table.name);
    format!("INSERT INTO {name} ({}) SELECT {} FROM {name}", names.join(", "), values.join(", "))
}

/// Expressions for what a column may hold instead of its values: each row another change, the first in every row; the order reversed; all
/// the same.
fn other_values(table: &Table, column: &Column) -> [String; 5] {
    let (name, row, table) = (quoted(&column.name), quoted(table.row_name), quoted(&table.name));
    let [greatest, least] = ["max", "min"].map(|end| format!("(SELECT {end}({name}) FROM {table})"));
    if column.kind == Kind::Text {
        let every_other = |rest: u8, other: &str| format!("CASE {row} % 2 WHEN {rest} THEN {other} ELSE {name} END");
        let [odd, even] = [every_other(1, &format!("{name} || 'x'")), every_other(0, &format!("'x' || {name}"))];
        [format!("{name} || ' ' || {row}"), odd, even, greatest, least]
    } else {
        let turned = format!("{greatest} + {least} - {name}");
        [format!("{name} + 1 + {row} % 7"), format!("{name} * (2 + {row} % 5) + 1"), turned, greatest, least]
    }
}

/// Whether a run over changed data gave something else than `first`, which is not a number of the query's own.
fn is_another(sql: &str, first: Scalar, other: Scalar) -> bool {
    let near = |left: f64, right: f64| (left - right).abs() <= NEAR * left.abs().max(right.abs());
    let other = other.as_f64();
    let written = |token: &Token| match token {
        Token::Sign(digits) => digits.parse().is_ok_and(|number: f64| near(number, other.abs())),
        _ => false,
    };
    !near(first.as_f64(), other) && !tokens(sql).iter().any(written)
}
