//! Whether a query takes its number from the data: it is run again while altered copies have the place of its tables.

use std::collections::BTreeSet;
use std::time::Instant;

use super::super::altered::{self, Alteration};
use super::super::data::quoted;
use super::super::data::{self, Table};
use super::{Engine, finite, watched};
use crate::scalar::Scalar;

impl Engine {
    /// Whether a query that gave `value` takes it from the data: over altered copies of its tables it gives another number.
    /// All of it may take as long as one metric.
    ///
    /// # Errors
    /// When it does not, or that could not be found out in time.
    pub fn vet_origin(&mut self, sql: &str, value: Scalar, reads: &BTreeSet<(String, String)>) -> Result<(), String> {
        let lower = sql.to_lowercase();
        let natural = lower.contains("natural");
        // What is joined by USING is read without asking the authorizer.
        let uses = |table: &Table, column: Option<&data::Column>| match column {
            None => {
                reads.iter().any(|(name, _)| name.eq_ignore_ascii_case(&table.name))
                    || lower.contains(&table.name.to_lowercase())
            }
            Some(column) => {
                let read = |(of, name): &(String, String)| {
                    of.eq_ignore_ascii_case(&table.name) && name.eq_ignore_ascii_case(&column.name)
                };
                natural || lower.contains(&column.name.to_lowercase()) || reads.iter().any(read)
            }
        };
        let tables = self.tables.clone();
        let within = Instant::now().checked_add(self.limits.time);
        watched(&self.watch).within = within;
        let (mut found, mut made) = (false, false);
        for alteration in altered::alterations(sql, value, &tables, &uses) {
            if let Some(differs) = self.differs_over(sql, value, &alteration) {
                made = true;
                found = differs;
            }
            if found || self.lost.is_some() || within.is_some_and(|within| Instant::now() >= within) {
                break;
            }
        }
        watched(&self.watch).within = None;
        if found {
            return Ok(());
        }
        if within.is_some_and(|within| Instant::now() >= within) {
            let limit = self.limits.time.as_secs_f64();
            return Err(format!("could not be shown within {limit} s to take its number from the data"));
        }
        if !made {
            let memory = self.limits.memory;
            return Err(format!("could not be run over altered data in {memory} MiB, to show that it reads the data"));
        }
        Err("gives the same whatever the data are, or only numbers that are written in it".to_owned())
    }

    /// Whether a query gives another number while an altered copy has the place of its table, `None` when there was no room or time for
    /// the copy.
    fn differs_over(&mut self, sql: &str, value: Scalar, alteration: &Alteration<'_>) -> Option<bool> {
        let table = alteration.table;
        let free = |mut name: String| {
            while self.tables.iter().any(|other| other.name.eq_ignore_ascii_case(&name)) {
                name.push('_');
            }
            name
        };
        // The name of the copy, and that of the table while the copy has its place.
        let (copy, aside) = (free("altered copy".to_owned()), free("beside its copy".to_owned()));
        let rename = |from: &str, to: &str| format!("ALTER TABLE {} RENAME TO {}", quoted(from), quoted(to));
        let drop = format!("DROP TABLE IF EXISTS {}", quoted(&copy));
        let mut filling = vec![data::creation(table, &copy)];
        filling.extend(alteration.statements(&copy));
        if filling.iter().any(|statement| self.ours(statement).is_err()) {
            // It has no room for the copy, or no time.
            let _ = self.in_any_time(&drop);
            return None;
        }
        let swapped = self.in_any_time(&rename(&table.name, &aside)).is_ok();
        let differs = if swapped && self.in_any_time(&rename(&copy, &table.name)).is_ok() {
            let other = finite(self.value(sql).unwrap_or(None));
            if self.in_any_time(&rename(&table.name, &copy)).is_err() {
                self.lost = Some(table.name.clone());
            }
            Some(other.is_ok_and(|other| altered::differs(sql, value, other)))
        } else {
            None
        };
        if swapped && self.lost.is_none() && self.in_any_time(&rename(&aside, &table.name)).is_err() {
            self.lost = Some(table.name.clone());
        }
        if self.in_any_time(&drop).is_err() {
            self.lost = Some(table.name.clone());
        }
        differs
    }

    /// Does something of our own with the tables, within the time that there is.
    fn ours(&self, sql: &str) -> rusqlite::Result<()> {
        self.start_clock();
        watched(&self.watch).ours = true;
        let done = self.connection.execute_batch(sql);
        watched(&self.watch).ours = false;
        done
    }

    /// Does something of our own that must not be left half done; it takes no time worth a limit.
    fn in_any_time(&self, sql: &str) -> rusqlite::Result<()> {
        {
            let mut watch = watched(&self.watch);
            (watch.until, watch.over, watch.ours) = (None, false, true);
        }
        let done = self.connection.execute_batch(sql);
        watched(&self.watch).ours = false;
        done
    }
}
