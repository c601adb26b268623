//! Files read as pages: HTML, PDF, Markdown, text.

use std::path::Path;

use crate::error::{Error, Result};
use crate::fetch::document::{self, Document, Limits};
use crate::fetch::pdf::PdfReader;

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
    Ok(of_bytes(bytes, &path.to_string_lossy()))
}

/// Reads the bytes of a file; its name says what they are.
pub fn of_bytes(bytes: Vec<u8>, name: &str) -> Document {
    let limits = Limits {
        max_body: LARGEST as usize,
        max_title: LONGEST_TITLE,
        words: None,
        pdf: PdfReader::ourselves(MOST_PAGES),
        seen_only: false,
    };
    document::of_file(bytes, name, &limits)
}
