//! The parts of a document: blocks, inlines, links and definitions, each with its place in the bytes.

use std::ops::Range;

use pulldown_cmark::Options;

/// How a link or image is written.
pub use pulldown_cmark::LinkType as LinkStyle;

use cited_text::Span;

/// Number of a block in its document, in document order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(pub(super) u32);

/// Number of a link or image in its document, in document order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkId(pub(super) u32);

impl BlockId {
    /// The position in `Document::blocks`.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a block is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BlockKind {
    /// Front matter between `---` or `+++` lines.
    Metadata,
    /// A heading with its level, 1 to 6.
    Heading(u8),
    /// A paragraph; also the text of a tight list item, which has no paragraph of its own in the tree of `CommonMark`.
    Paragraph,
    /// A block quote.
    Quote,
    /// A list; the number of its first item when ordered.
    List(Option<u64>),
    /// An item of a list.
    Item,
    /// A table.
    Table,
    /// The header row of a table.
    TableHead,
    /// A body row of a table.
    TableRow,
    /// A cell.
    TableCell,
    /// Code: fenced or indented.
    Code {
        /// Whether it stands between fences.
        fenced: bool,
    },
    /// A block of HTML.
    Html,
    /// The definition of a footnote, with its label.
    FootnoteDefinition(Box<str>),
    /// A thematic break.
    Rule,
}

/// A block: its kind, its bytes, its place in the tree.
#[derive(Debug, Clone)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// Its bytes; may take in the line end and blank lines after it.
    pub span: Span,
    /// The block it stands in; `None` at the top.
    pub parent: Option<BlockId>,
    /// The blocks in it, in order.
    pub children: Vec<BlockId>,
    pub(super) inlines: Range<u32>,
}

impl Block {
    /// Whether it holds inlines: a paragraph, heading or table cell that is not empty.
    pub fn is_leaf(&self) -> bool {
        !self.inlines.is_empty()
    }
}

/// What an inline is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InlineKind {
    /// Text as it stands in the source.
    Text,
    /// Text that the source writes differently: an entity, an escaped line end.
    Spelled(Box<str>),
    /// A code span, its backticks included.
    Code,
    /// A formula, its marks included.
    Math,
    /// An HTML tag or comment.
    Html,
    /// A line end inside a paragraph.
    SoftBreak,
    /// A forced line end.
    HardBreak,
    /// A reference to a footnote, with its label.
    FootnoteReference(Box<str>),
    /// The box of a task item.
    TaskBox,
    /// A whole image, its alternative text included.
    Image(LinkId),
}

/// An atom of a leaf. Emphasis leaves no inline: only its text does.
#[derive(Debug, Clone)]
pub struct Inline {
    /// What it is.
    pub kind: InlineKind,
    /// Its bytes.
    pub span: Span,
    /// The link whose text it is part of.
    pub link: Option<LinkId>,
}

/// A link or image.
#[derive(Debug, Clone)]
pub struct Link {
    /// All its bytes.
    pub span: Span,
    /// The bytes of its text, without brackets.
    pub text: Span,
    /// Its target, entities and escapes resolved.
    pub address: String,
    /// How it is written.
    pub style: LinkStyle,
    /// Whether it is an image.
    pub image: bool,
    /// The leaf it stands in.
    pub block: BlockId,
}

/// A run of emphasis, strong emphasis or strikethrough.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Emphasis {
    /// All its bytes, marks included.
    pub span: Span,
    /// The bytes between its marks.
    pub inner: Span,
}

/// A link reference definition: `[label]: address "title"`.
#[derive(Debug, Clone)]
pub struct Definition {
    /// Label as written, folded by the rule of `CommonMark`.
    pub label: String,
    /// All its bytes.
    pub span: Span,
    /// Its target.
    pub address: String,
    /// Its title.
    pub title: Option<String>,
}

/// The options of the parser: `CommonMark` with the extensions that agents write; see the module's head for what is off.
pub fn parser_options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_GFM
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
        | Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS
}
