//! Opening a state where it lies: a file of SQLite, or PostgreSQL.

use super::engine::{Engine, Fault};
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
        schema::prepare(&mut store)?;
        Ok(store)
    }
}
