//! What a command works with, made from its settings in one place: fetcher, judge, reporter, interrupt.

pub mod interrupt;
pub mod lent;
pub mod read_page;

use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use jiff::tz::TimeZone;
use tokio::runtime::Builder;

use crate::cli::args::TalkFlags;
use crate::cli::progress::Reporter;
use crate::cli::say;
use crate::cli::settings::{Settings, users_cache};
use crate::pipeline::{Options, of_look};
use cited_core::error::{Error, Result};
use cited_core::input::STANDARD;
use cited_core::outcome::Fetched;
use cited_fetch::{Bundle, Fetcher, Fetching, Network, Request};
use cited_report::record::Record;
use cited_works::{Entry, Index, Report, Web as IndexOfWeb, look_up};

/// Says nothing and shows no progress.
pub const SILENT: TalkFlags = TalkFlags { quiet: true, verbose: false };

/// What a command works with.
pub struct Setup {
    /// What asks sources. At its end a bundle that was being recorded is whole and in its place.
    pub network: Arc<Network>,
    /// Who tells of progress.
    pub reporter: Reporter,
    /// The settings of a run, with the time that counts as now, without a lookup of the files that claims name.
    pub options: Options,
}

impl Setup {
    /// For a command that asks sources by its own policy: without the judge of the settings.
    ///
    /// # Errors
    /// When a bundle or certificate cannot be read, or a bundle cannot be written.
    pub fn asking(settings: &Settings, talk: &TalkFlags) -> Result<Setup> {
        Setup::open(settings, talk, Options::default())
    }

    /// For a command that judges as the settings say, with the judge that the user lends.
    ///
    /// # Errors
    /// As [`Setup::asking`], and when the judge cannot be used.
    pub fn judging(settings: &Settings, talk: &TalkFlags) -> Result<Setup> {
        let options = settings.options();
        let judge = if options.support { lent::panel(settings)?.map(Arc::new) } else { None };
        Setup::open(settings, talk, Options { judge, ..options })
    }

    fn open(settings: &Settings, talk: &TalkFlags, options: Options) -> Result<Setup> {
        let mut fetch = settings.fetch.clone();
        let clock = fetch.clock.clone();
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
        let now = settings.network.now.or(network.begun()).unwrap_or_else(|| clock());
        let key = |variable: &str| std::env::var(variable).ok();
        let asked = &settings.network.index;
        let indexes = IndexOfWeb::all(&network, asked, settings.fetch.email.as_deref(), key)?;
        let indexes = indexes.into_iter().map(|index| Arc::new(index) as Arc<dyn Index>).collect();
        let options = Options { indexes, now, ..options };
        let reporter = Reporter::new(settings.progress, talk.quiet);
        Ok(Setup { network, reporter, options })
    }

    /// What asking for one address gives, with the claims that it is to be read for.
    ///
    /// # Errors
    /// When the system gives no threads.
    pub fn fetch(&self, address: &str, claims: Vec<&str>) -> Result<Fetched> {
        let request = Request { addresses: vec![address.to_owned()], claims, ..Request::default() };
        block_on(async { Ok(self.network.fetch(&request).await) })
    }

    /// What the indexes have of entries: all, or those of some names.
    pub async fn look_up(&self, entries: &[Entry], names: &[String]) -> Report {
        let indexes = self.options.indexes.iter().map(AsRef::as_ref);
        let is_wanted = |index: &&dyn Index| names.is_empty() || names.iter().any(|name| name == index.name());
        let indexes: Vec<&dyn Index> = indexes.filter(is_wanted).collect();
        let looked = look_up(entries, &indexes, self.options.now.to_zoned(TimeZone::UTC).year()).await;
        Report::build(entries, looked, &indexes, of_look)
    }

    /// Ends the progress, and completes the bundle that was being recorded.
    ///
    /// # Errors
    /// When the bundle could not be written.
    pub fn finish(&self) -> Result<()> {
        self.reporter.bar.finish_and_clear();
        self.network.finish()
    }

    /// Why nobody can be asked, when not a single host has answered.
    pub fn down(&self) -> Option<String> {
        let fault = self.network.fault().filter(|_| !self.network.any_answered())?;
        Some(format!("{fault}; check the network and run it again"))
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
                if let Some(recorder) = &self.network.looker.recorder {
                    recorder.note(page.as_str(), "application/json", &passage.to_string());
                }
            }
        }
    }
}

/// The way to the sources, with a reporter that knows what is waited for.
impl Fetcher for Setup {
    fn fetch<'a>(&'a self, request: &'a Request<'a>) -> Fetching<'a> {
        Box::pin(self.reporter.wait_for(request.addresses.first(), self.network.fetch(request)))
    }

    fn inner(&self) -> Option<&dyn Fetcher> {
        Some(&*self.network)
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

/// Runs `work` to its end; what is still asked then is dropped.
///
/// # Errors
/// Those of the work, and when the system gives no threads.
pub fn block_on<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    // One thread asks and waits, and pages are read on others: more threads would mostly wake each other.
    run_on(&mut Builder::new_current_thread(), work)
}

/// The same on other threads.
///
/// # Errors
/// As [`block_on`].
pub fn run_on<T>(threads: &mut Builder, work: impl Future<Output = Result<T>>) -> Result<T> {
    let none = |error| Error::blocked(format!("the system gives no threads: {error}"));
    let runtime = threads.enable_all().build().map_err(none)?;
    let result = runtime.block_on(work);
    // Whatever is still asked is of no interest any more, and standard input may be read by a thread that nobody can wake.
    runtime.shutdown_background();
    result
}
