//! PostgreSQL: one state for any number of machines.
//!
//! The connection lives on a thread of its own, so that statements can be carried out from anywhere; while one is, its caller waits.
//! Connections are not encrypted: use a network that is yours, or a tunnel.

use std::collections::HashMap;
use std::error::Error as _;
use std::future::Future;
use std::str::FromStr as _;
use std::sync::{Arc, LazyLock, Mutex, PoisonError, mpsc};
use std::time::Duration;

use futures_util::TryStreamExt as _;
use futures_util::future::try_join_all;
use serde_json::Value;
use tokio::runtime::{Builder, Runtime};
use tokio_postgres::error::SqlState;
use tokio_postgres::types::{IsNull, ToSql, Type, private::BytesMut, to_sql_checked};
use tokio_postgres::{Client, Config, NoTls, Statement};

use super::engine::{Engine, Fault, Row, WORDS};

/// The schema that the tables are in: a database may have others.
const SCHEMA: &str = "cited";
/// The advisory lock of the one audit: "cite" in ASCII. The lock of whoever changes tables is one more.
const LOCK: i64 = 0x6369_7465;
/// Rows of one statement that are on their way at once.
const AT_ONCE: usize = 256;
/// Times that a lost connection is made again in a row, some two minutes.
const TRIES: u32 = 30;

pub(super) struct Postgres {
    config: Config,
    link: Arc<Link>,
    locked: bool,
}

struct Link {
    client: Client,
    statements: Mutex<HashMap<String, Statement>>,
}

impl Postgres {
    pub(super) fn open(place: &str) -> Result<Postgres, Fault> {
        let mut config = Config::from_str(place)
            .map_err(|error| Fault::Wrong(format!("is no address of a database: {}", words(&error))))?;
        if config.get_application_name().is_none() {
            config.application_name("cited");
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(Duration::from_secs(10));
        }
        // A host that is gone without a word is noticed within a minute.
        config.keepalives_idle(Duration::from_secs(30)).tcp_user_timeout(Duration::from_mins(1));
        Ok(Postgres { link: connect(&config)?, config, locked: false })
    }
}

/// Carries work out on a thread of its own, while its caller waits.
fn call<T: Send + 'static>(work: impl Future<Output = Result<T, Fault>> + Send + 'static) -> Result<T, Fault> {
    // One for all connections, and for as long as the process lives: whoever lets go of one may be inside another runtime, where
    // waiting for threads is not allowed.
    static RUNTIME: LazyLock<std::io::Result<Runtime>> =
        LazyLock::new(|| Builder::new_multi_thread().worker_threads(1).enable_all().build());
    let runtime = RUNTIME.as_ref().map_err(|error| Fault::Wrong(format!("the system gives no threads: {error}")))?;
    let (send, receive) = mpsc::sync_channel(1);
    runtime.spawn(async move {
        let _ = send.send(work.await);
    });
    receive.recv().map_err(|_| Fault::Wrong("broke off".to_owned()))?
}

fn connect(config: &Config) -> Result<Arc<Link>, Fault> {
    let config = config.clone();
    let client = call(async move {
        let (client, connection) = config.connect(NoTls).await?;
        tokio::spawn(connection);
        let set_up = format!("CREATE SCHEMA IF NOT EXISTS {SCHEMA}; SET search_path TO {SCHEMA}");
        // Two that begin at once on a new database would make the same schema.
        client.batch_execute(&own(&format!("{{begin}}; {{alone}}; {set_up}; COMMIT"))).await?;
        // What is there and has no version is not ours.
        let others = format!(
            "SELECT 1 FROM pg_tables WHERE schemaname = '{SCHEMA}' AND to_regclass('{SCHEMA}.cited') IS NULL LIMIT 1"
        );
        if !client.query(&others, &[]).await?.is_empty() {
            let why = format!("its schema {SCHEMA} is of another program; nothing was changed, name another database");
            return Err(Fault::Wrong(why));
        }
        Ok(client)
    })?;
    Ok(Arc::new(Link { client, statements: Mutex::default() }))
}

impl Link {
    async fn statement(&self, sql: &str) -> Result<Statement, Fault> {
        let known = self.statements.lock().unwrap_or_else(PoisonError::into_inner).get(sql).cloned();
        if let Some(statement) = known {
            return Ok(statement);
        }
        let statement = self.client.prepare(sql).await?;
        self.statements.lock().unwrap_or_else(PoisonError::into_inner).insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }
}

fn words(error: &tokio_postgres::Error) -> String {
    let of_cause = || error.source().map_or_else(|| error.to_string(), |cause| format!("{error}: {cause}"));
    error.as_db_error().map_or_else(of_cause, |database| database.message().to_owned())
}

impl From<tokio_postgres::Error> for Fault {
    fn from(error: tokio_postgres::Error) -> Self {
        let words = words(&error);
        let Some(code) = error.code() else {
            return Fault::Lost(format!("the database cannot be reached ({words})"));
        };
        let is_away = [
            SqlState::ADMIN_SHUTDOWN,
            SqlState::CRASH_SHUTDOWN,
            SqlState::CANNOT_CONNECT_NOW,
            SqlState::T_R_SERIALIZATION_FAILURE,
            SqlState::T_R_DEADLOCK_DETECTED,
            SqlState::TOO_MANY_CONNECTIONS,
        ];
        if is_away.contains(code) || code.code().starts_with("08") {
            return Fault::Lost(format!("the database went away ({words})"));
        }
        Fault::unusable(&words)
    }
}

/// A value as a statement takes it.
#[derive(Debug)]
struct Bound(Value);

impl ToSql for Bound {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match (self.0.as_i64(), self.0.as_str()) {
            (Some(value), _) if *kind == Type::INT4 => i32::try_from(value)?.to_sql(kind, out),
            (Some(value), _) => value.to_sql(kind, out),
            (None, Some(text)) => text.to_sql(kind, out),
            (None, None) => Ok(IsNull::Yes),
        }
    }

    fn accepts(kind: &Type) -> bool {
        [Type::INT4, Type::INT8, Type::TEXT, Type::VARCHAR].contains(kind)
    }

    to_sql_checked!();
}

fn bound(row: &[Value]) -> Vec<Bound> {
    row.iter().cloned().map(Bound).collect()
}

fn own(sql: &str) -> String {
    WORDS.iter().fold(sql.replace('?', "$"), |sql, (word, _, own)| sql.replace(word, own))
}

fn values_of(row: &tokio_postgres::Row) -> Result<Row, Fault> {
    let value = |(index, column): (usize, &tokio_postgres::Column)| match *column.type_() {
        Type::INT8 => row.try_get::<_, Option<i64>>(index).map(Value::from),
        Type::INT4 => row.try_get::<_, Option<i32>>(index).map(Value::from),
        _ => row.try_get::<_, Option<String>>(index).map(Value::from),
    };
    Ok(row.columns().iter().enumerate().map(value).collect::<Result<_, _>>()?)
}

impl Engine for Postgres {
    fn query(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, Fault> {
        let (link, sql, values) = (Arc::clone(&self.link), own(sql), bound(values));
        call(async move {
            let statement = link.statement(&sql).await?;
            let rows: Vec<_> = link.client.query_raw(&statement, values).await?.try_collect().await?;
            rows.iter().map(values_of).collect()
        })
    }

    fn batch(&mut self, sql: &str, rows: &[Row]) -> Result<u64, Fault> {
        if rows.is_empty() {
            return Ok(0);
        }
        let (link, sql) = (Arc::clone(&self.link), own(sql));
        let rows: Vec<Vec<Bound>> = rows.iter().map(|row| bound(row)).collect();
        call(async move {
            let statement = link.statement(&sql).await?;
            let mut changed = 0;
            for part in rows.chunks(AT_ONCE) {
                let done = part.iter().map(|row| link.client.execute_raw(&statement, row));
                changed += try_join_all(done).await?.iter().sum::<u64>();
            }
            Ok(changed)
        })
    }

    fn script(&mut self, sql: &str) -> Result<(), Fault> {
        let (link, sql) = (Arc::clone(&self.link), own(sql));
        call(async move { Ok(link.client.batch_execute(&sql).await?) })
    }

    fn reconnect(&mut self, tries: u32) -> Result<(), Fault> {
        if tries > TRIES {
            return Err(Fault::Wrong("it did not come back".to_owned()));
        }
        // What two transactions kept from each other is over when one of them is begun again.
        if !self.link.client.is_closed() && tries < 3 {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(50 << tries.min(6)).min(Duration::from_secs(5)));
        match connect(&self.config) {
            Ok(link) => self.link = link,
            // The next try comes with the next transaction.
            Err(Fault::Lost(_)) => return Ok(()),
            Err(fault) => return Err(fault),
        }
        if self.locked && !self.lock(false)? {
            return Err(Fault::Wrong("another audit has taken over meanwhile".to_owned()));
        }
        Ok(())
    }

    fn lock(&mut self, wait: bool) -> Result<bool, Fault> {
        let lock = if wait { "pg_advisory_lock" } else { "pg_try_advisory_lock" };
        let rows = self.query(&format!("SELECT CAST({lock}(?1) AS TEXT)"), &[LOCK.into()])?;
        let is_ours = rows.first().is_some_and(|row| row[0] != "false");
        self.locked |= is_ours;
        Ok(is_ours)
    }

    fn is_shared(&self) -> bool {
        true
    }
}
