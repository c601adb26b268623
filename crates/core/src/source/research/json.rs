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
use super::file::{Rated, ResearchFile, ResearchNote};
use super::rating::Rating;
use crate::address::identity::{Key, key_of};
use crate::address::is_web;
use crate::citation::brackets::opens_aside;
use crate::citation::{Entry, Label};
use crate::finding::{Code, Finding};
use cited_text::sentence;
use cited_text::words::words;

pub(super) fn read(text: &str) -> ResearchFile {
    let mut reader = Reader::default();
    let text = text.trim_start_matches('\u{feff}');
    match serde_json::from_str::<Value>(text) {
        Ok(value) => reader.walk(&value, &[]),
        Err(error) => {
            let lines = text.lines().filter(|line| !line.trim().is_empty());
            let lines: Vec<Option<Value>> = lines.map(|line| serde_json::from_str(line).ok()).collect();
            if lines.is_empty() || lines.iter().any(Option::is_none) {
                let message = format!("not readable as JSON: {error}");
                reader.file.findings.push(Finding::new(Code::UnusableEntry, message.clone()));
                reader.file.broken = Some(message);
            }
            for value in lines.iter().flatten() {
                reader.walk(value, &[]);
            }
        }
    }
    reader.file
}

#[derive(Default)]
struct Reader {
    file: ResearchFile,
    entries: HashMap<Key, usize>,
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
        match value {
            Value::Array(items) => items.iter().for_each(|item| self.walk(item, around)),
            Value::Object(fields) => {
                let taken = self.gemini(value)
                    || self.record(value)
                    || self.anthropic(value)
                    || self.openai(value)
                    || bibliography::read_csl(&mut self.file, value);
                if !taken {
                    self.object(value, fields, around);
                }
            }
            _ => {}
        }
    }

    fn entry(&mut self, label: Option<Label>, title: &str, addresses: &[&str]) -> usize {
        // As browsers read them, and as a brief can hold them.
        let as_read = |address: &&str| address.trim().replace(char::is_control, "").replace(' ', "%20");
        let addresses: Vec<String> = addresses.iter().map(as_read).filter(|address| is_web(address)).collect();
        // Two names in a bibliography may be of one work: each is one that a text cites it by.
        let is_other = |own: &Option<Label>| own.is_some() && label.is_some() && *own != label;
        let known = addresses.iter().find_map(|address| self.entries.get(&key_of(address)).copied());
        let known = known.filter(|at| !is_other(&self.file.entries[*at].label));
        let at = known.unwrap_or_else(|| {
            self.file.entries.push(Entry { label: label.clone(), ..Entry::default() });
            self.file.entries.len() - 1
        });
        let entry = &mut self.file.entries[at];
        if entry.title.is_empty() {
            title.trim().clone_into(&mut entry.title);
        }
        entry.label = entry.label.take().or(label);
        for address in addresses {
            self.entries.entry(key_of(&address)).or_insert(at);
            if !entry.addresses.contains(&address) {
                entry.addresses.push(address);
            }
        }
        at
    }

    fn note(&mut self, words: &str, entries: Vec<usize>, verbatim: bool, label: Option<String>) {
        let text = words.split_whitespace().collect::<Vec<_>>().join(" ");
        if !text.is_empty() {
            self.file.notes.push(ResearchNote { text, entries, verbatim, label, ..ResearchNote::default() });
        }
    }

    /// A text block with `citations`: the text stands on all of them, and each has its cited words.
    fn anthropic(&mut self, value: &Value) -> bool {
        let (Some(words), Some(citations)) = (text(value, &["text"]), list(value, &["citations"])) else {
            // A citation by itself: a stream's delta, an excerpt of an answer.
            return text(value, &["cited_text"]).is_some() && self.anthropic_citation(value).is_some();
        };
        let entries: Vec<usize> = citations.iter().filter_map(|citation| self.anthropic_citation(citation)).collect();
        if !entries.is_empty() {
            self.note(words, entries, false, None);
        }
        true
    }

    fn anthropic_citation(&mut self, citation: &Value) -> Option<usize> {
        let cited = text(citation, &["cited_text"])?;
        let address =
            text(citation, &["url"]).or_else(|| text(citation, &["source"]).filter(|source| source.contains("://")));
        let title = text(citation, &["title", "document_title"]);
        let at = match (address, title, number(citation, &["document_index", "search_result_index"])) {
            (Some(address), title, _) => self.entry(None, title.unwrap_or_default(), &[address]),
            (None, Some(title), _) => self.named(title, title),
            (None, None, Some(index)) => self.named(&format!("document {index}"), &format!("document {index}")),
            (None, None, None) => return None,
        };
        self.note(cited, vec![at], true, None);
        Some(at)
    }

    /// A source without an address, known by a name.
    fn named(&mut self, name: &str, title: &str) -> usize {
        if let Some(at) = self.names.get(name) {
            return *at;
        }
        let at = if is_web(name) {
            self.entry(Label::parse(name), title, &[name])
        } else {
            self.entry(Label::parse(name), title, &[])
        };
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
        let mut last: Option<usize> = None;
        for annotation in annotations {
            let object = annotation.get("url_citation").unwrap_or(annotation);
            let Some(address) = text(object, &["url"]) else { continue };
            let at = self.entry(None, text(object, &["title"]).unwrap_or_default(), &[address]);
            // Offsets count characters.
            let offset = |name: &str| number(object, &[name]).map(|at| bounds.get(at).copied().unwrap_or(words.len()));
            let (Some(start), Some(end)) = (offset("start_index"), offset("end_index")) else { continue };
            let end = end.max(start);
            if start < from {
                from = 0;
            }
            let piece = words[from..start].trim_end_matches(['(', '[', ' ', ',']);
            // The range is that of the citation's mark, or of the words that it supports. Two citations in a row support the same
            // words.
            let covered = words[start..end].trim();
            let supported = if is_mark(covered) {
                sentence::sentences(piece).last().map(|span| span.slice(piece))
            } else {
                Some(covered)
            };
            match (supported, last) {
                (Some(words), _) => {
                    self.note(words, vec![at], false, None);
                    last = Some(self.file.notes.len() - 1);
                }
                (None, Some(note)) => {
                    if let Some(note) = self.file.notes.get_mut(note)
                        && !note.entries.contains(&at)
                    {
                        note.entries.push(at);
                    }
                }
                (None, None) => {}
            }
            from = end;
        }
        true
    }

    /// Grounding metadata: segments of the answer with the chunks that support them. Offsets count bytes.
    fn gemini(&mut self, value: &Value) -> bool {
        let metadata = value.get("groundingMetadata").or_else(|| value.get("grounding_metadata")).unwrap_or(value);
        let Some(chunks) = list(metadata, &["groundingChunks", "grounding_chunks"]) else { return false };
        let entries: Vec<Option<usize>> = chunks
            .iter()
            .map(|chunk| {
                let page =
                    ["web", "retrievedContext", "retrieved_context", "maps"].iter().find_map(|kind| chunk.get(kind))?;
                let address = text(page, &["uri", "url"])?;
                Some(self.entry(None, text(page, &["title"]).unwrap_or_default(), &[address]))
            })
            .collect();
        let parts: Vec<&str> = value
            .get("content")
            .and_then(|content| list(content, &["parts"]))
            .unwrap_or_default()
            .iter()
            .map(|part| text(part, &["text"]).unwrap_or_default())
            .collect();
        for support in list(metadata, &["groundingSupports", "grounding_supports"]).unwrap_or_default() {
            let Some(segment) = support.get("segment") else { continue };
            let part =
                parts.get(number(segment, &["partIndex", "part_index"]).unwrap_or(0)).copied().unwrap_or_default();
            let start = number(segment, &["startIndex", "start_index"]).unwrap_or(0);
            let end = number(segment, &["endIndex", "end_index"]).unwrap_or(0);
            let Some(words) = text(segment, &["text"]).or_else(|| part.get(start..end)) else { continue };
            let indices = list(support, &["groundingChunkIndices", "grounding_chunk_indices"]).unwrap_or_default();
            let sources: Vec<usize> = indices
                .iter()
                .filter_map(|index| entries.get(usize::try_from(index.as_u64()?).ok()?).copied().flatten())
                .collect();
            if !sources.is_empty() {
                self.note(words, sources, false, None);
            }
        }
        true
    }

    /// A record of cited, or structured claim-source mapping of the same shape.
    fn record(&mut self, value: &Value) -> bool {
        let Some(verifications) = list(value, &["verifications"]) else { return false };
        for source in list(value, &["sources"]).unwrap_or_default() {
            self.source_object(source);
        }
        for verification in verifications {
            let mut entries = Vec::new();
            for reconciled in list(verification, &["sources_reconciled"]).unwrap_or_default() {
                let Some(address) = text(reconciled, &["source_url"]) else { continue };
                let at = self.entry(None, text(reconciled, &["source_title", "title"]).unwrap_or_default(), &[address]);
                if let Some(passage) = text(reconciled, &["source_passage"]) {
                    self.note(passage, vec![at], true, None);
                }
                if !entries.contains(&at) {
                    entries.push(at);
                }
            }
            let verified = verification.get("verified").and_then(Value::as_bool).unwrap_or(false);
            let label = if verified { "verified" } else { "unverified" };
            if let Some(claim) = text(verification, &["claim_text"]) {
                self.note(claim, entries, false, Some(label.to_owned()));
            }
        }
        true
    }

    /// `{"id" | "number", "title", "url", "aliases"}`
    fn source_object(&mut self, source: &Value) -> Option<usize> {
        let address = text(source, &ADDRESSES)?;
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
        let has_address = text(value, &ADDRESSES).is_some();
        let mut named = |names: &[&str]| -> Vec<usize> {
            let fields = names.iter().filter_map(|name| fields.get_key_value(*name));
            fields.flat_map(|(name, value)| self.sources_named(name, value, titled)).collect()
        };
        // A list of sources comes before what names them by their names there.
        let listed = named(&LISTS);
        let mut own = if has_address { Vec::new() } else { named(&NAMED) };
        if has_address && (!titled.is_empty() || !stated.is_empty()) {
            own.extend(self.source_object(value));
        } else if own.is_empty() && stated.iter().any(|(name, _)| STATEMENTS.contains(name)) {
            own = listed;
        }
        self.rate(value, &own);
        let sources = if own.is_empty() { around } else { &own };
        let label = text(value, &["status", "label"]);
        for (name, said) in stated.iter().filter(|_| !sources.is_empty()) {
            let verbatim = EXCERPTS.contains(name);
            self.note(said, sources.to_vec(), verbatim, label.filter(|_| !verbatim).map(str::to_owned));
        }
        let beside = fields.iter().filter(|(name, _)| !is_about_source(name));
        beside.for_each(|(_, inner)| self.walk(inner, sources));
    }

    /// What an object says of how good its source is.
    fn rate(&mut self, value: &Value, sources: &[usize]) {
        let said = |names: &[&str]| {
            let number = || names.iter().find_map(|name| value.get(name)?.as_f64()).map(|number| format!("{number:?}"));
            text(value, names).map(str::to_owned).or_else(number)
        };
        let rating = Rating {
            kind: said(&["source_type", "type", "tier"]),
            confidence: said(&["confidence", "credibility", "reliability"]),
            coverage: said(&["coverage"]),
            weight: said(&["importance", "critical"]),
        };
        if let [entry] = *sources
            && !rating.is_empty()
        {
            self.file.ratings.push(Rated { entry, of: String::new(), rating });
        }
    }
}

/// Fields with the address of a source, with its title, and with words of its page.
const ADDRESSES: [&str; 7] = ["url", "address", "uri", "link", "URL", "href", "source_url"];
const TITLES: [&str; 3] = ["title", "name", "source_title"];
const EXCERPTS: [&str; 6] = ["quote", "excerpt", "snippet", "highlights", "content", "cited_text"];

/// Fields with a statement, however short it is.
const STATEMENTS: [&str; 5] = ["claim", "statement", "finding", "fact", "text"];

/// Fields with a list of sources, and with the sources of what stands beside them.
const LISTS: [&str; 3] = ["sources", "references", "citations"];
const NAMED: [&str; 6] = ["sourceId", "source_id", "source", "reference", "citation", "evidence"];

/// Fields with who wrote a source, and with what was asked for when it was found.
const BESIDES: [&str; 3] = ["author", "authors", "query"];

/// Words of a statement that no name of a field announces.
const FEWEST_WORDS: usize = 4;

/// Whether a field says where something is from, and not what.
fn is_about_source(name: &str) -> bool {
    [&ADDRESSES[..], &TITLES, &LISTS, &NAMED, &BESIDES].concat().contains(&name)
}

/// The statements of a field: a text, or each of a list of texts.
fn statements_of<'a>(name: &'a str, value: &'a Value) -> Vec<(&'a str, &'a str)> {
    match value {
        Value::Array(items) => {
            items.iter().filter(|item| item.is_string()).flat_map(|item| statements_of(name, item)).collect()
        }
        Value::String(said) if !is_about_source(name) && !said.contains("://") => {
            let is_announced = EXCERPTS.contains(&name) || STATEMENTS.contains(&name);
            (is_announced || words(said).nth(FEWEST_WORDS - 1).is_some())
                .then_some((name, said.as_str()))
                .into_iter()
                .collect()
        }
        _ => Vec::new(),
    }
}
