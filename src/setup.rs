//! What a command works with, made from its settings in one place: fetcher, judge, reporter, interrupt.

pub mod interrupt;
mod judge;
pub mod lent_command;
pub mod read_page;
pub mod search;
mod web;

use std::sync::Arc;

pub use self::judge::KEY_VARIABLE;
pub use self::web::Web;
use crate::cli::args::TalkFlags;
use crate::cli::progress::{Reporter, Watched};
use crate::cli::settings::Settings;
use crate::pipeline::{Options, Works};
use cited_core::error::{Error, Result};
use cited_core::outcome::Fetched;
use cited_fetch::{Fetcher, Request};
use cited_works::{Index, Web as IndexOfWeb};

/// Says nothing and shows no progress.
pub const SILENT: TalkFlags = TalkFlags { quiet: true, verbose: false, progress: None };

/// What a command works with.
pub struct Setup {
    /// The way to the sources.
    pub web: Web,
    /// Who tells of progress.
    pub reporter: Reporter,
    options: Options,
}

impl Setup {
    /// For a command that asks sources by its own policy: without the judge of the settings.
    ///
    /// # Errors
    /// When a bundle or certificate cannot be read, or a bundle cannot be written.
    pub fn asking(settings: &Settings, talk: &TalkFlags) -> Result<Setup> {
        let web = Web::open(settings)?;
        let contact = settings.fetch.email.as_deref();
        let key = |variable: &str| std::env::var(variable).ok();
        let indexes = IndexOfWeb::all(&web.network, &settings.network.asking.index, contact, key)?;
        let indexes = indexes.into_iter().map(|index| Arc::new(index) as Arc<dyn Index>).collect();
        let works = Works { indexes, ..Works::default() };
        let options = Options { now: web.now, works, ..Options::default() };
        let reporter = Reporter::new(settings.progress, talk.quiet, talk.verbose);
        Ok(Setup { web, reporter, options })
    }

    /// For a command that judges as the settings say, with the judge that the user lends.
    ///
    /// # Errors
    /// As [`Setup::asking`], and when the judge cannot be used.
    pub fn judging(settings: &Settings, talk: &TalkFlags) -> Result<Setup> {
        let mut setup = Setup::asking(settings, talk)?;
        let options = settings.options();
        let judge = if options.support { judge::panel(settings)? } else { None };
        let works = Works { scope: options.works.scope, ..setup.options.works };
        let (judge, now) = (judge.map(Arc::new), setup.options.now);
        setup.options = Options { judge, works, now, ..options };
        Ok(setup)
    }

    /// The settings of a run, without a lookup of the files that claims name.
    pub fn options(&self) -> Options {
        self.options.clone()
    }

    /// The way to the sources, with a reporter that knows what is waited for.
    pub fn watched(&self) -> Watched<'_> {
        Watched { fetcher: self.fetcher(), reporter: &self.reporter }
    }

    /// The way to the sources.
    pub fn fetcher(&self) -> &dyn Fetcher {
        self.web.network.as_ref()
    }

    /// What asking for one address gives, with the claims that it is to be read for.
    ///
    /// # Errors
    /// When the system gives no threads.
    pub fn fetch(&self, address: &str, claims: Vec<&str>) -> Result<Fetched> {
        let request = Request { addresses: vec![address.to_owned()], claims, ..Request::default() };
        block_on(async { Ok(self.fetcher().fetch(&request).await) })
    }
}

/// Runs `work` to its end; what is still asked then is dropped.
///
/// # Errors
/// Those of the work, and when the system gives no threads.
pub fn block_on<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    // One thread asks and waits, and pages are read on others: more threads would mostly wake each other.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Error::blocked(format!("the system gives no threads: {error}")))?;
    let result = runtime.block_on(work);
    // Whatever is still asked is of no interest any more.
    runtime.shutdown_background();
    result
}
