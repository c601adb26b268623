//! DBLP: <https://dblp.org/faq/How+to+use+the+dblp+search+API.html>.

use serde_json::Value;

use super::row::{Row, Way, terms};
use super::value::{clean, each, text, texts, year};
use crate::fields::{Ids, clean_doi};
use crate::name::Name;
use crate::question::Question;
use crate::record::Record;

pub(super) static ROW: Row = Row {
    name: "dblp",
    base: "https://dblp.org",
    at_once: 1,
    gaps: (1000, 1000),
    without_contact: None,
    key: None,
    contact: None,
    way,
    read,
    says_no: |_, _, _| false,
};

fn way(question: &Question) -> Option<Way> {
    let search = |words: String| Way::to(&["search", "publ", "api"], &[("q", &words), ("h", "30"), ("format", "json")]);
    match question {
        Question::Title(title) => Some(search(terms(title))),
        Question::TitleBy(title, family) => Some(search(format!("{} {}", terms(title), terms(family)))),
        _ => None,
    }
}

fn read(_: &Question, body: &str) -> Option<Vec<Record>> {
    let answer: Value = serde_json::from_str(body).ok()?;
    text(&answer, "/result/hits/@total")?;
    Some(each(&answer, "/result/hits/hit").filter_map(|hit| hit.get("info")).map(record).collect())
}

fn record(info: &Value) -> Record {
    let name = |person: &Value| {
        clean(person, "/text").or_else(|| person.as_str().map(str::to_owned)).map(|name| Name::read(&name))
    };
    let kind = text(info, "/type").unwrap_or_default().to_owned();
    let ee = text(info, "/ee").unwrap_or_default();
    Record {
        by: ROW.name,
        titles: clean(info, "/title").map(|title| title.trim_end_matches('.').to_owned()).into_iter().collect(),
        authors: each(info, "/authors/author").filter_map(name).collect(),
        years: year(info, "/year").into_iter().collect(),
        venues: texts(info, "/venue").collect(),
        is_preprint: kind == "Informal and Other Publications",
        volume: text(info, "/volume").map(str::to_owned),
        pages: text(info, "/pages").map(str::to_owned),
        doi: text(info, "/doi").map(clean_doi),
        arxiv: Ids::in_text(ee).arxiv,
        url: texts(info, "/ee").next().or_else(|| texts(info, "/url").next()),
        kind,
        ..Record::default()
    }
}
