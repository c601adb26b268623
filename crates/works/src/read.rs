//! The entries of a file: a bibliography, the lists of a document, or one reference a line.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::entry::Entry;
use cited_core::citation::reference::pattern;
use cited_core::citation::remark::Remark;
use cited_core::citation::{self, KnownLabels, Label};
use cited_core::markdown::Document;
use cited_core::source::research::{BibtexEntry, Field, bibtex_entries, csl_fields, plain_tex};
use cited_text::Span;
use cited_text::lexicon::table;
use cited_text::lines::LineIndex;

/// What stands before the words of an entry: a bullet, a label.
static MARK: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^\s*(?:[-*+•]\s+)?(?:\\?\[\^?[^\]\s]{1,40}\\?\]:?|\(\d{1,4}\)|\d{1,4}[.)、])?\s*"));

/// The entries of a file, in order. `path` names it, and its ending says what it is.
///
/// ```
/// let entries = cited_works::entries_of("refs.bib", "@article{a, title = {Tides}, year = 2019}");
/// assert_eq!(entries[0].read.title.as_deref(), Some("Tides"));
/// ```
pub fn entries_of(path: &str, text: &str) -> Vec<Entry> {
    let ending = path.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).unwrap_or_default();
    let start = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    let mut entries = match ending.as_str() {
        "bib" | "bibtex" => of_bibtex(text),
        "ris" => of_ris(text),
        "json" => of_csl(text),
        "md" | "markdown" | "qmd" | "rmd" => of_markdown(text),
        _ if start.starts_with('@') && !bibtex_entries(start).is_empty() => of_bibtex(text),
        _ if start.starts_with("TY  -") => of_ris(text),
        _ if start.starts_with(['[', '{']) && serde_json::from_str::<Value>(text).is_ok() => of_csl(text),
        _ => Some(of_markdown(text)).filter(|entries| !entries.is_empty()).unwrap_or_else(|| of_lines(text)),
    };
    let lines = LineIndex::new(text);
    for entry in &mut entries {
        path.clone_into(&mut entry.file);
        entry.line = lines.line(entry.span.start);
    }
    entries
}

fn of_bibtex(text: &str) -> Vec<Entry> {
    let of =
        |one: BibtexEntry| Entry { span: one.span, ..Entry::of_fields("bibtex", &one.kind, &one.fields, plain_tex) };
    bibtex_entries(text).into_iter().map(of).collect()
}

fn of_csl(text: &str) -> Vec<Entry> {
    let value: Value = serde_json::from_str(text).unwrap_or_default();
    let items = value.as_array().or_else(|| value.get("items")?.as_array()).into_iter().flatten();
    let of = |item: &Value| {
        let kind = item.get("type").and_then(Value::as_str).unwrap_or_default();
        Entry::of_fields("csl", kind, &csl_fields(item), str::to_owned)
    };
    items.filter(|item| item.is_object()).map(of).collect()
}

fn of_ris(text: &str) -> Vec<Entry> {
    static ENTRY: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?ms)^\u{feff}?TY  -.*?^ER  -[^\n]*\n?"));
    let read = ENTRY.find_iter(text).map(|found| {
        let lines = found.as_str().lines().filter_map(|line| line.split_once("  -"));
        let lines: Vec<(&str, &str)> =
            lines.map(|(tag, value)| (tag.trim_matches(['\u{feff}', ' ']), value.trim())).collect();
        let all = |tag: &str| -> Vec<&str> {
            lines.iter().filter(|(own, value)| *own == tag && !value.is_empty()).map(|(_, value)| *value).collect()
        };
        let fields = table::cells(include_str!("data/fields.tsv")).filter_map(|cells| {
            let said = cells[1].split('|').map(all).find(|said| !said.is_empty())?;
            let said = if cells[0] == "author" { said.join(" and ") } else { said[0].to_owned() };
            Some((cells[0].to_owned(), said))
        });
        let fields: Vec<Field> = fields.collect();
        let kind = all("TY").concat();
        Entry { span: Span::new(found.start(), found.end()), ..Entry::of_fields("ris", &kind, &fields, str::to_owned) }
    });
    read.collect()
}

fn of_markdown(text: &str) -> Vec<Entry> {
    let document = Document::read(text);
    let citations = citation::read(&document, &KnownLabels::default());
    let all = citations.lists.iter().flat_map(|list| &list.entries);
    all.map(|listed| of_listed(&document, listed)).collect()
}

/// An entry of a list of a document.
pub fn of_listed(document: &Document, listed: &citation::Entry) -> Entry {
    let written = document.slice(listed.span);
    // What an earlier run wrote behind it says nothing of its work.
    let written = Remark::read(written).map_or(written, |(_, at)| &written[..at]);
    let mark = MARK.find(written).map_or(0, |mark| mark.end());
    let label = listed.label.as_ref().map(Label::to_string);
    Entry { label, span: listed.span, ..Entry::of_words(&written[mark..]) }
}

fn of_lines(text: &str) -> Vec<Entry> {
    let mut at = 0;
    let mut entries = Vec::new();
    for line in text.split_inclusive('\n') {
        let words = line.trim();
        if words.chars().filter(|c| c.is_alphabetic()).count() > 3 && !words.starts_with('#') {
            let mark = MARK.find(words).map_or(0, |mark| mark.end());
            let start = at + line.len() - line.trim_start().len();
            let label = Some((entries.len() + 1).to_string());
            entries.push(Entry {
                label,
                span: Span::new(start, start + words.len()),
                ..Entry::of_words(&words[mark..])
            });
        }
        at += line.len();
    }
    entries
}
