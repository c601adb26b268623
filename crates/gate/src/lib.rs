//! The gate: accept or reject, change nothing, and prove why.
//!
//! A [ledger](mod@ledger) says what an artifact claims; every value is [recomputed](mod@examine) from raw [data](mod@data) by a
//! [closed engine](mod@engine), every quotation [looked up](mod@sources), and the ledger must [cover](mod@coverage) its
//! summary. A [manifest](mod@manifest) ties claims to places of a corpus. [Criteria](mod@criteria) are commands, plugins,
//! assertions and judges, run by a state machine in which nothing that was not validated is completed.
//!
//! One claim that cannot be verified rejects the whole artifact, and every claim is still reported.

pub mod coverage;
pub mod criteria;
pub mod data;
#[cfg(test)]
mod direction_tests;
pub mod engine;
pub mod examine;
pub mod human_report;
pub mod json;
pub mod ledger;
pub mod manifest;
pub mod process;
pub mod report;
pub mod skeleton;
pub mod sources;
#[cfg(test)]
mod tests;
