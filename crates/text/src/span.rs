//! Byte ranges of one text.

use serde::{Deserialize, Serialize};

/// A half-open range of bytes `[start, end)` of some text, on character boundaries.
///
/// Serialised as a pair of numbers, `[start, end]`.
///
/// ```
/// use cited_text::Span;
/// let span = Span::new(2, 5);
/// assert_eq!(span.slice("a claim"), "cla");
/// assert!(span.contains(Span::new(3, 5)));
/// ```
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(from = "(usize, usize)", into = "(usize, usize)")]
#[schemars(with = "(usize, usize)")]
pub struct Span {
    /// Offset of the first byte.
    pub start: usize,
    /// Offset just past the last byte; never below `start`.
    pub end: usize,
}

impl Span {
    /// The range from `start` up to and without `end`.
    ///
    /// An `end` before `start` gives the empty range at `start`.
    pub fn new(start: usize, end: usize) -> Self {
        Self { start, end: end.max(start) }
    }

    /// The empty range at `at`: a place to insert.
    pub fn at(at: usize) -> Self {
        Self { start: at, end: at }
    }

    /// Length in bytes.
    pub fn len(self) -> usize {
        self.end - self.start
    }

    /// Whether no byte is in the range.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The bytes of `text` in this range; empty when it is no range of this text.
    pub fn slice(self, text: &str) -> &str {
        self.get(text).unwrap_or_default()
    }

    /// What stands before the range in `text`; empty when it is no range of this text.
    ///
    /// ```
    /// use cited_text::Span;
    /// let span = Span::new(2, 5);
    /// assert_eq!((span.before("a claim"), span.after("a claim")), ("a ", "im"));
    /// assert_eq!((span.before("é"), span.after("a")), ("é", ""));
    /// ```
    pub fn before(self, text: &str) -> &str {
        text.get(..self.start).unwrap_or_default()
    }

    /// What stands behind the range in `text`; empty when it is no range of this text.
    pub fn after(self, text: &str) -> &str {
        text.get(self.end..).unwrap_or_default()
    }

    /// The bytes of `text` in this range, when it is one of this text: inside it, and on character boundaries.
    ///
    /// ```
    /// use cited_text::Span;
    /// assert_eq!(Span::new(0, 2).get("é"), Some("é"));
    /// assert_eq!((Span::new(0, 1).get("é"), Span::new(0, 9).get("é")), (None, None));
    /// ```
    pub fn get(self, text: &str) -> Option<&str> {
        text.get(self.start..self.end)
    }

    /// What stands between the range and a later one in `text`; empty when they are no ranges of this text, or overlap.
    pub fn until(self, later: Span, text: &str) -> &str {
        text.get(self.end..later.start).unwrap_or_default()
    }

    /// Whether `other` lies in this range.
    pub fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Whether the byte at `offset` is in this range.
    pub fn has(self, offset: usize) -> bool {
        self.start <= offset && offset < self.end
    }

    /// Whether the two ranges share a byte.
    pub fn overlaps(self, other: Span) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// This range of `text` with so many bytes more on each side, or fewer at its ends and where a character would be cut.
    ///
    /// ```
    /// use cited_text::Span;
    /// assert_eq!(Span::new(5, 6).widened("a é b c", 2), Span::new(4, 8));
    /// ```
    #[must_use]
    pub fn widened(self, text: &str, bytes: usize) -> Span {
        let start = text.ceil_char_boundary(self.start.saturating_sub(bytes));
        Span::new(start, text.floor_char_boundary(self.end + bytes))
    }

    /// The smallest range that holds both.
    #[must_use]
    pub fn cover(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

impl From<(usize, usize)> for Span {
    fn from((start, end): (usize, usize)) -> Self {
        Span::new(start, end)
    }
}

impl From<Span> for (usize, usize) {
    fn from(span: Span) -> Self {
        (span.start, span.end)
    }
}

impl From<std::ops::Range<usize>> for Span {
    fn from(range: std::ops::Range<usize>) -> Self {
        Span::new(range.start, range.end)
    }
}

/// Ranges of one text, to ask many times whether one of them holds or touches another.
#[derive(Debug, Clone, Default)]
pub struct Spans {
    /// In order of their starts, each with the furthest end up to it.
    spans: Vec<(Span, usize)>,
}

impl Spans {
    /// Whether one of the ranges shares a byte with `span`: see [`Span::overlaps`].
    pub fn overlap(&self, span: Span) -> bool {
        let after = self.spans.partition_point(|(own, _)| own.start < span.end);
        after > 0 && self.spans[after - 1].1 > span.start
    }

    /// What of a text lies in none of the ranges.
    ///
    /// ```
    /// use cited_text::{Span, Spans};
    /// let spans: Spans = [(0, 2), (3, 5), (4, 6)].map(Span::from).into_iter().collect();
    /// assert_eq!(spans.outside("abcdefgh"), "cgh");
    /// ```
    pub fn outside(&self, text: &str) -> String {
        let starts = self.spans.iter().map(|(own, _)| own.start).chain([text.len()]);
        let ends = std::iter::once(0).chain(self.spans.iter().map(|(_, reach)| *reach));
        ends.zip(starts).filter_map(|(from, to)| text.get(from..to)).collect()
    }

    /// Where the first of the ranges starts.
    pub fn first(&self) -> Option<usize> {
        self.spans.first().map(|(own, _)| own.start)
    }

    /// Whether `span` lies in one of the ranges: see [`Span::contains`].
    pub fn contain(&self, span: Span) -> bool {
        let after = self.spans.partition_point(|(own, _)| own.start <= span.start);
        after > 0 && self.spans[after - 1].1 >= span.end
    }

    /// Those that share a byte with `span`, in order.
    pub fn within(&self, span: Span) -> impl Iterator<Item = Span> + '_ {
        let first = self.spans.partition_point(|(_, reach)| *reach <= span.start);
        let near = self.spans[first..].iter().map(|(own, _)| *own).take_while(move |own| own.start < span.end);
        near.filter(move |own| own.end > span.start)
    }
}

impl FromIterator<Span> for Spans {
    fn from_iter<I: IntoIterator<Item = Span>>(spans: I) -> Self {
        let mut spans: Vec<(Span, usize)> = spans.into_iter().map(|span| (span, span.end)).collect();
        spans.sort_unstable();
        let mut reach = 0;
        for (_, end) in &mut spans {
            reach = reach.max(*end);
            *end = reach;
        }
        Spans { spans }
    }
}

#[cfg(test)]
mod tests {
    use super::{Span, Spans};

    #[test]
    fn many_ranges_answer_like_each_of_them() {
        let ranges = [(4, 9), (1, 3), (5, 6), (12, 12), (14, 20), (3, 4), (14, 16)].map(Span::from);
        let spans: Spans = ranges.into_iter().collect();
        for start in 0..22 {
            for end in start..22 {
                let span = Span::new(start, end);
                assert_eq!(spans.overlap(span), ranges.iter().any(|range| range.overlaps(span)), "{span:?}");
                assert_eq!(spans.contain(span), ranges.iter().any(|range| range.contains(span)), "{span:?}");
            }
        }
        assert!(!Spans::default().overlap(Span::new(0, 9)) && !Spans::default().contain(Span::at(0)));
    }

    #[test]
    fn ranges_that_only_touch_share_no_byte() {
        assert!(!Span::new(0, 3).overlaps(Span::new(3, 5)));
        assert!(Span::new(0, 4).overlaps(Span::new(3, 5)));
        assert!(!Span::at(2).overlaps(Span::new(2, 4)));
    }

    #[test]
    fn a_reversed_range_is_empty() {
        assert!(Span::new(5, 2).is_empty());
    }
}
