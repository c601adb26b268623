//! Reading JSON of indexes: where each keeps the fields of a work is a table; what it says beyond them is read here.

use serde_json::{Map, Value};

use super::arxiv;
use super::row::{Ask, Row};
use crate::fold::unmarked;
use crate::look::{Field, Note, NoteKind};
use crate::question::Question;
use crate::record::Record;
use crate::venue::is_server;
use cited_core::citation::reference::{Ids, Name, clean_doi};
use cited_core::outcome::Fate;

/// What an answer comes to.
pub(super) enum Read {
    Records(Vec<Record>),
    /// What to ask for its records.
    Further(Question),
}

/// What an answer comes to; `None` when it is not of the index's own form.
pub(super) fn read(row: &Row, ask: &Ask, question: &Question, status: u16, body: &str) -> Option<Read> {
    if ask.form.is_empty() {
        return arxiv::read(body).filter(|_| status == 200).map(Read::Records);
    }
    let answer: Value = serde_json::from_str(body).unwrap_or_default();
    // Nothing is at the address of one record, or it says so in words.
    let is_said = |(at, words)| text(&answer, at).is_some_and(|said| said.contains(words));
    if ask.no == Some(status) && ask.words.is_none_or(is_said) {
        return Some(Read::Records(Vec::new()));
    }
    (status == 200 && answer.pointer(ask.form).is_some()).then_some(())?;
    let ids = ask.numbers.map(|at| texts(&answer, at).collect::<Vec<_>>().join(",")).unwrap_or_default();
    if !ids.is_empty() {
        return Some(Read::Further(Question::Record(Field::Pmid, ids)));
    }
    let items = if ask.numbers.is_none() { each(&answer, ask.records) } else { Vec::new() };
    Some(Read::Records(items.into_iter().filter_map(|item| record(row, question, item)).collect()))
}

pub(super) fn text<'v>(value: &'v Value, at: &str) -> Option<&'v str> {
    value.pointer(at)?.as_str().map(str::trim).filter(|text| !text.is_empty())
}

fn clean(value: &Value, at: &str) -> Option<String> {
    text(value, at).map(unmarked)
}

/// The members of a list, or the one that stands in its place, or none; with `/*`, those of all members of a list; with
/// `/{}`, what an object holds.
pub(super) fn each<'v>(value: &'v Value, at: &str) -> Vec<&'v Value> {
    if let Some((head, rest)) = at.split_once("/*") {
        return each(value, head).into_iter().flat_map(|one| each(one, rest)).collect();
    }
    if let Some(head) = at.strip_suffix("/{}") {
        return value.pointer(head).and_then(Value::as_object).into_iter().flat_map(Map::values).collect();
    }
    let found = value.pointer(at);
    let found = found.map_or(&[][..], |found| found.as_array().map_or(std::slice::from_ref(found), Vec::as_slice));
    found.iter().filter(|one| !one.is_null()).collect()
}

/// The texts of a list.
pub(super) fn texts<'v>(value: &'v Value, at: &str) -> impl Iterator<Item = String> + use<'v> {
    each(value, at).into_iter().filter_map(Value::as_str).map(unmarked).filter(|text| !text.is_empty())
}

/// A number, written as one or as text that begins with it.
fn year(value: &Value) -> Option<i16> {
    let number = value.as_i64().and_then(|year| year.try_into().ok());
    number.or_else(|| cited_core::citation::reference::year_in(value.as_str()?))
}

/// An author, by the parts of the name or by the whole of it.
fn person(value: &Value) -> Option<Name> {
    let part = |places: &[&str]| places.iter().find_map(|at| clean(value, at));
    if let Some(family) = part(&["/family", "/familyName"]) {
        return Some(Name::new(&part(&["/given", "/givenName"]).unwrap_or_default(), &family));
    }
    let whole = part(&["/literal", "/text", "/raw_author_name", "/author/display_name", "/name"]);
    let whole = whole.or_else(|| value.as_str().map(unmarked))?;
    // Crossref, which gives every author a sequence, and CSL name persons by their parts.
    let is_body = ["/literal", "/sequence"].iter().any(|at| value.pointer(at).is_some())
        || text(value, "/nameType") == Some("Organizational");
    Some(if is_body { Name::new("", &whole) } else { Name::read(&whole) })
}

/// What an index says of a work, by its table.
fn fields(row: &Row, item: &Value) -> Record {
    let places = |field| row.places(field);
    let all = |field| places(field).iter().flat_map(|at| each(item, at));
    let raw = |field| all(field).find_map(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
    let said = |field| places(field).iter().flat_map(|at| texts(item, at));
    let bare =
        |title: String| title.strip_suffix('.').filter(|bare| !bare.ends_with('.')).map(str::to_owned).unwrap_or(title);
    let mut titles: Vec<String> = said("title").map(bare).collect();
    // Without its subtitle it would agree with a reference that has another one.
    if let (Some(title), Some(subtitle)) = (titles.first_mut(), said("subtitle").next()) {
        *title = format!("{title}: {subtitle}");
    }
    let people = places("people").iter().map(|at| each(item, at)).find(|people| !people.is_empty());
    let kind = raw("kind").unwrap_or_default();
    let is_preprint = places("preprint").contains(&kind);
    let doi = raw("doi").map(clean_doi);
    let others = said("other").map(|other| clean_doi(&other)).filter(|other| other.starts_with("10."));
    Record {
        by: row.name,
        titles,
        authors: people.into_iter().flatten().filter_map(person).filter(|name| !name.family.is_empty()).collect(),
        years: all("year").chain(all("version").filter(|_| is_preprint)).filter_map(year).collect(),
        venues: said("venue").collect(),
        volume: raw("volume").map(str::to_owned),
        issue: raw("issue").map(str::to_owned),
        pages: raw("pages").map(str::to_owned),
        ids: Ids {
            doi: doi.clone(),
            arxiv: raw("arxiv").and_then(|id| Ids::in_text(&format!("arXiv:{id}")).arxiv),
            pmid: raw("pmid").and_then(|id| id.rsplit('/').next()).map(str::to_owned),
            ..Ids::default()
        },
        url: raw("url").map(str::to_owned),
        summary: said("summary").next(),
        others: others.filter(|other| doi.as_ref() != Some(other)).collect(),
        is_preprint,
        any_year: places("editions").contains(&kind),
        kind: kind.to_owned(),
        ..Record::default()
    }
}

/// What an index says of a work: what its table names, and what it says in a way of its own; `None` when it is none.
fn record(row: &Row, question: &Question, item: &Value) -> Option<Record> {
    let mut record = fields(row, item);
    let retracted = |words: String| Note::with_words(NoteKind::Fate(Fate::Retracted), row.name, words);
    match (record.by, question) {
        ("crossref", Question::Updates(doi)) => {
            let of_it = |update: &&Value| text(update, "/DOI").map(clean_doi).as_deref() == Some(doi);
            let updates = each(item, "/update-to").into_iter().filter(of_it);
            record.fates = updates.filter_map(|update| fate(row, update, item)).collect();
        }
        ("crossref", _) => {
            let is_sorted = |doi: &String| row.places("sorted").iter().any(|prefix| doi.starts_with(prefix));
            record.sorted = record.ids.doi.as_ref().is_some_and(is_sorted);
            record.fates =
                each(item, "/updated-by").into_iter().filter_map(|update| fate(row, update, update)).collect();
        }
        ("datacite", _) => {
            let versions = row.places("relations");
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
            record.fates.extend(texts(item, "/pubtype").find(|kind| kind == "Retracted Publication").map(retracted));
            // What stands beside the records, or says that there is none.
            return (!record.titles.is_empty()).then_some(record);
        }
        ("openalex", _) => {
            let is_retracted = item.get("is_retracted").and_then(Value::as_bool) == Some(true);
            record.fates.extend(is_retracted.then(|| retracted("is_retracted".to_owned())));
            // The abstract is given as the places of each of its words.
            let places = item.get("abstract_inverted_index").and_then(Value::as_object);
            record.summary = places.map(|places| {
                let at = |(word, at)| each(at, "").into_iter().filter_map(Value::as_i64).map(move |at| (at, word));
                let mut words: Vec<(i64, &String)> = places.iter().flat_map(at).collect();
                words.sort_unstable();
                words.into_iter().map(|(_, word)| word.as_str()).collect::<Vec<_>>().join(" ")
            });
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

/// What an update says, with the DOI of its notice.
fn fate(row: &Row, update: &Value, notice: &Value) -> Option<Note> {
    let kind = text(update, "/type")?.to_ascii_lowercase();
    let fate = *row.fates.get(kind.as_str())?;
    let by =
        if text(update, "/source") == Some("retraction-watch") { "Retraction Watch, crossref" } else { "crossref" };
    let parts = each(update, "/updated/date-parts/0").into_iter().filter_map(Value::as_i64);
    let date = parts.map(|part| format!("{part:02}")).collect::<Vec<_>>().join("-");
    let date = Some(date).filter(|date| !date.is_empty());
    let words = text(update, "/label").unwrap_or(kind.as_str()).to_owned();
    Some(Note {
        notice: text(notice, "/DOI").map(str::to_owned),
        date,
        ..Note::with_words(NoteKind::Fate(fate), by, words)
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::row::ROWS;
    use super::fields;

    #[test]
    fn a_preprint_has_the_years_of_its_versions_and_no_other_name_for_itself() {
        let dated = |kind: &str| json!({"type": kind, "issued": {"date-parts": [[2016]]}, "accepted": {"date-parts": [[2021, 2, 1]]}});
        assert_eq!(fields(&ROWS[0], &dated("posted-content")).years, [2016, 2021]);
        assert_eq!(fields(&ROWS[0], &dated("journal-article")).years, [2016]);
        let places = json!([{"landing_page_url": "https://doi.org/10.5555/a"}, {"landing_page_url": "https://doi.org/10.5555/b"}]);
        let item = json!({"doi": "https://doi.org/10.5555/a", "locations": places});
        assert_eq!(fields(&ROWS[4], &item).others, ["10.5555/b"]);
    }
}
