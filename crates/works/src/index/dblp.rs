//! DBLP: <https://dblp.org/faq/How+to+use+the+dblp+search+API.html>.

use serde_json::Value;

use super::row::{Row, Way, terms};
use super::value::{each, record, text};
use crate::fields::Ids;
use crate::question::Question;
use crate::record::Record;

pub(super) static ROW: Row = Row { name: "dblp", base: "https://dblp.org", way, read, ..Row::PLAIN };

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
    Some(each(&answer, "/result/hits/hit/*/info").into_iter().map(read_record).collect())
}

fn read_record(info: &Value) -> Record {
    Record { arxiv: text(info, "/ee").and_then(|link| Ids::in_text(link).arxiv), ..record(ROW.name, info) }
}
