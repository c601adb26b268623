//! The settings of a run, and what is told while it goes on.

use std::sync::Arc;

use cited_core::decide::Policy;
pub use cited_core::decide::Style;
use cited_core::decide::review::Review;
use cited_core::outcome::Fetched;
use cited_core::verdict::Verdict;
use cited_judge::SourceText;
use cited_judge::outside::Panel;
use cited_works::Index;

/// Gives the text of a file by the path that a claim names.
pub type ReadArtifact = Arc<dyn Fn(&str) -> Option<Result<String, String>> + Send + Sync>;

/// The name of research notes that say what a search has found. They give claims a source as other notes do; and that they are there
/// makes no claim without one go.
pub const FOUND: &str = "found by the search";

/// Sources whose turn may be waited for at once. Each costs some kilobytes while it waits; what bounds the requests in flight is the
/// fetcher's own limit.
const AT_ONCE: usize = 2048;

/// Which works of the sources are looked up in indexes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Scope {
    /// None: nobody is asked.
    #[default]
    Off,
    /// Those with an identifier, and those whose page is not there.
    On,
    /// All.
    All,
    /// As `on`; and addresses that were found take the place of those that are gone.
    Write,
}

/// The settings of a run. The default is what the command line does when nothing is said.
#[derive(Clone)]
pub struct Options {
    /// What is done with claims that fall short.
    pub policy: Policy,
    /// Whether the brief gets a section of notes.
    pub notes: bool,
    /// How the brief cites.
    pub style: Style,
    /// Whether a clause that ends with its own marker may go alone.
    pub clauses: bool,
    /// Whether the support of claims is judged.
    pub support: bool,
    /// How claims are judged.
    pub judging: cited_judge::Settings,
    /// A judge of the user's, asked about every claim that stands on a page.
    pub judge: Option<Arc<Panel>>,
    /// Which works are looked up, …
    pub works: Scope,
    /// … and in which indexes.
    pub indexes: Arc<[Arc<dyn Index>]>,
    /// What reviewers decided on claims.
    pub review: Arc<Review>,
    /// Whether sources are looked for afterwards: then a draft may come without any.
    pub sources_may_be_found: bool,
    /// How many sources are fetched at once.
    pub concurrency: usize,
    /// Whether images and the links of HTML are asked for, too.
    pub every_link: bool,
    /// Whether an address is to be asked.
    pub wants: Arc<dyn Fn(&str) -> bool + Send + Sync>,
    /// The time that counts as now.
    pub now: jiff::Timestamp,
    /// The text of a file that a claim names, when it is inside the tree given. `None` when there is none; in words why not when it
    /// is there and cannot be read.
    pub artifact: ReadArtifact,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            policy: Policy::default(),
            notes: false,
            style: Style::default(),
            clauses: false,
            support: true,
            judging: cited_judge::Settings::default(),
            judge: None,
            works: Scope::default(),
            indexes: Arc::default(),
            review: Arc::default(),
            sources_may_be_found: false,
            concurrency: AT_ONCE,
            every_link: false,
            wants: Arc::new(|_| true),
            now: jiff::Timestamp::now(),
            artifact: Arc::new(|_| None),
        }
    }
}

impl Options {
    /// What the rules say of a claim, as the judge that the user lends revises it.
    pub(crate) fn revise(&self, claim: &str, verdict: Verdict, source: &SourceText<'_>) -> Verdict {
        match &self.judge {
            Some(panel) => panel.revise(claim, verdict, source, &self.judging),
            None => verdict,
        }
    }
}

/// What is going on, for whoever shows it.
#[derive(Debug, Clone, Copy)]
pub enum Progress<'a> {
    /// So many sources will be asked.
    Fetching(usize),
    /// One was asked.
    Fetched(&'a Fetched),
    /// What is being done now, in a few words.
    Stage(&'static str),
}

/// Who is told what is going on.
pub type Watch<'a> = &'a (dyn Fn(Progress<'_>) + Sync);
