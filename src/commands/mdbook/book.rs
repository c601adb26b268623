//! A book as mdBook gives it to a preprocessor: JSON, of which only what we use is looked at. All else stays as it came, so that
//! the books of mdBook 0.4 (`sections`) and 0.5 (`items`) are both read and given back in their own shape.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

/// Names of the list of a book's parts: mdBook 0.5, mdBook 0.4.
const LISTS: [&str; 2] = ["items", "sections"];

/// What mdBook asks a preprocessor to do.
#[derive(Debug)]
pub struct BookRequest {
    /// The folder of the book.
    pub root: PathBuf,
    /// The folder of its chapters, from `root`.
    pub source: PathBuf,
    /// `[preprocessor.cited]`; null when there is none.
    pub table: Value,
    /// The book.
    pub book: Book,
}

/// A book.
#[derive(Debug)]
pub struct Book(Value);

/// A chapter of a book.
pub struct Chapter<'a>(&'a mut serde_json::Map<String, Value>);

impl BookRequest {
    /// Reads what mdBook writes.
    ///
    /// # Errors
    /// When it is nothing of the sort; in words why.
    pub fn read(text: &str) -> Result<BookRequest, String> {
        let (context, book): (Value, Value) = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let root = context["root"].as_str().ok_or("it does not say in which folder the book lies")?;
        let source = context.pointer("/config/book/src").and_then(Value::as_str).unwrap_or("src");
        let table = context.pointer("/config/preprocessor/cited").cloned().unwrap_or_default();
        let mut book = Book(book);
        if book.list().is_none() {
            return Err(format!("the book has neither `{}` nor `{}`", LISTS[0], LISTS[1]));
        }
        Ok(BookRequest { root: root.into(), source: source.into(), table, book })
    }
}

impl Book {
    fn list(&mut self) -> Option<&mut Vec<Value>> {
        let name = LISTS.into_iter().find(|name| self.0.get(name).is_some())?;
        self.0.get_mut(name)?.as_array_mut()
    }

    /// Does something with every chapter, in order.
    pub fn each_chapter(&mut self, mut act: impl FnMut(&mut Chapter<'_>)) {
        let mut open: Vec<&mut Value> = self.list().into_iter().flatten().rev().collect();
        while let Some(item) = open.pop() {
            // Parts and separators hold no text.
            let Some(chapter) = item.get_mut("Chapter").and_then(Value::as_object_mut) else { continue };
            act(&mut Chapter(chapter));
            let inner = chapter.get_mut("sub_items").and_then(Value::as_array_mut);
            open.extend(inner.into_iter().flatten().rev());
        }
    }

    /// Adds a chapter at the end.
    pub fn push(&mut self, name: &str, content: &str, path: &str) {
        let chapter = json!({"Chapter": {"name": name, "content": content, "number": null, "sub_items": [], "path": path,
            "source_path": null, "parent_names": []}});
        self.list().into_iter().for_each(|list| list.push(chapter.clone()));
    }

    /// The book as mdBook takes it back.
    pub fn written(&self) -> String {
        self.0.to_string()
    }
}

impl Chapter<'_> {
    fn path_of(&self, name: &str) -> Option<&Path> {
        self.0.get(name).and_then(Value::as_str).map(Path::new)
    }

    /// Where it will be, from the folder of chapters; none for a chapter that is only planned.
    pub fn path(&self) -> Option<&Path> {
        self.path_of("path")
    }

    /// The file that it is from, from the folder of chapters.
    pub fn source_path(&self) -> Option<&Path> {
        self.path_of("source_path").or_else(|| self.path())
    }

    /// Its text.
    pub fn content(&self) -> &str {
        self.0.get("content").and_then(Value::as_str).unwrap_or_default()
    }

    /// Gives it another text.
    pub fn write(&mut self, content: String) {
        self.0.insert("content".to_owned(), content.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn books_of_both_versions_are_given_back_in_their_own_shape() {
        for list in LISTS {
            let inner = json!({"Chapter": {"name": "B", "content": "b", "number": [1, 1], "sub_items": [], "path": "a/b.md",
                "source_path": "a/README.md", "parent_names": ["A"]}});
            let outer = json!({"Chapter": {"name": "A", "content": "a", "number": [1], "sub_items": [inner], "path": "a.md",
                "source_path": "a.md", "parent_names": []}});
            let book = json!({list: [{"PartTitle": "P"}, outer, "Separator"], "__non_exhaustive": null});
            let context =
                json!({"root": "/b", "config": {"book": {"src": "text"}, "preprocessor": {"cited": {"x": 1}}}});
            let mut asked = BookRequest::read(&json!([context, book]).to_string()).unwrap();
            assert_eq!((asked.root.to_str(), asked.source.to_str()), (Some("/b"), Some("text")));
            assert_eq!(asked.table, json!({"x": 1}));
            let mut seen = Vec::new();
            asked.book.each_chapter(|chapter| {
                seen.push(format!("{} {}", chapter.source_path().unwrap().display(), chapter.content()));
                chapter.write("new".to_owned());
            });
            assert_eq!(seen, ["a.md a", "a/README.md b"]);
            asked.book.push("Z", "z", "z.md");
            let written: Value = serde_json::from_str(&asked.book.written()).unwrap();
            assert_eq!(written[list][1]["Chapter"]["sub_items"][0]["Chapter"]["content"], "new");
            assert_eq!(written[list][3]["Chapter"]["path"], "z.md");
            assert_eq!(written["__non_exhaustive"], Value::Null);
        }
        assert!(BookRequest::read("[{\"root\": \"/b\"}, {}]").is_err());
        assert!(BookRequest::read("[{}, {\"items\": []}]").is_err());
    }
}
