//! Lines of a text: where they start and stop, and how they end.

use std::sync::Arc;

use super::Span;

/// `text` with a newline for each carriage return that ends a line by itself, at the same offsets: `\n` and `\r\n` are then
/// all line ends that there are. To `CommonMark` the two texts are one (0.31, 2.1); its parsers look for newlines in places
/// where a carriage return would do.
pub fn with_newlines(text: Arc<str>) -> Arc<str> {
    let bytes = text.as_bytes();
    let mut alone = memchr::memchr_iter(b'\r', bytes).filter(|at| bytes.get(at + 1) != Some(&b'\n')).peekable();
    if alone.peek().is_none() {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for at in alone {
        out.push_str(&text[done..at]);
        out.push('\n');
        done = at + 1;
    }
    out.push_str(&text[done..]);
    out.into()
}

/// The line end that the document uses: that of its first line that ends with a newline; a carriage return alone only where
/// there is none.
pub fn line_end(text: &str) -> &'static str {
    let bytes = text.as_bytes();
    match memchr::memchr(b'\n', bytes) {
        Some(at) if at > 0 && bytes[at - 1] == b'\r' => "\r\n",
        Some(_) => "\n",
        None if memchr::memchr(b'\r', bytes).is_some() => "\r",
        None => "\n",
    }
}

/// Where the line of `offset` starts. A carriage return alone ends a line too (`CommonMark` 0.31, 2.1).
pub fn line_start(text: &str, offset: usize) -> usize {
    let bytes = text.as_bytes();
    let mut end = offset;
    while let Some(at) = memchr::memrchr2(b'\n', b'\r', &bytes[..end]) {
        // Between the two signs of one line end no line starts.
        if bytes[at] == b'\n' || bytes.get(at + 1) != Some(&b'\n') {
            return at + 1;
        }
        end = at;
    }
    0
}

/// Where the line of `offset` ends, its line end included.
pub fn line_stop(text: &str, offset: usize) -> usize {
    let bytes = text.as_bytes();
    memchr::memchr2(b'\n', b'\r', &bytes[offset..]).map_or(text.len(), |at| {
        let pair = bytes[offset + at] == b'\r' && bytes.get(offset + at + 1) == Some(&b'\n');
        offset + at + if pair { 2 } else { 1 }
    })
}

/// `text` without the spaces, tabs and line ends at its end. Other white space is a sign like any other to Markdown: `-` begins
/// a list item where it ends a line, and none before a form feed.
pub fn trim_end(text: &str) -> &str {
    text.trim_end_matches([' ', '\t', '\n', '\r'])
}

/// The lines of a text, without the newlines behind them.
pub fn spans(text: &str) -> impl Iterator<Item = Span> {
    let mut start = 0;
    text.split('\n').map(move |line| {
        let span = Span::new(start, start + line.len());
        start = span.end + 1;
        span
    })
}

/// Line and column of byte offsets, both from 1; columns count characters.
#[derive(Debug, Clone)]
pub struct LineIndex {
    starts: Vec<usize>,
    /// What starts before each multiple of [`STRIDE`] bytes: a text may be one line of megabytes of which every word is asked for.
    counted: Vec<Count>,
}

/// Bytes between two counts of characters.
const STRIDE: usize = 1024;

/// How many characters some bytes begin.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    characters: usize,
    /// Those of them that UTF-16 writes as two units.
    wide: usize,
}

/// A place as people count: lines and columns from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column in characters.
    pub column: usize,
    /// The same in code units of UTF-16.
    pub column_utf16: usize,
}

impl LineIndex {
    /// Indexes `text`.
    pub fn new(text: &str) -> Self {
        let mut starts = vec![0];
        let bytes = text.as_bytes();
        let ends = |at: &usize| bytes[*at] == b'\n' || bytes.get(at + 1) != Some(&b'\n');
        starts.extend(memchr::memchr2_iter(b'\n', b'\r', bytes).filter(ends).map(|at| at + 1));
        let mut counted = vec![Count::default()];
        counted.extend(bytes.chunks(STRIDE).scan(Count::default(), |before, chunk| {
            *before = before.and(chunk);
            Some(*before)
        }));
        LineIndex { starts, counted }
    }

    /// The line of `offset`, from 1.
    pub fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset)
    }

    /// The bytes of a line of `text`, counted from 1, without its end; `None` where the text has none of this number.
    pub fn span(&self, text: &str, number: usize) -> Option<Span> {
        let start = *self.starts.get(number.checked_sub(1)?)?;
        let end = self.starts.get(number).copied().unwrap_or(text.len());
        Some(Span::new(start, start + Span::new(start, end).slice(text).trim_end_matches(['\r', '\n']).len()))
    }

    /// Where `offset` is in `text`; the end of the text for one beyond it. A mark of the byte order at its start takes no column.
    pub fn position(&self, text: &str, offset: usize) -> Position {
        let offset = text.floor_char_boundary(offset);
        let line = self.line(offset);
        let (start, end) = (self.before(text, self.starts[line - 1]), self.before(text, offset));
        let mark = usize::from(line == 1 && offset > 0 && text.starts_with('\u{feff}'));
        let column = end.characters - start.characters - mark + 1;
        Position { line, column, column_utf16: column + end.wide - start.wide }
    }

    /// What starts before a byte.
    fn before(&self, text: &str, offset: usize) -> Count {
        let step = offset / STRIDE;
        self.counted[step].and(&text.as_bytes()[step * STRIDE..offset])
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

    #[test]
    fn lines_and_columns_count_from_one() {
        let text = "é1\r\nb\n";
        let index = LineIndex::new(text);
        let place = |offset: usize| (index.position(text, offset).line, index.position(text, offset).column);
        assert_eq!([place(0), place(2), place(5)], [(1, 1), (1, 2), (2, 1)]);
        assert_eq!(
            [1, 2, 3, 4].map(|number| index.span(text, number).map(|span| span.slice(text))),
            [Some("é1"), Some("b"), Some(""), None]
        );
        assert_eq!(line_end(text), "\r\n");
        assert_eq!((line_start(text, 6), line_stop(text, 5)), (5, 7));
        assert_eq!((line_start(text, 4), line_stop(text, 3), line_stop(text, 4)), (0, 5, 5));
    }

    #[test]
    fn a_carriage_return_alone_is_read_as_a_newline() {
        let check = |text: &str, expected: &str| assert_eq!(&*with_newlines(text.into()), expected, "{text:?}");
        check("é\ra\r\r\nb\r\n\r", "é\na\n\r\nb\r\n\n");
        check("a\r\nb\n", "a\r\nb\n");
        check("", "");
    }

    #[test]
    fn a_carriage_return_alone_ends_a_line() {
        let text = "a\r\rb c\rd";
        assert_eq!(line_end(text), "\r");
        assert_eq!(line_end("a\rb\n\nc\n"), "\n");
        assert_eq!((line_start(text, 5), line_stop(text, 3), line_stop(text, 7)), (3, 7, 8));
        assert_eq!(LineIndex::new(text).position(text, 5), Position { line: 3, column: 3, column_utf16: 3 });
    }

    /// Columns of every place of a text, beside those counted from the start of each line.
    #[test]
    fn columns_count_from_the_start_of_the_line() {
        let check = |text: &str| {
            let index = LineIndex::new(text);
            let mark = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
            for (at, _) in text.char_indices().chain([(text.len(), ' ')]).filter(|(at, _)| *at >= mark) {
                let start = text[..at].rfind('\n').map_or(mark, |end| end + 1);
                let line = text[..at].matches('\n').count() + 1;
                let before = &text[start..at];
                let (column, column_utf16) = (before.chars().count() + 1, before.encode_utf16().count() + 1);
                assert_eq!(index.position(text, at), Position { line, column, column_utf16 }, "{at}");
            }
        };
        check("");
        check("\u{feff}é😀 [9]\n😀\u{feff}x\n");
        check(&format!("\u{feff}{}\n{}", "😀é€a".repeat(STRIDE), "x😀".repeat(STRIDE)));
    }
}
