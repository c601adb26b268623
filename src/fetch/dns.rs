//! Names to addresses, with "does not exist" told apart from "nobody answered".
//!
//! The system's resolver is asked, so that hosts files, split horizons and VPNs count. `std` hides its error codes, and
//! the difference matters: a name that does not exist is dead, a name server that is down says nothing.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use dns_lookup::LookupErrorKind;
use tokio::sync::{Mutex, OnceCell, Semaphore};

use super::transport::{Failure, FailureKind};

/// Lookups at once: each holds a thread while the system's resolver waits.
const PARALLEL_LOOKUPS: usize = 32;

type Cell = Arc<OnceCell<Arc<[IpAddr]>>>;

/// What a lookup gives: addresses, never none.
pub type Lookup = fn(&str) -> Result<Arc<[IpAddr]>, Failure>;

/// A resolver that asks for each name once a run. Failures are not kept.
pub struct Resolver {
    ask: Lookup,
    known: Mutex<HashMap<String, Cell>>,
    turns: Arc<Semaphore>,
    resolved: AtomicUsize,
}

impl Default for Resolver {
    fn default() -> Self {
        Resolver::asking(ask_system)
    }
}

impl Resolver {
    /// A resolver over this lookup, which may block.
    pub fn asking(ask: Lookup) -> Self {
        Resolver {
            ask,
            known: Mutex::default(),
            turns: Arc::new(Semaphore::new(PARALLEL_LOOKUPS)),
            resolved: AtomicUsize::new(0),
        }
    }

    /// The addresses of a name, never empty.
    pub async fn resolve(&self, name: &str) -> Result<Arc<[IpAddr]>, Failure> {
        let cell = Arc::clone(self.known.lock().await.entry(name.to_owned()).or_default());
        cell.get_or_try_init(|| self.look_up(name)).await.cloned()
    }

    /// How many names this run has resolved: with none, "does not exist" cannot be believed.
    pub fn resolved(&self) -> usize {
        self.resolved.load(Ordering::Relaxed)
    }

    async fn look_up(&self, name: &str) -> Result<Arc<[IpAddr]>, Failure> {
        let _turn = Arc::clone(&self.turns).acquire_owned().await.map_err(|_| Failure::of(FailureKind::Dns))?;
        let (ask, owned) = (self.ask, name.to_owned());
        let answer = tokio::task::spawn_blocking(move || ask(&owned)).await;
        let addresses = answer.map_err(|_| Failure::of(FailureKind::Dns))??;
        self.resolved.fetch_add(1, Ordering::Relaxed);
        Ok(addresses)
    }
}

fn ask_system(name: &str) -> Result<Arc<[IpAddr]>, Failure> {
    let addresses = dns_lookup::lookup_host(name).map_err(|error| match error.kind() {
        LookupErrorKind::NoName => Failure::of(FailureKind::NoSuchHost),
        LookupErrorKind::NoData => Failure::new(FailureKind::Dns, "host has no address"),
        _ => Failure::of(FailureKind::Dns),
    })?;
    let mut seen = Vec::new();
    for address in addresses {
        if !seen.contains(&address) {
            seen.push(address);
        }
    }
    if seen.is_empty() { Err(Failure::new(FailureKind::Dns, "host has no address")) } else { Ok(seen.into()) }
}
