//! A page to judge by, from the web, from a file or from a text, whoever asked for it.

use std::path::Path;

use crate::cli::settings::MOST_PDF_PAGES;
use cited_core::error::{Error, Result};
use cited_core::outcome::Fetched;
use cited_core::page::Page;
use cited_fetch::document::{self, Document, Limits};
use cited_fetch::pdf::PdfReader;

/// The largest file that is read as a page, in bytes.
pub const LARGEST: usize = 64 << 20;
/// Bytes of a title that are read.
const LONGEST_TITLE: usize = 4096;

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

impl ReadPage {
    /// What asking for an address gave.
    pub fn of_fetched(name: String, mut fetched: Fetched) -> ReadPage {
        let page = fetched.page.take().unwrap_or_default();
        let reason = match fetched.reason.as_str() {
            "" => "the page has no text".to_owned(),
            reason => format!("{}: {reason}", fetched.in_words()),
        };
        ReadPage { name, fetched: Some(fetched), reason, page }
    }

    /// A file of at most so many bytes, read as the same bytes from the web would be.
    ///
    /// # Errors
    /// When it cannot be read, or is too large.
    pub fn of_file(path: &Path, name: &str, most: usize) -> Result<ReadPage> {
        let length = path.metadata().map_err(|error| Error::read(name, error))?.len();
        if length > most as u64 {
            return Err(Error::usage(format!("{name}: over {} MiB; name a smaller file", most >> 20)));
        }
        let bytes = std::fs::read(path).map_err(|error| Error::read(name, error))?;
        let document = of_bytes(bytes.into(), name, false);
        let reason = document.unreadable.unwrap_or("the file has no text").to_owned();
        Ok(ReadPage { name: name.to_owned(), fetched: None, reason, page: document.page })
    }
}

/// The document that the bytes of a file are; `seen_only` leaves out what no reader sees.
pub fn of_bytes(bytes: bytes::Bytes, name: &str, seen_only: bool) -> Document {
    let pdf = PdfReader::ourselves(MOST_PDF_PAGES);
    let limits = Limits { max_body: LARGEST, max_title: LONGEST_TITLE, words: None, pdf, seen_only };
    document::of_file(bytes, name, &limits)
}
