//! A research file as read: its entries, notes and ratings.

use super::rating::Rating;
use crate::citation::Entry;
use crate::finding::Finding;
use crate::source::registry::SourceId;
use cited_text::Span;

/// A research file as read. Its labels live in it alone.
#[derive(Debug, Clone, Default)]
pub struct ResearchFile {
    /// The file, as given by the user.
    pub path: String,
    /// The sources that it lists: evidence table, lists, bibliography, citation objects.
    pub entries: Vec<Entry>,
    /// What it says with them.
    pub notes: Vec<ResearchNote>,
    /// What it says of how good its sources and findings are.
    pub ratings: Vec<Rated>,
    /// When the research was done, when the file says so.
    pub date: Option<jiff::civil::Date>,
    /// What was odd.
    pub findings: Vec<Finding>,
    /// Why it cannot be read as what it is, when it cannot: what it says is unknown, not nothing.
    pub broken: Option<String>,
    /// Whether it says something beside its sources, of which nothing was read.
    pub unread: bool,
}

/// A statement of a research file: a finding, a key claim of an evidence table, an excerpt.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ResearchNote {
    /// The words, as shown, without markers and labels.
    pub text: String,
    /// Positions in [`ResearchFile::entries`] of the sources it stands on; empty when it has none.
    pub entries: Vec<usize>,
    /// Whether these are words of the source itself.
    pub verbatim: bool,
    /// The author's own label: `VERIFIED`, `INFERRED`, `unverified`, `blocked`, as written.
    pub label: Option<String>,
    /// What the row of an evidence table names beside it: the title and the address. Its words say what the note is about, and
    /// nothing that it states; empty elsewhere.
    pub about: String,
    /// Where it stands in the file.
    pub span: Span,
}

/// What a research file says of how good a source is, or a finding of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rated {
    /// Position in [`ResearchFile::entries`] of the source.
    pub entry: usize,
    /// The finding that it is said of; empty when it is said of the source as a whole.
    pub of: String,
    /// What is said.
    pub rating: Rating,
}

/// A note with its sources as known to the registry: what claims are anchored to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnchorNote {
    /// The words of the note.
    pub text: String,
    /// The sources it stands on.
    pub sources: Vec<SourceId>,
    /// Whether these are words of the source itself.
    pub verbatim: bool,
    /// The author's own label.
    pub label: Option<String>,
    /// What names its source, see [`ResearchNote::about`].
    pub about: String,
    /// The research file it stands in.
    pub file: String,
}
