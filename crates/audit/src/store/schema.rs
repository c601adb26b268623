//! Opening a state where it lies, a file of SQLite or PostgreSQL, and its tables, by version.

use super::engine::{Engine, Fault};
#[cfg(feature = "postgres")]
use super::postgres;
use super::{Store, is_server, shown, sqlite};
use cited_core::error::{Error, Result};

/// What brings a state from one version to the next: the first from nothing to version 1. Each is one transaction, so none is ever half
/// done.
const MIGRATIONS: [&str; 2] = [FIRST, SECOND];
/// Version 1.
pub(super) const FIRST: &str = "
    CREATE TABLE host (
        id BIGINT PRIMARY KEY, name TEXT NOT NULL,
        next_at BIGINT, token BIGINT NOT NULL DEFAULT 0, backoff BIGINT NOT NULL DEFAULT 0
    );
    CREATE INDEX host_next ON host (next_at, id);
    CREATE TABLE source (
        id BIGINT PRIMARY KEY, key TEXT NOT NULL, host BIGINT NOT NULL, state TEXT NOT NULL, due BIGINT,
        known_until BIGINT NOT NULL DEFAULT 0, news BIGINT NOT NULL DEFAULT 0, body TEXT NOT NULL
    );
    CREATE INDEX source_due ON source (due, id);
    CREATE INDEX source_state ON source (state, id);
    CREATE INDEX source_news ON source (news, id);
    CREATE TABLE document (id BIGINT PRIMARY KEY, path TEXT NOT NULL, sha256 TEXT NOT NULL);
    CREATE TABLE citation (source BIGINT NOT NULL, document BIGINT NOT NULL, line BIGINT NOT NULL, claim BIGINT NOT NULL, sentence TEXT NOT NULL);
    CREATE INDEX citation_source ON citation (source, document, line);
    CREATE INDEX citation_document ON citation (document);
    CREATE TABLE round (id BIGINT PRIMARY KEY, began BIGINT NOT NULL, ended BIGINT, status TEXT NOT NULL, body TEXT NOT NULL);
    CREATE TABLE job (source BIGINT PRIMARY KEY, host BIGINT NOT NULL);
    CREATE INDEX job_host ON job (host, source);
    CREATE TABLE observation (
        round BIGINT NOT NULL, source BIGINT NOT NULL, seen TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (round, source)
    );
";
/// Version 2: the manners of hosts.
const SECOND: &str = "
    ALTER TABLE host ADD COLUMN pause BIGINT NOT NULL DEFAULT 0;
    ALTER TABLE host ADD COLUMN rests_until BIGINT NOT NULL DEFAULT 0;
";

impl Store {
    /// Opens the state at `place`: the path of a file, which is made when it is not there, or an address `postgres://…`.
    ///
    /// # Errors
    /// When it cannot be opened, is not ours, is of a newer version, or cannot be written.
    pub fn open(place: &str) -> Result<Store> {
        if is_server(place) {
            #[cfg(feature = "postgres")]
            return Self::ready(&shown(place), postgres::Postgres::open(place));
            #[cfg(not(feature = "postgres"))]
            return Err(Error::usage(
                "--state postgres://…: this cited was built without PostgreSQL; build it with `--features postgres`, or name a file",
            ));
        }
        if place.contains("://") {
            return Err(Error::usage(format!("--state {}: must be a file or an address `postgres://…`", shown(place))));
        }
        Self::ready(place, sqlite::Sqlite::open(place))
    }

    fn ready(name: &str, engine: std::result::Result<impl Engine + 'static, Fault>) -> Result<Store> {
        let engine = engine.map_err(|fault| Error::input(format!("{name}: {fault}")))?;
        let mut store = Store { engine: Box::new(engine), name: name.to_owned() };
        prepare(&mut store)?;
        Ok(store)
    }
}

/// Brings a state to the version of this program.
///
/// # Errors
/// When it is of a newer version, or cannot be written.
fn prepare(store: &mut Store) -> Result<()> {
    let known = i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX);
    let version = store.run(|engine| {
        engine.script("{alone}; CREATE TABLE IF NOT EXISTS cited (name TEXT PRIMARY KEY, value TEXT NOT NULL)")?;
        let rows: Vec<(String,)> = engine.rows("SELECT value FROM cited WHERE name = 'version'", ())?;
        let no_number = |_| Fault::Wrong("has no version that is a number; restore it from a backup".to_owned());
        let version = rows.first().map_or(Ok(0), |(version,)| version.parse::<i64>()).map_err(no_number)?;
        for (number, migration) in (1..).zip(MIGRATIONS) {
            if number > version && version <= known {
                engine.script(migration)?;
            }
        }
        // Also shows that it can be written, before anybody is asked.
        if version <= known {
            engine.execute(
                "INSERT INTO cited (name, value) VALUES ('version', ?1) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                [known.to_string()],
            )?;
        }
        Ok(version)
    })?;
    if version > known {
        return Err(Error::input(format!(
            "{}: was written by a newer cited (version {version}, this one knows {known}); nothing was changed, use that cited",
            store.name
        )));
    }
    Ok(())
}
