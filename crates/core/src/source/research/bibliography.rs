//! Bibliographies: BibTeX and CSL, in JSON or YAML.
//!
//! Of BibTeX what Btparse and Biber agree on: entries, fields in braces or quotes, `#`, comments. Of TeX in the fields only accents and
//! escaped signs are resolved. The crate `biblatex` 0.12 was tried in its place. It gives up a whole file, and with it every address in the
//! file, at the first fault: a comma that is missing between two fields, an entry in parentheses, quotation marks in braces inside of
//! quotation marks, a dollar sign on its own. Of a field it loses what stands in braces after a sign (`Bose\textendash{Einstein}` is *Bose–*),
//! it writes `H\o{}iland` as *H̸iland*, and it follows abbreviations that name each other until the stack ends.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Captures;
use serde_json::Value;
use unicode_normalization::UnicodeNormalization;

use super::file::{ResearchFile, ResearchNote};
use crate::address::identity::{self, key_of};
use crate::address::in_text;
use crate::citation::reference::{Ids, Name, Reference, is_others, year_in};
use crate::citation::{Entry, accessed, pandoc};
use crate::finding::{Code, Finding};
use crate::pattern::Pattern;
use cited_text::Span;
use cited_text::lexicon::table;

/// Whether a text without a telling name begins like a BibTeX file.
pub(super) fn is_bibtex(text: &str) -> bool {
    static BEGINS: Pattern = Pattern::new(r"^@[A-Za-z]{3,}\s*[{(]");
    BEGINS.is_match(text)
}

/// A field of an entry: its name in small letters, and its value as written.
pub type Field = (String, String);

/// An entry of a BibTeX file.
pub struct BibtexEntry {
    /// Its type in small letters.
    pub kind: String,
    /// Its fields; the first is `key`.
    pub fields: Vec<Field>,
    /// Where it stands.
    pub span: Span,
    /// Whether it was read to its end.
    pub whole: bool,
}

/// The entries of a BibTeX file, in order.
pub fn bibtex_entries(text: &str) -> Vec<BibtexEntry> {
    /// A line that is commented out, and what begins an entry.
    static BEGINS: Pattern = Pattern::new(r"(?m)^[ \t]*%.*$|@([A-Za-z]+)\s*[{(]");
    let (mut entries, mut at) = (Vec::new(), 0);
    while let Some(found) = BEGINS.captures_at(text, at) {
        let Some(whole) = found.get(0) else { break };
        at = whole.end();
        let Some(kind) = found.get(1).map(|kind| kind.as_str().to_ascii_lowercase()) else { continue };
        let (fields, end, is_whole) = fields_of(text, at);
        at = end.max(at);
        if !matches!(kind.as_str(), "comment" | "preamble" | "string") {
            entries.push(BibtexEntry { kind, fields, span: Span::new(whole.start(), at), whole: is_whole });
        }
    }
    entries
}

/// Reads a BibTeX file.
pub(super) fn read_bibtex(text: &str) -> ResearchFile {
    let mut file = ResearchFile::default();
    for entry in bibtex_entries(text) {
        if !entry.whole {
            let told =
                "the entry cannot be read on from here, where a field (`name = {value}`) or its end was expected";
            file.findings.push(Finding::new(Code::UnusableEntry, told).at(Span::at(entry.span.end)));
        }
        push_entry(&mut file, &entry.fields, entry.span, plain);
    }
    file
}

/// What stands between braces, to a depth below which nobody goes. What is never closed goes on to the end.
static BETWEEN_BRACES: LazyLock<String> = LazyLock::new(|| {
    let deepest = r"(?:[^}\\]|\\.?)*".to_owned();
    (0..6).fold(deepest, |inner, _| format!(r"(?:[^{{}}\\]|\\.?|\{{{inner}(?:\}}|\z))*"))
});

/// The key and the fields of an entry, where it ends, and whether it was read to its end.
fn fields_of(text: &str, start: usize) -> (Vec<Field>, usize, bool) {
    /// What begins a field, behind commas, white space and comments; or the end of an entry.
    static FIELD: Pattern = Pattern::new(r"^(?:[,\s]|%[^\n]*(?:\n|$))*(?:([A-Za-z0-9_:+-]+)\s*=|[})])");
    let mut fields = Vec::new();
    let key_end = text[start..].find([',', '}', ')', '\n']).map_or(text.len(), |at| start + at);
    fields.push(("key".to_owned(), text[start..key_end].trim().to_owned()));
    let mut at = key_end;
    while let Some(found) = FIELD.captures(&text[at..]) {
        at += found[0].len();
        let Some(name) = found.get(1) else { return (fields, at, true) };
        let (value, end) = value_of(text, at);
        fields.push((name.as_str().to_ascii_lowercase(), value));
        at = end;
    }
    // Not a field: the entry is broken; whatever follows is looked at anew.
    (fields, text.len() - text[at..].trim_start_matches([',', ' ', '\t', '\r', '\n']).len(), false)
}

/// A value: parts in braces, in quotes, or bare, joined by `#`.
fn value_of(text: &str, mut at: usize) -> (String, usize) {
    static PART: Pattern = Pattern::made(|| {
        let braces = &*BETWEEN_BRACES;
        let quoted = format!(r#"((?:[^"\\{{]|\\.?|\{{{braces}(?:\}}|\z))*)"#);
        let bare = r"([^\s,})#]*(?:[^\S\n]+[^\s,})#]+)*)";
        format!(r#"(?s)^\s*(?:\{{({braces})(?:\}}|\z)|"{quoted}(?:"|\z)|{bare})\s*(#)?"#)
    });
    let mut value = String::new();
    while let Some(found) = PART.captures(&text[at..]) {
        at += found[0].len();
        value.extend((1..4).filter_map(|group| found.get(group)).map(|part| part.as_str()));
        if found.get(4).is_none() {
            break;
        }
    }
    (value.trim().to_owned(), at)
}

/// The value of a field.
pub fn field<'f>(fields: &'f [Field], name: &str) -> Option<&'f str> {
    fields.iter().find(|(own, value)| own == name && !value.is_empty()).map(|(_, value)| value.as_str())
}

/// What the fields of an entry say of its work: `plain` gives the words of one as its format writes them, `shown` those as a reader sees them.
pub fn reference_of(fields: &[Field], plain: fn(&str) -> String, shown: fn(&str) -> String) -> Reference {
    let field = |name: &str| field(fields, name);
    let resolved = |value: &str| shown(&plain(value));
    let said = |names: &[&str]| names.iter().filter_map(|name| field(name)).map(resolved).find(|text| !text.is_empty());
    let mut read = Reference {
        title: said(&["title"]),
        container: said(&["booktitle", "journal", "journaltitle"])
            .or_else(|| said(&["howpublished"]).filter(|text| !text.contains("://"))),
        year: said(&["year", "date"]).and_then(|year| year_in(&year)),
        volume: said(&["volume"]),
        issue: said(&["number", "issue"]),
        pages: said(&["pages"]),
        given: true,
        ..Reference::default()
    };
    let people = field("author").or_else(|| field("editor")).map(names).unwrap_or_default();
    for person in people.iter().map(|one| one.trim()) {
        let name = resolved(person);
        // As BibLaTeX writes it: `family=Berg, given=Anna, prefix=van der`.
        let part = |key: &str| {
            let mut parts = name.split(',').filter_map(|part| part.split_once('='));
            parts.find(|(own, _)| own.trim() == key).map_or("", |(_, value)| value.trim())
        };
        // Braces round a whole name are BibTeX's way to say that it is that of a body.
        let is_body = person.starts_with('{') && NAMES.find(person).is_some_and(|body| body.as_str() == person);
        read.others |= is_others(&name);
        read.authors.extend(match part("family") {
            _ if is_others(&name) || !name.contains(char::is_alphanumeric) => None,
            "" if is_body => Some(Name::new("", name.trim_matches(['{', '}']))),
            "" => Some(Name::read(&name)),
            family => Some(Name::new(part("given"), &[part("prefix"), family].join(" "))),
        });
    }
    let body = said(&["organization", "institution"]).filter(|_| read.authors.is_empty());
    read.authors.extend(body.map(|body| Name::new("", &body)));
    let mut kinds = ["archiveprefix", "eprinttype"].into_iter().filter_map(field);
    let is_arxiv = kinds.next().is_some_and(|kind| kind.eq_ignore_ascii_case("arxiv"));
    let written = ["doi", "url", "journal", "howpublished", "note"].into_iter().filter_map(field);
    let mut text: String = written.collect::<Vec<_>>().join(" ");
    if text.contains('\\') {
        text = plain(&text);
    }
    read.outside.clone_from(&text);
    let named = [("pmid", "PMID: "), ("pmcid", "PMCID: "), ("isbn", "ISBN ")];
    for (name, before) in named.into_iter().chain(is_arxiv.then_some(("eprint", "arXiv:"))) {
        text.extend(field(name).map(|id| format!(" {before}{id}")));
    }
    read.ids = Ids::in_text(&text);
    read
}

/// The address of a work by the name of this kind that a field has for it: `10.1000/a`, `doi:10.1000/a`, or an address already,
/// `https://doi.org/10.1000/a`, `doi.org/10.1000/a`, `https://hdl.handle.net/10125/1`.
fn address_of_id(kind: &str, id: &str) -> Option<String> {
    let id = id.trim();
    let named = if kind.is_empty() { id.to_owned() } else { format!("{kind}:{id}") };
    let behind_resolver = || identity::address_of_name(id.split_once("doi.org/")?.1);
    let own = || in_text::is_at_start(id).then(|| id.to_owned());
    identity::address_of_name(&named).or_else(behind_resolver).or_else(own)
}

/// Adds an entry with these fields; `plain` gives the words of one as a reader sees them.
fn push_entry(file: &mut ResearchFile, fields: &[Field], span: Span, plain: fn(&str) -> String) {
    let field = |name: &str| field(fields, name);
    let read = reference_of(fields, plain, str::to_owned);
    let kind = field("archiveprefix").or_else(|| field("eprinttype"));
    let is_arxiv = kind.is_some_and(|kind| kind.eq_ignore_ascii_case("arxiv"));
    let kinds = [("doi", ""), ("eprint", "arXiv"), ("pmid", "PMID"), ("pmcid", "PMCID")];
    let named = kinds.into_iter().filter(|(name, _)| *name != "eprint" || is_arxiv);
    let named = named.filter_map(|(name, kind)| address_of_id(kind, &plain_address(field(name)?)));
    let mut addresses: Vec<String> = Vec::new();
    for address in field("url").map(plain_address).into_iter().chain(named) {
        if !addresses.iter().any(|known| key_of(known) == key_of(&address)) {
            addresses.push(address);
        }
    }
    if addresses.is_empty() {
        // Another work may be named beside one that has an address of its own: *Comment on doi:…*.
        let ids = [("", &read.ids.doi), ("arXiv", &read.ids.arxiv)];
        addresses.extend(ids.into_iter().find_map(|(kind, id)| address_of_id(kind, id.as_ref()?)));
    }
    if addresses.is_empty() {
        let spoken = ["howpublished", "note"].into_iter().filter_map(field);
        addresses.extend(spoken.flat_map(|words| in_text::each(words).map(|at| plain_address(at.slice(words)))).next());
    }
    let accessed = field("urldate").and_then(accessed::leading_date).map(|(date, _)| date);
    let label = fields.first().and_then(|(_, key)| pandoc::key_label(key));
    let title = authored(&read);
    if title.is_empty() && addresses.is_empty() {
        let told = "an entry of the bibliography has neither title nor address";
        file.findings.push(Finding::new(Code::UnusableEntry, told).at(span));
        return;
    }
    if addresses.is_empty() {
        file.findings.push(Finding::new(Code::NoAddress, format!("“{title}” has no address")).at(span));
    }
    file.entries.push(Entry { label, span, title, addresses, accessed, ..Entry::default() });
    if let Some(text) = field("abstract").map(plain).filter(|words| !words.is_empty()) {
        let entries = vec![file.entries.len() - 1];
        file.notes.push(ResearchNote { text, entries, verbatim: true, span, ..ResearchNote::default() });
    }
}

/// `Knuth (1968), The Art` / `Knuth and Plass (1981), …` / `Knuth et al., …`: who wrote it and when, as citations by author and year name it.
fn authored(read: &Reference) -> String {
    let title = read.title.clone().unwrap_or_default();
    let mut names = match read.authors.as_slice() {
        [] => return title,
        [one] if !read.others => one.family.clone(),
        [one, two] if !read.others => format!("{} and {}", one.family, two.family),
        [one, ..] => format!("{} et al.", one.family),
    };
    if let Some(year) = read.year {
        names = format!("{names} ({year})");
    }
    if title.is_empty() { names } else { format!("{names}, {title}") }
}

/// What a list of names is divided by, and what it is not divided in.
static NAMES: Pattern = Pattern::made(|| format!(r"(?s) and |\{{{}(?:\}}|\z)", *BETWEEN_BRACES));

/// The names of a list: divided by `and` outside of braces.
fn names(list: &str) -> Vec<&str> {
    let (mut names, mut start) = (Vec::new(), 0);
    for and in NAMES.find_iter(list).filter(|found| found.as_str() == " and ") {
        names.push(&list[start..and.start()]);
        start = and.end();
    }
    names.push(&list[start..]);
    names
}

fn plain_address(text: &str) -> String {
    /// Braces, and signs that TeX has escaped.
    static ESCAPED: Pattern = Pattern::new(r"[{}]|\\([_&%#~])");
    let text = text.trim();
    let text = text.strip_prefix("\\url{").and_then(|rest| rest.strip_suffix('}')).unwrap_or(text);
    ESCAPED.replace_all(&text.replace("\\textless", "<").replace("\\textgreater", ">"), "$1").into_owned()
}

/// What commands of TeX write; an accent stands over a circle.
static TEX: LazyLock<HashMap<&str, &str>> =
    LazyLock::new(|| table::words(include_str!("data/tex.tsv"), "").filter_map(|form| form.split_once('/')).collect());

/// A formula, an accent with its letter, a command, what TeX writes for a sign, and what it does not show.
static TEX_PARTS: Pattern = Pattern::made(|| {
    let accent = r#"\\(?:(["'`^~=.])[{ ]*|([vucHkdr])[{ ]+)(?:\\([ij])\b|([^\\{}]))"#;
    format!(r"(?s)\$[^$]*\$|{accent}|\\([A-Za-z]+) ?|\\(.)|---?|``|''|[{{}}~]")
});

/// TeX as a reader sees it, as far as bibliographies use it.
pub fn plain(tex: &str) -> String {
    let shown = TEX_PARTS.replace_all(tex, |found: &Captures<'_>| {
        let group = |at: usize| found.get(at).map(|part| part.as_str());
        let written = |name: &str| TEX.get(name).copied();
        if let Some(accent) = group(1).or(group(2)) {
            let mark = written(accent).unwrap_or_default().trim_start_matches('◌');
            return format!("{}{mark}", group(3).or(group(4)).unwrap_or_default());
        }
        let whole = &found[0];
        match (group(5), group(6)) {
            _ if whole == "~" => " ",
            // Mathematics stays as it is written, and `\emph{…}` is its words.
            (Some(name), _) => written(name).unwrap_or(&whole[1 + name.len()..]),
            // `\{` shows the brace.
            (_, Some(sign)) => written(sign).filter(|written| !written.is_empty()).unwrap_or(sign),
            _ => written(whole).unwrap_or(whole),
        }
        .to_owned()
    });
    shown.split_whitespace().collect::<Vec<_>>().join(" ").nfc().collect()
}

/// A bibliography of CSL in YAML, as Pandoc and Zotero write it and as it stands in front matter, in JSON; none where the text is something
/// else.
pub fn csl_of_yaml(text: &str) -> Option<String> {
    let mut value: Value = serde_yaml_ng::from_str(text).ok()?;
    if let Some(references) = value.get_mut("references") {
        value = references.take();
        // There only works stand, those without a type, too.
        for item in value.as_array_mut()?.iter_mut().filter_map(Value::as_object_mut) {
            item.entry("type").or_insert("document".into());
        }
    }
    let is_item = |item: &Value| ["id", "type"].iter().all(|name| item.get(name).is_some());
    value.as_array()?.iter().any(is_item).then(|| value.to_string())
}

/// Reads one CSL-JSON item; `false` when `value` is none.
pub(super) fn read_csl(file: &mut ResearchFile, value: &Value) -> bool {
    let has = |name: &str| value.get(name).and_then(Value::as_str).is_some_and(|text| !text.is_empty());
    let is_item = value.get("id").is_some() && has("type") && ["title", "URL", "DOI"].iter().any(|name| has(name));
    if is_item {
        push_entry(file, &csl_fields(value), Span::at(0), str::to_owned);
    }
    is_item
}

/// The fields of a CSL-JSON item under the names that they have in BibTeX.
pub fn csl_fields(item: &Value) -> Vec<Field> {
    let text = |value: &Value| value.as_str().map(str::to_owned).or_else(|| Some(value.as_i64()?.to_string()));
    let mut fields: Vec<Field> = Vec::new();
    let mut add = |name: &str, said: Option<String>| fields.extend(said.map(|said| (name.to_owned(), said)));
    for cells in table::cells(include_str!("data/csl.tsv")) {
        add(cells[1], item.get(cells[0]).and_then(text));
    }
    for role in ["author", "editor"] {
        let people = item.get(role).and_then(Value::as_array);
        add(role, people.map(|people| people.iter().map(csl_name).collect::<Vec<_>>().join(" and ")));
    }
    let date = |name: &str| {
        let said = item.get(name)?;
        let parts = said.pointer("/date-parts/0").and_then(Value::as_array);
        let two = |part: &Value| Some(format!("{:0>2}", text(part)?));
        parts
            .map(|parts| parts.iter().filter_map(two).collect::<Vec<_>>().join("-"))
            .or_else(|| text(said.get("raw").unwrap_or(said)))
    };
    add("date", date("issued"));
    add("urldate", date("accessed"));
    fields
}

/// A name of CSL-JSON as BibTeX writes it: that of a body in braces.
fn csl_name(person: &Value) -> String {
    let part = |name: &str| person.get(name).and_then(Value::as_str).unwrap_or_default();
    let family = [part("non-dropping-particle"), part("family")].join(" ");
    match (part("literal"), part("given"), family.trim()) {
        ("", "", body) | ("", body, "") | (body, ..) if !body.is_empty() => format!("{{{body}}}"),
        (_, given, family) => format!("{family}, {given}"),
    }
}
