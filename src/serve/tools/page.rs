//! A page that claims are judged by: as a client names it, and as it was read.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::setup::search::Hit;
use cited_core::outcome::Fetched;
use cited_core::page::Page;

/// A page: give `url`, `text` or `path`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PageRef {
    /// An http or https address, which is asked for. Beside `text` it only names the text.
    pub url: Option<String>,
    /// The text of the page itself.
    pub text: Option<String>,
    /// A file inside a folder that the service opened: HTML, PDF, Markdown, text.
    pub path: Option<String>,
    /// The title of the page: it says what the page is about.
    pub title: Option<String>,
}

impl From<Hit> for PageRef {
    /// A page that a search found: asked for at its address, or with the text that was read where it has none.
    fn from(hit: Hit) -> PageRef {
        PageRef { url: Some(hit.url), text: None, title: None, path: None }
    }
}

/// A page as it was read.
#[derive(Debug)]
pub struct ReadPage {
    /// What the caller knows it by.
    pub name: String,
    /// What asking gave, for an address.
    pub fetched: Option<Fetched>,
    /// Why there is nothing to judge by, when there is nothing.
    pub reason: String,
    /// The page.
    pub page: Page,
}
