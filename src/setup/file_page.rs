//! Files read as pages: HTML, PDF, Markdown, text.

use std::path::Path;

use cited_core::error::{Error, Result};
use cited_fetch::document::{self, Document, Limits};
use cited_fetch::pdf::PdfReader;

/// The largest file that is read as a page, in bytes.
const LARGEST: u64 = 64 << 20;
/// Of a PDF so many pages are read.
const MOST_PAGES: usize = 200;
/// Bytes of a title that are read.
const LONGEST_TITLE: usize = 4096;

/// Reads a file as the same bytes from the web would be read.
///
/// # Errors
/// When it cannot be read, or is too large.
pub fn read(path: &Path) -> Result<Document> {
    let length = path.metadata().map_err(|error| Error::read(path, error))?.len();
    if length > LARGEST {
        let message = format!("{}: over {} MiB; judge by a smaller file", path.display(), LARGEST >> 20);
        return Err(Error::usage(message));
    }
    let bytes = std::fs::read(path).map_err(|error| Error::read(path, error))?;
    let limits = Limits {
        max_body: LARGEST as usize,
        max_title: LONGEST_TITLE,
        words: None,
        pdf: PdfReader::ourselves(MOST_PAGES),
        seen_only: false,
    };
    Ok(document::of_file(bytes, &path.to_string_lossy(), &limits))
}
