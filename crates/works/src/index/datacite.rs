//! `DataCite`: <https://support.datacite.org/docs/api>.

use serde_json::Value;

use super::row::{Row, Way, is_missing};
use super::value::{clean, each, record, text};
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

/// How the same work, or the one that holds it, is related.
const VERSIONS: [&str; 6] =
    ["IsVersionOf", "HasVersion", "IsPreviousVersionOf", "IsNewVersionOf", "IsIdenticalTo", "IsPartOf"];

fn way(question: &Question) -> Option<Way> {
    if let Question::Doi(doi) = question { Some(Way::to(&["dois", doi], &[])) } else { None }
}

fn read(_: &Question, body: &str) -> Option<Vec<Record>> {
    let answer: Value = serde_json::from_str(body).ok()?;
    text(&answer, "/data/attributes/doi")?;
    Some(vec![read_record(answer.pointer("/data/attributes")?)])
}

fn read_record(work: &Value) -> Record {
    let is_of_it = |other: &&Value| text(other, "/relationType").is_some_and(|kind| VERSIONS.contains(&kind));
    let related = each(work, "/relatedIdentifiers").into_iter().filter(is_of_it);
    let others = related.filter_map(|other| text(other, "/relatedIdentifier")).map(clean_doi).collect();
    let mut abstracts =
        each(work, "/descriptions").into_iter().filter(|one| text(one, "/descriptionType") == Some("Abstract"));
    let summary = abstracts.find_map(|one| clean(one, "/description"));
    let read = record(ROW.name, work);
    let arxiv = read.doi.as_deref().and_then(|doi| doi.strip_prefix("10.48550/arxiv.")).map(str::to_owned);
    Record { arxiv, others, summary, ..read }
}
