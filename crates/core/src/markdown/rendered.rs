//! The text of a leaf as a reader sees it, with a map back to the bytes.

use std::borrow::Cow;

use super::document::Document;
use super::pandoc::relates_signs;
use super::parts::{BlockId, Inline, InlineKind};
use cited_text::Span;

/// Text as shown, each offset of it known in the source.
#[derive(Debug, Clone, Default)]
pub struct Rendered {
    /// The text.
    pub text: String,
    pieces: Vec<Piece>,
    /// Where formulas that measure nothing are shown, in order.
    formulas: Vec<Span>,
}

#[derive(Debug, Clone, Copy)]
struct Piece {
    /// Offset in the shown text.
    at: usize,
    /// Bytes of the source that show it.
    span: Span,
    /// Whether the piece is shown byte for byte.
    verbatim: bool,
}

impl Rendered {
    /// The shown text of a leaf without the bytes of `hidden` (sorted, not overlapping): its markers.
    ///
    /// Formatting, HTML tags, images, footnote references and task boxes show nothing; a line end shows a space.
    pub fn render(document: &Document, leaf: BlockId, hidden: &[Span]) -> Self {
        Rendered::render_inlines(document, document.inlines(leaf), hidden)
    }

    /// The shown text of a part of a leaf.
    pub fn render_part(document: &Document, leaf: BlockId, part: Span) -> Self {
        let around = [Span::new(0, part.start), Span::new(part.end, usize::MAX)];
        Rendered::render_inlines(document, document.inlines_in(leaf, part), &around)
    }

    fn render_inlines(document: &Document, inlines: &[Inline], hidden: &[Span]) -> Self {
        let length = inlines.last().map_or(0, |last| last.span.end - inlines[0].span.start);
        let mut rendered = Rendered { text: String::with_capacity(length), ..Rendered::default() };
        for inline in inlines {
            let span = inline.span;
            let over = hidden[hidden.partition_point(|hidden| hidden.end <= span.start)..].iter();
            let over = over.take_while(|hidden| hidden.start < span.end);
            if over.clone().next().is_some_and(|hidden| hidden.contains(span)) {
                continue;
            }
            match &inline.kind {
                InlineKind::Text => {
                    let mut from = span.start;
                    for hidden in over.chain([&Span::at(span.end)]) {
                        let shown = Span::new(from, hidden.start.max(from));
                        rendered.push(document.slice(shown), shown, true);
                        from = hidden.end;
                    }
                }
                InlineKind::Spelled(text) => rendered.push(text, span, false),
                InlineKind::Code => {
                    // Without its backticks and the one space that `CommonMark` strips on both sides.
                    let source = document.slice(span);
                    let ticks = source.bytes().take_while(|b| *b == b'`').count();
                    let inner = source.get(ticks..source.len().saturating_sub(ticks)).unwrap_or(source);
                    let stripped = inner.strip_prefix(' ').and_then(|inner| inner.strip_suffix(' '));
                    let inner = stripped.filter(|words| !words.trim().is_empty()).unwrap_or(inner);
                    let start = span.start + (inner.as_ptr() as usize - source.as_ptr() as usize);
                    rendered.push(inner, Span::new(start, start + inner.len()), true);
                }
                InlineKind::Math => {
                    let start = rendered.text.len();
                    rendered.push(document.slice(span), span, true);
                    if relates_signs(document.slice(span)) {
                        rendered.formulas.push(Span::new(start, rendered.text.len()));
                    }
                }
                InlineKind::SoftBreak | InlineKind::HardBreak => rendered.push(" ", span, false),
                InlineKind::Html if is_line_break(document.slice(span)) => rendered.push(" ", span, false),
                InlineKind::Html | InlineKind::FootnoteReference(_) | InlineKind::TaskBox | InlineKind::Image(_) => {}
            }
        }
        rendered
    }

    fn push(&mut self, shown: &str, span: Span, verbatim: bool) {
        if shown.is_empty() {
            return;
        }
        self.pieces.push(Piece { at: self.text.len(), span, verbatim });
        self.text.push_str(shown);
    }

    /// The words of a range of the shown text: what stands there without formulas, whose numbers measure nothing.
    pub fn words(&self, shown: Span) -> Cow<'_, str> {
        let first = self.formulas.partition_point(|formula| formula.end <= shown.start);
        let behind = self.formulas.partition_point(|formula| formula.start < shown.end).max(first);
        let mut words = Cow::Borrowed(shown.slice(&self.text));
        for formula in self.formulas[first..behind].iter().rev() {
            let range = formula.start.max(shown.start) - shown.start..formula.end.min(shown.end) - shown.start;
            words.to_mut().replace_range(range, " ");
        }
        words
    }

    /// The bytes of the source that show the range `shown`, from its first byte to its last.
    ///
    /// Bytes that show nothing and lie between (emphasis marks, markers) are inside. An empty or foreign range gives
    /// the empty span at the place nearest to it.
    pub fn source(&self, shown: Span) -> Span {
        // The place of an offset in the piece before the one with this number; `edge` is that of a piece that is not shown byte for byte.
        let place = |next: usize, offset: usize, edge: fn(Span) -> usize| {
            let Some(piece) = self.pieces.get(next.saturating_sub(1)) else { return 0 };
            let Piece { at, span, verbatim } = *piece;
            if verbatim { (span.start + (offset - at)).min(span.end) } else { edge(span) }
        };
        let start = place(self.pieces.partition_point(|piece| piece.at <= shown.start), shown.start, |span| span.start);
        if shown.is_empty() {
            return Span::at(start);
        }
        let before_end = self.pieces.partition_point(|piece| piece.at < shown.end);
        Span::new(start, place(before_end, shown.end, |span| span.end))
    }

    /// The shown offset that stands for the source byte at `offset`: of the first shown byte at or after it.
    pub fn shown(&self, offset: usize) -> usize {
        let index = self.pieces.partition_point(|piece| piece.span.end <= offset);
        self.pieces.get(index).map_or(self.text.len(), |piece| {
            if piece.verbatim { piece.at + offset.saturating_sub(piece.span.start) } else { piece.at }
        })
    }
}

/// Whether a tag ends a line.
pub(crate) fn is_line_break(tag: &str) -> bool {
    tag.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("<br"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, hide: &[&str], expected: &str) {
        let document = Document::read(text);
        let hidden: Vec<_> = hide
            .iter()
            .map(|h| {
                let start = text.find(h).unwrap();
                Span::new(start, start + h.len())
            })
            .collect();
        let (leaf, _) = document.leaves().next().unwrap();
        let rendered = Rendered::render(&document, leaf, &hidden);
        assert_eq!(rendered.text, expected);
        for (at, c) in rendered.text.char_indices() {
            let shown = Span::new(at, at + c.len_utf8());
            let source = rendered.source(shown);
            assert!(source.end <= text.len() && !source.is_empty(), "{c:?} of {text:?} comes from {source:?}");
            if source.slice(text) == c.to_string() {
                assert_eq!(rendered.shown(source.start), at, "{c:?} of {text:?} is shown elsewhere");
            }
        }
    }

    #[test]
    fn shows_what_a_reader_sees() {
        check("a **b** [c](u) `d` &amp; e", &[], "a b c d & e");
        check("a ![b](u) c[^1]\n\n[^1]: x", &[], "a  c");
        check("one\ntwo<br>three", &[], "one two three");
        check("- [x] done", &[], "done");
    }

    #[test]
    fn hides_markers() {
        check("done [1]. Next", &[" [1]"], "done. Next");
        check("a [1] b [2] c", &["[1]", "[2]"], "a  b  c");
        check("a [b](u) c", &["[b](u)"], "a  c");
        check("[1]", &["[1]"], "");
    }
}
