//! What every call of a tool works with, made once from the settings of whoever runs the service.

use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::roots::Roots;
use crate::cli::args::ServiceFlags;
use crate::cli::settings::Settings;
use crate::commands::input;
use crate::pipeline::{Options, Works};
use crate::serve::problem::{Problem, Result};
use crate::setup::lent::{self, Lent};
use crate::setup::{SILENT, Setup};
use cited_core::error::{self, Error};
use cited_core::input::Input;

/// Bytes of one text that is given or read.
const LONGEST_TEXT: usize = 8 << 20;
/// Sources, references or addresses in one call.
pub(super) const MOST_SOURCES: usize = 1000;

/// What every call of a tool works with.
pub struct Context {
    /// What counts unless a call says otherwise.
    pub(super) settings: Settings,
    /// Holds the judge, which is made once.
    judging: Setup,
    /// The folders that files may lie in.
    pub(super) roots: Roots,
    /// The search of the service, when it has one.
    pub(super) search: Option<Lent>,
    /// What calls may cost.
    pub(super) flags: ServiceFlags,
    places: Arc<Semaphore>,
    /// For the calls that run and those that may wait.
    seats: Arc<Semaphore>,
}

/// A place among the calls that run at once, and a seat among those that run or wait; dropping it gives both back.
pub type CallPermit = (OwnedSemaphorePermit, OwnedSemaphorePermit);

impl Context {
    /// What calls work with by these settings. Files are read and written inside the roots of `flags` alone.
    ///
    /// # Errors
    /// When a folder, the judge, a certificate or a bundle cannot be used.
    pub fn new(flags: ServiceFlags, settings: Settings) -> error::Result<Context> {
        if !flags.work.research.is_empty() {
            return Err(Error::usage("--research: the clients of a service name research files with each draft"));
        }
        let roots = Roots::open(&flags.root)?;
        let judging = Setup::judging(&settings, &SILENT)?;
        let search = settings.search.as_deref().map(|named| Lent::open(lent::SEARCH, named, &settings)).transpose()?;
        let places = Arc::new(Semaphore::new(flags.at_once));
        let seats = Arc::new(Semaphore::new(flags.at_once + flags.queue));
        Ok(Context { settings, judging, roots, search, flags, places, seats })
    }

    /// The way to the sources for one call: what one call sees of hosts is no other call's business.
    pub(super) fn asking(&self) -> error::Result<Setup> {
        Setup::asking(&self.settings, &SILENT)
    }

    /// The options of a call that asks through `setup`.
    pub(super) fn options(&self, setup: &Setup) -> Options {
        let options = self.judging.options.clone();
        let works = Works { scope: options.works.scope, ..setup.options.works.clone() };
        Options { now: setup.options.now, works, ..options }
    }

    /// The options of a call that asks nobody.
    pub(super) fn options_offline(&self) -> Options {
        let now = (self.settings.fetch.clock)();
        Options { now, ..self.judging.options.clone() }
    }

    /// How many calls run now, and how many wait.
    pub fn load(&self) -> (usize, usize) {
        let running = self.flags.at_once - self.places.available_permits();
        let seated = self.flags.at_once + self.flags.queue - self.seats.available_permits();
        (running, seated.saturating_sub(running))
    }

    /// Waits for a place among the calls that run at once; unless it `is_patient` only while few others wait.
    pub(super) async fn acquire_permit(&self, is_patient: bool) -> Result<CallPermit> {
        let seats = Arc::clone(&self.seats);
        let seat = if is_patient { seats.acquire_owned().await.ok() } else { seats.try_acquire_owned().ok() };
        let busy = || Problem::busy(format!("{} calls wait already; try again in a few seconds", self.flags.queue));
        let seat = seat.ok_or_else(busy)?;
        let place = Arc::clone(&self.places).acquire_owned().await;
        place.map(|place| (place, seat)).map_err(|_| Problem::busy("the service is ending"))
    }

    /// The text of a file that a client names, and where that is.
    pub(super) fn read_file(&self, path: &str) -> Result<(Input, PathBuf)> {
        let file = self.roots.file(path)?;
        let text = input::read(&file)?.text;
        Context::fits(path, &text)?;
        Ok((Input { path: path.to_owned(), text }, file))
    }

    /// Refuses a text that is too long.
    pub(super) fn fits(name: &str, text: &str) -> Result<()> {
        Self::limit_length(name, text.len(), LONGEST_TEXT)
    }

    /// Refuses a text of more bytes, or a list of more entries.
    pub(super) fn limit_length(name: &str, length: usize, most: usize) -> Result<()> {
        let too_long = || Problem::arguments(format!("`{name}` has a length of {length}; at most {most} is taken"));
        (length <= most).then_some(()).ok_or_else(too_long)
    }
}
