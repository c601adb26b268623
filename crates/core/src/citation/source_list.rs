//! Source lists: where they stand and what their entries say.

use serde::Serialize;

use super::heading::list_heading;
use super::label::{Label, LabelStyle};

use crate::markdown::{BlockId, BlockKind, Document};
use cited_text::{Span, Spans};

/// Number of an entry in its document: list by list, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, schemars::JsonSchema)]
pub struct EntryId {
    /// Position of the list in [`Citations::lists`](super::Citations::lists).
    pub list: u32,
    /// Position of the entry in [`SourceList::entries`].
    pub entry: u32,
}

/// One line of a source list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Entry {
    /// The label as written; `None` where the list has none (bullets).
    pub label: Option<Label>,
    /// How it is written.
    #[serde(skip)]
    pub style: LabelStyle,
    /// All its bytes, from its label or bullet to the end of its last line, without the line end.
    pub span: Span,
    /// Where its words begin, behind its label or bullet.
    #[serde(skip)]
    pub words: usize,
    /// Author and title as shown, without formatting; empty when there is only an address.
    pub title: String,
    /// The addresses, as the author wrote them; the first is the one to show, the others are of copies and of the works in `also`.
    pub addresses: Vec<String>,
    /// The bytes that another address would take the place of, where the one to show stands as such: none of one that is written elsewhere.
    #[serde(skip)]
    pub place: Option<Span>,
    /// When the author looked, when the entry says so.
    pub accessed: Option<jiff::civil::Date>,
    /// What stands after title and address; not what an earlier run wrote there (`archived …`).
    pub note: Option<String>,
    /// The addresses of other works that it lists: *IEA, https://…; GWEC, https://…*. Those that are sources of their own are cited
    /// with it.
    pub also: Vec<String>,
    /// Whether title, address and a short note are all that it says: no prose around a link.
    pub is_pure: bool,
}

/// What the entries of a list are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ListKind {
    /// List items, lines or paragraphs.
    #[default]
    Lines,
    /// Rows of a table.
    Table,
    /// Link reference definitions: `[1]: address "title"`. They hold no block, and links may rest on them.
    Definitions,
    /// Footnote definitions.
    Footnotes,
}

/// A source list of a document.
#[derive(Debug, Clone, Default, Serialize, schemars::JsonSchema)]
pub struct SourceList {
    /// What its entries are made of.
    pub kind: ListKind,
    /// The bytes of its heading line or lines, when it has one.
    pub heading: Option<Span>,
    /// Level of that heading, 1 to 6; `None` for a bold or plain line.
    pub level: Option<u8>,
    /// The heading's own words, without `#` marks, numbering and formatting.
    pub title: Option<String>,
    /// The bytes of its entries, from the first to the last, prose between them included.
    pub span: Span,
    /// The part of the document whose markers it explains: everything, or its section.
    pub scope: Span,
    /// Whether its section has citations of its own before it: a list that stands behind another one explains the same text.
    pub cited_above: bool,
    /// The blocks that hold its entries; their text is no claim.
    #[serde(skip)]
    pub blocks: Vec<BlockId>,
    /// Its entries, in order.
    pub entries: Vec<Entry>,
}

impl SourceList {
    /// Its heading and its entries.
    pub(crate) fn lines(&self) -> impl Iterator<Item = Span> + '_ {
        self.heading.into_iter().chain(self.entries.iter().map(|entry| entry.span)).chain(self.placeholder())
    }

    /// A list that is still to be read.
    pub(super) fn headed(heading: Span, level: Option<u8>, title: String) -> Self {
        SourceList { heading: Some(heading), level, title: Some(title), ..SourceList::default() }
    }

    /// Adds the entries of what follows; of the first, it is what that is.
    pub(super) fn extend(&mut self, behind: SourceList) {
        if self.entries.is_empty() {
            self.kind = behind.kind;
        }
        self.entries.extend(behind.entries);
        self.blocks.extend(behind.blocks);
    }

    /// Whether its labels are written in brackets, as citations are.
    pub(super) fn is_bracketed(&self) -> bool {
        self.entries.first().is_some_and(|entry| entry.style.is_written_in_brackets())
    }

    /// Whether its heading says that it has sources. Any other was taken for it by what stands below.
    pub fn is_named(&self) -> bool {
        self.title.as_deref().and_then(list_heading).is_some()
    }

    /// Whether a reader of the page sees nothing of it: definitions that no heading stands above, the place of a list to come.
    pub fn is_unseen(&self) -> bool {
        self.kind == ListKind::Definitions && self.heading.is_none() || self.entries.is_empty()
    }

    /// What stands where a program is to put the entries.
    fn placeholder(&self) -> Option<Span> {
        Some(self.span).filter(|span| self.entries.is_empty() && !span.is_empty())
    }

    /// The bytes that are the list and nothing else, in order: its heading, and its entries as one part, or one by one
    /// where prose stands between them. Prose stays when the list goes.
    pub fn parts(&self, document: &Document) -> Vec<Span> {
        let mut parts: Vec<Span> = self.heading.into_iter().chain(self.placeholder()).collect();
        // A table goes as a whole, with the row that heads it.
        let tables = self.blocks.iter().filter(|id| document.block(**id).kind == BlockKind::Table);
        let tables: Vec<Span> = tables.map(|id| document.content_span(*id)).collect();
        let whole = |entry: Span| tables.iter().copied().find(|table| table.contains(entry)).unwrap_or(entry);
        let mut entries: Vec<Span> = self.entries.iter().map(|entry| whole(entry.span)).collect();
        entries.dedup();
        // The marks of divisions, `::: {#ref-lee}`, are no words.
        let says = |line: &str| !line.trim_start().starts_with(":::") && line.contains(char::is_alphanumeric);
        let prose_between = entries
            .windows(2)
            .any(|pair| document.slice(Span::new(pair[0].end, pair[1].start.max(pair[0].end))).lines().any(says));
        if prose_between {
            parts.extend(entries);
        } else {
            parts.extend(entries.into_iter().reduce(Span::cover));
        }
        parts
    }
}

/// The bytes that hold no citation of the document: entries, headings of lists, sections that cited wrote.
pub(super) fn held_spans(lists: &[SourceList], own: &[Span]) -> Spans {
    lists.iter().flat_map(SourceList::lines).chain(own.iter().copied()).collect()
}
