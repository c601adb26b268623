//! The run: the only place that knows the order of the stages.
//!
//! Each stage takes the value of the one before and gives the next:
//!
//! | stage | gives |
//! |---|---|
//! | `read(draft, research)` | `Read`: claims, citations, one registry of sources, what each claim stands on |
//! | `ask(Read, fetcher)` | `Asked`: with what sources and links answered |
//! | `judge(Asked)` | `Judged`: with verdicts, and a decision on each claim |
//! | `compose(Judged)` | `Written`: with the brief and the edits that made it |
//! | `report(Judged, Written)` | record and findings |
//!
//! [`verify()`] walks all of them, [`check()`] the first three.

mod ask;
#[cfg(all(feature = "network", feature = "sqlite"))]
pub mod audit;
mod check;
mod compose;
mod decided;
mod judge;
mod options;
mod read;
mod report;
mod verify;

pub use self::check::{Checked, check};
pub use self::judge::{judge_claim, judge_prepared};
pub use self::options::{FOUND, Options, Progress, ReadArtifact, Scope, Style, Watch, Works};
pub(crate) use self::read::refuse_broken;
pub use self::report::{Run, of_look};
pub use self::verify::verify;
pub use cited_core::input::Input;
