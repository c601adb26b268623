//! Reading JSON of indexes: where each keeps the fields of a work is a table.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde_json::{Map, Value};

use crate::fold::unmarked;
use crate::record::Record;
use cited_core::citation::reference::{Ids, Name, clean_doi};
use cited_text::lexicon::table;

/// The pointers of each field of each index.
static PLACES: LazyLock<HashMap<(&str, &str), Vec<&str>>> = LazyLock::new(|| {
    let rows = table::cells(include_str!("../data/records.tsv"));
    rows.filter_map(|cells| Some(((*cells.first()?, *cells.get(1)?), cells.get(2)?.split('|').collect()))).collect()
});

/// The cells of a field of an index.
pub(super) fn places<'p>(by: &'p str, field: &'p str) -> &'p [&'static str] {
    PLACES.get(&(by, field)).map_or(&[], Vec::as_slice)
}

pub(super) fn text<'v>(value: &'v Value, at: &str) -> Option<&'v str> {
    value.pointer(at)?.as_str().map(str::trim).filter(|text| !text.is_empty())
}

pub(super) fn clean(value: &Value, at: &str) -> Option<String> {
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
pub(super) fn year(value: &Value) -> Option<i16> {
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
pub(super) fn read(by: &'static str, item: &Value) -> Record {
    let places = |field| places(by, field);
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
        by,
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::read;

    #[test]
    fn a_preprint_has_the_years_of_its_versions_and_no_other_name_for_itself() {
        let dated = |kind: &str| json!({"type": kind, "issued": {"date-parts": [[2016]]}, "accepted": {"date-parts": [[2021, 2, 1]]}});
        assert_eq!(read("crossref", &dated("posted-content")).years, [2016, 2021]);
        assert_eq!(read("crossref", &dated("journal-article")).years, [2016]);
        let places = json!([{"landing_page_url": "https://doi.org/10.5555/a"}, {"landing_page_url": "https://doi.org/10.5555/b"}]);
        let item = json!({"doi": "https://doi.org/10.5555/a", "locations": places});
        assert_eq!(read("openalex", &item).others, ["10.5555/b"]);
    }
}
