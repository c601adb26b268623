//! JSON as agents and products write it: citation objects of three vendors, CSL-JSON, cited's own records and ledgers,
//! search results.
//!
//! Shapes are found wherever they stand in the document, so that a whole answer of an API may be given as it came:
//! Anthropic's `citations` (<https://docs.anthropic.com/en/docs/build-with-claude/citations>), `OpenAI`'s `url_citation`
//! annotations (<https://platform.openai.com/docs/guides/tools-web-search>), Gemini's grounding metadata
//! (<https://ai.google.dev/gemini-api/docs/google-search>).

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::bibliography;
use super::file::{Rating, Reading, ResearchFile, ResearchNote};
use crate::address::is_web;
use crate::citation::brackets::opens_aside;
use crate::citation::{Entry, Label, each_once};
use crate::finding::{Code, Finding};
use cited_text::sentence;
use cited_text::words::words;

pub(super) fn read(text: &str) -> ResearchFile {
    let mut reader = Reader::default();
    let text = text.trim_start_matches('\u{feff}');
    let mut is_broken = |error: String| {
        let message = format!("not readable as JSON: {error}");
        reader.read.file.findings.push(Finding::new(Code::UnusableEntry, message.clone()));
        reader.read.file.broken = Some(message);
    };
    // A value, or one a line.
    let values: Vec<_> = serde_json::Deserializer::from_str(text).into_iter::<Value>().collect();
    if values.is_empty() {
        is_broken("there is nothing in it".to_owned());
    }
    values.iter().filter_map(|value| value.as_ref().err()).for_each(|error| is_broken(error.to_string()));
    values.iter().flatten().for_each(|value| reader.walk(value, &[]));
    reader.read.file
}

#[derive(Default)]
struct Reader {
    read: Reading,
    /// Sources by the name that claims use for them.
    names: HashMap<String, usize>,
}

/// Whether what a citation covers is only its mark: `([title](address))`, `【3†source】`, nothing.
fn is_mark(covered: &str) -> bool {
    covered.starts_with(|c| c == '\u{E200}' || opens_aside(c))
        || covered.contains("://")
        || !covered.contains(char::is_whitespace)
}

/// The text of the first of `names` that the object has.
fn text<'a>(value: &'a Value, names: &[&str]) -> Option<&'a str> {
    names.iter().find_map(|name| value.get(name)?.as_str()).filter(|text| !text.trim().is_empty())
}

fn list<'a>(value: &'a Value, names: &[&str]) -> Option<&'a [Value]> {
    names.iter().find_map(|name| value.get(name)?.as_array()).map(Vec::as_slice)
}

fn number(value: &Value, names: &[&str]) -> Option<usize> {
    names.iter().find_map(|name| value.get(name)?.as_u64()).and_then(|number| usize::try_from(number).ok())
}

impl Reader {
    /// `around` are the sources of the object that holds the value.
    fn walk(&mut self, value: &Value, around: &[usize]) {
        value.as_array().into_iter().flatten().for_each(|item| self.walk(item, around));
        let Value::Object(fields) = value else { return };
        // Each of these says whether the object is of its kind, and then has read it.
        if !(self.gemini(value) || self.openai(value) || bibliography::read_csl(&mut self.read.file, value)) {
            self.object(value, fields, around);
        }
    }

    fn entry(&mut self, label: Option<Label>, title: &str, addresses: &[&str]) -> usize {
        // As browsers read them, and as a brief can hold them.
        let as_read = |address: &&str| address.trim().replace(char::is_control, "").replace(' ', "%20");
        let addresses: Vec<String> = addresses.iter().map(as_read).filter(|address| is_web(address)).collect();
        self.read.add(Entry { label, title: title.trim().to_owned(), addresses, ..Entry::default() })
    }

    fn note(&mut self, words: &str, entries: Vec<usize>, verbatim: bool, label: Option<String>) {
        let text = words.split_whitespace().collect::<Vec<_>>().join(" ");
        if !text.is_empty() {
            self.read.file.notes.push(ResearchNote { text, entries, verbatim, label, ..ResearchNote::default() });
        }
    }

    /// A source without an address, known by a name.
    fn named(&mut self, name: &str, title: &str) -> usize {
        if let Some(at) = self.names.get(name) {
            return *at;
        }
        let at = self.entry(Label::parse(name), title, &[name]);
        self.names.insert(name.to_owned(), at);
        at
    }

    /// A text with `annotations`: each stands after the words that it supports.
    fn openai(&mut self, value: &Value) -> bool {
        let (Some(words), Some(annotations)) = (text(value, &["text", "content"]), list(value, &["annotations"]))
        else {
            return false;
        };
        let bounds: Vec<usize> = words.char_indices().map(|(at, _)| at).chain([words.len()]).collect();
        let mut from = 0;
        let before = self.read.file.notes.len();
        for annotation in annotations {
            let object = annotation.get("url_citation").unwrap_or(annotation);
            let Some(at) = self.source_object(object) else { continue };
            // Offsets count characters.
            let offset = |name: &str| number(object, &[name]).map(|at| bounds.get(at).copied().unwrap_or(words.len()));
            let (Some(start), Some(end)) = (offset("start_index"), offset("end_index")) else { continue };
            let end = end.max(start);
            let piece = words[if start < from { 0 } else { from }..start].trim_end_matches(['(', '[', ' ', ',']);
            // The range is that of the citation's mark, or of the words that it supports.
            let covered = words[start..end].trim();
            let before_mark = || sentence::sentences(piece).last().map(|span| span.slice(piece));
            match if is_mark(covered) { before_mark() } else { Some(covered) } {
                Some(words) => self.note(words, vec![at], false, None),
                // Two citations in a row support the same words.
                None => self.read.file.notes[before..].last_mut().into_iter().for_each(|note| note.entries.push(at)),
            }
            from = end;
        }
        true
    }

    /// Grounding metadata: segments of the answer with the chunks that support them. Offsets count bytes.
    fn gemini(&mut self, value: &Value) -> bool {
        let metadata = value.get("groundingMetadata").or_else(|| value.get("grounding_metadata")).unwrap_or(value);
        let Some(chunks) = list(metadata, &["groundingChunks", "grounding_chunks"]) else { return false };
        let mut entry = |chunk: &Value| {
            let kinds = ["web", "retrievedContext", "retrieved_context", "maps"];
            kinds.iter().find_map(|kind| chunk.get(kind)).and_then(|page| self.source_object(page))
        };
        let entries: Vec<Option<usize>> = chunks.iter().map(&mut entry).collect();
        for support in list(metadata, &["groundingSupports", "grounding_supports"]).unwrap_or_default() {
            let Some(segment) = support.get("segment") else { continue };
            let place = |names: [&str; 2]| number(segment, &names).unwrap_or(0);
            let part = format!("/content/parts/{}/text", place(["partIndex", "part_index"]));
            let part = value.pointer(&part).and_then(Value::as_str).unwrap_or_default();
            let (start, end) = (place(["startIndex", "start_index"]), place(["endIndex", "end_index"]));
            let Some(words) = text(segment, &["text"]).or_else(|| part.get(start..end)) else { continue };
            let indices = list(support, &["groundingChunkIndices", "grounding_chunk_indices"]).unwrap_or_default();
            let source = |index: &Value| *entries.get(usize::try_from(index.as_u64()?).ok()?)?;
            let sources: Vec<usize> = indices.iter().filter_map(source).collect();
            if !sources.is_empty() {
                self.note(words, sources, false, None);
            }
        }
        true
    }

    /// `{"id" | "number", "title", "url", "aliases"}`, or a document that was cited without an address.
    fn source_object(&mut self, source: &Value) -> Option<usize> {
        let Some(address) = text(source, &ADDRESSES) else {
            let title =
                text(source, &["document_title"]).or(text(source, &["cited_text"]).and(text(source, &["title"])));
            let number = || Some(format!("document {}", number(source, &["document_index", "search_result_index"])?));
            let name = title.map(str::to_owned).or_else(number)?;
            return Some(self.named(&name, &name));
        };
        let mut addresses = vec![address];
        addresses.extend(list(source, &["aliases"]).unwrap_or_default().iter().filter_map(Value::as_str));
        let number = number(source, &["number", "index", "id"]).map(|number| number.to_string());
        let id = text(source, &["id", "sourceId", "source_id"]).map(str::to_owned);
        let names: Vec<String> = number.into_iter().chain(id).collect();
        let label = names.first().and_then(|name| Label::parse(name));
        let at = self.entry(label, text(source, &TITLES).unwrap_or_default(), &addresses);
        self.names.extend(names.into_iter().map(|name| (name, at)));
        Some(at)
    }

    /// The sources that a field names: an object with an address, an address, or the name of one that stands in a list.
    fn sources_named(&mut self, name: &str, value: &Value, title: &str) -> Vec<usize> {
        match value {
            Value::Array(items) => items.iter().flat_map(|item| self.sources_named(name, item, title)).collect(),
            Value::Object(_) => self.source_object(value).into_iter().collect(),
            Value::String(said) if is_web(said) => vec![self.named(said, title)],
            Value::String(said) if name == "sourceId" || self.names.contains_key(said) => vec![self.named(said, said)],
            Value::Number(said) => self.names.get(&said.to_string()).copied().into_iter().collect(),
            _ => Vec::new(),
        }
    }

    /// Any other object, of a ledger, of search results, of an agent's own making: what it states stands on the source that it names,
    /// else on that of the object around it.
    fn object(&mut self, value: &Value, fields: &Map<String, Value>, around: &[usize]) {
        let stated: Vec<(&str, &str)> = fields.iter().flat_map(|(name, value)| statements_of(name, value)).collect();
        let titled = text(value, &TITLES).unwrap_or_default();
        let mut named = |names: &[&str]| -> Vec<usize> {
            let fields = names.iter().filter_map(|name| fields.get_key_value(*name));
            fields.flat_map(|(name, value)| self.sources_named(name, value, titled)).collect()
        };
        // A list of sources comes before what names them by their names there.
        let listed = named(&LISTS);
        let mut own = if text(value, &ADDRESSES).is_some() { Vec::new() } else { each_once(named(&NAMED)) };
        if own.is_empty() && (!titled.is_empty() || !stated.is_empty()) {
            own.extend(self.source_object(value));
        }
        if own.is_empty() && stated.iter().any(|(name, _)| STATEMENTS.contains(name)) {
            own = listed;
        }
        if let ([entry], Some(words)) = (own.as_slice(), text(value, &["confidence", "credibility", "reliability"])) {
            let rating = Rating { confidence: Some(words.to_owned()), ..Rating::default() };
            self.read.rate(*entry, String::new(), rating);
        }
        let sources = if own.is_empty() { around } else { &own };
        let beside = fields.iter().filter(|(name, _)| !is_about_source(name) || WITH_EXCERPTS.contains(&name.as_str()));
        beside.for_each(|(_, inner)| self.walk(inner, sources));
        // A record of cited says whether it found its claim.
        let verified =
            value.get("verified").and_then(Value::as_bool).map(|yes| if yes { "verified" } else { "unverified" });
        let label = text(value, &["status", "label"]).or(verified);
        for (name, said) in stated.iter().filter(|_| !sources.is_empty() || verified.is_some()) {
            let verbatim = EXCERPTS.contains(name);
            self.note(said, sources.to_vec(), verbatim, label.filter(|_| !verbatim).map(str::to_owned));
        }
    }
}

/// Fields with the address of a source, with its title, and with words of its page.
const ADDRESSES: [&str; 7] = ["url", "address", "uri", "link", "URL", "href", "source_url"];
const TITLES: [&str; 3] = ["title", "name", "source_title"];
const EXCERPTS: [&str; 7] = ["quote", "excerpt", "snippet", "highlights", "content", "cited_text", "source_passage"];

/// Fields with a statement, however short it is.
const STATEMENTS: [&str; 6] = ["claim", "statement", "finding", "fact", "text", "claim_text"];

/// Fields with a list of sources, with the sources of what stands beside them, and those of both in which words of a page stand.
const LISTS: [&str; 3] = ["sources", "references", "citations"];
const NAMED: [&str; 7] = ["sourceId", "source_id", "source", "reference", "citation", "evidence", "sources_reconciled"];
const WITH_EXCERPTS: [&str; 2] = ["citations", "sources_reconciled"];

/// Fields with who wrote a source, with what was asked for when it was found, with what kind of object it is, and with remarks on it.
const BESIDES: [&str; 5] = ["author", "authors", "query", "type", "notes"];

/// Words of a statement that no name of a field announces.
const FEWEST_WORDS: usize = 4;

/// Whether a field says where something is from, and not what.
fn is_about_source(name: &str) -> bool {
    [&ADDRESSES[..], &TITLES, &LISTS, &NAMED, &BESIDES].concat().contains(&name)
}

/// The statements of a field: a text, or each of a list of texts.
fn statements_of<'a>(name: &'a str, value: &'a Value) -> impl Iterator<Item = (&'a str, &'a str)> {
    let is_announced = EXCERPTS.contains(&name) || STATEMENTS.contains(&name);
    let states = move |said: &&str| {
        !said.contains("://") && (is_announced || words(said).nth(FEWEST_WORDS - 1).is_some()) && !is_about_source(name)
    };
    let all = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
    all.iter().filter_map(Value::as_str).filter(states).map(move |said| (name, said))
}
