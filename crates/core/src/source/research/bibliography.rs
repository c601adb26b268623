//! Bibliographies: BibTeX and CSL, in JSON or YAML.
//!
//! Of BibTeX what Btparse and Biber agree on: entries, fields in braces or quotes, `#`, comments. Of TeX in the fields only accents and
//! escaped signs are resolved. The crate `biblatex` 0.12 was tried in its place. It gives up a whole file, and with it every address in the
//! file, at the first fault: a comma that is missing between two fields, an entry in parentheses, quotation marks in braces inside of
//! quotation marks, a dollar sign on its own. Of a field it loses what stands in braces after a sign (`Bose\textendash{Einstein}` is *Bose–*),
//! it writes `H\o{}iland` as *H̸iland*, and it follows abbreviations that name each other until the stack ends.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::{Captures, Regex};
use serde_json::Value;
use unicode_normalization::UnicodeNormalization;

use super::file::{ResearchFile, ResearchNote};
use crate::address::identity;
use crate::address::in_text;
use crate::citation::reference::Name;
use crate::citation::{Entry, accessed, each_once, pandoc};
use crate::finding::{Code, Finding};
use crate::pattern::Pattern;
use cited_text::Span;
use cited_text::lexicon::table;

/// Whether a text without a telling name begins like a BibTeX file.
pub(super) fn is_bibtex(text: &str) -> bool {
    text.strip_prefix('@').is_some_and(|rest| {
        let kind = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        kind > 2 && rest[kind..].trim_start().starts_with(['{', '('])
    })
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
    static PART: LazyLock<Regex> = LazyLock::new(|| {
        let braces = &*BETWEEN_BRACES;
        let quoted = format!(r#"((?:[^"\\{{]|\\.?|\{{{braces}(?:\}}|\z))*)"#);
        let bare = r"([^\s,})#]*(?:[^\S\n]+[^\s,})#]+)*)";
        let part = format!(r#"(?s)^\s*(?:\{{({braces})(?:\}}|\z)|"{quoted}(?:"|\z)|{bare})\s*(#)?"#);
        Regex::new(&part).expect("a fixed pattern")
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

/// Adds an entry with these fields; `plain` gives the words of one as a reader sees them.
fn push_entry(file: &mut ResearchFile, fields: &[Field], span: Span, plain: fn(&str) -> String) {
    let field =
        |name: &str| fields.iter().find(|(n, value)| n == name && !value.is_empty()).map(|(_, value)| value.as_str());
    let title = field("title").map(plain).unwrap_or_default();
    let people = field("author").or_else(|| field("editor"));
    let authors: Vec<String> = match people {
        Some(people) => names(people).into_iter().map(shown_name).collect(),
        None => field("organization").map(plain).into_iter().collect(),
    };
    let is_arxiv =
        field("archiveprefix").or_else(|| field("eprinttype")).is_some_and(|kind| kind.eq_ignore_ascii_case("arxiv"));
    let names = [("doi", ""), ("eprint", "arXiv:"), ("pmid", "PMID:"), ("pmcid", "PMCID:")];
    let named = names.into_iter().filter(|(name, _)| *name != "eprint" || is_arxiv).filter_map(|(name, prefix)| {
        let id = plain_address(field(name)?);
        identity::address_of_name(&format!("{prefix}{id}")).or_else(|| address_of_id(&id))
    });
    let mut addresses = each_once(field("url").map(plain_address).into_iter().chain(named));
    if addresses.is_empty() {
        let spoken = ["howpublished", "note"].into_iter().filter_map(field);
        addresses.extend(spoken.flat_map(|words| in_text::each(words).map(|at| plain_address(at.slice(words)))).next());
    }
    let year = field("year")
        .or_else(|| field("date"))
        .and_then(|date| date.get(..4))
        .filter(|year| year.bytes().all(|byte| byte.is_ascii_digit()));
    let accessed = field("urldate").and_then(accessed::leading_date).map(|(date, _)| date);
    let label = fields.first().and_then(|(_, key)| pandoc::key_label(key));
    let title = authored(&authors, year, &title);
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

/// The address of a work by the name that a field has for it: `10.1000/a`, `doi:10.1000/a`, or an address already,
/// `https://doi.org/10.1000/a`, `doi.org/10.1000/a`.
fn address_of_id(id: &str) -> Option<String> {
    let id = id.trim();
    let behind_resolver = || identity::address_of_name(id.split_once("doi.org/")?.1);
    identity::address_of_name(id).or_else(|| in_text::is_at_start(id).then(|| id.to_owned())).or_else(behind_resolver)
}

/// `Knuth (1968), The Art` / `Knuth and Plass (1981), …` / `Knuth et al., …`: who wrote it and when, as citations by author and year name it.
fn authored(authors: &[String], year: Option<&str>, title: &str) -> String {
    let mut names = match authors {
        [] => return title.to_owned(),
        [one] => one.clone(),
        [one, two] => format!("{one} and {two}"),
        [one, ..] => format!("{one} et al."),
    };
    if let Some(year) = year {
        names = format!("{names} ({year})");
    }
    if title.is_empty() { names } else { format!("{names}, {title}") }
}

/// What a list of names is divided by, and what it is not divided in.
static NAMES: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(&format!(r"(?s) and |\{{{}(?:\}}|\z)", *BETWEEN_BRACES)).expect("a fixed pattern"));

/// The names of a list: divided by `and` outside of braces.
pub fn names(list: &str) -> Vec<&str> {
    let (mut names, mut start) = (Vec::new(), 0);
    for and in NAMES.find_iter(list).filter(|found| found.as_str() == " and ") {
        names.push(&list[start..and.start()]);
        start = and.end();
    }
    names.push(&list[start..]);
    names
}

/// The family name of a person with what goes before it, also as BibLaTeX writes it, `family=Berg, given=Anna, prefix=van der`; or the whole
/// name of a body, which stands in braces (BibTeX's way to keep a name whole).
fn shown_name(name: &str) -> String {
    let name = name.trim();
    if name.starts_with('{') && NAMES.find(name).is_some_and(|body| body.as_str() == name) {
        return plain(name);
    }
    let name = plain(name);
    let part = |key: &str| {
        let mut parts = name.split(',').filter_map(|part| part.split_once('='));
        parts.find(|(name, _)| name.trim() == key).map(|(_, value)| value.trim())
    };
    match part("family") {
        Some(family) => [part("prefix"), Some(family)].into_iter().flatten().collect::<Vec<_>>().join(" "),
        None => Name::read(&name).family,
    }
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
static TEX_PARTS: LazyLock<Regex> = LazyLock::new(|| {
    let accent = r#"\\(?:(["'`^~=.])[{ ]*|([vucHkdr])[{ ]+)(?:\\([ij])\b|([^\\{}]))"#;
    Regex::new(&format!(r"(?s)\$[^$]*\$|{accent}|\\([A-Za-z]+) ?|\\(.)|---?|``|''|[{{}}~]")).expect("a fixed pattern")
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
        match &found[0] {
            "{" | "}" => String::new(),
            "~" => " ".to_owned(),
            "---" => "—".to_owned(),
            "--" => "–".to_owned(),
            "``" => "“".to_owned(),
            "''" => "”".to_owned(),
            // Mathematics stays as it is written, and `\emph{…}` is its words.
            whole => match (group(5), group(6)) {
                (Some(name), _) => written(name).unwrap_or(&whole[1 + name.len()..]).to_owned(),
                (_, Some(sign)) => written(sign).unwrap_or(sign).to_owned(),
                _ => whole.to_owned(),
            },
        }
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
