//! What a page says whatever the claim, read once for all claims on it: each of them would read the whole page for it.

use std::sync::OnceLock;

/// Read on first use, by who needs it.
#[derive(Debug, Default)]
pub(super) struct Once {
    /// By what its heads multiply the figures below them.
    pub(super) scales: OnceLock<Vec<f64>>,
    /// The numbers of which it says *one of so many*.
    pub(super) ones: OnceLock<Vec<f64>>,
    /// The key of what each of its quantities counts.
    pub(super) counted: OnceLock<Vec<Option<u64>>>,
    /// The rows of its tables.
    pub(super) rows: OnceLock<Vec<Row>>,
}

/// A row of a table and its counts.
#[derive(Debug)]
pub(super) struct Row {
    /// Where its line begins.
    pub(super) start: usize,
    /// Its first cell.
    pub(super) label: String,
    /// Its counts without their signs, in order.
    pub(super) counts: Vec<f64>,
}
