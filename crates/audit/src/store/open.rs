//! Opening a state where it lies: a file of SQLite, or PostgreSQL.

use super::engine::Engine;
#[cfg(feature = "postgres")]
use super::postgres;
use super::{Store, is_server, schema, shown, sqlite};
use cited_core::error::{Error, Result};

impl Store {
    /// Opens the state at `place`: the path of a file, which is made when it is not there, or an address `postgres://…`.
    ///
    /// # Errors
    /// When it cannot be opened, is not ours, is of a newer version, or cannot be written.
    pub fn open(place: &str) -> Result<Store> {
        if is_server(place) {
            return Self::open_postgres(place);
        }
        if place.contains("://") {
            return Err(Error::usage(format!("--state {}: must be a file or an address `postgres://…`", shown(place))));
        }
        let (engine, name) = (Box::new(sqlite::Sqlite::open(place)?), place.to_owned());
        Self::ready(engine, name)
    }

    #[cfg(feature = "postgres")]
    fn open_postgres(place: &str) -> Result<Store> {
        let name = shown(place);
        let engine = postgres::Postgres::open(place).map_err(|why| Error::input(format!("{name}: {why}")))?;
        Self::ready(Box::new(engine), name)
    }

    #[cfg(not(feature = "postgres"))]
    fn open_postgres(_: &str) -> Result<Store> {
        Err(Error::usage(
            "--state postgres://…: this cited was built without PostgreSQL; build it with `--features postgres`, or name a file",
        ))
    }

    fn ready(engine: Box<dyn Engine>, name: String) -> Result<Store> {
        let mut store = Store { engine, name };
        schema::prepare(&mut store)?;
        Ok(store)
    }
}
