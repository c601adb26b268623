//! What a source says about a claim: verdicts with their checks and passages. Pure: text in, verdict out.

pub mod verdict;

pub use verdict::{Check, CheckKind, CheckResult, Standing, Verdict};
