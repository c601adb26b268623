//! Findings as they are shown: where they are in their texts, and the shapes that printers write.

pub mod checked;
pub mod json;
pub mod stream;
pub mod text;

pub use crate::wording::shown;
pub use stream::{Checked, Incomplete, Stream};

use cited_core::finding::Finding;
use cited_core::input::Input;
use cited_text::Span;
use cited_text::lines::{LineIndex, Position};

/// The texts that findings point into, the document under check first: there are findings without a file.
#[derive(Debug, Clone)]
pub struct Texts<'a>(Vec<Text<'a>>);

/// One text with its lines located.
#[derive(Debug, Clone)]
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
        Texts(std::iter::once(document).chain(others).map(Text::new).collect())
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
}

impl<'a> Text<'a> {
    fn new(input: &'a Input) -> Self {
        Text { path: &input.path, content: &input.text, index: LineIndex::new(&input.text) }
    }

    /// The position of a byte; the end of the text for one beyond it.
    pub fn position(&self, offset: usize) -> Position {
        self.index.position(self.content, offset)
    }

    /// The bytes of a line, counted from 1, without its end; `None` where the text has none of this number.
    pub fn line(&self, number: usize) -> Option<Span> {
        self.index.span(self.content, number)
    }
}
