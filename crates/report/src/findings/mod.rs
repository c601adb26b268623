//! Findings as they are shown: where they are in their texts, with positions as people count them and as bytes, and the shapes that printers write.

pub mod checked;
pub mod stream;
pub mod text;

pub use crate::wording::shown;
pub use stream::{Checked, Incomplete, Stream};

use serde::{Deserialize, Serialize};

use cited_core::finding::{About, Finding};
use cited_core::input::Input;
use cited_text::Span;
use cited_text::lines::{LineIndex, Position};

/// The texts that findings point into, the document under check first: there are findings without a file.
pub struct Texts<'a>(Vec<Text<'a>>);

/// One text with its lines located.
pub struct Text<'a> {
    /// The path that users know it by.
    pub path: &'a str,
    /// All of it.
    pub content: &'a str,
    index: LineIndex,
}

impl<'a> Texts<'a> {
    /// The texts of a run.
    pub fn new(document: &'a Input, others: &'a [Input]) -> Self {
        let text =
            |input: &'a Input| Text { path: &input.path, content: &input.text, index: LineIndex::new(&input.text) };
        Texts(std::iter::once(document).chain(others).map(text).collect())
    }

    /// The text that a finding is in; `None` when it is in a file that was not read.
    pub fn find_text(&self, finding: &Finding) -> Option<&Text<'a>> {
        self.0.iter().find(|text| finding.file.as_deref().is_none_or(|path| path == text.path))
    }

    /// The document under check.
    pub fn document(&self) -> &Text<'a> {
        &self.0[0]
    }

    /// The path that a finding is shown under.
    pub fn path_of<'f>(&'f self, finding: &'f Finding) -> &'f str {
        finding.file.as_deref().unwrap_or(self.document().path)
    }

    /// A finding with its place as people count.
    pub fn locate(&self, finding: &Finding) -> Located {
        let text = self.find_text(finding);
        let at = |byte: fn(Span) -> usize| finding.span.and_then(|span| Some(text?.position(byte(span))));
        let (start, end) = (at(|span| span.start), at(|span| span.end));
        let mut finding = finding.clone();
        finding.file.get_or_insert_with(|| self.document().path.to_owned());
        Located {
            about: finding.about.take().map(|about| *about).unwrap_or_default(),
            finding,
            line: start.map(|at| at.line),
            column: start.map(|at| at.column),
            end_line: end.map(|at| at.line),
            end_column: end.map(|at| at.column),
        }
    }
}

impl Text<'_> {
    /// The position of a byte; the end of the text for one beyond it.
    pub fn position(&self, offset: usize) -> Position {
        self.index.position(self.content, offset)
    }

    /// The bytes of a line, counted from 1, without its end; `None` where the text has none of this number.
    pub fn line(&self, number: usize) -> Option<Span> {
        self.index.span(self.content, number)
    }
}

/// A finding with its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Located {
    /// What was found, in its file.
    #[serde(flatten)]
    pub finding: Finding,
    /// Its line, from 1.
    pub line: Option<usize>,
    /// Its column in characters, from 1.
    pub column: Option<usize>,
    /// The line of its end.
    pub end_line: Option<usize>,
    /// The column just past its end.
    pub end_column: Option<usize>,
    /// The claim and the source that it is about; null where it is about none.
    #[serde(flatten)]
    pub about: About,
}

impl Located {
    /// `docs/a.md:3:7`, as far as it is known.
    pub fn format_position(&self) -> String {
        let file = self.finding.file.as_deref().unwrap_or_default();
        match (self.line, self.column) {
            (Some(line), Some(column)) => format!("{file}:{line}:{column}"),
            _ => file.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cited_core::finding::Code;

    #[test]
    fn places_are_given_as_lines_columns_and_bytes() {
        let document = Input { path: "d.md".into(), text: "é\né [9].\n".into() };
        let finding = Finding::new(Code::OrphanCitation, "citation [9] has no source entry").at(Span::new(6, 9));
        let located = Texts::new(&document, &[]).locate(&finding);
        let value = serde_json::to_value(&located).unwrap();
        assert_eq!(
            value,
            serde_json::json!({"code": "orphan-citation", "severity": "error", "file": "d.md", "line": 2, "column": 3,
                "end_line": 2, "end_column": 6, "span": [6, 9], "message": "citation [9] has no source entry",
                "remedy": "add the source or remove the citation",
                "claim_id": null, "action": null, "url": null, "outcome": null, "status": null})
        );
        assert_eq!(serde_json::from_value::<Located>(value).unwrap(), located);
    }
}
