//! Lines of a text: where they start and stop, and how they end.

use std::sync::Arc;

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

/// Line and column of byte offsets, both from 1; columns count characters.
#[derive(Debug, Clone)]
pub struct LineIndex {
    starts: Vec<usize>,
}

impl LineIndex {
    /// Indexes `text`.
    pub fn new(text: &str) -> Self {
        let mut starts = vec![0];
        let bytes = text.as_bytes();
        let ends = |at: &usize| bytes[*at] == b'\n' || bytes.get(at + 1) != Some(&b'\n');
        starts.extend(memchr::memchr2_iter(b'\n', b'\r', bytes).filter(ends).map(|at| at + 1));
        LineIndex { starts }
    }

    /// The line of `offset`, from 1.
    pub fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset)
    }

    /// Line and column of `offset` in `text`, both from 1.
    pub fn line_column(&self, text: &str, offset: usize) -> (usize, usize) {
        let line = self.line(offset);
        let start = self.starts[line - 1];
        let column = text.get(start..offset.min(text.len())).map_or(1, |before| before.chars().count() + 1);
        (line, column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one() {
        let text = "é1\r\nb\n";
        let index = LineIndex::new(text);
        assert_eq!(index.line_column(text, 0), (1, 1));
        assert_eq!(index.line_column(text, 2), (1, 2));
        assert_eq!(index.line_column(text, 5), (2, 1));
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
        assert_eq!(LineIndex::new(text).line_column(text, 5), (3, 3));
    }
}
