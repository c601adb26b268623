//! Semantic Scholar: <https://api.semanticscholar.org/api-docs/>.

use serde_json::Value;

use super::row::{Key, Row, Way, terms};
use super::value::{clean, each, list, text, texts, year};
use crate::fields::clean_doi;
use crate::name::Name;
use crate::question::Question;
use crate::record::Record;

pub(super) static ROW: Row = Row {
    name: "semanticscholar",
    base: "https://api.semanticscholar.org",
    at_once: 1,
    gaps: (3000, 3000),
    without_contact: None,
    key: Some(("CITED_S2_KEY", Key::Header("x-api-key"), 1000)),
    contact: None,
    way,
    read,
    says_no: |_, status, body| {
        let answer: Option<Value> = serde_json::from_str(body).ok();
        status == 404
            && answer
                .is_some_and(|answer| text(&answer, "/error").is_some_and(|error| error.contains("match not found")))
    },
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
    Some(list(&answer, "/data")?.iter().map(record).collect())
}

fn record(paper: &Value) -> Record {
    let venues = ["/venue", "/publicationVenue/name", "/publicationVenue/alternate_names", "/journal/name"];
    Record {
        by: ROW.name,
        titles: clean(paper, "/title").into_iter().collect(),
        authors: each(paper, "/authors")
            .filter_map(|author| clean(author, "/name"))
            .map(|name| Name::read(&name))
            .collect(),
        years: year(paper, "/year").into_iter().collect(),
        venues: venues.iter().flat_map(|at| texts(paper, at)).collect(),
        doi: text(paper, "/externalIds/DOI").map(clean_doi),
        arxiv: text(paper, "/externalIds/ArXiv").map(str::to_owned),
        pmid: text(paper, "/externalIds/PubMed").map(str::to_owned),
        url: text(paper, "/url").map(str::to_owned),
        ..Record::default()
    }
}
