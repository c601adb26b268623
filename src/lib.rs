//! cited checks whether the sources of a document say what it claims, and repairs its citations.
//!
//! # A run
//!
//! A draft goes in, with the notes it was written from, if there are any, and something that can look at sources. Out come the brief, the
//! record of what was decided and why, and findings.
//!
//! ```
//! use cited::{Fetched, Fetcher, Fetching, Input, Options, Request, RunVerdict, read_page, verify};
//!
//! /// The only page of a small world. Everything else is gone.
//! struct World;
//!
//! impl Fetcher for World {
//!     fn fetch<'a>(&'a self, request: &'a Request<'a>) -> Fetching<'a> {
//!         let address = request.addresses[0].clone();
//!         let now = jiff::Timestamp::UNIX_EPOCH;
//!         let page = "<title>Fleet</title><p>The ferry line runs 12 electric ferries.</p>";
//!         Box::pin(async move {
//!             match address.as_str() {
//!                 "https://ferries.example/fleet" => Fetched::live(address, read_page(page, "fleet.html").unwrap(), now),
//!                 _ => Fetched::dead(address, "HTTP 404", now),
//!             }
//!         })
//!     }
//! }
//!
//! # fn main() -> cited::Result<()> {
//! let draft = Input {
//!     path: "ferries.md".to_owned(),
//!     text: "The line runs 12 electric ferries [1]. It lost 40 million euros in 2021 [2].\n\n\
//!            ## Sources\n\n[1] Fleet: https://ferries.example/fleet\n[2] Accounts: https://ferries.example/accounts\n"
//!         .into(),
//! };
//! let options = Options { now: jiff::Timestamp::UNIX_EPOCH, ..Options::default() };
//! let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
//! let run = runtime.block_on(verify(&draft, &[], &World, &options, &|_| {}))?;
//!
//! assert!(run.brief.starts_with("The line runs 12 electric ferries [1].\n"));
//! assert!(!run.brief.contains("40 million euros in 2021 [2]"));
//! assert_eq!(run.record.verdict, RunVerdict::PassWithNotes);
//! // Every change of the text has its reason, and every claim its verdict.
//! assert!(!run.record.edits.is_empty());
//! assert_eq!(run.record.verifications.len(), 2);
//! # Ok(())
//! # }
//! ```
//!
//! # Parts
//!
//! | for | there is |
//! |---|---|
//! | a brief of a draft | [`verify()`], with [`Options`]; the default is what the command line does |
//! | findings on a document, which is not changed | [`check()`] |
//! | one claim by one page | [`judge_claim()`] |
//! | a ledger of claims by raw data | `examine_texts`, with the feature `sqlite` |
//! | looking at sources | [`Fetcher`]; `Network` with the feature `network` is the program's own, with archives, caches and limits |
//! | what was decided | [`Record`], whose JSON Schema `cited schema record` prints |
//!
//! Nothing here prints, and nothing is kept between two calls. Looking at a source never fails: that it could not be asked is an
//! [`Outcome`] like any other, and proves nothing.
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | `cli` (default) | the program, with the three below |
//! | `network` | the program's own fetcher |
//! | `sqlite` | the gate, and what the audit remembers |
//! | `pdf` | the text of PDF files |
//! | `postgres`, `mcp`, `serve` | parts of the program |
//!
//! With `default-features = false` there is the engine alone, without network, SQLite, PDF and command line.
//!
//! Modules that are not shown here are of use to the program and its tests, and no part of the interface.

// Without the program and all its services, what only they use is unused.
#![cfg_attr(not(all(feature = "postgres", feature = "serve")), allow(dead_code, unused_imports))]

#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
#[cfg(feature = "cli")]
mod commands;
#[doc(hidden)]
pub mod pipeline;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod program;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod schemas;
#[cfg(feature = "tools")]
mod serve;
#[cfg(feature = "cli")]
mod setup;

#[doc(hidden)]
pub use {
    cited_audit as audit,
    cited_core::{address, check, citation, claim, decide, error, finding, markdown, page, source},
    cited_fetch as fetch, cited_judge as judge,
    cited_judge::evidence,
    cited_report as render, cited_text as text,
    cited_text::{lexicon, quantity, quotation},
    cited_works as works,
};
#[cfg(feature = "sqlite")]
#[doc(hidden)]
pub use {cited_audit::store, cited_gate as gate};

pub use cited_core::input::Input;
pub use decide::{Edit, Policy, Treatment};
pub use error::{Error, Result};
pub use evidence::Passage;
pub use fetch::document::page_of as read_page;
pub use fetch::{ArchiveCopy, Fetched, Fetcher, Fetching, Hop, Outcome, Page, Request, Rule};
#[cfg(feature = "network")]
pub use fetch::{Network, Settings as NetworkSettings};
pub use finding::{Code, Finding, Severity};
#[cfg(feature = "sqlite")]
pub use gate::examine::{Examined, examine_texts};
pub use judge::{Check, CheckKind, CheckResult, Derivation, Standing, Verdict};
pub use pipeline::{Checked, Options, Progress, Run, Style, Watch, check, judge_claim, verify};
pub use render::record::{Record, RunVerdict, SourceRecord, Verification};
