//! Builds the tree of a document from the parser's events.

use crate::pattern::Pattern;
use cited_text::escape::is_unsafe;
use std::sync::Arc;

use pulldown_cmark::{CodeBlockKind, Event, MetadataBlockKind, Parser, Tag, TagEnd};

use super::{Document, hidden};
use crate::markdown::pandoc;
use crate::markdown::parts::{
    Block, BlockId, BlockKind, Definition, Emphasis, Inline, InlineKind, Link, LinkId, LinkStyle, parser_options,
};
use cited_text::{Span, Spans, lines};

/// The bytes that some editors put before the text.
const BYTE_ORDER_MARK: char = '\u{feff}';

impl Document {
    /// Reads `text`. Cannot fail: any text is Markdown. A text that is shared (`Arc<str>`) is not copied.
    pub fn read(text: impl Into<Arc<str>>) -> Self {
        let written: Arc<str> = text.into();
        let text = lines::with_newlines(Arc::clone(&written));
        let offset = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len_utf8() } else { 0 };
        let parser = Parser::new_ext(&text[offset..], parser_options());
        let mut reader = Reader::default();
        (reader.document.text, reader.document.written) = (Arc::clone(&text), written);
        reader.document.definitions = definitions(&parser, offset).collect();
        for (event, range) in parser.into_offset_iter() {
            reader.event(event, Span::new(range.start + offset, range.end + offset));
        }
        let mut document = reader.document;
        // Large documents are held for the whole run, and a brief beside its draft.
        document.blocks.shrink_to_fit();
        document.inlines.shrink_to_fit();
        document.elements = hidden::elements(&document);
        let masks = hidden::masks(&document);
        // The definitions of a label that an earlier one defines: nothing to `CommonMark`, and the lines of a second source list to whoever
        // wrote them.
        let (mut repeated, mut from) = (Vec::new(), 0);
        for next in document.roots.iter().map(|id| document.block(*id).span).chain([Span::at(text.len())]) {
            let gap = text.get(from..next.start).unwrap_or_default();
            if gap.contains("]:") {
                repeated.extend(definitions(&Parser::new_ext(gap, parser_options()), from));
            }
            from = next.end.max(from);
        }
        document.definitions.extend(repeated);
        document.definitions.sort_by_key(|definition| definition.span.start);
        document.definitions.dedup_by_key(|definition| definition.span.start);
        document.mask(masks);
        // Formulas are text to the parser.
        let formulas = document.leaves().flat_map(|(id, _)| pandoc::formulas(&document.text, document.inlines(id)));
        let formulas = formulas.map(|formula| (formula, InlineKind::Math)).collect();
        document.mask(formulas);
        let leaves = document.leaves().map(|(id, _)| document.inlines(id));
        document.notes = leaves.flat_map(|inlines| pandoc::notes(&document.text, inlines)).collect();
        document
    }

    /// Makes each part that is masked one inline of its kind in every leaf that it touches. None lies over another. What is not shown leads
    /// nowhere.
    fn mask(&mut self, mut masks: Vec<(Span, InlineKind)>) {
        if masks.is_empty() {
            return;
        }
        let hidden: Spans = masks.iter().filter(|(_, kind)| *kind == InlineKind::Html).map(|(span, _)| *span).collect();
        self.definitions.retain(|definition| !hidden.contain(definition.span));
        for link in self.links.iter_mut().filter(|link| hidden.contain(link.span)) {
            (link.address, link.text) = (String::new(), Span::at(link.span.start));
        }
        masks.sort_unstable_by_key(|(span, _)| *span);
        let part = |inline: &Inline, start: usize, end: usize| match inline.kind {
            InlineKind::Text => Inline { span: Span::new(start, end), ..inline.clone() },
            _ => inline.clone(),
        };
        let mut inlines = Vec::with_capacity(self.inlines.len());
        for block in &mut self.blocks {
            let start = inlines.len() as u32;
            let old = &self.inlines[block.inlines.start as usize..block.inlines.end as usize];
            let mut begun = None;
            for inline in old {
                let mut from = inline.span.start;
                let over = &masks[masks.partition_point(|(mask, _)| mask.end <= from)..];
                for (mask, kind) in over.iter().take_while(|(mask, _)| mask.start < inline.span.end) {
                    if from < mask.start {
                        inlines.push(part(inline, from, mask.start));
                    }
                    // What opens it stands for the whole; a part over several lines hides the rest.
                    if begun.replace(*mask) != Some(*mask) {
                        // The backslash of an escape stands before its inline.
                        let escape = usize::from(self.text[..old[0].span.start].ends_with('\\'));
                        let (first, end) = (old[0].span.start - escape, old[old.len() - 1].span.end);
                        let span = Span::new(mask.start.max(first), mask.end.min(end));
                        inlines.push(Inline { kind: kind.clone(), span, link: inline.link });
                    }
                    from = mask.end;
                }
                if from < inline.span.end {
                    inlines.push(part(inline, from, inline.span.end));
                }
            }
            block.inlines = start..inlines.len() as u32;
        }
        self.inlines = inlines;
    }
}

/// The definitions of link references in a text that begins at `offset`.
fn definitions(parser: &Parser<'_>, offset: usize) -> impl Iterator<Item = Definition> {
    parser.reference_definitions().iter().map(move |(label, definition)| Definition {
        label: label.to_owned(),
        span: Span::new(definition.span.start + offset, definition.span.end + offset),
        address: visible(&definition.dest),
        title: definition.title.as_ref().map(ToString::to_string),
    })
}

#[derive(Default)]
struct Reader {
    /// The document as far as it is read.
    document: Document,
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
static MASKS: Pattern = Pattern::made(|| {
    let code =
        ["pre", "code", "kbd", "samp", "script", "style", "textarea"].map(|tag| format!(r"<{tag}\b.*?(?:</{tag}>|\z)"));
    format!(r"(?is)<!--.*?(?:-->|\z)|{}|<[^>]*(?:>|\z)|\[[^\[\]]*\]\([^()]*\)", code.join("|"))
});
/// What may cite in the words of a block of HTML: a number in brackets, and an address.
static CITING: Pattern = Pattern::new(r"\[\p{Nd}{1,3}[\],–-]|[\s(（]https?://");

impl Reader {
    fn event(&mut self, event: Event<'_>, span: Span) {
        if let Some(link) = self.open_links.last()
            && !matches!(event, Event::End(_))
        {
            // Whatever begins in a link is of its words.
            let text = &mut self.document.links[link.0 as usize].text;
            text.end = text.end.max(span.end);
        }
        let kind = match event {
            Event::Start(tag) => return self.start(tag, span),
            Event::End(tag) => return self.end(tag),
            Event::Rule => {
                self.leaf = None;
                self.push_block(BlockKind::Rule, span);
                return;
            }
            _ if self.opaque || self.images > 0 => return,
            Event::Text(text) if *text == *self.document.slice(span) => InlineKind::Text,
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
                let marks = if self.document.slice(span).starts_with("~~") { 2 } else { 1 };
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
                    let span = self.document.links[id.0 as usize].span;
                    self.push_inline(InlineKind::Image(id), span);
                }
            }
            _ => {
                self.opaque = false;
                self.leaf = None;
                let block = self.open.pop().filter(|_| tag == TagEnd::HtmlBlock);
                let html = block.map(|block| (block, self.document.blocks[block.0 as usize].span));
                // The words of a block of HTML are inlines when something that may cite is among them: it has to go on meaning the same
                // source. Others stay as they are.
                if let Some((block, span)) = html.filter(|(_, span)| CITING.is_match(self.document.slice(*span))) {
                    let html = self.document.slice(span);
                    let start = |words: &str| span.start + (words.as_ptr() as usize - html.as_ptr() as usize);
                    let words = MASKS.split(html).filter(|words| !words.trim().is_empty());
                    let words: Vec<Span> =
                        words.map(|words| Span::new(start(words), start(words) + words.len())).collect();
                    self.leaf = Some(block);
                    words.into_iter().for_each(|words| self.push_inline(InlineKind::Text, words));
                    self.leaf = None;
                }
            }
        }
    }

    fn emphasis(&mut self, span: Span, marks: usize) {
        if self.images == 0 {
            let inner = Span::new(span.start + marks, span.end.saturating_sub(marks));
            self.document.emphases.push(Emphasis { span, inner });
            self.widen_leaf(span);
        }
    }

    /// Takes a part, or formatting at its edge, into the leaf that it is of; gives the leaf. Opens the paragraph that a tight list item does not
    /// have.
    fn widen_leaf(&mut self, span: Span) -> BlockId {
        let leaf = self.leaf.unwrap_or_else(|| self.push_block(BlockKind::Paragraph, span));
        self.leaf = Some(leaf);
        let block = &mut self.document.blocks[leaf.0 as usize];
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
        let id = LinkId(self.document.links.len() as u32);
        // An autolink, `<address>`, has one sign before its words, too.
        let text = Span::at(span.start + if image { 2 } else { 1 });
        self.document.links.push(Link { span, text, address: visible(address), style, image, block });
        self.open_links.push(id);
        self.images += usize::from(image);
    }

    fn push_block(&mut self, kind: BlockKind, span: Span) -> BlockId {
        let id = BlockId(self.document.blocks.len() as u32);
        let parent = self.open.last().copied();
        let here = self.document.inlines.len() as u32;
        self.document.blocks.push(Block { kind, span, parent, children: Vec::new(), inlines: here..here });
        match parent {
            Some(parent) => self.document.blocks[parent.0 as usize].children.push(id),
            None => self.document.roots.push(id),
        }
        id
    }

    /// Adds an inline; text behind text is one with it.
    fn push_inline(&mut self, kind: InlineKind, span: Span) {
        let leaf = self.widen_leaf(span);
        let link = self.open_links.last().copied();
        let (block, inlines) = (&mut self.document.blocks[leaf.0 as usize], &mut self.document.inlines);
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
