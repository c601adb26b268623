//! A document as a tree of blocks with byte spans, and the inlines of its leaves.
//!
//! pulldown-cmark's offsets are the truth about where things are. The parser runs with tables, footnotes,
//! strikethrough, task lists, GFM and metadata blocks; wikilinks would lose the address of `[[1]](url)`, and its math
//! takes `$5 … $7` for a formula, so formulas are found by `pandoc`.

mod hidden;
mod reader;

use std::sync::Arc;

use super::parts::{Block, BlockId, BlockKind, Definition, Emphasis, Inline, Link, LinkId};
use cited_text::{Span, Spans, lines};

/// A Markdown text with everything in it located.
///
/// ```
/// use cited_core::markdown::{BlockKind, Document};
/// let document = Document::read("# Title\n\nA claim [1].\n");
/// let kinds: Vec<_> = document.blocks().map(|(_, block)| &block.kind).collect();
/// assert_eq!(kinds, [&BlockKind::Heading(1), &BlockKind::Paragraph]);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Document {
    text: Arc<str>,
    written: Arc<str>,
    blocks: Vec<Block>,
    /// The blocks that stand in no other.
    pub roots: Vec<BlockId>,
    inlines: Vec<Inline>,
    links: Vec<Link>,
    /// Every run of emphasis outside images, in document order, the outer before the inner.
    pub emphases: Vec<Emphasis>,
    /// Every element of HTML that is closed, with what stands between its tags, in order of their starts.
    pub(crate) elements: Vec<Emphasis>,
    /// Every link reference definition, in document order.
    pub definitions: Vec<Definition>,
    /// The notes in the line, `^[…]`: no words of their sentences.
    pub(crate) notes: Spans,
}

impl Document {
    /// The text as it was read: where a carriage return alone ends a line, a newline stands. Offsets are those of the text
    /// that was given, and so are all other bytes.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text that was given, to the byte: what edits are made on.
    pub fn written(&self) -> &str {
        &self.written
    }

    /// The line end that the document uses.
    pub fn line_end(&self) -> &'static str {
        lines::line_end(&self.written)
    }

    /// The bytes at `span`.
    pub fn slice(&self, span: Span) -> &str {
        span.slice(&self.text)
    }

    /// Every block with its number, parents before children.
    pub fn blocks(&self) -> impl ExactSizeIterator<Item = (BlockId, &Block)> + DoubleEndedIterator {
        self.blocks.iter().enumerate().map(|(i, block)| (BlockId(i as u32), block))
    }

    /// The blocks that start at a place or behind it, parents before children.
    pub(crate) fn blocks_from(&self, start: usize) -> impl Iterator<Item = (BlockId, &Block)> {
        let first = self.blocks.partition_point(|block| block.span.start < start);
        (first..).map(|i| BlockId(i as u32)).zip(&self.blocks[first..])
    }

    /// One block.
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.0 as usize]
    }

    /// Every leaf: paragraphs, headings and cells with something in them, in document order.
    pub fn leaves(&self) -> impl Iterator<Item = (BlockId, &Block)> {
        self.blocks().filter(|(_, block)| block.is_leaf())
    }

    /// The leaves that start in `span`, in order.
    pub(crate) fn leaves_in(&self, span: Span) -> impl Iterator<Item = BlockId> {
        let blocks = self.blocks_from(span.start).take_while(move |(_, block)| block.span.start < span.end);
        blocks.filter(|(_, block)| block.is_leaf()).map(|(id, _)| id)
    }

    /// The inlines of a leaf, in order.
    pub fn inlines(&self, id: BlockId) -> &[Inline] {
        let range = &self.block(id).inlines;
        &self.inlines[range.start as usize..range.end as usize]
    }

    /// The inlines of a leaf that have a part of `span`.
    pub fn inlines_in(&self, id: BlockId, span: Span) -> &[Inline] {
        let inlines = self.inlines(id);
        let first = inlines.partition_point(|inline| inline.span.end <= span.start);
        let behind = inlines.partition_point(|inline| inline.span.start < span.end);
        &inlines[first..behind.max(first)]
    }

    /// The inline that has the byte at `at`.
    pub(crate) fn inline_at(&self, at: usize) -> Option<&Inline> {
        let inline = self.inlines.get(self.inlines.partition_point(|inline| inline.span.end <= at));
        inline.filter(|inline| inline.span.has(at))
    }

    /// Every link and image in document order, apart from those in the words of an image.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// The links and images that start in `span`, in order.
    pub fn links_in(&self, span: Span) -> &[Link] {
        let from = self.links.partition_point(|link| link.span.start < span.start);
        let to = self.links.partition_point(|link| link.span.start < span.end);
        &self.links[from..to.max(from)]
    }

    /// The sections whose heading is wanted, by its source: from the heading to the next one of its level. None inside another.
    pub fn sections(&self, wanted: impl Fn(&str) -> bool) -> Vec<Span> {
        let mut sections = Vec::new();
        let mut open: Option<(usize, u8)> = None;
        for id in &self.roots {
            let block = self.block(*id);
            let BlockKind::Heading(level) = block.kind else { continue };
            if let Some((start, _)) = open.filter(|(_, own)| level <= *own) {
                sections.push(Span::new(start, block.span.start));
                open = None;
            }
            if open.is_none() && wanted(self.slice(self.content_span(*id))) {
                open = Some((block.span.start, level));
            }
        }
        sections.extend(open.map(|(start, _)| Span::new(start, self.text().len())));
        sections
    }

    /// One link or image.
    pub fn link(&self, id: LinkId) -> &Link {
        &self.links[id.0 as usize]
    }

    /// The blocks that hold `id`, from the inside out.
    pub fn ancestors(&self, id: BlockId) -> impl Iterator<Item = BlockId> {
        std::iter::successors(self.block(id).parent, |parent| self.block(*parent).parent)
    }

    /// The blocks before and behind `id` that stand where it does.
    pub fn neighbours(&self, id: BlockId) -> (&[BlockId], &[BlockId]) {
        let siblings = self.block(id).parent.map_or(&self.roots, |parent| &self.block(parent).children);
        let (before, rest) = siblings.split_at(siblings.partition_point(|sibling| *sibling < id));
        (before, rest.get(1..).unwrap_or_default())
    }

    /// The bytes of a block without the marks of its kind (`#`, `|`) and the white space around: for a leaf its inlines
    /// with their formatting.
    pub fn content_span(&self, id: BlockId) -> Span {
        let block = self.block(id);
        let source = self.slice(block.span);
        let inlines = self.inlines(id);
        let is_edge = |c: char| c.is_whitespace() || (block.kind == BlockKind::TableCell && c == '|');
        let (mut from, mut end) = (0, source.trim_end_matches(is_edge).len());
        if let (BlockKind::Heading(_), Some(first), Some(last)) = (&block.kind, inlines.first(), inlines.last()) {
            // What stands before the first inline and is no white space are the marks of the heading.
            let before = &source[..first.span.start - block.span.start];
            from = before.len() - before.trim_start_matches([' ', '\t', '#']).len();
            // A closing sequence of `#` or the line under a setext heading is no content.
            let last = last.span.end - block.span.start;
            let line = source[last..].lines().next().unwrap_or_default().trim_end();
            end = last + line.trim_end_matches('#').trim_end().len();
        }
        let start = source.len() - source[from..].trim_start_matches(is_edge).len();
        Span::new(block.span.start + start.min(end), block.span.start + end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::InlineKind;

    /// The tree as an outline: a line a block, leaves with their inlines.
    fn outline(text: &str) -> String {
        let document = Document::read(text);
        let mut out = String::new();
        for (id, block) in document.blocks() {
            let depth = document.ancestors(id).count();
            out.push_str(&"  ".repeat(depth));
            out.push_str(&format!("{:?}", block.kind).replace("Some", ""));
            for inline in document.inlines(id) {
                let kind = match &inline.kind {
                    InlineKind::Text => String::new(),
                    InlineKind::Spelled(text) => format!("spelled {text:?} "),
                    other => format!("{other:?} ").replace("(LinkId(0))", "").to_lowercase(),
                };
                out.push_str(&format!(" {kind}{:?}", document.slice(inline.span)));
            }
            out.push('\n');
        }
        out
    }

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert_eq!(outline(text).lines().collect::<Vec<_>>(), expected, "of {text:?}");
    }

    #[test]
    fn leaves_hold_text_and_containers_hold_leaves() {
        check("# A *b* c\n\np\nq\n", &["Heading(1) \"A \" \"b\" \" c\"", "Paragraph \"p\" softbreak \"\\n\" \"q\""]);
        check("> q\n", &["Quote", "  Paragraph \"q\""]);
        check("---\na: [1]\n---\np\n", &["Metadata", "Paragraph \"p\""]);
        check("    code [1]\n", &["Code { fenced: false }"]);
        check("***\n", &["Rule"]);
    }

    #[test]
    fn tight_items_get_a_paragraph() {
        check(
            "- a\n- [x] b\n  - c\n",
            &[
                "List(None)",
                "  Item",
                "    Paragraph \"a\"",
                "  Item",
                "    Paragraph taskbox \"[x]\" \"b\"",
                "    List(None)",
                "      Item",
                "        Paragraph \"c\"",
            ],
        );
    }

    #[test]
    fn undefined_brackets_are_one_text() {
        check("a [1][2] b [3, 4]\n", &["Paragraph \"a [1][2] b [3, 4]\""]);
    }

    #[test]
    fn escapes_and_entities_keep_their_place() {
        check("a \\[2\\] &amp; b\n", &["Paragraph \"a \" \"[2\" \"] \" spelled \"&\" \"&amp;\" \" b\""]);
    }

    #[test]
    fn images_are_one_inline_and_their_text_is_none() {
        check("a ![x [1]](u) b\n", &["Paragraph \"a \" image \"![x [1]](u)\" \" b\""]);
    }

    #[test]
    fn formulas_are_cut_out() {
        check("vector $v[2] = w$ [2], $5 to $10\n", &["Paragraph \"vector \" math \"$v[2] = w$\" \" [2], $5 to $10\""]);
    }

    #[test]
    fn offsets_count_the_byte_order_mark() {
        let document = Document::read("\u{feff}# A\n");
        assert_eq!(document.block(BlockId(0)).kind, BlockKind::Heading(1));
        assert_eq!(document.slice(document.inlines(BlockId(0))[0].span), "A");
    }

    #[test]
    fn tables_have_cells() {
        check(
            "| a | b |\n|---|---|\n| 1 | |\n",
            &[
                "Table",
                "  TableHead",
                "    TableCell \"a\"",
                "    TableCell \"b\"",
                "  TableRow",
                "    TableCell \"1\"",
                "    TableCell",
            ],
        );
    }

    #[test]
    fn emphases_know_their_marks() {
        let document = Document::read("**a *b* c** ~d~ ~~e~~ ![*f*](u) _g_\n");
        let found: Vec<_> =
            document.emphases.iter().map(|e| (document.slice(e.span), document.slice(e.inner))).collect();
        let expected = [("**a *b* c**", "a *b* c"), ("*b*", "b"), ("~d~", "d"), ("~~e~~", "e"), ("_g_", "g")];
        assert_eq!(found, expected);
    }

    #[test]
    fn what_other_programs_read_and_what_shows_code_is_masked() {
        let shown = |text: &str| {
            let document = Document::read(text);
            let leaves = document.leaves().map(|(id, _)| crate::markdown::Rendered::render(&document, id, &[]).text);
            let text = leaves.filter(|text| !text.trim().is_empty()).collect::<Vec<_>>().join("|");
            let links = document.links().iter().filter(|link| !link.address.is_empty()).count();
            (text, links)
        };
        for (text, expected, links) in [
            ("a {{ b[1] }} c {% if d %}e{% endif %} {# f [2] #}g", "a  c e g", 0),
            ("a {% comment %}b\n\n- c [d](u)\n\n{% endcomment %} e\n", "a | e", 0),
            ("{% raw %}{{ a }}{% endraw %} b {{% c %}} d", " b  d", 0),
            ("a %%b [1]%% c\n\n%%\n- d [e](u)\n%%\n\nf\n", "a  c|f", 0),
            ("Up 5%% and 6%% a.\n\nA {{ b\n\nc }} d {# e\n\nf\n", "Up 5%% and 6%% a.|A {{ b|c }} d {# e|f", 0),
            ("a {/* b */} c `{{ d }}` [e]({{f}}/u)", "a  c {{ d }} e", 1),
            ("# A {#b}\n\nc {#d} #}\n", "A {#b}|c {#d} #}", 0),
            ("> [!info]- A *b*\n> c\n\nd [!e] f", " c|d [!e] f", 0),
            ("> [!tip] A [1]\n> c\n\n> [!WARNING]\n> d", " A [1] c|d", 0),
            ("> [!tip] [A](u)\n> c", " A c", 1),
            (":::note[B c]\na\n:::\n\n::: {.tip}\nd ::: e\n:::", " a | d ::: e ", 0),
            ("!!! tip \"A b\"\n    c\n\n??? note\r\n    d\n\n!!! Run now\n", " c| d|!!! Run now", 0),
            ("=== \"A\"\n    b\n\nc{: .d title=\"[2]\"} {e: f}", " b|c {e: f}", 0),
        ] {
            assert_eq!(shown(text), (expected.to_owned(), links), "{text:?}");
        }
        let text = "a <code>b[1]</code> <kbd>[2]</kbd> c\n";
        assert_eq!(shown(text).0, "a b[1] [2] c");
        assert!(outline(text).contains("code \"b[1]\""), "{}", outline(text));
    }

    #[test]
    fn links_know_their_text() {
        let document = Document::read("[a [b]](u) <http://x.y> [c][d]\n\n[d]: /t \"T\"\n");
        let texts: Vec<_> = document.links().iter().map(|link| document.slice(link.text)).collect();
        assert_eq!(texts, ["a [b]", "http://x.y", "c"]);
        assert_eq!(document.definitions[0].title.as_deref(), Some("T"));
    }
}
