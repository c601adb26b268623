//! What a run asks its sources through: the network, a bundle, or nobody.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use crate::cli::layers::without_password;
use crate::cli::say;
use crate::cli::settings::{Settings, users_cache};
use cited_core::error::{Error, Result};
use cited_core::input::STANDARD;
use cited_fetch::{Bundle, Fetcher as _, Network};
use cited_report::record::Record;

/// The way to the sources of one run.
pub struct Web {
    /// What asks. At its end a bundle that was being recorded is whole and in its place.
    pub network: Arc<Network>,
    /// The time that counts as now.
    pub now: jiff::Timestamp,
    proxy: Option<String>,
}

impl Web {
    /// Opens it.
    ///
    /// # Errors
    /// When a certificate or a bundle cannot be read, or a bundle cannot be written.
    pub(super) fn open(settings: &Settings) -> Result<Web> {
        let mut fetch = settings.fetch.clone();
        let clock = fetch.clock.clone();
        fetch.extra_ca_pem.extend(settings.trusted()?);
        if let Bundle::Record(path) = &fetch.bundle {
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder).map_err(|error| Error::write(path, error))?;
            }
            spares(path)?;
        }
        // A cache that nobody asked for is a convenience: where there is no place for it, the run does without.
        if let Some(place) = &fetch.cache
            && users_cache().as_deref() == Some(&place.folder)
            && let Err(error) = std::fs::create_dir_all(&place.folder)
        {
            say(format_args!("no cache is kept: {}: {error}\n", place.folder.display()));
            fetch.cache = None;
        }
        let network = Arc::new(Network::new(fetch)?);
        // A run from a bundle is the run that recorded it, its time included.
        let now = settings.network.asking.now.or(network.begun()).unwrap_or_else(|| clock());
        // A password in it is nobody's business.
        let proxy = settings.fetch.proxy.as_ref().map(|proxy| without_password(proxy.as_str()));
        Ok(Web { network, now, proxy })
    }

    /// Why nobody can be asked, when not a single host has answered; the proxy is named when everything goes through one.
    pub fn down(&self) -> Option<String> {
        let fault = self.network.fault().filter(|_| !self.network.any_answered())?;
        Some(match &self.proxy {
            Some(proxy) => format!("{fault} through the proxy {proxy}; check the proxy and run it again"),
            None => format!("{fault}; check the network and run it again"),
        })
    }

    /// What is lacking here, when not a single host could be asked or answered for that reason.
    pub fn lacks(&self) -> Option<String> {
        let lacked = self.network.lacks()?;
        Some(format!("nobody could be asked: {lacked}; check the network and run it again"))
    }

    /// Keeps the passages of a record in the bundle that is being recorded, each beside its page: what was said to support a
    /// claim can then be found without this program.
    pub fn keep_passages(&self, record: &Record) {
        for claim in &record.verifications {
            for source in claim.sources_reconciled.iter().filter(|source| !source.source_passage.is_empty()) {
                // As a bundle names pages; what is no address has none.
                let Ok(page) = url::Url::parse(&source.source_url) else { continue };
                let passage = serde_json::json!({
                    "claim": claim.claim_id,
                    "passage": source.source_passage,
                    "offsets": source.offsets,
                    "text_sha256": source.text_sha256,
                });
                self.network.note(page.as_str(), "application/json", &passage.to_string());
            }
        }
    }
}

/// Makes sure that a bundle is written over nothing but another bundle: a slip of the pen must not cost a document.
fn spares(path: &Path) -> Result<()> {
    /// How gzip begins (RFC 1952, 2.3.1), and an uncompressed WARC.
    const BEGINNINGS: [&[u8]; 2] = [&[0x1f, 0x8b], b"WARC/"];
    if path == Path::new(STANDARD) {
        return Err(Error::usage("--record -: an evidence bundle is written into a file; name one"));
    }
    if !path.is_file() {
        return Ok(());
    }
    let mut head = [0; 5];
    let read = File::open(path).and_then(|mut file| file.read(&mut head)).map_err(|error| Error::read(path, error))?;
    if read == 0 || BEGINNINGS.iter().any(|beginning| head[..read].starts_with(beginning)) {
        return Ok(());
    }
    let path = path.display();
    Err(Error::usage(format!(
        "{path}: is there and is no evidence bundle; it is not written over, name another file with --record"
    )))
}
