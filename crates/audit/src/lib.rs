//! The audit: what becomes of sources over time. Pure: states, due dates, comparisons and edits are functions of what was seen and of
//! the time that counts as now; asking is `fetch`'s, remembering is `store`'s.
//!
//! ```
//! use cited_audit::{Observation, Remembered, Seen, State};
//! use cited_core::outcome::Outcome;
//! let day = |day: i64| jiff::Timestamp::from_second(1_767_225_600 + day * 86_400).unwrap();
//! let mut source = Remembered::new("https://example.org/a", day(0));
//! source.take(&Observation::new(day(0), Seen::Good, Outcome::Live));
//! // One bad night proves nothing.
//! source.take(&Observation::new(day(1), Seen::Gone, Outcome::Dead));
//! assert_eq!(source.state, State::Suspect);
//! source.take(&Observation::new(day(4), Seen::Gone, Outcome::Dead));
//! source.take(&Observation::new(day(8), Seen::Gone, Outcome::Dead));
//! assert_eq!(source.state, State::Rotten);
//! ```

pub mod compare;
pub mod due;
pub mod news;
pub mod night;
pub mod observation;
pub mod repair;
pub mod report;
#[cfg(test)]
#[path = "simulated_tests.rs"]
mod simulated;
pub mod state;
#[cfg(feature = "sqlite")]
pub mod store;

pub use compare::{Compared, Pin, PinState};
pub use news::News;
pub use night::Night;
pub use observation::{Observation, Seen};
pub use report::{AuditReport, CitationPosition, Entry, Remedy};
pub use state::{Acknowledgement, Remembered, State};
