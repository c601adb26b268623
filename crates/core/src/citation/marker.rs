//! Inline citations: what they are and where they stand.

use serde::Serialize;

use super::label::Label;
use super::source_list::{Entry, EntryId, SourceList, held_spans};
use crate::finding::Finding;
use crate::markdown::{BlockId, LinkId};
use cited_text::{Span, Spans};

/// Number of a marker in its document, in document order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, schemars::JsonSchema)]
pub struct MarkerId(pub u32);

/// How a citation is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::IntoStaticStr, Serialize, schemars::JsonSchema)]
#[strum(serialize_all = "kebab-case")]
#[serde(rename_all = "kebab-case")]
pub enum MarkerForm {
    /// `[3]`, `[1, 4]`, `[2–5]`, `［３］`, `[1][4]`
    Bracket,
    /// `【3】`, `〔3〕`
    Lenticular,
    /// `[[3]]` without an address.
    DoubleBracket,
    /// `[^3]` whose definition is a source.
    Footnote,
    /// `[[3]](url)`, `[3](url)`, `([3](url), [4](url))`: the address is the identity.
    NumberLink,
    /// `[Title](url)`, `([Title](url))`, `[citation:Title](url)` with a known address.
    TitleLink,
    /// `<url>` or a bare address in prose, known from a list.
    Address,
    /// `<sup>3</sup>`, `^3^`
    Superscript,
    /// `in 2024.1`, `share.1 2`: numbers without a sign of their own.
    Plain,
    /// `\[1\]`
    Escaped,
    /// `(Smith & Doe, 2020)`, and the `(2020)` of *Smith (2020)*
    AuthorYear,
    /// `[@key]`
    Pandoc,
    /// A product's own form, resolved or not.
    Product,
}

/// What one member of a marker points at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Target {
    /// An entry of a list of this document.
    Entry(EntryId),
    /// A label of no list of this document: of a research file, or of nothing.
    Label(Label),
    /// An address, for the forms whose address is the identity.
    Address(String),
}

impl Target {
    /// The address, of the forms whose address is the identity.
    pub fn address(&self) -> Option<&str> {
        if let Target::Address(address) = self { Some(address) } else { None }
    }
}

/// An inline citation: a run of one form that is read as one, `[1][4][7]` or `[1], [4]` included.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct Marker {
    /// All its bytes, brackets and parentheses included, white space around it not.
    pub span: Span,
    /// How it is written.
    pub form: MarkerForm,
    /// What it points at, in the order written, ranges spelled out.
    pub targets: Vec<Target>,
    /// The leaf it stands in.
    #[serde(skip)]
    pub block: BlockId,
    /// The link that it is made of, for the link forms; of a run, the first.
    #[serde(skip)]
    pub link: Option<LinkId>,
    /// Whether the marker is only the citation, so that it may be rewritten as a whole. False where its words are
    /// part of the sentence: `see [the survey](url) for more`, `in https://x.example`.
    pub standalone: bool,
    /// Labels that nothing gives a meaning; they are in `targets` too.
    #[serde(skip)]
    pub(crate) missing: Vec<Label>,
    /// What sort of thing it is.
    #[serde(skip)]
    pub(crate) shape: Shape,
}

impl Marker {
    /// What is a citation wherever it stands.
    pub(crate) fn known(block: BlockId, span: Span, form: MarkerForm, targets: Vec<Target>) -> Self {
        let (missing, shape) = (Vec::new(), Shape::Known);
        Marker { span, form, block, link: None, targets, missing, shape, standalone: true }
    }
}

/// What sort of thing a candidate is, as far as its own bytes tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A single number in brackets.
    Single,
    /// Several numbers, or a range, in brackets.
    Group,
    /// A word in brackets: only a citation when it is a label.
    Word,
    /// A form that nothing else is written in.
    Unmistakable,
    /// `[3](url)`: a citation where it stands like one.
    NumberLink,
    /// A link or an address that a list or a research file has.
    Known,
    /// A link or an address that nothing has, in a document without a list: where it stands decides.
    Unlisted,
    /// A range that cannot be meant.
    BadRange,
}

/// Where the document puts its citations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Placement {
    /// `done [1].`
    #[default]
    BeforeStop,
    /// `done. [1]`
    AfterStop,
}

/// Everything about citations in one document.
#[derive(Debug, Clone, Default)]
pub struct Citations {
    /// The markers, in document order, not overlapping.
    pub markers: Vec<Marker>,
    /// The source lists, in document order.
    pub lists: Vec<SourceList>,
    /// The document's habit.
    pub placement: Placement,
    /// The sections that an earlier run wrote (removed claims, verification notes), headings included: no claims, no
    /// citations.
    pub own_sections: Vec<Span>,
    /// Citations by author and year that nothing explains, in order. They stay as they are, and are no words of what is claimed.
    pub unlisted: Vec<Span>,
    /// Those of them that name an author and a year: what they stand behind has a source.
    pub unexplained: Vec<Span>,
    /// What was odd.
    pub findings: Vec<Finding>,
}

impl Citations {
    /// The bytes that are no text of the document's own: source lists with their headings, and what an earlier run wrote.
    pub fn held(&self) -> Spans {
        held_spans(&self.lists, &self.own_sections)
    }

    /// One marker.
    pub fn marker(&self, id: MarkerId) -> &Marker {
        &self.markers[id.0 as usize]
    }

    /// One entry of its lists.
    pub fn entry(&self, id: EntryId) -> Option<&Entry> {
        self.lists.get(id.list as usize)?.entries.get(id.entry as usize)
    }

    /// The first marker that has a part of `span`.
    pub fn marker_over(&self, span: Span) -> Option<&Marker> {
        let at = self.markers.partition_point(|marker| marker.span.end <= span.start);
        self.markers.get(at).filter(|marker| marker.span.start < span.end)
    }

    /// The markers that lie in `span`, in order.
    pub fn markers_in(&self, span: Span) -> &[Marker] {
        let from = self.markers.partition_point(|marker| marker.span.start < span.start);
        let to = self.markers.partition_point(|marker| marker.span.start < span.end);
        &self.markers[from..to.max(from)]
    }
}
