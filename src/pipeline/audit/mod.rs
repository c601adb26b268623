//! One night of an audit: what documents stand on is planned, asked, learnt from and told.
//!
//! `documents` reads, [`store::Store`](cited_audit::store::Store) plans and remembers, `asking` asks, `telling` makes the report. Each step
//! can be cut short at any moment: the next run goes on with what is stored.

pub mod asking;
pub mod documents;
pub mod dropping;
pub mod telling;

pub use asking::{Asking, Shared, Tally};
pub use documents::{hash_with, of_addresses, of_markdown, of_record};
pub use telling::{look, tell};
