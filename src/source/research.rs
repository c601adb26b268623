//! Research files: what an agent noted while it looked, with the sources it looked at.

use super::registry::SourceId;
use crate::citation::Entry;
use crate::finding::Finding;
use crate::text::Span;

/// A research file as read. Its labels live in it alone.
#[derive(Debug, Clone, Default)]
pub struct ResearchFile {
    /// The file, as given by the user.
    pub path: String,
    /// The sources that it lists: evidence table, lists, bibliography, citation objects.
    pub entries: Vec<Entry>,
    /// What it says with them.
    pub notes: Vec<ResearchNote>,
    /// When the research was done, when the file says so.
    pub date: Option<jiff::civil::Date>,
    /// What was odd.
    pub findings: Vec<Finding>,
}

/// A statement of a research file: a finding, a key claim of an evidence table, an excerpt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResearchNote {
    /// The words, as shown, without markers and labels.
    pub text: String,
    /// Positions in [`ResearchFile::entries`] of the sources it stands on; empty when it has none.
    pub entries: Vec<usize>,
    /// Whether these are words of the source itself.
    pub verbatim: bool,
    /// The author's own label: `VERIFIED`, `INFERRED`, `unverified`, `blocked`, as written.
    pub label: Option<String>,
    /// Where it stands in the file.
    pub span: Span,
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
    /// The research file it stands in.
    pub file: String,
}
