//! `DataCite`: <https://support.datacite.org/docs/api>.

use serde_json::Value;

use super::row::{Row, Way, is_missing, terms};
use super::value::{clean, each, list, record, text};
use crate::fields::clean_doi;
use crate::question::Question;
use crate::record::Record;

pub(super) static ROW: Row = Row {
    name: "datacite",
    base: "https://api.datacite.org",
    at_once: 2,
    gaps: (200, 200),
    way,
    read,
    says_no: is_missing,
    ..Row::PLAIN
};

fn way(question: &Question) -> Option<Way> {
    match question {
        Question::Doi(doi) => Some(Way::to(&["dois", doi], &[])),
        Question::Title(title) => {
            let query = format!("titles.title:\"{}\"", terms(title));
            Some(Way::to(&["dois"], &[("query", query.as_str()), ("page[size]", "5")]))
        }
        _ => None,
    }
}

fn read(question: &Question, body: &str) -> Option<Vec<Record>> {
    let answer: Value = serde_json::from_str(body).ok()?;
    match question {
        Question::Doi(_) => {
            text(&answer, "/data/attributes/doi")?;
            Some(vec![read_record(answer.pointer("/data/attributes")?)])
        }
        _ => Some(list(&answer, "/data")?.iter().filter_map(|row| row.get("attributes")).map(read_record).collect()),
    }
}

fn read_record(work: &Value) -> Record {
    let related = each(work, "/relatedIdentifiers").into_iter().filter(|other| {
        matches!(
            text(other, "/relationType"),
            Some(
                "IsVersionOf" | "HasVersion" | "IsPreviousVersionOf" | "IsNewVersionOf" | "IsIdenticalTo" | "IsPartOf"
            )
        )
    });
    let others = related.filter_map(|other| text(other, "/relatedIdentifier")).map(clean_doi).collect();
    let mut abstracts =
        each(work, "/descriptions").into_iter().filter(|one| text(one, "/descriptionType") == Some("Abstract"));
    let summary = abstracts.find_map(|one| clean(one, "/description"));
    let read = record(ROW.name, work);
    let arxiv = read.doi.as_deref().and_then(|doi| doi.strip_prefix("10.48550/arxiv.")).map(str::to_owned);
    Record { arxiv, others, summary, ..read }
}
