//! How a page shows a value of a claim.

use cited_text::Span;

/// How a value of a claim is shown.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shown {
    /// Whether it follows from others by a step of arithmetic.
    pub(crate) derived: bool,
    /// How that is written: `1,056 + 987 = 2,043`.
    pub(crate) written: String,
    /// The values that it follows from.
    pub(crate) operands: Vec<Span>,
    /// The sentences, or the cells of the rows, that have them.
    pub(super) parts: Vec<Span>,
    /// What stands over these.
    pub(super) over: Vec<Span>,
    pub(super) in_a_table: bool,
    /// The year over its column.
    pub(super) year: Option<i32>,
}

impl Shown {
    /// What a writer is told.
    pub(crate) fn reason(&self) -> String {
        let how = if self.derived { "follows from the source" } else { "the table of the source has it" };
        format!("{how}: {}", self.written)
    }

    /// Where it is shown: the first value that it follows from.
    pub(crate) fn first_span(&self) -> Option<Span> {
        self.operands.first().or(self.parts.first()).copied()
    }
}
