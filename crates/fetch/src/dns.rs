//! Names to addresses, with "does not exist" told apart from "nobody answered".
//!
//! The system's resolver is asked, so that hosts files, split horizons and VPNs count. `std` hides its error codes, and
//! the difference matters: a name that does not exist is dead, a name server that is down says nothing.

use std::collections::HashSet;
use std::net::{IpAddr, UdpSocket};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

use dns_lookup::LookupErrorKind;
use tokio::sync::Semaphore;

use super::asked_once::{AskedOnce, cell_of};
use super::descriptors::shares;
use super::guard::is_public;
use super::transport::Failure;
use cited_core::rule::Rule;

/// Where names have addresses that no name server gave.
#[cfg(unix)]
const HOSTS_FILE: &str = "/etc/hosts";
#[cfg(not(unix))]
const HOSTS_FILE: &str = r"C:\Windows\System32\drivers\etc\hosts";

/// What a lookup gives: addresses, never none.
pub type Lookup = fn(&str) -> Result<Arc<[IpAddr]>, Failure>;

/// A resolver that asks for each name once a run. Failures are not kept.
pub struct Resolver {
    ask: Lookup,
    known: AskedOnce<Arc<[IpAddr]>>,
    turns: Arc<Semaphore>,
    works: AtomicBool,
}

impl Resolver {
    /// A resolver over this lookup, which may block.
    pub fn asking(ask: Lookup) -> Self {
        // Each holds a thread while the system's resolver waits.
        let turns = Arc::new(Semaphore::new(shares().lookups));
        Resolver { ask, known: AskedOnce::default(), turns, works: AtomicBool::new(false) }
    }

    /// The addresses of a name, never empty.
    pub async fn resolve(&self, name: &str) -> Result<Arc<[IpAddr]>, Failure> {
        let cell = cell_of(&self.known, name).await;
        cell.get_or_try_init(|| self.look_up(name)).await.cloned()
    }

    /// Whether this run has seen a name server at work: a name that is in no hosts file has an address of the internet.
    /// Without that, "does not exist" and "no answer" say more of this machine than of a name.
    pub fn works(&self) -> bool {
        self.works.load(Ordering::Relaxed)
    }

    async fn look_up(&self, name: &str) -> Result<Arc<[IpAddr]>, Failure> {
        // A comment in the letters of another encoding takes no name away.
        static NAMES: LazyLock<HashSet<String>> =
            LazyLock::new(|| names_in(&String::from_utf8_lossy(&std::fs::read(HOSTS_FILE).unwrap_or_default())));
        let _turn = Arc::clone(&self.turns).acquire_owned().await.map_err(|_| no_answer())?;
        let (ask, owned) = (self.ask, name.to_owned());
        let answer = tokio::task::spawn_blocking(move || ask(&owned)).await;
        let addresses = answer.map_err(|_| no_answer())??;
        let in_file = NAMES.contains(name.trim_end_matches('.').to_ascii_lowercase().as_str());
        if addresses.iter().all(|&address| is_public(address)) && !in_file {
            self.works.store(true, Ordering::Relaxed);
        }
        Ok(addresses)
    }
}

fn no_answer() -> Failure {
    Failure::new(Rule::Dns, "name servers did not answer")
}

/// The names of a hosts file: an address and its names a line, comments behind `#`.
fn names_in(text: &str) -> HashSet<String> {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
    lines.flat_map(|line| line.split_ascii_whitespace().skip(1)).map(str::to_ascii_lowercase).collect()
}

/// What the resolver of the system says.
pub fn ask_system(name: &str) -> Result<Arc<[IpAddr]>, Failure> {
    let addresses = dns_lookup::lookup_host(name).map_err(|error| {
        // A resolver that cannot open its files or sockets may say anything, "does not exist" included.
        if let Err(lack) = UdpSocket::bind(("127.0.0.1", 0))
            && let Some(failure) = Failure::of_our_side(&lack)
        {
            return failure;
        }
        match error.kind() {
            LookupErrorKind::NoName => Failure::new(Rule::NoSuchHost, "host does not exist"),
            LookupErrorKind::NoData => Failure::new(Rule::Dns, "host has no address"),
            LookupErrorKind::Memory => Failure::ours("no memory on this machine to look up names"),
            _ => no_answer(),
        }
    })?;
    let mut seen = HashSet::new();
    let addresses: Arc<[IpAddr]> = addresses.filter(|address| seen.insert(*address)).collect();
    if addresses.is_empty() { Err(Failure::new(Rule::Dns, "host has no address")) } else { Ok(addresses) }
}

#[cfg(test)]
#[expect(clippy::unnecessary_wraps, reason = "the shape of lookups")]
mod tests {
    use std::net::IpAddr;
    use std::sync::Arc;

    use super::super::transport::Failure;
    use super::{Resolver, names_in};

    fn by_name(name: &str) -> Result<Arc<[IpAddr]>, Failure> {
        let address = if name.starts_with("public") { "93.184.216.34" } else { "10.0.0.7" };
        Ok(Arc::from([address.parse().unwrap()]))
    }

    #[tokio::test]
    async fn only_a_public_name_shows_that_names_resolve() {
        let names = Resolver::asking(by_name);
        for (name, works) in [("intranet.example", false), ("localhost", false), ("public.example", true)] {
            names.resolve(name).await.unwrap();
            assert_eq!(names.works(), works, "{name}");
        }
    }

    #[test]
    fn names_of_a_hosts_file() {
        let names = names_in("127.0.0.1 localhost\n# 1.2.3.4 no\n93.184.216.34\tA.example b.example # c\n\n");
        let mut names: Vec<_> = names.into_iter().collect();
        names.sort();
        assert_eq!(names.join(" "), "a.example b.example localhost");
    }
}
