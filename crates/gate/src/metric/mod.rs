//! Metrics: what a value is recomputed by. A scalar SQL query, or a short form that is translated to one.

mod constant;
pub mod expression;
mod term;
#[cfg(test)]
mod tests;
mod token;
mod translate;

pub use term::{Term, Translated};
pub use translate::translate;

use cited_text::Span;

/// What is wrong with a metric, and where in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// In words.
    pub message: String,
    /// The bytes of the metric that it is about.
    pub span: Span,
}

impl Fault {
    /// A fault at a place.
    pub fn new(message: impl Into<String>, span: Span) -> Self {
        Fault { message: message.into(), span }
    }

    /// The fault with its column in `metric`, counted in characters from 1.
    pub fn described(&self, metric: &str) -> String {
        let column = metric.get(..self.span.start).map_or(0, |before| before.chars().count()) + 1;
        format!("column {column}: {}", self.message)
    }
}

/// Whether a metric is SQL rather than a short form.
///
/// ```
/// use cited_gate::metric::is_sql;
/// assert!(is_sql(" select count(*) from sales"));
/// assert!(!is_sql("count(from sales)"));
/// ```
pub fn is_sql(metric: &str) -> bool {
    // Whatever else begins a statement of SQL is given to the engine too, so that its refusal says what it was.
    const BEGINNINGS: [&str; 20] = [
        "select",
        "with",
        "values",
        "explain",
        "pragma",
        "attach",
        "detach",
        "insert",
        "update",
        "delete",
        "replace",
        "create",
        "drop",
        "alter",
        "vacuum",
        "reindex",
        "analyze",
        "begin",
        "commit",
        "savepoint",
    ];
    let first: String = metric.trim_start().chars().take_while(char::is_ascii_alphabetic).collect();
    let called = metric.trim_start()[first.len()..].trim_start().starts_with('(');
    BEGINNINGS.iter().any(|word| first.eq_ignore_ascii_case(word)) && !(called && first.eq_ignore_ascii_case("replace"))
}
