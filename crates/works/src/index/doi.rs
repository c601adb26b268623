//! doi.org: which agency registered a DOI, and its record by content negotiation (<https://www.doi.org/the-identifier/resources/factsheets/>).

use serde_json::Value;

use super::row::{Row, Way, is_missing};
use super::value::{clean, each, list, text, texts, year};
use crate::fields::clean_doi;
use crate::name::Name;
use crate::question::Question;
use crate::record::Record;

pub(super) static ROW: Row = Row {
    name: "doi.org",
    base: "https://doi.org",
    at_once: 2,
    gaps: (200, 200),
    without_contact: None,
    key: None,
    contact: None,
    way,
    read,
    says_no: |question, status, body| match question {
        // Only this says that a DOI is not registered: a page that is missing says nothing.
        Question::Agency(_) => {
            status == 200
                && serde_json::from_str::<Value>(body)
                    .ok()
                    .is_some_and(|answer| text(&answer, "/0/status") == Some("DOI does not exist"))
        }
        Question::Doi(_) => is_missing(question, status, body),
        _ => false,
    },
};

fn way(question: &Question) -> Option<Way> {
    match question {
        Question::Agency(doi) => Some(Way::to(&["doiRA", doi], &[])),
        Question::Doi(doi) => {
            Some(Way { accept: Some("application/vnd.citationstyles.csl+json"), ..Way::to(&[doi], &[]) })
        }
        _ => None,
    }
}

fn read(question: &Question, body: &str) -> Option<Vec<Record>> {
    let answer: Value = serde_json::from_str(body).ok()?;
    if let Question::Agency(_) = question {
        list(&answer, "")?;
        return text(&answer, "/0/RA")
            .map(|agency| vec![Record { by: ROW.name, kind: agency.to_owned(), ..Record::default() }]);
    }
    let person = |person: &Value| match clean(person, "/literal") {
        Some(body) => Name::new("", &body),
        None => Name::new(&clean(person, "/given").unwrap_or_default(), &clean(person, "/family").unwrap_or_default()),
    };
    let titles: Vec<String> = texts(&answer, "/title").collect();
    titles.first()?;
    Some(vec![Record {
        by: ROW.name,
        titles,
        authors: each(&answer, "/author").map(person).filter(|name| !name.family.is_empty()).collect(),
        years: year(&answer, "/issued/date-parts/0/0").into_iter().collect(),
        venues: texts(&answer, "/container-title").collect(),
        kind: text(&answer, "/type").unwrap_or_default().to_owned(),
        doi: text(&answer, "/DOI").map(clean_doi),
        ..Record::default()
    }])
}
