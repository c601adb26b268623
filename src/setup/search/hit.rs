//! What a search gives.

use std::path::PathBuf;

use url::Url;

use crate::fetch::Page;

/// Something that the search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// Its address; of a document of an index that has none, its path in the folder.
    pub url: String,
    /// Its title, when the search gives one.
    pub title: Option<String>,
    /// What stands in it, for a document without an address: it was read when it was found.
    pub page: Option<Page>,
    /// The file of a document of an index.
    pub file: Option<PathBuf>,
}

impl Hit {
    /// What was found at an address.
    pub(super) fn of_address(url: &str, title: Option<String>) -> Hit {
        Hit { url: url.to_owned(), title, page: None, file: None }
    }
}

/// Whether this is the address of a page.
pub fn is_web(address: &str) -> bool {
    Url::parse(address).is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
}
