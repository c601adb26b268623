//! The text of a page and what the page says about itself.

use serde::{Deserialize, Serialize};

/// What was read at an address.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Page {
    /// Title, without controls, at most 4 KiB.
    pub title: Option<String>,
    /// The text, normalised once. Passages are slices of it.
    pub text: String,
    /// SHA-256 of `text`, in hexadecimal.
    pub text_sha256: String,
    /// Whether `text` is all there was: false when a limit cut it, when parts could not be read, or when it is an excerpt.
    pub complete: bool,
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
}
