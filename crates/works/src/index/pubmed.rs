//! `PubMed` by the E-utilities: <https://www.ncbi.nlm.nih.gov/books/NBK25500/>.

use serde_json::Value;

use super::row::{Key, Row, Way, terms};
use super::value::{each, list, record, text, texts};
use crate::fields::clean_doi;
use crate::look::{Note, NoteKind};
use crate::question::Question;
use crate::record::Record;

pub(super) static ROW: Row = Row {
    name: "pubmed",
    base: "https://eutils.ncbi.nlm.nih.gov",
    gaps: (340, 340),
    key: Some(("CITED_NCBI_KEY", Key::Parameter("api_key"), 100)),
    contact: Some("email"),
    way,
    read,
    ..Row::PLAIN
};

fn summary(ids: &[String]) -> Way {
    Way::to(
        &["entrez", "eutils", "esummary.fcgi"],
        &[("db", "pubmed"), ("id", &ids.join(",")), ("retmode", "json"), ("tool", "cited")],
    )
}

fn way(question: &Question) -> Option<Way> {
    match question {
        Question::Pubmed(ids) => Some(summary(ids)),
        Question::Title(title) => {
            let term = format!("{}[ti]", terms(title));
            let search = Way::to(
                &["entrez", "eutils", "esearch.fcgi"],
                &[("db", "pubmed"), ("term", &term), ("retmax", "5"), ("retmode", "json"), ("tool", "cited")],
            );
            Some(Way { then: Some(found), ..search })
        }
        _ => None,
    }
}

/// The way from the numbers that a search gave to their records.
fn found(body: &str) -> Option<Way> {
    let answer: Value = serde_json::from_str(body).ok()?;
    let ids: Vec<String> = texts(&answer, "/esearchresult/idlist").collect();
    (!ids.is_empty()).then(|| summary(&ids))
}

fn read(question: &Question, body: &str) -> Option<Vec<Record>> {
    let answer: Value = serde_json::from_str(body).ok()?;
    if matches!(question, Question::Title(_)) && answer.get("esearchresult").is_some() {
        return list(&answer, "/esearchresult/idlist").map(|_| Vec::new());
    }
    let ids = list(&answer, "/result/uids")?;
    let works = ids.iter().filter_map(|id| answer.pointer("/result")?.get(id.as_str()?));
    Some(works.filter(|work| text(work, "/title").is_some()).map(read_record).collect())
}

fn read_record(work: &Value) -> Record {
    let doi = each(work, "/articleids").into_iter().find(|id| text(id, "/idtype") == Some("doi"));
    let retracted = texts(work, "/pubtype").any(|kind| kind == "Retracted Publication");
    let fates = retracted.then(|| Note::by(NoteKind::Retracted, ROW.name, "Retracted Publication"));
    Record {
        doi: doi.and_then(|id| text(id, "/value")).map(clean_doi),
        fates: fates.into_iter().collect(),
        kind: "journal-article".to_owned(),
        ..record(ROW.name, work)
    }
}
