//! Edits on byte spans: the only way in which a document changes.

use serde::{Deserialize, Serialize};

use crate::claim::ClaimId;
use cited_text::Span;

/// What caused an edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// A claim goes.
    ClaimRemoved,
    /// A hole that a removal left is closed: a list, row, heading, footnote or blank line goes.
    HoleMended,
    /// A claim is marked or replaced by a task, as the user asked.
    ClaimMarked,
    /// A figure without provenance became a task.
    FigureReplaced,
    /// A citation gets its new number, or loses members.
    Renumbered,
    /// A claim gets a citation.
    Cited,
    /// A reference link whose definition goes gets its address inline.
    LinkInlined,
    /// A source list is written, moved or dropped.
    SourcesWritten,
    /// The report of what was removed or noted is written.
    ReportWritten,
    /// A character that would change the structure after a removal is escaped.
    Escaped,
    /// An address that is gone or has moved gives way to a copy or to its new one, as the user asked.
    AddressReplaced,
}

/// One change: the bytes of `span` become `replacement`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Edit {
    /// The bytes that go; empty to insert.
    pub span: Span,
    /// What stands there afterwards.
    pub replacement: String,
    /// What caused it.
    pub because: Cause,
    /// The claim whose verdict caused it, when one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim_id: Option<ClaimId>,
}

impl Edit {
    /// The bytes of `span` become `replacement`.
    pub fn new(span: Span, replacement: impl Into<String>, because: Cause) -> Self {
        Edit { span, replacement: replacement.into(), because, claim_id: None }
    }
}

/// Two edits that want the same bytes: a fault of the caller.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("two edits want the same bytes: {:?} and {:?}", .0.0, .0.1)]
pub struct Overlap(pub Box<(Edit, Edit)>);

/// `text` with all `edits` made. Edits are sorted by the bytes they start at; insertions at one place keep their order.
///
/// Without edits the result is `text` to the byte.
///
/// # Errors
/// When two edits overlap, or one lies outside `text` or cuts a character.
///
/// ```
/// use cited_core::decide::{apply, Cause, Edit};
/// use cited_text::Span;
/// let edit = Edit::new(Span::new(2, 5), "[1]", Cause::Renumbered);
/// assert_eq!(apply("a [7].", &[edit]).unwrap(), "a [1].");
/// ```
pub fn apply(text: &str, edits: &[Edit]) -> Result<String, Overlap> {
    let mut order: Vec<&Edit> = edits.iter().collect();
    order.sort_by_key(|edit| (edit.span.start, edit.span.end));
    let growth: usize = edits.iter().map(|edit| edit.replacement.len()).sum();
    let mut out = String::with_capacity(text.len() + growth);
    let mut done = 0;
    let mut last: Option<&Edit> = None;
    for edit in order {
        let kept = text.get(done..edit.span.start);
        let (Some(kept), true) = (kept, text.is_char_boundary(edit.span.end.min(text.len()))) else {
            return Err(Overlap(Box::new((last.unwrap_or(edit).clone(), edit.clone()))));
        };
        out.push_str(kept);
        out.push_str(&edit.replacement);
        done = edit.span.end.min(text.len());
        last = Some(edit);
    }
    out.push_str(&text[done..]);
    Ok(out)
}

/// Places of an edited text in the original, asked in order.
pub struct Places<'a> {
    edits: &'a [Edit],
    /// The end of the last edit passed, in the result and in the original.
    written: usize,
    kept: usize,
}

/// Where a byte of an edited text comes from.
#[derive(Debug, Clone, Copy)]
pub enum Origin<'a> {
    /// It stood there before.
    Kept(usize),
    /// An edit wrote it.
    Written(&'a Edit),
}

impl<'a> Places<'a> {
    /// `edits` are sorted by place.
    pub fn new(edits: &'a [Edit]) -> Self {
        Places { edits, written: 0, kept: 0 }
    }

    /// The place in the original of a place in the result; inside what was written, the place of the edit.
    pub fn in_draft(&mut self, at: usize) -> usize {
        match self.origin(at) {
            Origin::Kept(at) => at,
            Origin::Written(edit) => edit.span.start,
        }
    }

    /// Where a byte of the result comes from.
    pub fn origin(&mut self, at: usize) -> Origin<'a> {
        while let [edit, rest @ ..] = self.edits {
            let start = self.written + edit.span.start.saturating_sub(self.kept);
            if at < start {
                break;
            }
            let end = start + edit.replacement.len();
            if at < end {
                return Origin::Written(edit);
            }
            self.edits = rest;
            self.written = end;
            self.kept = edit.span.end;
        }
        Origin::Kept(self.kept + at.saturating_sub(self.written))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(text: &str, edits: &[(usize, usize, &str)], expected: Option<&str>) {
        let edits: Vec<_> = edits.iter().map(|(s, e, r)| Edit::new(Span::new(*s, *e), *r, Cause::Renumbered)).collect();
        assert_eq!(apply(text, &edits).ok().as_deref(), expected);
    }

    #[test]
    fn edits_are_made_in_order_of_place() {
        check("abcdef", &[(4, 5, "E"), (0, 1, "A"), (2, 2, "+")], Some("Ab+cdEf"));
        check("abc", &[(1, 1, "1"), (1, 1, "2"), (1, 2, "B")], Some("a12Bc"));
        check("abc", &[], Some("abc"));
    }

    #[test]
    fn overlapping_or_cutting_edits_are_refused() {
        check("abcdef", &[(0, 3, ""), (2, 4, "")], None);
        check("é", &[(1, 2, "")], None);
        check("é", &[(0, 1, "")], None);
        check("abc", &[(7, 9, "")], None);
    }

    proptest! {
        #[test]
        fn no_edits_no_change(text in ".*") {
            prop_assert_eq!(apply(&text, &[]).unwrap(), text);
        }
    }
}
