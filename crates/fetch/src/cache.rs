//! A cache on disk that several processes share: one file an answer, written beside and renamed into place.
//!
//! Only whole answers with status 200 are kept, and copies in archives; errors never are, for an error of yesterday says
//! nothing of today. An answer older than the limit is asked for again with a condition (RFC 9111), so that an unchanged
//! page costs its headers. What proves death (second looks, probes) always goes to the network. A file that cannot be
//! read counts as not there.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::Semaphore;
use url::Url;

use super::bundle::{read_answer, write_answer};
use super::descriptors::shares;
use super::settings::{CachePlace, Clock, Settings};
use super::transport::{Answer, Ask, BodyEnd, Exchange, Purpose, Transport};
use crate::leftovers::{Leftover, noted, remove_left_over};
use cited_core::error::{Error, Result};
use cited_core::page::sha256_hex;

/// Name of the folder of files that are not whole yet.
const PARTS: &str = "parts";

/// Answers older than this are removed when a run ends: by then every page is worth a new look.
const KEPT: Duration = Duration::from_hours(30 * 24);

/// Records of works hold so many times as long as pages.
const RECORDS: u64 = 30;

/// How often a folder is pruned.
const PRUNED_EVERY: Duration = Duration::from_hours(24);

/// Name of the file whose time says when the folder was last pruned.
const PRUNED: &str = "pruned";

/// Remembers what a transport answered.
pub struct Cache {
    place: CachePlace,
    realm: String,
    clock: Clock,
    offline: bool,
    /// Files that are open at once.
    files: Semaphore,
}

impl Cache {
    /// A cache by these settings. Answers of one set of routes are kept apart from those of another: what a test server says under a
    /// name is not what the world says under it.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub fn new(place: CachePlace, settings: &Settings) -> Result<Self> {
        let parts = place.folder.join(PARTS);
        std::fs::create_dir_all(&parts).map_err(|error| Error::write(&place.folder, error))?;
        remove_left_over(&parts, |name| name.split_once('-')?.0.parse().ok());
        let realm = match (settings.connect_to.as_slice(), &settings.proxy) {
            ([], None) => String::new(),
            (routes, proxy) => format!("{routes:?} {:?} ", proxy.as_ref().map(Url::as_str)),
        };
        let (clock, offline) = (settings.clock.clone(), settings.offline);
        Ok(Cache { place, realm, clock, offline, files: Semaphore::new(shares().files) })
    }

    /// What was answered before, or is answered now.
    pub async fn answer(&self, ask: &Ask, wire: &dyn Transport) -> Exchange {
        let is_kept = match ask.purpose {
            // With cookies it is another page.
            Purpose::Page | Purpose::File | Purpose::Robots => ask.headers.is_empty(),
            Purpose::Archive => ask.url.path().contains("id_/"),
            purpose => purpose == Purpose::Index,
        };
        // Another attempt is made at one that failed.
        if !is_kept || ask.attempt > 0 {
            return wire.exchange(ask).await;
        }
        let file = self.file_of(ask.purpose, &ask.url);
        let path = file.clone();
        let known = self.apart(move || read_answer(&std::fs::read(path).ok()?)).await;
        let now = (self.clock)();
        if let Some((answer, at)) = &known {
            let age = now.as_second().saturating_sub(at.as_second());
            let holds = if ask.purpose == Purpose::Index { RECORDS } else { 1 };
            let fresh = u64::try_from(age).is_ok_and(|age| age <= self.place.max_age.as_secs().saturating_mul(holds));
            // What an archive has taken does not change.
            if fresh || self.offline || answer.headers.contains_key("memento-datetime") {
                return Exchange { requests: 0, ..Exchange::new(Ok(answer.clone()), *at) };
            }
        }
        let mut conditional = ask.clone();
        if let Some((answer, _)) = &known {
            let validators = [("if-none-match", "etag"), ("if-modified-since", "last-modified")];
            conditional.headers.extend(validators.iter().filter_map(|(ask, from)| Some((*ask, answer.header(from)?))));
        }
        let exchange = wire.exchange(&conditional).await;
        match (&exchange.result, known) {
            (Ok(answer), Some((held, _))) if answer.status == 304 => {
                self.keep(file, ask.clone(), held.clone(), exchange.at).await;
                Exchange::new(Ok(held), exchange.at)
            }
            (Ok(answer), _) => {
                // Who asked for a record has what is no answer forgotten.
                let is_none = ask.purpose == Purpose::Index && answer.status == 404;
                let is_whole = (answer.status == 200 || is_none) && answer.end == BodyEnd::Complete;
                let control = answer.header("cache-control").unwrap_or_default().to_ascii_lowercase();
                if is_whole && !control.contains("no-store") {
                    self.keep(file, ask.clone(), answer.clone(), exchange.at).await;
                }
                exchange
            }
            (Err(_), _) => exchange,
        }
    }

    /// Reads or writes a file on another thread. One that cannot be read is not there, one that cannot be written costs a request next time.
    async fn apart<T: Send + 'static>(&self, act: impl FnOnce() -> Option<T> + Send + 'static) -> Option<T> {
        let _file = self.files.acquire().await;
        tokio::task::spawn_blocking(act).await.ok().flatten()
    }

    /// Writes an answer beside its place and renames it: it is there whole or not at all.
    async fn keep(&self, file: PathBuf, ask: Ask, answer: Answer, at: jiff::Timestamp) {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let part = self.place.folder.join(PARTS).join(format!("{}-{number}", std::process::id()));
        let write = move || {
            std::fs::create_dir_all(file.parent()?).ok()?;
            let (mut open, _noted) =
                noted(|| Ok((std::fs::File::create(&part)?, Leftover::File(part.clone())))).ok()?;
            open.write_all(&write_answer(&ask, &answer, at).ok()?).ok()?;
            std::fs::rename(&part, file).ok()
        };
        self.apart(write).await;
    }

    fn file_of(&self, purpose: Purpose, url: &Url) -> PathBuf {
        // The same address may be asked for a page and for a record.
        let apart = if purpose == Purpose::Index { "index " } else { "" };
        let name = sha256_hex(format!("{apart}{}{url}", self.realm).as_bytes());
        self.place.folder.join(&name[..2]).join(format!("{}.warc.gz", &name[2..]))
    }

    /// Forgets what is kept of an address: what it answered turned out to be no page.
    pub fn forget(&self, url: &Url) {
        for file in [Purpose::Page, Purpose::Index].iter().map(|purpose| self.file_of(*purpose, url)) {
            let _ = std::fs::remove_file(file);
        }
    }
}

impl Drop for Cache {
    /// Removes what is older than thirty days, at most once a day.
    fn drop(&mut self) {
        let marker = self.place.folder.join(PRUNED);
        let age = |path: &Path| std::fs::metadata(path).and_then(|meta| meta.modified()).ok()?.elapsed().ok();
        if age(&marker).is_some_and(|age| age < PRUNED_EVERY) {
            return;
        }
        let _ = std::fs::write(&marker, b"");
        let folders = std::fs::read_dir(&self.place.folder).into_iter().flatten().flatten();
        for file in folders.filter_map(|folder| std::fs::read_dir(folder.path()).ok()).flatten().flatten() {
            if age(&file.path()).is_some_and(|age| age > KEPT) {
                let _ = std::fs::remove_file(file.path());
            }
        }
    }
}
