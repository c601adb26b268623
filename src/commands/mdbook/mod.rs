//! `cited mdbook`: a preprocessor of mdBook. It checks every chapter, fails the build on findings, and can write the
//! citations of a book as footnotes or as links into one bibliography.

mod book;
mod settings;

use std::io::Read as _;
use std::path::{Path, PathBuf};

use self::book::{Book, BookRequest};
use self::settings::{BookSettings, Citations};
use super::{check, output};
use crate::cli::args::{Mdbook, MdbookCommand};
use crate::cli::exit::Exit;
use cited_core::citation::{self, KnownLabels};
use cited_core::decide::restyle::{self, Bibliography};
use cited_core::error::{Error, Result};
use cited_core::input::Input;
use cited_core::markdown::Document;

/// The longest book that is taken, in bytes of JSON.
const LONGEST_BOOK: u64 = 1 << 30;
/// Files that the bibliography may be, the first that no chapter has.
const BIBLIOGRAPHY_FILES: [&str; 2] = ["bibliography.md", "cited-bibliography.md"];

/// Does what mdBook asks for.
///
/// # Errors
/// When standard input holds no book, or the settings in `book.toml` cannot be used.
pub fn run(args: &Mdbook) -> Result<Exit> {
    // Every renderer gets the same Markdown.
    if let Some(MdbookCommand::Supports { renderer: _ }) = &args.command {
        return Ok(Exit::Done);
    }
    let mut text = String::new();
    let read = std::io::stdin().lock().take(LONGEST_BOOK).read_to_string(&mut text);
    read.map_err(|error| Error::read("standard input", error))?;
    let BookRequest { root, source, table, mut book } = BookRequest::read(&text).map_err(|why| {
        Error::input(format!(
            "standard input: is no book of mdBook: {why}; name cited in book.toml, as docs/check.md shows"
        ))
    })?;
    let settings = BookSettings::read(&table)?;
    let mut inputs = Vec::new();
    book.each_chapter(|chapter| {
        if let Some(path) = chapter.source_path() {
            let path = source.join(path).display().to_string();
            inputs.push(Input { path, text: chapter.content().into() });
        }
    });
    let exit = check::book(inputs, &root, settings.support)?;
    if exit != Exit::Done {
        return Ok(exit);
    }
    match settings.citations {
        Citations::Keep => {}
        Citations::Footnotes => rewrite(&mut book, |document, citations, _| restyle::footnotes(document, citations))?,
        Citations::Bibliography => bibliography(&mut book, &settings.bibliography_title)?,
    }
    output::print_bytes(book.written().as_bytes())?;
    Ok(Exit::Done)
}

/// Rewrites every chapter; `rewrite` is given the path of the chapter.
fn rewrite(
    book: &mut Book,
    mut rewrite: impl FnMut(
        &Document,
        &citation::Citations,
        &Path,
    ) -> std::result::Result<String, cited_core::decide::edit::Overlap>,
) -> Result<()> {
    let mut result = Ok(());
    book.each_chapter(|chapter| {
        let Some(path) = chapter.path().filter(|_| result.is_ok()).map(Path::to_path_buf) else { return };
        let document = Document::read(chapter.content());
        let citations = citation::read(&document, &KnownLabels::default());
        match rewrite(&document, &citations, &path) {
            Ok(text) => chapter.write(text),
            Err(overlap) => result = Err(Error::defect(format!("{}: {overlap}", path.display()))),
        }
    });
    result
}

/// Moves the sources of all chapters into one chapter at the end.
fn bibliography(book: &mut Book, title: &str) -> Result<()> {
    let mut taken: Vec<PathBuf> = Vec::new();
    book.each_chapter(|chapter| taken.extend(chapter.path().map(Path::to_path_buf)));
    let Some(file) = BIBLIOGRAPHY_FILES.into_iter().find(|file| !taken.iter().any(|path| path == Path::new(file)))
    else {
        return Err(Error::input(format!("the book has chapters in {} already", BIBLIOGRAPHY_FILES.join(" and "))));
    };
    let mut all = Bibliography::default();
    rewrite(book, |document, citations, path| {
        let up = "../".repeat(path.components().count().saturating_sub(1));
        restyle::into_bibliography(document, citations, &mut all, &path.to_string_lossy(), &format!("{up}{file}"))
    })?;
    if !all.is_empty() {
        book.push(title, &all.page(title), file);
    }
    Ok(())
}
