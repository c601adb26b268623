//! What became of looking an entry up, as the record has it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use cited_core::citation::reference::Ids;
use cited_core::finding::Severity;
use cited_core::outcome::Fate;

/// Whether the work exists, as written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[derive(strum::Display, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Outcome {
    /// It was found, and no field differs.
    Exists,
    /// It was found, and a field differs; or its identifier is that of another work.
    Differs,
    /// Every index that covers its kind answered, and none has it. That proves nothing.
    NotFound,
    /// Its kind is covered by no index, or an index that may have it did not answer.
    #[default]
    Unasked,
}

/// A field that can differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Field {
    /// The title.
    Title,
    /// The authors.
    Authors,
    /// The year.
    Year,
    /// The journal, conference or book.
    Venue,
    /// The DOI.
    Doi,
    /// The number at arXiv.
    Arxiv,
    /// The number at `PubMed`.
    Pmid,
    /// The number at `PubMed` Central.
    Pmcid,
    /// The ISBN.
    Isbn,
    /// The name in the ACL Anthology.
    Acl,
}

impl Field {
    /// Those that words are compared of.
    pub(super) const OF_WORDS: [Field; 4] = [Field::Title, Field::Authors, Field::Year, Field::Venue];

    /// The identifier of the field.
    pub(super) fn find_in(self, ids: &Ids) -> Option<&str> {
        let all = [&ids.doi, &ids.arxiv, &ids.pmid, &ids.pmcid, &ids.isbn, &ids.acl];
        all.get((self as usize).checked_sub(Field::Doi as usize)?)?.as_deref()
    }

    /// The name for readers.
    pub fn name(self) -> &'static str {
        ["title", "authors", "year", "venue", "DOI", "arXiv", "PMID", "PMCID", "ISBN", "ACL"][self as usize]
    }
}

/// A field of which no record of the work says what the entry says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Difference {
    /// The field.
    pub field: Field,
    /// What the entry says.
    pub entry: String,
    /// What the index says.
    pub index: String,
    /// The indexes that say so.
    pub by: Vec<String>,
    /// How loud it is: a note may be a slip, a warning misleads.
    pub severity: Severity,
}

impl std::fmt::Display for Difference {
    /// `venue: ICML → AAAI (crossref, dblp)`, `DOI 10.5555/1 leads to “Tides” (crossref)`
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (of, to) = if self.field >= Field::Doi { ("", "leads to") } else { (":", "→") };
        write!(f, "{}{of} {} {to} {} ({})", self.field.name(), self.entry, self.index, self.by.join(", "))
    }
}

/// The work that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Work {
    /// The title.
    pub title: String,
    /// The authors, `Family, PageValue`.
    pub authors: Vec<String>,
    /// The year.
    pub year: Option<i16>,
    /// The journal, conference or book.
    pub venue: Option<String>,
    /// The kind, in the words of the index.
    #[serde(rename = "type")]
    pub kind: String,
    /// DOI.
    pub doi: Option<String>,
    /// Where a reader finds it.
    pub url: Option<String>,
    /// Other versions of it.
    pub versions: Vec<Version>,
    /// Its abstract, for judging claims by it; records of a run do not repeat it.
    #[serde(skip)]
    pub summary: Option<String>,
}

/// Another version of a work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Version {
    /// `preprint` or `publication`.
    pub kind: String,
    /// Where a reader finds it.
    pub url: Option<String>,
    /// The year.
    pub year: Option<i16>,
}

/// What a note is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NoteKind {
    /// It is cited as a preprint, and was published since.
    PublishedElsewhere,
    /// No record confirms the venue: only a preprint is known.
    VenueUnconfirmed,
    /// Volume or pages are other ones.
    DetailDiffers,
    /// The ISBN has a wrong check digit.
    IsbnCheckDigit,
    /// What became of the work.
    #[serde(untagged)]
    Fate(Fate),
}

/// Something worth telling that makes no difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Note {
    /// What it is of.
    pub code: NoteKind,
    /// The index that says so.
    pub by: Option<String>,
    /// In its words.
    pub words: Option<String>,
    /// The DOI of a notice.
    pub notice: Option<String>,
    /// When.
    pub date: Option<String>,
}

impl Note {
    /// A note in words of its own, by whoever says so.
    pub(super) fn with_words(code: NoteKind, by: &str, words: impl Into<String>) -> Note {
        Note { by: Some(by.to_owned()), words: Some(words.into()), ..Note::new(code) }
    }

    /// A note that its kind says all of.
    pub(super) fn new(code: NoteKind) -> Note {
        Note { code, by: None, words: None, notice: None, date: None }
    }
}

/// How an index was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum QueryKind {
    /// For what an identifier stands for.
    Identifier,
    /// For the agency of a DOI: so say records of earlier versions, which are read as before.
    Agency,
    /// For records that have the words of an entry.
    Search,
}

/// What an index answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AnswerKind {
    /// Records; of a search, perhaps none that is meant.
    Records,
    /// That it has none.
    No,
    /// Nothing that is an answer.
    Unasked,
}

/// One question to one index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IndexQuery {
    /// The index.
    pub index: String,
    /// How it was asked.
    pub how: QueryKind,
    /// What it answered.
    pub answer: AnswerKind,
    /// Records that it gave.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub records: Option<usize>,
    /// Why it gave no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The hash of the text of its answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text_sha256: Option<String>,
    /// When it came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<jiff::Timestamp>,
}

/// What is offered to be written into an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Offer {
    /// The address of the work.
    pub url: String,
    /// The DOI of the entry that it is to replace: it is not registered.
    pub replaces: Option<String>,
}

/// What became of looking an entry up.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Look {
    /// Whether the work exists, as written.
    pub outcome: Outcome,
    /// The fields that differ.
    pub differs: Vec<Difference>,
    /// Fields of which a record of the work says otherwise although another says what the entry says.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub otherwise: Vec<Difference>,
    /// The work that was found.
    pub work: Option<Work>,
    /// What else is worth telling.
    pub notes: Vec<Note>,
    /// What is offered to be written.
    pub offer: Option<Offer>,
    /// Why it was not asked for, or by whom it was not answered.
    pub reason: Option<String>,
    /// `thin` where few indexes could have it, as its title has no Latin letters: that none has it says next to nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage: Option<String>,
    /// Every question, in order.
    pub asked: Vec<IndexQuery>,
}

impl Look {
    /// An entry that nobody was asked about.
    pub fn unasked(reason: impl Into<String>) -> Look {
        Look { reason: Some(reason.into()), ..Look::default() }
    }

    /// Whether it speaks against the entry: no index has the work, or a field differs that is no slip.
    pub fn is_warning(&self) -> bool {
        match self.outcome {
            Outcome::NotFound => self.coverage.is_none(),
            Outcome::Differs => self.differs.iter().any(|differ| differ.severity == Severity::Warning),
            Outcome::Exists | Outcome::Unasked => false,
        }
    }

    /// The address of the work, when it was found.
    pub fn address(&self) -> Option<&str> {
        self.work.as_ref()?.url.as_deref()
    }
}

/// What became of the questions to an index.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Account {
    /// Requests that were made.
    pub requests: u32,
    /// Questions that it answered.
    pub answers: usize,
    /// Questions that it did not.
    pub failures: usize,
    /// Entries that wait for it.
    pub waiting: usize,
    /// The least that it said is left of its budget.
    pub left: Option<u64>,
    /// Why it gave no answer, the first time.
    pub reason: Option<String>,
    /// The variable whose key would let it be asked more often.
    pub missing_key: Option<&'static str>,
}
