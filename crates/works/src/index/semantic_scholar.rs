//! Semantic Scholar: <https://api.semanticscholar.org/api-docs/>.

use serde_json::Value;

use super::row::{Key, Row, Way, terms};
use super::value::{list, record, text};
use crate::question::Question;
use crate::record::Record;

pub(super) static ROW: Row = Row {
    name: "semanticscholar",
    base: "https://api.semanticscholar.org",
    gaps: (3000, 3000),
    key: Some(("CITED_S2_KEY", Key::Header("x-api-key"), 1000)),
    way,
    read,
    says_no: |_, status, body| {
        let says = |answer: Value| text(&answer, "/error").is_some_and(|error| error.contains("match not found"));
        status == 404 && serde_json::from_str(body).is_ok_and(says)
    },
    ..Row::PLAIN
};

fn way(question: &Question) -> Option<Way> {
    match question {
        Question::Title(title) => Some(Way::to(
            &["graph", "v1", "paper", "search", "match"],
            &[("query", &terms(title)), ("fields", "title,authors,year,venue,externalIds,publicationVenue")],
        )),
        _ => None,
    }
}

fn read(_: &Question, body: &str) -> Option<Vec<Record>> {
    let answer: Value = serde_json::from_str(body).ok()?;
    Some(list(&answer, "/data")?.iter().map(|paper| record(ROW.name, paper)).collect())
}
