//! Asking the web: every source once, within limits, with an archive behind it. The only room with network access.

mod charset;
mod decode;
pub mod document;
mod fold;
pub mod html;
pub mod jitter;
#[cfg(any(feature = "network", feature = "pdf"))]
pub mod leftovers;
pub mod liveness;
pub mod meta;
#[cfg(feature = "pdf")]
pub mod pdf;
mod plain;
mod run;
mod tabular;
pub mod transport;

cfg_if::cfg_if! {
    if #[cfg(feature = "network")] {
        pub mod archive;
        pub mod asked_once;
        pub mod bundle;
        pub mod cache;
        pub mod catalogue;
        mod clients;
        mod descriptors;
        mod dns;
        mod endpoint;
        pub mod guard;
        pub mod looker;
        pub mod markdown;
        mod network;
        pub mod politeness;
        pub mod post;
        pub mod robots;
        mod settings;
        mod sibling;
        pub mod wire;
        pub mod works;

        pub use endpoint::Endpoint;
        pub use network::Network;
        pub use settings::{Bundle, CachePlace, Clock, ConnectTo, Credentials, Save, Settings};
    }
}

pub use cited_core::outcome::{AddressOutcome, ArchiveCopy, Fetched, Hop, Kept, Outcome};
pub use cited_core::page::{Imprint, Page};
pub use cited_core::rule::Rule;
pub use run::{fetch_all, fetch_each, in_turns};

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

/// Whether a text supports what is claimed.
pub type Supports<'c> = Arc<dyn Fn(&str) -> bool + Send + Sync + 'c>;

/// What is asked of the network for one source. The claims stay where they are: a document may have many of them.
#[derive(Clone, Default)]
pub struct Request<'c> {
    /// Addresses of the source, the one to show first. One that is live is enough.
    pub addresses: Vec<String>,
    /// Other addresses of the work that an entry names beside them, such as that of its DOI: asked when all of `addresses` are gone.
    pub works: Vec<String>,
    /// When the author looked, if known: the archive copy nearest to it is preferred.
    pub accessed: Option<jiff::civil::Date>,
    /// Titles that the entries give the source: a page that carries one of them is the page that was cited.
    pub titles: Vec<String>,
    /// What the document says with this source: a page that says the same is the page that was cited.
    pub claims: Vec<&'c str>,
    /// Whether only the state of the source matters: then no more of a page is read than deciding needs, and its text is
    /// cut. For a source that no claims are given for.
    pub glance: bool,
    /// Whether a copy in an archive is known already: then no archive is asked for one.
    pub copy_is_known: bool,
    /// Whether other addresses of the run, with names of their own, ended at the page where this one did.
    pub in_company: bool,
    /// Whether a text supports one of the claims; chooses among archive copies. Without it the nearest readable copy is taken.
    pub supports: Option<Supports<'c>>,
}

/// The future of one fetch.
pub type Fetching<'a> = Pin<Box<dyn Future<Output = Fetched> + Send + 'a>>;

/// The future of having a page kept.
pub type Keeping<'a> = Pin<Box<dyn Future<Output = Option<Kept>> + Send + 'a>>;

/// What a host has made known that whoever asks it next should keep to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Wish {
    /// Time between the starts of two requests, where it is more than usual; else zero.
    pub pause: Duration,
    /// How long it wants to be left alone from now on, by its own word (`Retry-After`).
    pub rest: Duration,
}

/// Something that can look at sources: the network, a bundle, or a caller's own transport.
///
/// Failure is an [`Outcome`], never an error: "could not ask" is an answer like any other.
pub trait Fetcher: Send + Sync {
    /// Looks at one source.
    fn fetch<'a>(&'a self, request: &'a Request<'a>) -> Fetching<'a>;

    /// The fetcher that this one stands before, if it stands before one: what it does not answer itself is asked of that one.
    fn inner(&self) -> Option<&dyn Fetcher> {
        None
    }

    /// Sees to it that an archive has a copy of a living page; `None` when nobody asked for that.
    fn keep<'a>(&'a self, fetched: &'a Fetched) -> Keeping<'a> {
        self.inner().map_or_else(|| Box::pin(std::future::ready(None)) as Keeping<'a>, |inner| inner.keep(fetched))
    }

    /// Whether an archive is asked for copies of what is gone. Without one nobody said that there is no copy.
    fn asks_archives(&self) -> bool {
        self.inner().is_none_or(Fetcher::asks_archives)
    }

    /// Why nothing that was asked so far can be trusted, when that is so: the network is at fault, or the run was cut
    /// short.
    fn fault(&self) -> Option<String> {
        self.inner()?.fault()
    }

    /// What a host has made known in this run that whoever asks it next should keep to.
    fn wish(&self, host: &str) -> Wish {
        self.inner().map_or_else(Wish::default, |inner| inner.wish(host))
    }

    /// Takes note of the time between two requests that others learnt of a host.
    fn mind(&self, host: &str, pause: Duration) {
        if let Some(inner) = self.inner() {
            inner.mind(host, pause);
        }
    }
}
