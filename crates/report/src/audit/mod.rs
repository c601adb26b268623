//! A night of an audit for people and as findings.
//!
//! Nothing here asks what time it is or who reads: all of it is in the report. What came from outside (addresses, titles, sentences,
//! names of files) goes through the escape of its format.

pub mod findings;
mod human_report;
#[cfg(test)]
#[path = "sample_tests.rs"]
mod sample;

pub use human_report::sheet;
