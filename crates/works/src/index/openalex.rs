//! `OpenAlex`: <https://docs.openalex.org/>.

use serde_json::Value;

use super::row::{Key, Row, Way, terms};
use super::value::{each, list, record, text};
use crate::look::{Note, NoteKind};
use crate::question::Question;
use crate::record::Record;

pub(super) static ROW: Row = Row {
    name: "openalex",
    base: "https://api.openalex.org",
    at_once: 3,
    gaps: (100, 100),
    key: Some(("CITED_OPENALEX_KEY", Key::Parameter("api_key"), 100)),
    contact: Some("mailto"),
    way,
    read,
    ..Row::PLAIN
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
    Some(list(&answer, "/results")?.iter().map(read_record).collect())
}

fn read_record(work: &Value) -> Record {
    let read = record(ROW.name, work);
    let mut dois = read.others.iter().chain(read.doi.iter());
    let arxiv = dois.find_map(|other| other.strip_prefix("10.48550/arxiv.")).map(str::to_owned);
    let pmid = text(work, "/ids/pmid").and_then(|id| id.rsplit('/').next()).map(str::to_owned);
    let retracted = work.get("is_retracted").and_then(Value::as_bool) == Some(true);
    let fates = retracted.then(|| Note::by(NoteKind::Retracted, ROW.name, "is_retracted")).into_iter().collect();
    Record { may_lack_authors: true, arxiv, pmid, fates, summary: summary(work), ..read }
}

/// The abstract, which is given as the places of each of its words.
fn summary(work: &Value) -> Option<String> {
    let mut words: Vec<(i64, &str)> = Vec::new();
    for (word, places) in work.get("abstract_inverted_index")?.as_object()? {
        words.extend(each(places, "").into_iter().filter_map(Value::as_i64).map(|at| (at, word.as_str())));
    }
    words.sort_unstable();
    Some(words.into_iter().map(|(_, word)| word).collect::<Vec<_>>().join(" "))
}
