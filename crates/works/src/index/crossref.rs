//! Crossref: <https://api.crossref.org/swagger-ui/>.

use serde_json::Value;

use super::row::{Key, Row, Way, is_missing};
use super::value::{each, list, record, text, texts};
use crate::fields::clean_doi;
use crate::look::{Note, NoteKind};
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
    let fields = "DOI,title,subtitle,author,editor,issued,published-online,published-print,container-title,short-container-title,event,institution,type,subtype,volume,page,abstract,relation,updated-by,ISBN,edition-number";
    let search =
        |by: &[(&'static str, &str)]| Some(Way::to(&["works"], &[by, &[("rows", ROWS), ("select", fields)]].concat()));
    match question {
        Question::Doi(doi) => Some(Way::to(&["works", doi], &[])),
        Question::Updates(doi) => Some(Way::to(
            &["works"],
            &[("filter", &format!("updates:{doi}")), ("rows", ROWS), ("select", "DOI,update-to")],
        )),
        Question::Words(words) => search(&[("query.bibliographic", words)]),
        Question::TitleBy(title, family) => search(&[("query.title", title), ("query.author", family)]),
        _ => None,
    }
}

fn read(question: &Question, body: &str) -> Option<Vec<Record>> {
    let answer: Value = serde_json::from_str(body).ok()?;
    match question {
        Question::Doi(_) => {
            text(&answer, "/message/DOI")?;
            Some(vec![read_record(answer.get("message")?)])
        }
        Question::Updates(doi) => Some(list(&answer, "/message/items")?.iter().map(|item| notice(item, doi)).collect()),
        _ => Some(
            list(&answer, "/message/items")?
                .iter()
                .filter(|item| text(item, "/DOI").is_some())
                .map(read_record)
                .collect(),
        ),
    }
}

/// What a notice says of the work of a DOI.
fn notice(item: &Value, doi: &str) -> Record {
    let of_it = each(item, "/update-to")
        .into_iter()
        .filter(|update| text(update, "/DOI").map(clean_doi).as_deref() == Some(doi));
    Record { by: ROW.name, fates: of_it.filter_map(|update| fate(update, item)).collect(), ..Record::default() }
}

fn read_record(item: &Value) -> Record {
    let mut read = record(ROW.name, item);
    if read.is_preprint {
        read.venues.extend(texts(item, "/institution/0/name"));
    }
    read.sorted = read.doi.as_ref().is_some_and(|doi| SORTED.iter().any(|prefix| doi.starts_with(prefix)));
    read.fates = each(item, "/updated-by").into_iter().filter_map(|update| fate(update, update)).collect();
    read
}

/// What an update says, with the DOI of its notice.
fn fate(update: &Value, notice: &Value) -> Option<Note> {
    let kind = text(update, "/type")?.to_ascii_lowercase();
    let code = match kind.as_str() {
        "retraction" | "partial_retraction" => NoteKind::Retracted,
        "withdrawal" | "removal" => NoteKind::Withdrawn,
        "expression_of_concern" | "expression-of-concern" => NoteKind::Doubted,
        "correction" | "corrigendum" | "erratum" => NoteKind::Corrected,
        _ => return None,
    };
    let by = if text(update, "/source") == Some("retraction-watch") { "Retraction Watch, crossref" } else { ROW.name };
    let parts = list(update, "/updated/date-parts/0");
    let date = parts.map(|parts| {
        parts.iter().filter_map(Value::as_i64).map(|part| format!("{part:02}")).collect::<Vec<_>>().join("-")
    });
    let words = text(update, "/label").unwrap_or(kind.as_str()).to_owned();
    Some(Note { notice: text(notice, "/DOI").map(str::to_owned), date, ..Note::by(code, by, words) })
}
