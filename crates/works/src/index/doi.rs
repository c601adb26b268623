//! doi.org: which agency registered a DOI, and its record by content negotiation (<https://www.doi.org/the-identifier/resources/factsheets/>).

use serde_json::Value;

use super::row::{Row, Way, is_missing};
use super::value::{list, record, text};
use crate::question::Question;
use crate::record::Record;

pub(super) static ROW: Row = Row {
    name: "doi.org",
    base: "https://doi.org",
    at_once: 2,
    gaps: (200, 200),
    way,
    read,
    says_no: |question, status, body| match question {
        // Only this says that a DOI is not registered: a page that is missing says nothing.
        Question::Agency(_) => {
            status == 200
                && serde_json::from_str(body)
                    .is_ok_and(|answer: Value| text(&answer, "/0/status") == Some("DOI does not exist"))
        }
        Question::Doi(_) => is_missing(question, status, body),
        _ => false,
    },
    ..Row::PLAIN
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
    let read = record(ROW.name, &answer);
    (!read.titles.is_empty()).then(|| vec![read])
}
