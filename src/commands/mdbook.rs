//! `cited mdbook`: a preprocessor of mdBook. It checks every chapter, fails the build on findings, and can write the
//! citations of a book as footnotes or as links into one bibliography.
//!
//! A book is JSON, of which only what we use is looked at. All else stays as it came, so that the books of mdBook 0.4 (`sections`) and
//! 0.5 (`items`) are both read and given back in their own shape.

use std::io::Read as _;
use std::path::Path;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{check, output};
use crate::cli::Exit;
use cited_core::citation::{self, KnownLabels};
use cited_core::decide::restyle::{Bibliography, restyle};
use cited_core::error::{Error, Result};
use cited_core::input::Input;
use cited_core::markdown::Document;
use cited_core::shape;

/// The longest book that is taken, in bytes of JSON.
const LONGEST_BOOK: u64 = 1 << 30;
/// The file that the bibliography is.
const BIBLIOGRAPHY: &str = "bibliography.md";
/// Names of the list of a book's parts: mdBook 0.5, mdBook 0.4.
const LISTS: [&str; 2] = ["items", "sections"];
/// Keys of `[preprocessor.cited]` that are mdBook's own.
const MDBOOKS: [&str; 5] = ["command", "renderers", "before", "after", "optional"];

/// The settings of a book that are of no other document: `cited.toml` beside it has the others.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
struct BookSettings {
    /// Whether it is judged what the sources say.
    support: bool,
    /// How the book cites.
    citations: Citations,
}

/// How a book cites.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Citations {
    /// As its chapters do.
    #[default]
    Keep,
    /// With footnotes.
    Footnotes,
    /// With links into one bibliography.
    Bibliography,
}

/// Checks the book on standard input, and gives it back on standard output.
///
/// # Errors
/// When standard input holds no book, or the settings in `book.toml` cannot be used.
pub fn run() -> Result<Exit> {
    let mut text = String::new();
    let read = std::io::stdin().lock().take(LONGEST_BOOK).read_to_string(&mut text);
    read.map_err(|error| Error::read("standard input", error))?;
    let advice = "name cited in book.toml, as docs/check.md shows";
    let no_book = |why| Error::input(format!("standard input: is no book of mdBook: {why}; {advice}"));
    let (context, mut book) = read_book(&text).map_err(no_book)?;
    let table = context.pointer("/config/preprocessor/cited").and_then(Value::as_object).into_iter().flatten();
    let own =
        table.filter(|(key, _)| !MDBOOKS.contains(&key.as_str())).map(|(key, value)| (key.clone(), value.clone()));
    let wrong = |what| Error::usage(format!("book.toml, [preprocessor.cited]: {what}"));
    let settings: BookSettings = shape::read(&Value::Object(own.collect())).map_err(wrong)?;
    let root = Path::new(context["root"].as_str().unwrap_or_default());
    let source = Path::new(context.pointer("/config/book/src").and_then(Value::as_str).unwrap_or("src"));
    let mut inputs = Vec::new();
    each_chapter(&mut book, |chapter| {
        // One without a path is only planned.
        if let Some(path) = text_of(chapter, "source_path").or_else(|| text_of(chapter, "path")) {
            let path = source.join(path).display().to_string();
            inputs.push(Input { path, text: text_of(chapter, "content").unwrap_or_default().into() });
        }
    });
    let exit = check::book(inputs, root, settings.support)?;
    if exit != Exit::Done {
        return Ok(exit);
    }
    if settings.citations != Citations::Keep {
        rewrite(&mut book, settings.citations == Citations::Bibliography)?;
    }
    output::print_bytes(book.to_string().as_bytes()).map(|()| exit)
}

/// What mdBook says beside the book, which has the folder of the book, and the book itself.
fn read_book(text: &str) -> std::result::Result<(Value, Value), String> {
    let (context, mut book): (Value, Value) = serde_json::from_str(text).map_err(|error| error.to_string())?;
    context["root"].as_str().ok_or("it does not say in which folder the book lies")?;
    parts(&mut book).ok_or_else(|| format!("the book has neither `{}` nor `{}`", LISTS[0], LISTS[1]))?;
    Ok((context, book))
}

/// The list of a book's parts.
fn parts(book: &mut Value) -> Option<&mut Vec<Value>> {
    let name = LISTS.into_iter().find(|name| book.get(name).is_some())?;
    book.get_mut(name)?.as_array_mut()
}

/// Does something with every chapter, in order.
fn each_chapter(book: &mut Value, mut act: impl FnMut(&mut Map<String, Value>)) {
    let mut open: Vec<&mut Value> = parts(book).into_iter().flatten().rev().collect();
    while let Some(item) = open.pop() {
        // Parts and separators hold no text.
        let Some(chapter) = item.get_mut("Chapter").and_then(Value::as_object_mut) else { continue };
        act(chapter);
        let inner = chapter.get_mut("sub_items").and_then(Value::as_array_mut);
        open.extend(inner.into_iter().flatten().rev());
    }
}

fn text_of<'a>(chapter: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    chapter.get(name).and_then(Value::as_str)
}

/// Writes the citations of every chapter as footnotes, or moves its sources `in_one` chapter at the end.
fn rewrite(book: &mut Value, in_one: bool) -> Result<()> {
    let (mut all, mut result) = (Bibliography::default(), Ok(()));
    each_chapter(book, |chapter| {
        let Some(path) = text_of(chapter, "path").filter(|_| result.is_ok()).map(str::to_owned) else { return };
        if in_one && Path::new(&path) == Path::new(BIBLIOGRAPHY) {
            result = Err(Error::input(format!("the book has a chapter in {BIBLIOGRAPHY} already; rename it")));
        }
        let document = Document::read(text_of(chapter, "content").unwrap_or_default());
        let citations = citation::read(&document, &KnownLabels::default());
        let up = "../".repeat(Path::new(&path).components().count().saturating_sub(1));
        let page = in_one.then(|| format!("{up}{BIBLIOGRAPHY}"));
        let mut own = Bibliography::default();
        let sources = if in_one { &mut all } else { &mut own };
        match restyle(&document, &citations, sources, &path, page.as_deref()) {
            Ok(text) => drop(chapter.insert("content".to_owned(), text.into())),
            Err(overlap) => result = Err(Error::defect(format!("{path}: {overlap}"))),
        }
    });
    if let (false, Some(list)) = (all.is_empty(), parts(book)) {
        let name = "Bibliography";
        list.push(json!({"Chapter": {"name": name, "content": all.page(name), "number": null, "sub_items": [],
            "path": BIBLIOGRAPHY, "source_path": null, "parent_names": []}}));
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn books_of_both_versions_are_given_back_in_their_own_shape() {
        for list in LISTS {
            let inner = json!({"Chapter": {"name": "B", "content": "b [1].\n\n## Sources\n\n1. B: https://b.example/b", "number": [1, 1],
                "sub_items": [], "path": "a/b.md", "source_path": "a/README.md", "parent_names": ["A"]}});
            let outer = json!({"Chapter": {"name": "A", "content": "a", "number": [1], "sub_items": [inner], "path": "a.md",
                "source_path": "a.md", "parent_names": []}});
            let book = json!({list: [{"PartTitle": "P"}, outer, "Separator"], "__non_exhaustive": null});
            let (_, mut book) = read_book(&json!([{"root": "/b"}, book]).to_string()).unwrap();
            let mut seen = Vec::new();
            each_chapter(&mut book, |chapter| seen.push(text_of(chapter, "path").unwrap().to_owned()));
            assert_eq!(seen, ["a.md", "a/b.md"]);
            rewrite(&mut book, true).unwrap();
            let inner = &book[list][1]["Chapter"]["sub_items"][0]["Chapter"]["content"];
            assert!(inner.as_str().unwrap().contains("../bibliography.md"), "{inner}");
            assert_eq!(book[list][3]["Chapter"]["path"], "bibliography.md");
            assert_eq!(book["__non_exhaustive"], Value::Null);
        }
        assert!(read_book("[{\"root\": \"/b\"}, {}]").is_err());
        assert!(read_book("[{}, {\"items\": []}]").is_err());
    }
}
