//! `cited mdbook`: a preprocessor of mdBook. It checks every chapter, fails the build on findings, and can write the
//! citations of a book as footnotes or as links into one bibliography.

mod settings;

use std::io::Read as _;
use std::path::Path;

use mdbook_preprocessor::PreprocessorContext;
use mdbook_preprocessor::book::{Book, BookItem, Chapter};

pub use self::settings::{BookSettings, Citations};
use super::check;
use super::output;
use crate::citation::{self, KnownLabels};
use crate::cli::args::{Mdbook, MdbookCommand};
use crate::cli::exit::Exit;
use crate::decide::restyle::{self, Bibliography};
use crate::error::{Error, Result};
use crate::markdown::Document;
use crate::pipeline::Input;

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
    let (context, mut book): (PreprocessorContext, Book) = serde_json::from_str(&text).map_err(|error| {
        Error::input(format!(
            "standard input: is no book of mdBook: {error}; name cited in book.toml, as docs/check.md shows"
        ))
    })?;
    let settings = BookSettings::of(&context)?;
    let source = context.config.book.src.clone();
    let mut inputs = Vec::new();
    book.for_each_chapter_mut(|chapter| {
        if let Some(path) = chapter.source_path.as_ref().or(chapter.path.as_ref()) {
            let path = source.join(path).display().to_string();
            inputs.push(Input { path, text: chapter.content.as_str().into() });
        }
    });
    let exit = check::book(inputs, &context.root, &settings)?;
    if exit != Exit::Done {
        return Ok(exit);
    }
    match settings.citations {
        Citations::Keep => {}
        Citations::Footnotes => each(&mut book, |document, citations, _| restyle::footnotes(document, citations))?,
        Citations::Bibliography => bibliography(&mut book, &settings.bibliography_title)?,
    }
    let text = serde_json::to_string(&book).map_err(|error| Error::defect(error.to_string()))?;
    output::print_bytes(text.as_bytes())?;
    Ok(Exit::Done)
}

/// Rewrites every chapter; `rewrite` is given the path of the chapter.
fn each(
    book: &mut Book,
    mut rewrite: impl FnMut(
        &Document,
        &citation::Citations,
        &Path,
    ) -> std::result::Result<String, crate::decide::edit::Overlap>,
) -> Result<()> {
    let mut result = Ok(());
    book.for_each_chapter_mut(|chapter| {
        let Some(path) = chapter.path.clone().filter(|_| result.is_ok()) else { return };
        let document = Document::read(std::mem::take(&mut chapter.content));
        let citations = citation::read(&document, &KnownLabels::default());
        match rewrite(&document, &citations, &path) {
            Ok(text) => chapter.content = text,
            Err(overlap) => result = Err(Error::defect(format!("{}: {overlap}", path.display()))),
        }
    });
    result
}

/// Moves the sources of all chapters into one chapter at the end.
fn bibliography(book: &mut Book, title: &str) -> Result<()> {
    let taken = |file: &str| book.chapters().any(|chapter| chapter.path.as_deref() == Some(Path::new(file)));
    let Some(file) = BIBLIOGRAPHY_FILES.into_iter().find(|file| !taken(file)) else {
        return Err(Error::input(format!("the book has chapters in {} already", BIBLIOGRAPHY_FILES.join(" and "))));
    };
    let mut all = Bibliography::default();
    each(book, |document, citations, path| {
        let up = "../".repeat(path.components().count().saturating_sub(1));
        restyle::into_bibliography(document, citations, &mut all, &path.to_string_lossy(), &format!("{up}{file}"))
    })?;
    if !all.is_empty() {
        let chapter = Chapter::new(title, all.page(title), file, Vec::new());
        book.push_item(BookItem::Chapter(chapter));
    }
    Ok(())
}
