//! The audit against the loopback web: nights with fates, a killed run, states that are none, workers on PostgreSQL.

#[path = "../support/server/mod.rs"]
#[allow(dead_code)]
mod server;

#[cfg(feature = "postgres")]
#[path = "../support/postgres.rs"]
mod postgres;

mod broken;
#[cfg(feature = "postgres")]
mod cable;
mod nights;
mod repairs;
mod runs;
#[cfg(feature = "postgres")]
mod workers;
mod world;
