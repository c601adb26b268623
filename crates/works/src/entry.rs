//! An entry of a source list as it is looked up: its words, and what they surely say.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::fields::{Ids, Read};
use super::kind::Kind;
use super::name::Name;
use super::record::Record;
use cited_core::source::research::{Field, plain_tex, tex_names};
use cited_text::Span;

/// An entry of a source list.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct Entry {
    /// The label as written, without brackets.
    pub label: Option<String>,
    /// The key of a bibliography.
    pub key: Option<String>,
    /// The file that it stands in.
    pub file: String,
    /// Its first line, from 1.
    pub line: usize,
    /// Where it stands in the file, in bytes.
    pub span: Span,
    /// Its words without address and number.
    #[serde(skip)]
    pub words: String,
    /// What kind of work it names.
    pub kind: Kind,
    /// What it surely says.
    pub read: Read,
    /// What the page at its address says of itself, where that was read: it is not asked again.
    #[serde(skip)]
    pub page: Option<Record>,
    /// Whether a claim stands on it: then notices about it are asked for, too.
    #[serde(skip)]
    pub of_claim: bool,
}

impl Entry {
    /// Whether an index could have it: a kind that none covers is known by an identifier alone, and never searched for by its title, as
    /// what would be found is another work.
    pub fn is_covered(&self) -> bool {
        self.read.ids.is_any() || !matches!(self.kind, Kind::Uncovered | Kind::Deposit)
    }

    /// An entry with the fields of BibTeX.
    pub fn of_bibtex(kind: &str, fields: &[Field]) -> Entry {
        let field = |name: &str| {
            fields.iter().find(|(n, value)| n == name && !value.is_empty()).map(|(_, value)| value.as_str())
        };
        let resolved = |value: &str| super::fold::unmarked(&plain_tex(value));
        let plain = |name: &str| field(name).map(resolved).filter(|text| !text.is_empty());
        let people = field("author").or_else(|| field("editor"));
        let mut read = Read::given("bibtex", plain);
        read.container = read
            .container
            .or_else(|| plain("howpublished").filter(|text| !text.contains("://")))
            .or_else(|| plain("note").filter(|note| super::venue::is_server(note)));
        for person in people.map(tex_names).unwrap_or_default() {
            read.add_author(&resolved(person), person.trim().starts_with('{'));
        }
        if let Some(body) = plain("organization").or_else(|| plain("institution")).filter(|_| read.authors.is_empty()) {
            read.authors.push(Name::new("", &body));
        }
        let is_arxiv = field("archiveprefix")
            .or_else(|| field("eprinttype"))
            .is_some_and(|kind| kind.eq_ignore_ascii_case("arxiv"));
        let written = ["doi", "url", "journal", "howpublished", "note"].iter().filter_map(|name| field(name));
        let mut text: String = written.collect::<Vec<_>>().join(" ").replace("\\_", "_");
        for (name, before, when) in [("eprint", "arXiv:", is_arxiv), ("pmid", "PMID: ", true), ("isbn", "ISBN ", true)]
        {
            text.extend(field(name).filter(|_| when).map(|id| format!(" {before}{id}")));
        }
        read.ids = Ids::in_text(&text);
        Entry::given(Kind::of_type("bibtex", kind, &read), read, field("key").map(str::to_owned))
    }

    /// An entry of CSL-JSON.
    pub fn of_csl(item: &Value) -> Entry {
        let text = |name: &str| item.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
        let people = ["author", "editor"].iter().find_map(|name| item.get(name)?.as_array());
        let part = |person: &Value, name: &str| person.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let mut read = Read::given("csl", |name| text(name).map(super::fold::unmarked));
        read.year = item.pointer("/issued/date-parts/0/0").and_then(|year| i16::try_from(year.as_i64()?).ok());
        for person in people.into_iter().flatten() {
            let literal = part(person, "literal");
            let family = [part(person, "non-dropping-particle"), part(person, "family")].join(" ");
            read.authors.push(if literal.is_empty() {
                Name::new(&part(person, "given"), &family)
            } else {
                Name::new("", &literal)
            });
        }
        let ids = [("DOI", "doi:"), ("URL", ""), ("PMID", "PMID: "), ("ISBN", "ISBN ")];
        let all: Vec<String> =
            ids.iter().filter_map(|(name, before)| Some(format!("{before}{}", text(name)?))).collect();
        read.ids = Ids::in_text(&all.join(" "));
        let key =
            item.get("id").and_then(|id| id.as_str().map(str::to_owned).or_else(|| Some(id.as_i64()?.to_string())));
        Entry::given(Kind::of_type("csl", text("type").unwrap_or_default(), &read), read, key)
    }

    /// An entry of RIS: its lines as pairs of a tag and a value.
    pub fn of_ris(lines: &[(&str, &str)]) -> Entry {
        let first = |tag: &str| {
            lines.iter().find(|(own, value)| *own == tag && !value.is_empty()).map(|(_, value)| (*value).to_owned())
        };
        let mut read = Read::given("ris", first);
        for (_, name) in lines.iter().filter(|(tag, _)| matches!(*tag, "AU" | "A1")) {
            read.add_author(name, false);
        }
        let written: Vec<&str> =
            lines.iter().filter(|(tag, _)| matches!(*tag, "DO" | "UR" | "M3")).map(|(_, value)| *value).collect();
        read.ids = Ids::in_text(&written.join(" "));
        Entry::given(Kind::of_type("ris", &first("TY").unwrap_or_default(), &read), read, first("ID"))
    }

    fn given(kind: Kind, read: Read, key: Option<String>) -> Entry {
        let names = read.authors.iter().map(|name| name.family.as_str()).take(4);
        let year = read.year.map(|year| year.to_string());
        let parts =
            read.title.as_deref().into_iter().chain(names).chain(read.container.as_deref()).chain(year.as_deref());
        let words = parts.collect::<Vec<_>>().join(" ");
        Entry { key, words, kind, read, ..Entry::default() }
    }
}
