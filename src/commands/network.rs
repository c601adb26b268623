//! What a run asks its sources through: the network, a bundle, or nobody.

use crate::cli::settings::NetworkSettings;
use crate::error::Result;
use crate::fetch::{Fetched, Fetcher, Fetching, Request};

/// The way to the sources of one run.
pub struct Web {
    fetcher: Box<dyn Fetcher>,
    now: jiff::Timestamp,
}

struct Nobody(jiff::Timestamp);

impl Fetcher for Nobody {
    fn fetch<'a>(&'a self, request: &'a Request) -> Fetching<'a> {
        let address = request.addresses.first().cloned().unwrap_or_default();
        Box::pin(std::future::ready(Fetched::unasked(address, "offline", self.0)))
    }
}

impl Web {
    /// Opens it.
    ///
    /// # Errors
    /// When a bundle or certificate cannot be read.
    pub fn open(settings: &NetworkSettings) -> Result<Web> {
        let now = settings.now.unwrap_or_else(jiff::Timestamp::now);
        Ok(Web { fetcher: Box::new(Nobody(now)), now })
    }

    /// What asks.
    pub fn fetcher(&self) -> &dyn Fetcher {
        &*self.fetcher
    }

    /// The time that counts as now.
    pub fn now(&self) -> jiff::Timestamp {
        self.now
    }

    /// Ends it; a bundle that was being written is complete afterwards.
    ///
    /// # Errors
    /// When the bundle cannot be written.
    pub fn close(&self) -> Result<()> {
        Ok(())
    }
}
