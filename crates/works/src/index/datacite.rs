//! `DataCite`: <https://support.datacite.org/docs/api>.

use serde_json::Value;

use super::row::{Row, Way, is_missing, terms};
use super::value::{clean, each, list, text, texts, year};
use crate::fields::clean_doi;
use crate::name::Name;
use crate::question::Question;
use crate::record::Record;

pub(super) static ROW: Row = Row {
    name: "datacite",
    base: "https://api.datacite.org",
    at_once: 2,
    gaps: (200, 200),
    without_contact: None,
    key: None,
    contact: None,
    way,
    read,
    says_no: is_missing,
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
            Some(vec![record(answer.pointer("/data/attributes")?)])
        }
        _ => Some(list(&answer, "/data")?.iter().filter_map(|row| row.get("attributes")).map(record).collect()),
    }
}

fn record(work: &Value) -> Record {
    let doi = text(work, "/doi").map(clean_doi);
    let name = |person: &Value| match (clean(person, "/familyName"), clean(person, "/name")) {
        (Some(family), _) => Name::new(&clean(person, "/givenName").unwrap_or_default(), &family),
        (None, Some(name)) if text(person, "/nameType") == Some("Organizational") => Name::new("", &name),
        (None, name) => Name::read(&name.unwrap_or_default()),
    };
    let related = each(work, "/relatedIdentifiers").filter(|other| {
        matches!(
            text(other, "/relationType"),
            Some(
                "IsVersionOf" | "HasVersion" | "IsPreviousVersionOf" | "IsNewVersionOf" | "IsIdenticalTo" | "IsPartOf"
            )
        )
    });
    let kind = text(work, "/types/resourceTypeGeneral").unwrap_or_default().to_owned();
    Record {
        by: ROW.name,
        titles: each(work, "/titles").filter_map(|title| clean(title, "/title")).collect(),
        authors: each(work, "/creators").map(name).filter(|name| !name.family.is_empty()).collect(),
        years: year(work, "/publicationYear").into_iter().collect(),
        venues: texts(work, "/container/title")
            .chain(texts(work, "/publisher"))
            .chain(texts(work, "/publisher/name"))
            .collect(),
        is_preprint: kind == "Preprint",
        arxiv: doi.as_deref().and_then(|doi| doi.strip_prefix("10.48550/arxiv.")).map(str::to_owned),
        doi,
        others: related.filter_map(|other| text(other, "/relatedIdentifier")).map(clean_doi).collect(),
        kind,
        ..Record::default()
    }
}
