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

/// The texts that findings point into.
#[derive(Debug, Clone)]
pub struct Texts<'a> {
    /// The document under check: where findings without a file are.
    document: Text<'a>,
    /// The other files.
    others: Vec<Text<'a>>,
}

/// One text with its lines located.
#[derive(Debug, Clone)]
pub struct Text<'a> {
    /// The path that users know it by.
    pub path: &'a str,
    /// All of it.
    pub content: &'a str,
    /// Where each line starts.
    lines: Vec<usize>,
    /// What starts before each multiple of [`STRIDE`] bytes: a document may be one line of megabytes with a finding in
    /// every word.
    counted: Vec<Count>,
}

/// How many characters some bytes begin.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    characters: usize,
    /// Those of them that UTF-16 writes as two units.
    wide: usize,
}

/// Bytes between two counts of characters.
const STRIDE: usize = 1024;

/// A place as people count: lines and columns from 1, columns in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl<'a> Texts<'a> {
    /// The texts of a run.
    pub fn new(document: &'a Input, others: &'a [Input]) -> Self {
        Texts { document: Text::new(document), others: others.iter().map(Text::new).collect() }
    }

    /// The text that a finding is in; `None` when it is in a file that was not read.
    pub fn of(&self, finding: &Finding) -> Option<&Text<'a>> {
        match finding.file.as_deref() {
            None => Some(&self.document),
            Some(path) if path == self.document.path => Some(&self.document),
            Some(path) => self.others.iter().find(|text| text.path == path),
        }
    }

    /// The text of a file, when it was read.
    pub fn text_of(&self, path: &str) -> Option<&'a str> {
        let mut texts = std::iter::once(&self.document).chain(&self.others);
        texts.find(|text| text.path == path).map(|text| text.content)
    }

    /// The document under check.
    pub fn document(&self) -> &Text<'a> {
        &self.document
    }

    /// The path that a finding is shown under.
    pub fn path_of<'f>(&'f self, finding: &'f Finding) -> &'f str {
        finding.file.as_deref().unwrap_or(self.document.path)
    }
}

impl<'a> Text<'a> {
    fn new(input: &'a Input) -> Self {
        let text = &*input.text;
        let lines = std::iter::once(0).chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1));
        let counts = text.as_bytes().chunks(STRIDE).scan(Count::default(), |before, chunk| {
            *before = before.and(chunk);
            Some(*before)
        });
        let counted = std::iter::once(Count::default()).chain(counts).collect();
        Text { path: &input.path, content: text, lines: lines.collect(), counted }
    }

    /// The position of a byte; the end of the text for one beyond it.
    pub fn position(&self, offset: usize) -> Position {
        let offset = self.content.floor_char_boundary(offset);
        let line = self.lines.partition_point(|start| *start <= offset);
        let start = self.lines[line - 1];
        let mark = usize::from(line == 1 && offset > 0 && self.content.starts_with('\u{feff}'));
        Position { line, column: self.before(offset).characters - self.before(start).characters - mark + 1 }
    }

    /// The position of a byte with its column in UTF-16 code units, as SARIF counts them.
    pub fn position_utf16(&self, offset: usize) -> Position {
        let Position { line, column } = self.position(offset);
        let (offset, start) = (self.content.floor_char_boundary(offset), self.lines[line - 1]);
        Position { line, column: column + self.before(offset).wide - self.before(start).wide }
    }

    /// What starts before a byte.
    fn before(&self, offset: usize) -> Count {
        let step = offset / STRIDE;
        self.counted[step].and(&self.content.as_bytes()[step * STRIDE..offset])
    }

    /// The bytes of a line, counted from 1, without its end; `None` where the text has none of this number.
    pub fn line(&self, number: usize) -> Option<Span> {
        let start = *self.lines.get(number.checked_sub(1)?)?;
        let end = self.lines.get(number).map_or(self.content.len(), |next| next - 1);
        let kept = self.content[start..end].strip_suffix('\r').map_or(end, |line| start + line.len());
        Some(Span::new(start, kept))
    }
}

impl Count {
    /// The same with what starts in `bytes` of a UTF-8 text.
    fn and(self, bytes: &[u8]) -> Count {
        let characters = bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count();
        let wide = bytes.iter().filter(|byte| **byte >= 0xf0).count();
        Count { characters: self.characters + characters, wide: self.wide + wide }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns of every place of a text, beside those counted from the start of each line.
    #[test]
    fn columns_count_from_the_start_of_the_line() {
        let check = |text: &str| {
            let input = Input { path: "a.md".into(), text: text.into() };
            let texts = Texts::new(&input, &[]);
            let mark = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
            for (at, _) in text.char_indices().chain([(text.len(), ' ')]).filter(|(at, _)| *at >= mark) {
                let start = text[..at].rfind('\n').map_or(mark, |end| end + 1);
                let line = text[..at].matches('\n').count() + 1;
                let before = &text[start..at];
                let position = |column| Position { line, column };
                assert_eq!(texts.document().position(at), position(before.chars().count() + 1), "{at}");
                assert_eq!(texts.document().position_utf16(at), position(before.encode_utf16().count() + 1), "{at}");
            }
        };
        check("");
        check("\u{feff}é😀 [9]\n😀\u{feff}x\n");
        check(&format!("\u{feff}{}\n{}", "😀é€a".repeat(STRIDE), "x😀".repeat(STRIDE)));
    }
}
