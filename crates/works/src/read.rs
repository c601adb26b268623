//! The entries of a file: a bibliography, the lists of a document, or one reference a line.

use serde_json::Value;

use super::entry::Entry;
use super::kind::Kind;
use cited_core::citation::heading::list_heading;
use cited_core::citation::reference::Reference;
use cited_core::citation::remark::Remark;
use cited_core::citation::{self, KnownLabels, Label};
use cited_core::markdown::{BlockKind, Document};
use cited_core::pattern::Pattern;
use cited_core::source::research::{BibtexEntry, Field, bibtex_entries, csl_fields, plain_tex};
use cited_text::lexicon::table;
use cited_text::lines::LineIndex;
use cited_text::{Span, Spans};

/// What stands before the words of an entry: a bullet, a label.
static MARK: Pattern =
    Pattern::new(r"^\s*(?:[-*+•]\s+)?(?:\\?\[\^?[^\]\s]{1,40}\\?\]:?|\(\d{1,4}\)|\d{1,4}[.)、])?\s*");

/// The level of a heading that is a line of its own.
const LINE: u8 = 7;
/// A reference has no more words.
const LONGEST: usize = 100;
/// An item of so few words is the head of a group.
const FEWEST: usize = 3;

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
        "md" | "markdown" | "qmd" | "rmd" => of_markdown(text, true),
        _ if start.starts_with('@') && !bibtex_entries(start).is_empty() => of_bibtex(text),
        _ if start.starts_with("TY  -") => of_ris(text),
        _ if start.starts_with(['[', '{']) && serde_json::from_str::<Value>(text).is_ok() => of_csl(text),
        _ => Some(of_markdown(text, false))
            .filter(|entries| !entries.is_empty())
            .unwrap_or_else(|| of_lines(text, Span::new(0, text.len()))),
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
    static ENTRY: Pattern = Pattern::new(r"(?ms)^\u{feff}?TY  -.*?^ER  -[^\n]*\n?");
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

/// The entries of the lists of a document, and what is written like them elsewhere; of the latter none where there is no list and it may be no
/// Markdown.
fn of_markdown(text: &str, is_markdown: bool) -> Vec<Entry> {
    let document = Document::read(text);
    let citations = citation::read(&document, &KnownLabels::default());
    let all = citations.lists.iter().flat_map(|list| &list.entries);
    let mut entries: Vec<Entry> = all.map(|listed| of_listed(&document, listed)).collect();
    let listed: Spans = entries.iter().map(|entry| entry.span).collect();
    let is_read = is_markdown || !entries.is_empty();
    // The level of the heading of sources above.
    let mut headed: Option<u8> = None;
    for (id, block) in document.leaves().filter(|_| is_read) {
        let content = document.content_span(id);
        let level = match block.kind {
            BlockKind::Heading(level) => level,
            BlockKind::Paragraph => LINE,
            _ => continue,
        };
        let names_sources = list_heading(document.slice(content)).is_some();
        if level < LINE || names_sources {
            headed = if names_sources { Some(level) } else { headed.filter(|above| *above < level) };
            continue;
        }
        let mut around = document.ancestors(id).map(|id| document.block(id));
        let item = around.find(|block| matches!(block.kind, BlockKind::Item | BlockKind::FootnoteDefinition(_)));
        let part = Span::new(item.map_or(content, |item| item.span).start, content.end);
        // What follows in an item are notes on it.
        if listed.overlap(part) || entries.last().is_some_and(|last| last.span.start == part.start) {
            continue;
        }
        let lines = of_lines(document.text(), part);
        let are_entries = lines.iter().all(|entry| is_sure(&entry.read));
        for entry in if are_entries { lines } else { vec![of_part(document.text(), part)] } {
            let is_item = headed.is_some() && item.is_some() && counted(&entry.read) > FEWEST;
            let is_listed = is_sure(&entry.read) || headed.is_some() && is_likely(&entry.read) || is_item;
            if is_listed || is_likely(&entry.read) {
                // The words of others may be the document's own: they are told, and sent nowhere.
                let kind = if is_listed { entry.kind } else { Kind::Unlisted };
                entries.push(Entry { label: None, kind, ..entry });
            }
        }
    }
    entries.sort_by_key(|entry| entry.span.start);
    entries
}

fn counted(read: &Reference) -> usize {
    read.words.split_whitespace().count()
}

/// Whether words are surely a reference: they name somebody, a title and a year.
fn is_sure(read: &Reference) -> bool {
    let signed = read.others || read.authors.len() > 1 || read.authors.iter().any(|name| !name.given.is_empty());
    let is_title = |title: &String| !title.starts_with(char::is_lowercase);
    signed && read.year.is_some() && read.title.as_ref().is_some_and(is_title) && counted(read) <= LONGEST
}

/// Whether they look like one: with a year, and an issue or a range of pages.
fn is_likely(read: &Reference) -> bool {
    let is_range = || read.pages.as_ref().is_some_and(|pages| pages.contains('–'));
    read.year.is_some() && (read.issue.is_some() || is_range()) && counted(read) <= LONGEST
}

/// An entry of a list of a document.
pub fn of_listed(document: &Document, listed: &citation::Entry) -> Entry {
    Entry { label: listed.label.as_ref().map(Label::to_string), ..of_part(document.text(), listed.span) }
}

/// The entry that stands in a part of a text.
fn of_part(text: &str, span: Span) -> Entry {
    let written = span.slice(text);
    // What an earlier run wrote behind it says nothing of its work.
    let written = Remark::read(written).map_or(written, |(_, at)| &written[..at]);
    let mark = MARK.find(written).map_or(0, |mark| mark.end());
    Entry { span, ..Entry::of_words(&written[mark..]) }
}

/// One entry a line of a part of a text.
fn of_lines(text: &str, part: Span) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut at = part.start;
    for line in part.slice(text).split_inclusive('\n') {
        let words = line.trim();
        if words.chars().filter(|c| c.is_alphabetic()).count() > 3 && !words.starts_with('#') {
            let start = at + line.len() - line.trim_start().len();
            let label = Some((entries.len() + 1).to_string());
            entries.push(Entry { label, ..of_part(text, Span::new(start, start + words.len())) });
        }
        at += line.len();
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::{Kind, entries_of};

    #[test]
    fn what_is_written_like_an_entry_is_read_wherever_it_stands_and_prose_is_not() {
        let text = "\
# Shores

In 2019, 45 of 3,200 shores were counted (Doe, 2019), 12(3), 4–9.

Doe, J. (2019) found that tides move.

- **Tides** — about 3,200 in 2019
- Coast, 3(2), 7–9, 2019

## Medicine

1. Doe J, Roe AK. Reefs of the far coast. Coast Med. 2017;3(2):1-9.
   A note of 2018, 4(5), 6–7.
2. POE, Ed. **Gulls that count**. 2. ed. Lindos: Harrow, 2018.

## Reading list

- Doe, J. (2019). *Tides of the far coast*. Harrow.
- Harrow and Finch, The Tide Almanac
- Others

Roe, A. K. (2020). Nets of the far coast. *Coast*, 3(2), 1–9.
Poe, E. (2021). Gulls of the far coast. *Coast*, 3(2), 1–9.

Prose on the above.

# Notes

[^1]: Moe, Ida. “Kelp of the far coast.” *Coast* 91 (1986): 53–75.
";
        let entries = entries_of("shores.md", text);
        let read: Vec<(usize, &str, bool)> = entries
            .iter()
            .map(|entry| {
                let title = entry.read.title.as_deref().unwrap_or(&entry.read.words);
                (entry.line, title, entry.kind == Kind::Unlisted)
            })
            .collect();
        let expected = [
            (8, "Coast, 3(2), 7–9, 2019", true),
            (12, "Reefs of the far coast", false),
            (14, "Gulls that count", false),
            (18, "Tides of the far coast", false),
            (19, "Harrow and Finch, The Tide Almanac", false),
            (22, "Nets of the far coast", false),
            (23, "Gulls of the far coast", false),
            (29, "Kelp of the far coast", false),
        ];
        assert_eq!(read, expected);
    }
}
