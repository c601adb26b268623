//! Open Library: <https://openlibrary.org/developers/api>.

use serde_json::Value;

use super::row::{Row, Way, is_missing, terms};
use super::value::{clean, list, record, text};
use crate::name::Name;
use crate::question::Question;
use crate::record::Record;

pub(super) static ROW: Row =
    Row { name: "openlibrary", base: "https://openlibrary.org", way, read, says_no: is_missing, ..Row::PLAIN };

fn way(question: &Question) -> Option<Way> {
    match question {
        Question::Isbn(isbn) => Some(Way::to(&["isbn", &format!("{isbn}.json")], &[])),
        Question::Title(title) => Some(Way::to(&["search.json"], &[("title", &terms(title)), ("limit", "5")])),
        _ => None,
    }
}

fn read(question: &Question, body: &str) -> Option<Vec<Record>> {
    let answer: Value = serde_json::from_str(body).ok()?;
    let read_record = |book: &Value| {
        let mut read = record(ROW.name, book);
        if read.authors.is_empty() {
            let by = clean(book, "/by_statement").unwrap_or_default();
            let names = by.trim_end_matches('.').split([',', ';']).filter(|name| !name.trim().is_empty());
            read.authors = names.map(Name::read).collect();
        }
        // A book is cited with or without its subtitle.
        read.titles.extend(clean(book, "/title"));
        let url = text(book, "/key").map(|key| format!("{}{key}", ROW.base));
        Record { kind: "book".to_owned(), any_year: true, url, ..read }
    };
    match question {
        Question::Isbn(_) => text(&answer, "/title").map(|_| vec![read_record(&answer)]),
        _ => Some(list(&answer, "/docs")?.iter().map(read_record).collect()),
    }
}
