//! Crossref: <https://api.crossref.org/swagger-ui/>.

use serde_json::Value;

use super::row::{Key, Row, Way, is_missing};
use super::value::{clean, each, list, text, texts, year};
use crate::fields::clean_doi;
use crate::look::{Note, NoteKind};
use crate::name::Name;
use crate::question::Question;
use crate::record::Record;

pub(super) static ROW: Row = Row {
    name: "crossref",
    base: "https://api.crossref.org",
    at_once: 3,
    gaps: (100, 340),
    without_contact: Some((1, (200, 1000))),
    key: Some(("CITED_CROSSREF_TOKEN", Key::Header("crossref-plus-api-token"), 100)),
    contact: Some("mailto"),
    way,
    read,
    says_no: is_missing,
};

/// Items of an answer to a search.
const ROWS: &str = "5";
/// Those who deposit records with authors in the order of the alphabet, by the prefix of their DOIs.
const SORTED: [&str; 1] = ["10.52202/"];

fn way(question: &Question) -> Option<Way> {
    let fields = "DOI,title,subtitle,author,editor,issued,published-online,published-print,container-title,short-container-title,event,institution,type,subtype,volume,page,relation,updated-by,ISBN,edition-number";
    match question {
        Question::Doi(doi) => Some(Way::to(&["works", doi], &[])),
        Question::Words(words) => {
            Some(Way::to(&["works"], &[("query.bibliographic", words), ("rows", ROWS), ("select", fields)]))
        }
        Question::TitleBy(title, family) => Some(Way::to(
            &["works"],
            &[("query.title", title), ("query.author", family), ("rows", ROWS), ("select", fields)],
        )),
        _ => None,
    }
}

fn read(question: &Question, body: &str) -> Option<Vec<Record>> {
    let answer: Value = serde_json::from_str(body).ok()?;
    match question {
        Question::Doi(_) => {
            text(&answer, "/message/DOI")?;
            Some(vec![record(answer.get("message")?)])
        }
        _ => Some(
            list(&answer, "/message/items")?.iter().filter(|item| text(item, "/DOI").is_some()).map(record).collect(),
        ),
    }
}

fn record(item: &Value) -> Record {
    let doi = text(item, "/DOI").map(clean_doi);
    let title = clean(item, "/title/0").unwrap_or_default();
    // Without its subtitle it would agree with a reference that has another one.
    let mut titles = vec![match clean(item, "/subtitle/0") {
        Some(subtitle) => format!("{title}: {subtitle}"),
        None => title,
    }];
    titles.extend(texts(item, "/original-title"));
    let people = if each(item, "/author").next().is_some() { "/author" } else { "/editor" };
    let name = |person: &Value| match clean(person, "/name") {
        Some(body) => Name::new("", &body),
        None => Name::new(&clean(person, "/given").unwrap_or_default(), &clean(person, "/family").unwrap_or_default()),
    };
    let dates = ["/issued", "/published-online", "/published-print", "/published"];
    let kind = text(item, "/type").unwrap_or_default().to_owned();
    let is_preprint = kind == "posted-content";
    let venue = ["/container-title", "/short-container-title", "/event/name", "/event/acronym"];
    let mut venues: Vec<String> = venue.iter().flat_map(|at| texts(item, at)).collect();
    if is_preprint {
        venues.extend(texts(item, "/institution/0/name"));
    }
    let versions =
        ["/relation/is-preprint-of", "/relation/has-preprint", "/relation/is-version-of", "/relation/is-part-of"];
    let others =
        versions.iter().flat_map(|at| each(item, at)).filter_map(|other| text(other, "/id")).map(clean_doi).collect();
    let is_book = matches!(kind.as_str(), "book" | "monograph" | "edited-book" | "reference-book");
    Record {
        by: ROW.name,
        titles,
        authors: each(item, people).map(name).filter(|name| !name.family.is_empty()).collect(),
        sorted: doi.as_ref().is_some_and(|doi| SORTED.iter().any(|prefix| doi.starts_with(prefix))),
        years: dates.iter().filter_map(|date| year(item, &format!("{date}/date-parts/0/0"))).collect(),
        any_year: is_book,
        venues,
        volume: text(item, "/volume").map(str::to_owned),
        pages: text(item, "/page").map(str::to_owned),
        doi,
        is_preprint,
        others,
        fates: each(item, "/updated-by").filter_map(fate).collect(),
        kind,
        ..Record::default()
    }
}

fn fate(update: &Value) -> Option<Note> {
    let kind = text(update, "/type")?.to_ascii_lowercase();
    let code = match kind.as_str() {
        "retraction" | "partial_retraction" => NoteKind::Retracted,
        "withdrawal" | "removal" => NoteKind::Withdrawn,
        "expression_of_concern" | "expression-of-concern" => NoteKind::Doubted,
        "correction" | "corrigendum" | "erratum" => NoteKind::Corrected,
        _ => return None,
    };
    let by = if text(update, "/source") == Some("retraction-watch") { "Retraction Watch (crossref)" } else { ROW.name };
    let parts = list(update, "/updated/date-parts/0");
    let date = parts.map(|parts| {
        parts.iter().filter_map(Value::as_i64).map(|part| format!("{part:02}")).collect::<Vec<_>>().join("-")
    });
    let words = text(update, "/label").unwrap_or(kind.as_str()).to_owned();
    Some(Note { notice: text(update, "/DOI").map(str::to_owned), date, ..Note::by(code, by, words) })
}
