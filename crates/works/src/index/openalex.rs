//! `OpenAlex`: <https://docs.openalex.org/>.

use serde_json::Value;

use super::row::{Key, Row, Way, terms};
use super::value::{clean, each, list, text, texts, year};
use crate::fields::{Ids, clean_doi};
use crate::look::{Note, NoteKind};
use crate::name::Name;
use crate::question::Question;
use crate::record::Record;

pub(super) static ROW: Row = Row {
    name: "openalex",
    base: "https://api.openalex.org",
    at_once: 3,
    gaps: (100, 100),
    without_contact: None,
    key: Some(("CITED_OPENALEX_KEY", Key::Parameter("api_key"), 100)),
    contact: Some("mailto"),
    way,
    read,
    says_no: |_, _, _| false,
};

fn way(question: &Question) -> Option<Way> {
    match question {
        Question::Title(title) => {
            let filter = format!("title.search:{}", terms(title));
            Some(Way::to(&["works"], &[("filter", filter.as_str()), ("per-page", "5")]))
        }
        _ => None,
    }
}

fn read(_: &Question, body: &str) -> Option<Vec<Record>> {
    let answer: Value = serde_json::from_str(body).ok()?;
    Some(list(&answer, "/results")?.iter().map(record).collect())
}

fn record(work: &Value) -> Record {
    let places: Vec<&Value> = each(work, "/primary_location").chain(each(work, "/locations")).collect();
    let links = places.iter().filter_map(|place| text(place, "/landing_page_url"));
    let doi = text(work, "/doi").map(clean_doi);
    let others: Vec<String> = links.map(clean_doi).filter(|other| other.starts_with("10.")).collect();
    let arxiv =
        others.iter().chain(doi.iter()).find_map(|other| other.strip_prefix("10.48550/arxiv.")).map(str::to_owned);
    let retracted = work.get("is_retracted").and_then(Value::as_bool) == Some(true);
    let name = |author: &Value| clean(author, "/raw_author_name").or_else(|| clean(author, "/author/display_name"));
    let kind = text(work, "/type").unwrap_or_default().to_owned();
    Record {
        by: ROW.name,
        titles: clean(work, "/title").into_iter().collect(),
        authors: each(work, "/authorships").filter_map(name).map(|name| Name::read(&name)).collect(),
        may_lack_authors: true,
        years: year(work, "/publication_year").into_iter().collect(),
        any_year: kind == "book",
        venues: places.iter().flat_map(|place| texts(place, "/source/display_name")).collect(),
        volume: text(work, "/biblio/volume").map(str::to_owned),
        pages: text(work, "/biblio/first_page").map(str::to_owned),
        is_preprint: kind == "preprint",
        arxiv,
        pmid: text(work, "/ids/pmid").and_then(|id| Ids::in_text(&format!("PMID: {}", id.rsplit('/').next()?)).pmid),
        doi,
        others,
        fates: retracted.then(|| Note::by(NoteKind::Retracted, ROW.name, "is_retracted")).into_iter().collect(),
        kind,
        ..Record::default()
    }
}
