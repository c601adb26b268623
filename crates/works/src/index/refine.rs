//! What a record says beyond the fields that stand where the table has them.

use serde_json::Value;

use super::value::{clean, each, places, text, texts, year};
use crate::look::{Field, Note, NoteKind};
use crate::question::Question;
use crate::record::Record;
use crate::venue::is_server;
use cited_core::citation::reference::{Name, clean_doi};

/// A record with what its index says of it in a way of its own; `None` when it is none.
pub(super) fn refined(question: &Question, item: &Value, mut record: Record) -> Option<Record> {
    match (record.by, question) {
        ("crossref", Question::Updates(doi)) => {
            let of_it = |update: &&Value| text(update, "/DOI").map(clean_doi).as_deref() == Some(doi);
            let updates = each(item, "/update-to").into_iter().filter(of_it);
            record.fates = updates.filter_map(|update| fate(update, item)).collect();
        }
        ("crossref", _) => {
            let is_sorted = |doi: &String| places("crossref", "sorted").iter().any(|prefix| doi.starts_with(prefix));
            record.sorted = record.ids.doi.as_ref().is_some_and(is_sorted);
            record.fates = each(item, "/updated-by").into_iter().filter_map(|update| fate(update, update)).collect();
        }
        ("datacite", _) => {
            let versions = places("datacite", "relations");
            let is_of_it = |other: &&Value| text(other, "/relationType").is_some_and(|kind| versions.contains(&kind));
            let related = each(item, "/relatedIdentifiers").into_iter().filter(is_of_it);
            record.others = related.filter_map(|other| text(other, "/relatedIdentifier")).map(clean_doi).collect();
            // Who publishes a data set is no venue; a server of preprints is known as one.
            let container = clean(item, "/container/title");
            record.venues.retain(|venue| container.as_ref() == Some(venue) || is_server(venue));
            let is_abstract = |one: &&Value| text(one, "/descriptionType") == Some("Abstract");
            record.summary =
                each(item, "/descriptions").into_iter().find(is_abstract).and_then(|one| clean(one, "/description"));
        }
        ("pubmed", _) => {
            let ids = each(item, "/articleids");
            let other =
                |kind| ids.iter().find(|id| text(id, "/idtype") == Some(kind)).and_then(|id| text(id, "/value"));
            record.ids.doi = other("doi").map(clean_doi);
            if matches!(question, Question::Record(Field::Pmcid, _)) {
                record.ids.pmcid = std::mem::replace(&mut record.ids.pmid, other("pmid").map(str::to_owned));
            }
            let retracted = texts(item, "/pubtype").find(|kind| kind == "Retracted Publication");
            record.fates.extend(retracted.map(|words| Note::with_words(NoteKind::Retracted, record.by, words)));
            // What stands beside the records, or says that there is none.
            return (!record.titles.is_empty()).then_some(record);
        }
        ("openalex", _) => {
            let retracted = item.get("is_retracted").and_then(Value::as_bool) == Some(true);
            record.fates.extend(retracted.then(|| Note::with_words(NoteKind::Retracted, record.by, "is_retracted")));
            record.summary = summary(item);
        }
        ("openlibrary", _) => {
            if record.authors.is_empty() {
                let by = clean(item, "/by_statement").unwrap_or_default();
                let names = by.trim_end_matches('.').split([',', ';']).filter(|name| !name.trim().is_empty());
                record.authors = names.map(Name::read).collect();
            }
            // A book is cited with or without its subtitle, and in any edition.
            record.titles.extend(clean(item, "/title"));
            record.url = text(item, "/key").map(|key| format!("https://openlibrary.org{key}"));
            record.any_year = true;
            record.first_year = item.get("first_publish_year").and_then(year);
            "book".clone_into(&mut record.kind);
        }
        _ => {}
    }
    Some(record)
}

/// The abstract in `OpenAlex`, which is given as the places of each of its words.
fn summary(work: &Value) -> Option<String> {
    let mut words: Vec<(i64, &str)> = Vec::new();
    for (word, places) in work.get("abstract_inverted_index")?.as_object()? {
        words.extend(each(places, "").into_iter().filter_map(Value::as_i64).map(|at| (at, word.as_str())));
    }
    words.sort_unstable();
    Some(words.into_iter().map(|(_, word)| word).collect::<Vec<_>>().join(" "))
}

/// What an update says, with the DOI of its notice.
fn fate(update: &Value, notice: &Value) -> Option<Note> {
    let kind = text(update, "/type")?.to_ascii_lowercase();
    let fates = [NoteKind::Retracted, NoteKind::Withdrawn, NoteKind::Doubted, NoteKind::Corrected];
    let code = fates.into_iter().find(|code| places("crossref", &code.to_string()).contains(&kind.as_str()))?;
    let by =
        if text(update, "/source") == Some("retraction-watch") { "Retraction Watch, crossref" } else { "crossref" };
    let parts = each(update, "/updated/date-parts/0").into_iter().filter_map(Value::as_i64);
    let date = parts.map(|part| format!("{part:02}")).collect::<Vec<_>>().join("-");
    let date = Some(date).filter(|date| !date.is_empty());
    let words = text(update, "/label").unwrap_or(kind.as_str()).to_owned();
    Some(Note { notice: text(notice, "/DOI").map(str::to_owned), date, ..Note::with_words(code, by, words) })
}
