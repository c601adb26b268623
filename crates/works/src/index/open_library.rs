//! Open Library: <https://openlibrary.org/developers/api>.

use serde_json::Value;

use super::row::{Row, Way, is_missing, terms};
use super::value::{clean, each, list, text, texts, year};
use crate::name::Name;
use crate::question::Question;
use crate::record::Record;

pub(super) static ROW: Row = Row {
    name: "openlibrary",
    base: "https://openlibrary.org",
    at_once: 1,
    gaps: (1000, 1000),
    without_contact: None,
    key: None,
    contact: None,
    way,
    read,
    says_no: is_missing,
};

fn way(question: &Question) -> Option<Way> {
    match question {
        Question::Isbn(isbn) => Some(Way::to(&["isbn", &format!("{isbn}.json")], &[])),
        Question::Title(title) => Some(Way::to(&["search.json"], &[("title", &terms(title)), ("limit", "5")])),
        Question::TitleBy(title, family) => {
            Some(Way::to(&["search.json"], &[("title", &terms(title)), ("author", family), ("limit", "5")]))
        }
        _ => None,
    }
}

fn read(question: &Question, body: &str) -> Option<Vec<Record>> {
    let answer: Value = serde_json::from_str(body).ok()?;
    let book = Record { by: ROW.name, kind: "book".to_owned(), any_year: true, ..Record::default() };
    let page = |work: &Value| text(work, "/key").map(|key| format!("{}{key}", ROW.base));
    if let Question::Isbn(_) = question {
        let title = clean(&answer, "/title")?;
        let by = clean(&answer, "/by_statement").unwrap_or_default();
        let authors =
            by.trim_end_matches('.').split([',', ';']).filter(|name| !name.trim().is_empty()).map(Name::read).collect();
        let titles = clean(&answer, "/subtitle")
            .map(|subtitle| format!("{title}: {subtitle}"))
            .into_iter()
            .chain([title.clone()])
            .collect();
        return Some(vec![Record {
            titles,
            authors,
            years: year(&answer, "/publish_date").into_iter().collect(),
            url: page(&answer),
            ..book
        }]);
    }
    let docs = list(&answer, "/docs")?;
    let record = |doc: &Value| Record {
        titles: clean(doc, "/title").into_iter().collect(),
        authors: texts(doc, "/author_name").map(|name| Name::read(&name)).collect(),
        years: each(doc, "/publish_year")
            .filter_map(|year| i16::try_from(year.as_i64()?).ok())
            .chain(year(doc, "/first_publish_year"))
            .collect(),
        url: page(doc),
        ..book.clone()
    };
    Some(docs.iter().map(record).collect())
}
