//! The text of a page and what the page says about itself.

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The kind of a file of values that a sign separates.
pub const SEPARATED: &str = "text/csv";
/// The kind of a file of names and values.
pub const NAMED: &str = "application/json";

/// What was read at an address.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Page {
    /// Title, without controls, at most 4 KiB.
    pub title: Option<String>,
    /// The text, normalised once. Passages are slices of it. The main content comes first; what a page has around it
    /// (navigation, footer, side columns) follows, so that nothing a claim may quote is lost.
    pub text: String,
    /// SHA-256 of `text`, in hexadecimal; empty when only the state of the page mattered, so that `text` was left unread.
    pub text_sha256: String,
    /// Where the main content ends in `text`, in bytes.
    #[serde(default)]
    pub main_end: usize,
    /// Where each page of a paged document begins in `text`, in bytes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub page_starts: Vec<usize>,
    /// Whether `text` is all there was: false when a limit cut it, when parts could not be read, or when it is an excerpt.
    pub complete: bool,
    /// Whether it raises doubt about itself, though nothing proves that it is not the page: it says that something is not there, has the
    /// words of a wall or next to none without its scripts, or is a copy that leads elsewhere in the archive.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub doubted: bool,
    /// Media type as decided, such as `text/html`.
    pub media_type: String,
    /// Address that the page calls its own.
    pub canonical: Option<String>,
    /// Language tag (BCP 47).
    pub language: Option<String>,
    /// Publication date.
    pub published: Option<jiff::civil::Date>,
    /// Author as the page names it.
    pub author: Option<String>,
    /// DOI of the work, lower-case, without a resolver.
    pub doi: Option<String>,
    /// The names of its places that a link may lead to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ids: Vec<String>,
    /// What its marks for that say of the work that it is.
    #[serde(default, skip_serializing_if = "Imprint::is_empty")]
    pub imprint: Imprint,
}

/// What a page says of the work that it is, in the marks that are made for it: Highwire, Dublin Core, Open Graph, JSON-LD, its title
/// and heading. What only looks so, such as the time of its file, is not here.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Imprint {
    /// Every title that it gives the work, each once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub titles: Vec<String>,
    /// The people it names as authors.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub authors: Vec<String>,
    /// The year it was published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub year: Option<i16>,
    /// Whether it has the marks of a published work (`citation_title`, `citation_doi`, …), which are written with care.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub published_work: bool,
    /// In what state it says that the work is: schema.org's `creativeWorkStatus`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
}

impl Imprint {
    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        *self == Imprint::default()
    }
}

impl Page {
    /// A page with this text, all of it main content.
    pub fn of_text(text: impl Into<String>, media_type: impl Into<String>) -> Self {
        let text = text.into();
        Page {
            text_sha256: sha256_hex(text.as_bytes()),
            main_end: text.len(),
            text,
            complete: true,
            media_type: media_type.into(),
            ..Page::default()
        }
    }

    /// Whether what it lacks is not in the source: it was read whole, and raises no doubt about itself.
    pub fn is_whole(&self) -> bool {
        self.complete && !self.doubted
    }

    /// What a file says itself: of a file of data what stands below the tables that were read of it, of all others the text.
    pub fn written(&self) -> &str {
        let below = self.text.get(self.main_end..).filter(|below| self.is_data() && !below.is_empty());
        below.map_or(self.text.as_str(), |below| below.trim_start_matches('\n'))
    }

    /// Whether it is a file of data and no text: values under heads and names.
    pub fn is_data(&self) -> bool {
        matches!(self.media_type.as_str(), SEPARATED | NAMED)
    }

    /// The main content.
    pub fn main(&self) -> &str {
        self.text.get(..self.main_end).unwrap_or(&self.text)
    }
}

/// SHA-256 in lower-case hexadecimal.
pub fn sha256_hex(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes))
}
