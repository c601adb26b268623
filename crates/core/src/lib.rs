//! What cited reads, decides and edits, and the values that all its crates speak of: pages, outcomes, verdicts, findings.
//!
//! Nothing here asks the web or judges: a page is a value that somebody else read, and a verdict one that somebody else gave.

pub mod address;
pub mod check;
pub mod citation;
pub mod claim;
pub mod decide;
pub mod error;
pub mod finding;
pub mod input;
pub mod markdown;
pub mod outcome;
pub mod page;
pub mod pattern;
pub mod rule;
pub mod shape;
pub mod shares;
pub mod source;
pub mod verdict;
