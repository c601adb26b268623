//! PostgreSQL: one state for any number of machines.
//!
//! The connection lives on a thread of its own, so that statements can be carried out from anywhere; while one is, its caller waits.
//! Connections are not encrypted: use a network that is yours, or a tunnel.

use std::collections::HashMap;
use std::error::Error as _;
use std::future::Future;
use std::str::FromStr as _;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;

use futures_util::future::try_join_all;
use tokio::runtime::Runtime;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, private::BytesMut, to_sql_checked};
use tokio_postgres::{Client, Config, NoTls, Statement};

use super::engine::{Engine, Fault, Row, Value};

/// The schema that the tables are in: a database may have others.
const SCHEMA: &str = "cited";
/// The advisory lock of the one audit, and of whoever changes tables: "cite" in ASCII, and one more.
const LOCK: i64 = 0x6369_7465;
/// Rows of one statement that are on their way at once.
const AT_ONCE: usize = 256;
/// Times that a lost connection is made again in a row, some two minutes.
const TRIES: u32 = 30;

pub(super) struct Postgres {
    runtime: Option<Runtime>,
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
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.map_err(|error| Fault::Wrong(format!("the system gives no threads: {error}")))?;
        let link = connect(&runtime, &config)?;
        Ok(Postgres { runtime: Some(runtime), config, link, locked: false })
    }

    fn runtime(&self) -> Result<&Runtime, Fault> {
        self.runtime.as_ref().ok_or_else(|| Fault::Wrong("is closed".to_owned()))
    }

    fn call<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, Fault>> + Send + 'static,
    ) -> Result<T, Fault> {
        call(self.runtime()?, work)
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        // Whoever lets go of it may be inside another runtime, where waiting for threads is not allowed.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

fn call<T: Send + 'static>(
    runtime: &Runtime,
    work: impl Future<Output = Result<T, Fault>> + Send + 'static,
) -> Result<T, Fault> {
    let (send, receive) = mpsc::sync_channel(1);
    runtime.spawn(async move {
        let _ = send.send(work.await);
    });
    receive.recv().map_err(|_| Fault::Wrong("broke off".to_owned()))?
}

fn connect(runtime: &Runtime, config: &Config) -> Result<Arc<Link>, Fault> {
    let config = config.clone();
    let client = call(runtime, async move {
        let (client, connection) = config.connect(NoTls).await.map_err(|error| fault(&error))?;
        tokio::spawn(connection);
        let set_up = format!("CREATE SCHEMA IF NOT EXISTS {SCHEMA}; SET search_path TO {SCHEMA}");
        // Two that begin at once on a new database would make the same schema.
        let alone = format!("SELECT pg_advisory_xact_lock({})", LOCK + 1);
        client.batch_execute(&format!("BEGIN; {alone}; {set_up}; COMMIT")).await.map_err(|error| fault(&error))?;
        // What is there and has no version is not ours.
        let others = format!(
            "SELECT 1 FROM pg_tables WHERE schemaname = '{SCHEMA}' AND to_regclass('{SCHEMA}.cited') IS NULL LIMIT 1"
        );
        if !client.query(&others, &[]).await.map_err(|error| fault(&error))?.is_empty() {
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
        let statement = self.client.prepare(sql).await.map_err(|error| fault(&error))?;
        self.statements.lock().unwrap_or_else(PoisonError::into_inner).insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }
}

fn words(error: &tokio_postgres::Error) -> String {
    match (error.as_db_error(), error.source()) {
        (Some(database), _) => database.message().to_owned(),
        (None, Some(cause)) => format!("{error}: {cause}"),
        (None, None) => error.to_string(),
    }
}

fn fault(error: &tokio_postgres::Error) -> Fault {
    let passing = [
        SqlState::ADMIN_SHUTDOWN,
        SqlState::CRASH_SHUTDOWN,
        SqlState::CANNOT_CONNECT_NOW,
        SqlState::T_R_SERIALIZATION_FAILURE,
        SqlState::T_R_DEADLOCK_DETECTED,
        SqlState::TOO_MANY_CONNECTIONS,
    ];
    let Some(code) = error.code() else {
        return Fault::Lost(format!("the database cannot be reached ({})", words(error)));
    };
    if passing.contains(code) || code.code().starts_with("08") {
        return Fault::Lost(format!("the database went away ({})", words(error)));
    }
    Fault::Wrong(match code {
        code if [SqlState::INVALID_PASSWORD, SqlState::INVALID_AUTHORIZATION_SPECIFICATION].contains(code) => {
            "user or password is not accepted; put the right ones into the address".to_owned()
        }
        code if *code == SqlState::UNDEFINED_DATABASE => "there is no such database; make it with createdb".to_owned(),
        code if *code == SqlState::INSUFFICIENT_PRIVILEGE || *code == SqlState::READ_ONLY_SQL_TRANSACTION => {
            format!("cannot be written ({}); give this user the right to", words(error))
        }
        code if *code == SqlState::DISK_FULL => {
            "the disk of the database is full; what was stored before is kept, make room and run it again".to_owned()
        }
        _ => format!("does not work as a state: {} ({})", words(error), code.code()),
    })
}

impl ToSql for Value {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self {
            Value::Null => Ok(IsNull::Yes),
            Value::Int(value) if *kind == Type::INT4 => i32::try_from(*value)?.to_sql(kind, out),
            Value::Int(value) => value.to_sql(kind, out),
            Value::Text(value) => value.as_str().to_sql(kind, out),
        }
    }

    fn accepts(kind: &Type) -> bool {
        [Type::INT4, Type::INT8, Type::TEXT, Type::VARCHAR].contains(kind)
    }

    to_sql_checked!();
}

fn own(sql: &str) -> String {
    sql.replace('?', "$")
        .replace("{clock}", "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)")
        .replace("{lock}", "FOR UPDATE")
        .replace("{skip}", "FOR UPDATE SKIP LOCKED")
        .replace("{alone}", &format!("SELECT pg_advisory_xact_lock({})", LOCK + 1))
}

fn values_of(row: &tokio_postgres::Row) -> Row {
    /// A value of a type that the column has.
    fn get<'r, T: FromSql<'r>>(row: &'r tokio_postgres::Row, index: usize) -> Option<T> {
        row.try_get::<_, Option<T>>(index).ok().flatten()
    }
    let value = |(index, column): (usize, &tokio_postgres::Column)| match *column.type_() {
        Type::INT8 => get(row, index).map(Value::Int),
        Type::INT4 => get::<i32>(row, index).map(|value| Value::Int(value.into())),
        Type::TEXT | Type::VARCHAR => get(row, index).map(Value::Text),
        _ => None,
    };
    row.columns().iter().enumerate().map(|column| value(column).unwrap_or(Value::Null)).collect()
}

fn parameters(row: &Row) -> Vec<&(dyn ToSql + Sync)> {
    row.iter().map(|value| value as &(dyn ToSql + Sync)).collect()
}

impl Engine for Postgres {
    fn begin(&mut self) -> Result<(), Fault> {
        self.script("BEGIN")
    }

    fn commit(&mut self) -> Result<(), Fault> {
        self.script("COMMIT")
    }

    fn rollback(&mut self) -> Result<(), Fault> {
        self.script("ROLLBACK")
    }

    fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64, Fault> {
        let (link, sql, values) = (Arc::clone(&self.link), own(sql), values.to_vec());
        self.call(async move {
            let statement = link.statement(&sql).await?;
            link.client.execute(&statement, &parameters(&values)).await.map_err(|error| fault(&error))
        })
    }

    fn query(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, Fault> {
        let (link, sql, values) = (Arc::clone(&self.link), own(sql), values.to_vec());
        self.call(async move {
            let statement = link.statement(&sql).await?;
            let rows = link.client.query(&statement, &parameters(&values)).await.map_err(|error| fault(&error))?;
            Ok(rows.iter().map(values_of).collect())
        })
    }

    fn batch(&mut self, sql: &str, rows: &[Row]) -> Result<u64, Fault> {
        if rows.is_empty() {
            return Ok(0);
        }
        let (link, sql, rows) = (Arc::clone(&self.link), own(sql), rows.to_vec());
        self.call(async move {
            let statement = link.statement(&sql).await?;
            let mut changed = 0;
            for part in rows.chunks(AT_ONCE) {
                let parameters: Vec<_> = part.iter().map(parameters).collect();
                let one = |row| link.client.execute(&statement, row);
                let done = try_join_all(parameters.iter().map(|row| one(row.as_slice()))).await;
                changed += done.map_err(|error| fault(&error))?.iter().sum::<u64>();
            }
            Ok(changed)
        })
    }

    fn script(&mut self, sql: &str) -> Result<(), Fault> {
        let (link, sql) = (Arc::clone(&self.link), own(sql));
        self.call(async move { link.client.batch_execute(&sql).await.map_err(|error| fault(&error)) })
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
        match connect(self.runtime()?, &self.config) {
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
        if wait {
            self.query("SELECT CAST(pg_advisory_lock(?1) AS TEXT)", &[LOCK.into()])?;
        } else {
            let rows = self.query("SELECT CAST(pg_try_advisory_lock(?1) AS INT4)", &[LOCK.into()])?;
            if rows.first().is_none_or(|row| row.first() != Some(&Value::Int(1))) {
                return Ok(false);
            }
        }
        self.locked = true;
        Ok(true)
    }

    fn is_shared(&self) -> bool {
        true
    }
}
