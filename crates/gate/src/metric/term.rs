//! A short form of a metric as SQL.

/// A short form as SQL.
#[derive(Debug, Clone)]
pub struct Translated {
    /// The whole metric as one scalar query.
    pub sql: String,
    /// Its aggregates, from left to right.
    pub terms: Vec<Term>,
}

/// One aggregate as SQL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// The words of the metric.
    pub text: String,
    /// The table.
    pub table: String,
    /// A query with one row: the value and how many rows it is of.
    pub select: String,
    /// A scalar query for the value alone.
    pub scalar: String,
    /// The condition on rows; empty when all count.
    pub condition: String,
    /// The columns that are read, in order of appearance.
    pub columns: Vec<String>,
    /// Columns that have to be equal to something.
    pub equal: Vec<String>,
    /// Columns that are compared with something otherwise.
    pub ranged: Vec<String>,
}
