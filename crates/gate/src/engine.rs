//! The engine that recomputes: SQLite in memory, closed to everything but reading the tables that were loaded.
//!
//! Metrics may be a model's. What they are allowed is a list of what there is to allow, not of what is forbidden: reading a
//! loaded table, and functions that depend on nothing but their arguments. Time, memory and the length of values are limited.

use std::collections::{BTreeSet, HashSet};
use std::io::Read;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use regex::Captures;
use rusqlite::config::DbConfig;
use rusqlite::functions::{Aggregate, Context, FunctionFlags};
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::types::Value;
use rusqlite::{Connection, Error as Failure, ErrorCode};

use super::data::{self, Fault, Format, Table};
use super::report::DataFile;
use cited_core::error::Error;
use cited_core::pattern::Pattern;
use serde_json::Number;

/// Functions of SQL that give the same for the same arguments, and bounded memory. Not here, and so refused: what reads
/// files or loads code (`readfile`, `load_extension`), what makes up values (`random`, `randomblob`, `zeroblob`), and
/// dates, which take the word *now*.
const FUNCTIONS: &str = include_str!("engine/functions.txt");

/// Functions of ours.
const OWN_FUNCTIONS: [&str; 2] = ["median", "pct_change"];

/// A sign of division in a query; or a text, a name in quotation marks or a comment, in which a stroke is none.
static DIVISION: Pattern = Pattern::new(r#"(?s)/\*.*?(?:\*/|$)|--[^\n]*|'[^']*'?|"[^"]*"?|`[^`]*`?|\[[^\]]*\]?|/"#);

/// Steps of the engine between two looks at the clock: some hundredths of a millisecond.
const STEPS: i32 = 2_000;
/// The longest text or blob of the data, in bytes.
const LONGEST_VALUE: i32 = 8 << 20;
/// The longest text or blob that a metric may make, in bytes, unless the data has longer ones: one call of a function looks at
/// no clock, and *instr* takes as long as the product of its two texts.
const LONGEST_MADE: i32 = 64 << 10;
/// The longest pattern of *like* and *glob*, in bytes.
const LONGEST_PATTERN: i32 = 1_000;
/// The longest statement, in bytes.
const LONGEST_STATEMENT: i32 = 256 << 10;
/// How long one metric may take.
pub const TIME: Duration = Duration::from_secs(10);
/// What all data and all that is computed from it may take, in MiB.
const MEMORY: usize = 1024;

/// The data, and what may be asked of it.
#[derive(Debug)]
pub struct Engine {
    pub(super) connection: Connection,
    files: Vec<DataFile>,
    watch: Arc<Mutex<Watch>>,
    time: Duration,
}

/// What the hooks of the engine know and note.
#[derive(Debug, Default)]
struct Watch {
    tables: HashSet<String>,
    reads: BTreeSet<(String, String)>,
    /// Whether it counts rows: then it uses data though it reads no column.
    counts: bool,
    denied: Option<String>,
    until: Option<Instant>,
    over: bool,
}

fn watched(watch: &Mutex<Watch>) -> std::sync::MutexGuard<'_, Watch> {
    watch.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Engine {
    /// An engine without data, in which one metric may take so long.
    ///
    /// # Errors
    /// When it has no memory.
    pub fn new(time: Duration) -> Result<Engine, Error> {
        let connection = open().map_err(|error| Fault::from(error).in_file("the engine"))?;
        Ok(Engine { connection, files: Vec::new(), watch: Arc::default(), time })
    }

    /// The data files that were loaded.
    pub fn files(&self) -> &[DataFile] {
        &self.files
    }

    /// A table by its name, and the file that it is from.
    pub fn table(&self, name: &str) -> Option<(&DataFile, &Table)> {
        let mut all = self.files.iter().flat_map(|file| file.tables.iter().map(move |table| (file, table)));
        all.find(|(_, table)| table.name.eq_ignore_ascii_case(name))
    }

    /// Loads a file of records.
    ///
    /// # Errors
    /// When it cannot be read, a record does not fit, or another file has a table of its name.
    pub fn load_records(&mut self, name: &str, format: Format, from: impl Read) -> Result<(), Error> {
        self.vet_table(name, &data::table_name(name))?;
        let loaded = data::load(&self.connection, name, format, from);
        let (table, sha256) = loaded.map_err(|fault| fault.in_file(name))?;
        self.add(name, sha256, vec![table], Vec::new());
        Ok(())
    }

    /// Loads the tables of a database with this hash.
    ///
    /// # Errors
    /// When it cannot be read, or another file has a table of the same name.
    pub fn load_database(&mut self, name: &str, from: &Connection, sha256: String) -> Result<(), Error> {
        let fault = |fault: Fault| fault.in_file(name);
        let (tables, left) = data::list(from).map_err(fault)?;
        tables.iter().try_for_each(|table| self.vet_table(name, table))?;
        let copied = tables.into_iter().map(|table| data::copy_table(from, &self.connection, table));
        self.add(name, sha256, copied.collect::<Result<_, _>>().map_err(fault)?, left);
        Ok(())
    }

    fn vet_table(&self, file: &str, name: &str) -> Result<(), Error> {
        self.table(name).map_or(Ok(()), |(other, table)| {
            let (name, other) = (&table.name, &other.path);
            Err(Error::input(format!("{file}: its table `{name}` is already that of {other}; rename one")))
        })
    }

    fn add(&mut self, path: &str, sha256: String, tables: Vec<Table>, left: Vec<String>) {
        watched(&self.watch).tables.extend(tables.iter().map(|table| table.name.to_lowercase()));
        self.files.push(DataFile { path: path.to_owned(), sha256, tables, left });
    }

    /// Closes the engine to everything but reading.
    ///
    /// # Errors
    /// When the engine has no memory left.
    pub fn close(&mut self) -> Result<(), Fault> {
        // The engine limits a row as it limits a text.
        let longest = self.files.iter().flat_map(|file| &file.tables).map(|table| table.longest).max().unwrap_or(0);
        let longest = i32::try_from(longest).unwrap_or(LONGEST_VALUE).clamp(LONGEST_MADE, LONGEST_VALUE);
        self.connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, longest)?;
        let watch = Arc::clone(&self.watch);
        self.connection.authorizer(Some(move |context: AuthContext<'_>| allow(&mut watched(&watch), &context)))?;
        let watch = Arc::clone(&self.watch);
        self.connection.progress_handler(
            STEPS,
            Some(move || {
                let mut watch = watched(&watch);
                watch.over = watch.until.is_some_and(|until| Instant::now() >= until);
                watch.over
            }),
        )?;
        Ok(())
    }

    /// The value of a query of the user's: one row with one number. Also the columns that it read.
    ///
    /// # Errors
    /// When it is refused, fails, or gives anything else.
    pub fn query(&self, sql: &str) -> Result<(Number, BTreeSet<(String, String)>), String> {
        let lower = sql.to_lowercase();
        // What is joined by USING is read without asking the authorizer.
        if let Some(word) = ["sqlite_", "pragma_"].iter().find(|word| lower.contains(**word)) {
            return Err(format!("`{word}…` is no loaded table; a metric may read the loaded tables and nothing else"));
        }
        let value = self.value(sql);
        let mut reads = std::mem::take(&mut watched(&self.watch).reads);
        // `SELECT 18 FROM sales LIMIT 1` looks at a row and takes nothing from it.
        let takes_nothing = reads.iter().all(|(_, column)| column.is_empty()) && !watched(&self.watch).counts;
        let joins_by_name = lower.contains("using") || lower.contains("natural");
        if reads.is_empty() && joins_by_name {
            let tables = self.files.iter().flat_map(|file| &file.tables);
            let named = tables.filter(|table| lower.contains(&table.name.to_lowercase()));
            reads = named.map(|table| (table.name.clone(), String::new())).collect();
        }
        // The engine compares what is mixed by its letters and counts what is no number as zero, both in silence.
        let mixed = |(table, column): &(String, String)| {
            let mut mixed = self.table(table)?.1.mixed.iter();
            let (name, row, text) = mixed.find(|(name, ..)| name.eq_ignore_ascii_case(column))?;
            Some(format!("column `{name}` holds text, not numbers: row {row} has `{text}`"))
        };
        if let Some(why) = reads.iter().find_map(mixed) {
            return Err(why);
        }
        let value = value?;
        if reads.is_empty() || takes_nothing && !joins_by_name {
            return Err("reads no data: a number that is only written down is not recomputed".to_owned());
        }
        Ok((finite(value)?, reads))
    }

    /// The one value of a query. Division is of real numbers: what a reader takes for a share is no whole number.
    fn value(&self, sql: &str) -> Result<Value, String> {
        if sql.contains('\0') {
            // A statement of the engine ends there, and what follows would be passed over.
            return Err("has a null character in it".to_owned());
        }
        {
            let mut watch = watched(&self.watch);
            watch.until = Instant::now().checked_add(self.time);
            watch.reads.clear();
            (watch.counts, watch.over, watch.denied) = (false, false, None);
        }
        let real = |found: &Captures<'_>| if &found[0] == "/" { "* 1.0 /".to_owned() } else { found[0].to_owned() };
        let divided = DIVISION.replace_all(sql, real);
        let mut statement = self.connection.prepare(&divided).map_err(|error| self.reason(&error))?;
        if statement.is_explain() != 0 || !statement.readonly() {
            return Err("only SELECT is allowed".to_owned());
        }
        if statement.parameter_count() > 0 {
            return Err("has parameters; write the values themselves".to_owned());
        }
        if statement.column_count() != 1 {
            return Err(format!("gives {} columns; a metric is one value", statement.column_count()));
        }
        let mut rows = statement.query([]).map_err(|error| self.reason(&error))?;
        let row = rows.next().map_err(|error| self.reason(&error))?;
        let row = row.ok_or("gives no row; a metric is one value")?;
        let value = row.get(0).map_err(|error| self.reason(&error))?;
        if rows.next().map_err(|error| self.reason(&error))?.is_some() {
            return Err("gives more than one row; a metric is one value".to_owned());
        }
        Ok(value)
    }

    /// Why the engine did not run a query, in words that say what to do.
    fn reason(&self, error: &Failure) -> String {
        let watch = watched(&self.watch);
        if watch.over {
            return format!("took longer than {} s and was stopped", self.time.as_secs_f64());
        }
        if let Some(denied) = &watch.denied {
            return format!("{denied}; a metric may read the loaded tables and nothing else");
        }
        match (error.sqlite_error_code(), error) {
            (Some(ErrorCode::OutOfMemory), _) => {
                format!("needs more than {MEMORY} MiB of memory and was stopped")
            }
            (Some(ErrorCode::TooBig), _) => "makes a text or statement that is too long".to_owned(),
            (_, Failure::MultipleStatement) => "has several statements; a metric is one".to_owned(),
            (_, Failure::SqlInputError { msg, .. }) => msg.clone(),
            _ => error.to_string(),
        }
    }
}

/// A connection to nothing but memory, closed to what no data needs.
fn open() -> rusqlite::Result<Connection> {
    let connection = Connection::open_in_memory()?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    // `"no such column"` is an error and no text.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_ATTACH_CREATE, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_ATTACH_WRITE, false)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, LONGEST_VALUE)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, LONGEST_PATTERN)?;
    connection.set_limit(Limit::SQLITE_LIMIT_SQL_LENGTH, LONGEST_STATEMENT)?;
    connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    connection.set_limit(Limit::SQLITE_LIMIT_WORKER_THREADS, 0)?;
    connection.execute_batch("PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY;")?;
    // What SQLite has no function for: `median` of a column, and `pct_change(new, old)` in percent; nothing where there is none.
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    connection.create_aggregate_function("median", 1, flags, Median)?;
    connection.create_scalar_function("pct_change", 2, flags, |context| {
        let (new, old): (Option<f64>, Option<f64>) = (context.get(0)?, context.get(1)?);
        Ok(new.zip(old).filter(|(_, old)| *old != 0.0).map(|(new, old)| (new / old - 1.0) * 100.0))
    })?;
    // A limit of the whole process that can only be lowered: all the memory of SQLite counts.
    connection.query_row(&format!("PRAGMA hard_heap_limit = {}", MEMORY << 20), [], |_| Ok(()))?;
    Ok(connection)
}

/// The middle value, or the mean of the two in the middle. What it keeps is no memory of SQLite's, so it has a limit of its own: with
/// room to grow a quarter of that of the engine.
struct Median;

/// Values that a median is of, at most.
const MOST_VALUES: usize = MEMORY << 15;

impl Aggregate<Vec<f64>, Option<f64>> for Median {
    fn init(&self, _: &mut Context<'_>) -> rusqlite::Result<Vec<f64>> {
        Ok(Vec::new())
    }

    fn step(&self, context: &mut Context<'_>, values: &mut Vec<f64>) -> rusqlite::Result<()> {
        values.extend(context.get::<Option<f64>>(0)?);
        if values.len() > MOST_VALUES {
            return Err(Failure::UserFunctionError(format!("median() of more than {MOST_VALUES} values").into()));
        }
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, values: Option<Vec<f64>>) -> rusqlite::Result<Option<f64>> {
        let mut values = values.unwrap_or_default();
        values.sort_by(f64::total_cmp);
        let middle = values.get(values.len() / 2).copied();
        let below = (values.len() / 2).checked_sub(1 - values.len() % 2).and_then(|at| values.get(at));
        Ok(middle.zip(below.copied()).map(|(one, other)| f64::midpoint(one, other)))
    }
}

/// The number that a metric gives.
pub(super) fn finite(value: Value) -> Result<Number, String> {
    let why = match value {
        Value::Integer(whole) => return Ok(whole.into()),
        Value::Real(real) if real.is_infinite() => "gives infinity".to_owned(),
        Value::Real(real) => return Number::from_f64(real).ok_or_else(|| "gives no number (NaN)".to_owned()),
        // The engine gives NULL for what is no number (0/0), for sums of nothing, and for a division by zero.
        Value::Null => "gives nothing (NULL): no row counts, or it divides by zero".to_owned(),
        Value::Text(text) => {
            format!("gives the text `{}`; a metric is a number", text.chars().take(40).collect::<String>())
        }
        Value::Blob(_) => "gives bytes; a metric is a number".to_owned(),
    };
    Err(why)
}

/// What a statement may do.
fn allow(watch: &mut Watch, context: &AuthContext<'_>) -> Authorization {
    let denied = match context.action {
        AuthAction::Select => None,
        AuthAction::Read { table_name, column_name } => {
            let ours = context.database_name.is_none_or(|name| name == "main");
            if ours && watch.tables.contains(&table_name.to_lowercase()) {
                watch.reads.insert((table_name.to_owned(), column_name.to_owned()));
                None
            } else {
                Some(format!("`{table_name}` is no loaded table"))
            }
        }
        AuthAction::Function { function_name } => {
            let lower = function_name.to_ascii_lowercase();
            watch.counts |= lower == "count";
            let known = FUNCTIONS.lines().chain(OWN_FUNCTIONS).any(|name| name == lower);
            if known { None } else { Some(format!("the function {lower}() is not allowed")) }
        }
        AuthAction::Recursive => Some("a recursive query is not allowed".to_owned()),
        AuthAction::Attach { .. } | AuthAction::Detach { .. } => Some("ATTACH is not allowed".to_owned()),
        AuthAction::Pragma { pragma_name, .. } => Some(format!("PRAGMA {pragma_name} is not allowed")),
        AuthAction::Transaction { .. } | AuthAction::Savepoint { .. } => {
            Some("a transaction is not allowed".to_owned())
        }
        _ => Some("changing data is not allowed".to_owned()),
    };
    let allowed = denied.is_none();
    if watch.denied.is_none() {
        watch.denied = denied;
    }
    if allowed { Authorization::Allow } else { Authorization::Deny }
}
