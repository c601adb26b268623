//! Claims: the smallest pieces of a draft that are kept or dropped as one.

pub mod anchor;
#[cfg(test)]
mod anchor_tests;
mod authors;
mod clauses;
mod cues;
mod detect;
mod imperative;
mod imprint;
mod joints;
mod labels;
pub mod lexical;
mod names;
mod pieces;
#[cfg(test)]
#[path = "properties_tests.rs"]
mod properties;
mod split;
#[cfg(test)]
mod tests;

pub use anchor::{Anchoring, anchor};
pub(crate) use authors::{plans_of_its_authors, tells_of_its_authors};
pub use clauses::{clauses, markers_by_clause};
pub use detect::leans;
pub use imperative::{is_imperative, labelled};
pub use labels::{calls_it_a_chart, names_its_source};
pub(crate) use pieces::{OMISSION, TASK};
pub(crate) use split::footnote_around;
pub use split::{findings, kind_of, split};

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::citation::MarkerId;
use crate::markdown::{BlockId, Document};
use cited_text::{Span, Spans};

/// The sections whose heading has these words, in small letters, whatever number stands before them.
fn sections_headed(document: &Document, is_of: impl Fn(&str) -> bool) -> Spans {
    let words = |heading: &str| heading.trim_matches(['*', '_', ' ', ':', '#']).to_lowercase();
    let numbers = |c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | ' ');
    document.sections(|heading| is_of(words(heading).trim_start_matches(numbers))).into_iter().collect()
}

/// Number of a claim in its document, in document order. Written `c1`, `c2`, …, also in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct ClaimId(pub u32);

impl From<ClaimId> for String {
    fn from(id: ClaimId) -> String {
        id.to_string()
    }
}

impl TryFrom<String> for ClaimId {
    type Error = String;

    fn try_from(written: String) -> Result<Self, String> {
        let number = written.strip_prefix('c').and_then(|number| number.parse::<u32>().ok());
        let id = number.and_then(|number| number.checked_sub(1)).map(ClaimId);
        id.ok_or_else(|| format!("“{written}” is no claim: c1, c2, …"))
    }
}

impl std::fmt::Display for ClaimId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "c{}", self.0 + 1)
    }
}

/// The kind of a claim: first those that must have a source, then the other that states a fact.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum ClaimKind {
    /// Holds a measured number, percentage, amount, date or version.
    Quantitative,
    /// Holds words of somebody else.
    Quotation,
    /// Says who says it.
    Attribution,
    /// Compares: comparative, superlative, benchmark, improvement.
    Comparison,
    /// Says that something was verified, confirmed, proven.
    Certainty,
    /// Any other statement of fact.
    #[default]
    Plain,
    /// *May*, *might*, *could*.
    Hedged,
    /// *In our view*.
    Opinion,
    /// Asks.
    Question,
    /// Tells the reader to do something.
    Instruction,
    /// A heading.
    Heading,
    /// Leads from one thing to the next: *Three causes recur:*
    Transition,
    /// Work that is left to do.
    Todo,
    /// The agent's own talk: *I'll research …*
    Chatter,
}

impl ClaimKind {
    /// Whether a claim of this kind must have a source.
    pub fn must_have_source(self) -> bool {
        self <= ClaimKind::Certainty
    }

    /// Whether the claim states a fact at all.
    pub fn is_factual(self) -> bool {
        self <= ClaimKind::Plain
    }
}

/// What sort of place a claim stands in; decides what goes with it when it goes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, strum::IntoStaticStr, Serialize, schemars::JsonSchema)]
#[strum(serialize_all = "lowercase")]
#[serde(rename_all = "lowercase")]
pub enum ClaimPosition {
    /// A sentence of a paragraph.
    #[default]
    Sentence,
    /// The whole text of a list item.
    Item,
    /// A cell of a table.
    Cell,
    /// A heading; also the head of a column and the label of a row, which keep their words in the same way.
    Heading,
    /// A figure: an image with its alternative text or caption.
    Figure,
}

/// What names a cell of a table: it helps to judge and to name its claim. One of the two may be empty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Cell {
    /// The label of its row.
    pub row: String,
    /// The head of its column.
    pub column: String,
}

/// `row, column`, or the one of them that there is.
impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let comma = if self.row.is_empty() || self.column.is_empty() { "" } else { ", " };
        write!(f, "{}{comma}{}", self.row, self.column)
    }
}

/// The smallest piece of the draft that is kept or dropped as one.
#[derive(Debug, Clone, Default, Serialize, schemars::JsonSchema)]
pub struct Claim {
    /// The leaf it stands in.
    #[serde(skip)]
    pub block: BlockId,
    /// Its bytes with its markers and the marks of formatting at its edges, without the white space around it.
    pub span: Span,
    /// Its words as shown, without markers, white space folded.
    pub text: String,
    /// What names a cell of a table, where anything does.
    pub context: Option<Box<Cell>>,
    /// What sort of place it stands in.
    pub position: ClaimPosition,
    /// What kind of statement it is.
    pub kind: ClaimKind,
    /// The markers that belong to it, in order. They lie in its span, but for those of a cell or block of nothing but
    /// markers behind it, which speak for what is before them.
    pub markers: Vec<MarkerId>,
    /// Whether it leans on the sentence right before it in its block: *This*, *These*, *However*, 这, その, …
    pub dangling: bool,
    /// Whether it introduces the list or block that follows: *Three causes recur:*
    pub introduces: bool,
    /// Whether it is the caption of the table or figure next to it: *Table 2: …*
    pub captions: bool,
    /// Whether it is a clause that continues the sentence of the claim before it; what joins the two lies between them.
    pub continues: bool,
    /// Markers of other places that speak for it too: the last cell of its row, the head of its column, the sentence that
    /// introduces its list, the items that it introduces, the end of its paragraph. They keep it from being uncited; they are not its own.
    pub inherited: Vec<MarkerId>,
}

impl Claim {
    /// Whether it is a picture.
    pub(crate) fn is_figure(&self) -> bool {
        self.position == ClaimPosition::Figure
    }

    /// Its words, behind what names its cell if it is one: `row, column: words`.
    pub fn text_in_context(&self) -> Cow<'_, str> {
        match &self.context {
            Some(cell) => format!("{cell}: {}", self.text).into(),
            None => Cow::Borrowed(&self.text),
        }
    }
}
