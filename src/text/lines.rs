//! Lines of a text: where they start and stop, and how they end.

/// The line end that the document uses.
pub fn line_end(text: &str) -> &'static str {
    match memchr::memchr(b'\n', text.as_bytes()) {
        Some(at) if at > 0 && text.as_bytes()[at - 1] == b'\r' => "\r\n",
        _ => "\n",
    }
}

/// Where the line of `offset` starts.
pub fn line_start(text: &str, offset: usize) -> usize {
    memchr::memrchr(b'\n', &text.as_bytes()[..offset]).map_or(0, |at| at + 1)
}

/// Where the line of `offset` ends, its line end included.
pub fn line_stop(text: &str, offset: usize) -> usize {
    memchr::memchr(b'\n', &text.as_bytes()[offset..]).map_or(text.len(), |at| offset + at + 1)
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
        starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1));
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
    }
}
