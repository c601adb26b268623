//! Builds the tree of a document from the parser's events.

use cited_text::escape::is_unsafe;
use std::ops::Range;
use std::sync::LazyLock;

use pulldown_cmark::{CodeBlockKind, Event, MetadataBlockKind, Parser, Tag, TagEnd};
use regex::Regex;

use crate::markdown::parts::{
    Block, BlockId, BlockKind, Definition, Emphasis, Inline, InlineKind, Link, LinkId, LinkStyle, parser_options,
};
use cited_text::Span;

/// Blocks and inlines of a text.
#[derive(Debug, Clone, Default)]
pub(super) struct Tree {
    pub(super) blocks: Vec<Block>,
    pub(super) roots: Vec<BlockId>,
    pub(super) inlines: Vec<Inline>,
    pub(super) links: Vec<Link>,
    pub(super) emphases: Vec<Emphasis>,
    pub(super) definitions: Vec<Definition>,
}

/// Reads the bytes of `text` from `offset` on; places are those in `text`.
pub(super) fn read(text: &str, offset: usize) -> Tree {
    let parser = Parser::new_ext(&text[offset..], parser_options());
    let mut reader = Reader { text, ..Reader::default() };
    let span = |range: Range<usize>| Span::new(range.start + offset, range.end + offset);
    reader.tree.definitions = definitions(&parser, offset).collect();
    reader.tree.definitions.sort_by_key(|definition| definition.span.start);
    for (event, range) in parser.into_offset_iter() {
        reader.event(event, span(range));
    }
    reader.tree
}

/// The definitions of link references in a text that begins at `offset`.
pub(super) fn definitions(parser: &Parser<'_>, offset: usize) -> impl Iterator<Item = Definition> {
    parser.reference_definitions().iter().map(move |(label, definition)| Definition {
        label: label.to_owned(),
        span: Span::new(definition.span.start + offset, definition.span.end + offset),
        address: visible(&definition.dest),
        title: definition.title.as_ref().map(ToString::to_string),
    })
}

/// The tree as far as it is read.
#[derive(Default)]
struct Reader<'a> {
    text: &'a str,
    tree: Tree,
    open: Vec<BlockId>,
    open_links: Vec<LinkId>,
    /// The leaf that takes inlines now.
    leaf: Option<BlockId>,
    /// Depth of images around the current event: their alternative text is no text of the document.
    images: usize,
    /// Whether the text of the current block is not read: code, HTML, metadata.
    opaque: bool,
}

/// What is no words in a block of HTML: tags, comments, code, and what would be a link in Markdown.
static MASKS: LazyLock<Regex> = LazyLock::new(|| {
    let code =
        ["pre", "code", "kbd", "samp", "script", "style", "textarea"].map(|tag| format!(r"<{tag}\b.*?(?:</{tag}>|\z)"));
    Regex::new(&format!(r"(?is)<!--.*?(?:-->|\z)|{}|<[^>]*(?:>|\z)|\[[^\[\]]*\]\([^()]*\)", code.join("|")))
        .expect("a fixed pattern")
});
/// What may cite in the words of a block of HTML: a number in brackets, and an address.
static CITING: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\[\d{1,3}[\],–-]|[\s(（]https?://").expect("a fixed pattern"));

impl Reader<'_> {
    fn event(&mut self, event: Event<'_>, span: Span) {
        if let Some(link) = self.open_links.last()
            && !matches!(event, Event::End(_))
        {
            // Whatever begins in a link is of its words.
            let text = &mut self.tree.links[link.0 as usize].text;
            text.end = text.end.max(span.end);
        }
        let kind = match event {
            Event::Start(tag) => return self.start(tag, span),
            Event::End(tag) => return self.end(tag),
            Event::Rule => {
                self.leaf = None;
                let id = self.push_block(BlockKind::Rule, span);
                self.tree.blocks[id.0 as usize].inlines = self.here();
                return;
            }
            _ if self.opaque || self.images > 0 => return,
            Event::Text(text) if *text == *span.slice(self.text) => InlineKind::Text,
            Event::Text(text) => InlineKind::Spelled(text.into_string().into()),
            Event::Code(_) => InlineKind::Code,
            Event::InlineHtml(_) | Event::Html(_) => InlineKind::Html,
            Event::InlineMath(_) | Event::DisplayMath(_) => InlineKind::Math,
            Event::SoftBreak => InlineKind::SoftBreak,
            Event::HardBreak => InlineKind::HardBreak,
            Event::FootnoteReference(label) => InlineKind::FootnoteReference(label.into_string().into()),
            Event::TaskListMarker(_) => InlineKind::TaskBox,
        };
        self.push_inline(kind, span);
    }

    fn start(&mut self, tag: Tag<'_>, span: Span) {
        let kind = match tag {
            Tag::Emphasis | Tag::Superscript | Tag::Subscript => return self.emphasis(span, 1),
            Tag::Strong => return self.emphasis(span, 2),
            // One tilde or two.
            Tag::Strikethrough => {
                let marks = if span.slice(self.text).starts_with("~~") { 2 } else { 1 };
                return self.emphasis(span, marks);
            }
            Tag::Link { link_type, dest_url, .. } => return self.start_link(link_type, &dest_url, span, false),
            Tag::Image { link_type, dest_url, .. } => return self.start_link(link_type, &dest_url, span, true),
            Tag::Paragraph => BlockKind::Paragraph,
            Tag::Heading { level, .. } => BlockKind::Heading(level as u8),
            Tag::BlockQuote(_) => BlockKind::Quote,
            Tag::CodeBlock(kind) => BlockKind::Code { fenced: matches!(kind, CodeBlockKind::Fenced(_)) },
            Tag::HtmlBlock => BlockKind::Html,
            Tag::List(first) => BlockKind::List(first),
            Tag::Item => BlockKind::Item,
            Tag::FootnoteDefinition(label) => BlockKind::FootnoteDefinition(label.into_string().into()),
            Tag::Table(_) => BlockKind::Table,
            Tag::TableHead => BlockKind::TableHead,
            Tag::TableRow => BlockKind::TableRow,
            Tag::TableCell => BlockKind::TableCell,
            Tag::MetadataBlock(MetadataBlockKind::YamlStyle | MetadataBlockKind::PlusesStyle) => BlockKind::Metadata,
            Tag::DefinitionList | Tag::DefinitionListTitle | Tag::DefinitionListDefinition => BlockKind::Paragraph,
        };
        self.opaque = matches!(kind, BlockKind::Code { .. } | BlockKind::Html | BlockKind::Metadata);
        let takes_text = matches!(kind, BlockKind::Paragraph | BlockKind::Heading(_) | BlockKind::TableCell);
        let id = self.push_block(kind, span);
        self.open.push(id);
        self.leaf = takes_text.then_some(id);
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Superscript | TagEnd::Subscript => {}
            TagEnd::Link => {
                if self.images == 0 {
                    self.open_links.pop();
                }
            }
            TagEnd::Image => {
                self.images = self.images.saturating_sub(1);
                if self.images == 0
                    && let Some(id) = self.open_links.pop()
                {
                    let span = self.tree.links[id.0 as usize].span;
                    self.push_inline(InlineKind::Image(id), span);
                }
            }
            _ => {
                self.opaque = false;
                self.leaf = None;
                if let Some(block) = self.open.pop()
                    && tag == TagEnd::HtmlBlock
                {
                    self.words_of_html(block);
                }
            }
        }
    }

    /// Makes the words of a block of HTML inlines, when something that may cite is among them: it has to go on meaning the same source.
    /// Others stay as they are.
    fn words_of_html(&mut self, block: BlockId) {
        let span = self.tree.blocks[block.0 as usize].span;
        let html = span.slice(self.text);
        if !CITING.is_match(html) {
            return;
        }
        let mut from = 0;
        let masks: Vec<Span> = MASKS.find_iter(html).map(|mask| Span::new(mask.start(), mask.end())).collect();
        self.tree.blocks[block.0 as usize].inlines = self.here();
        self.leaf = Some(block);
        for mask in masks.into_iter().chain([Span::at(html.len())]) {
            let words = Span::new(from, mask.start);
            from = mask.end;
            if !words.slice(html).trim().is_empty() {
                self.push_inline(InlineKind::Text, Span::new(span.start + words.start, span.start + words.end));
            }
        }
        self.leaf = None;
    }

    fn emphasis(&mut self, span: Span, marks: usize) {
        if self.images == 0 {
            let inner = Span::new(span.start + marks, span.end.saturating_sub(marks));
            self.tree.emphases.push(Emphasis { span, inner });
            self.widen_leaf(span);
        }
    }

    /// Takes a part, or formatting at its edge, into the leaf that it is of; gives the leaf. Opens the paragraph that a tight list item does not
    /// have.
    fn widen_leaf(&mut self, span: Span) -> BlockId {
        let leaf = self.leaf.unwrap_or_else(|| self.push_block(BlockKind::Paragraph, span));
        self.leaf = Some(leaf);
        let block = &mut self.tree.blocks[leaf.0 as usize];
        block.span.end = block.span.end.max(span.end);
        leaf
    }

    fn start_link(&mut self, style: LinkStyle, address: &str, span: Span, image: bool) {
        // The words of a picture are shown as words: what they link to nobody can follow.
        if self.images > 0 {
            self.images += usize::from(image);
            return;
        }
        let block = self.widen_leaf(span);
        let id = LinkId(self.tree.links.len() as u32);
        // An autolink, `<address>`, has one sign before its words, too.
        let text = Span::at(span.start + if image { 2 } else { 1 });
        self.tree.links.push(Link { span, text, address: visible(address), style, image, block });
        self.open_links.push(id);
        self.images += usize::from(image);
    }

    fn push_block(&mut self, kind: BlockKind, span: Span) -> BlockId {
        let id = BlockId(self.tree.blocks.len() as u32);
        let parent = self.open.last().copied();
        let inlines = self.here();
        self.tree.blocks.push(Block { kind, span, parent, children: Vec::new(), inlines });
        match parent {
            Some(parent) => self.tree.blocks[parent.0 as usize].children.push(id),
            None => self.tree.roots.push(id),
        }
        id
    }

    fn here(&self) -> Range<u32> {
        let here = self.tree.inlines.len() as u32;
        here..here
    }

    /// Adds an inline; text behind text is one with it.
    fn push_inline(&mut self, kind: InlineKind, span: Span) {
        let leaf = self.widen_leaf(span);
        let link = self.open_links.last().copied();
        let (block, inlines) = (&mut self.tree.blocks[leaf.0 as usize], &mut self.tree.inlines);
        let is_text =
            |inline: &Inline| kind == InlineKind::Text && inline.kind == InlineKind::Text && inline.link == link;
        match inlines[block.inlines.start as usize..].last_mut() {
            Some(last) if last.span.end == span.start && is_text(last) => last.span.end = span.end,
            _ => {
                inlines.push(Inline { kind, span, link });
                block.inlines.end = inlines.len() as u32;
            }
        }
    }
}

/// An address of the web in signs that can be written and are read again as they are: white space and backslashes as browsers send
/// them, nothing that nobody sees.
fn visible(address: &str) -> String {
    if address.contains("://") {
        let (path, query) = address.split_at(address.find(['?', '#']).unwrap_or(address.len()));
        let address = path.replace('\\', "/") + query;
        address.replace(|sign| sign == '\u{ad}' || is_unsafe(sign), "").replace(char::is_whitespace, "%20")
    } else {
        address.to_owned()
    }
}
