//! `check_references`: whether the works of a list exist, as written, by indexes of works.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::args::read_document;
use super::tool::{Answer, Call, Context, MOST_SOURCES};
use crate::serve::problem::{Problem, Result};
use cited_report::works;
use cited_works::{Entry, Kind, Report, entries_of};

/// Looks references up in indexes of works (Crossref, OpenAlex, DBLP, arXiv, PubMed and others): do the works exist, and are title,
/// authors, year, venue and identifiers as written. Give a document or bibliography, or references as texts. `not-found` proves nothing,
/// and `unasked` means that an index that could have the work did not answer. Words of the references are sent to the indexes.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Input {
    /// A Markdown document with a list, BibTeX, RIS, CSL-JSON, or one reference a line. Give one of `text`, `path` and `entries`.
    text: Option<String>,
    /// In place of `text`: its file, inside a folder that the service opened.
    path: Option<String>,
    /// In place of a document: references, each as one would write it into a list.
    entries: Vec<String>,
    /// The kinds of works to look up; all unless you say so.
    kinds: Vec<Kind>,
    /// The indexes to ask, by their names; all unless you say so.
    indexes: Vec<String>,
}

/// What became of references.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// The report; `cited schema works` has its shape.
    #[serde(flatten)]
    #[schemars(with = "serde_json::Map<String, serde_json::Value>")]
    report: Report,
}

pub fn run(context: &Context, input: &Input, call: &Call) -> Result<Answer> {
    let (text, path, is_listed) = (input.text.as_deref(), input.path.as_deref(), !input.entries.is_empty());
    let mut entries: Vec<Entry> = input.entries.iter().map(|words| Entry::of_words(words)).collect();
    if !is_listed || path.is_some() || text.is_some_and(|text| !text.trim().is_empty()) {
        let given = if is_listed { (None, None) } else { (text, path) };
        let (document, _) = read_document(context, "references", given, " or `entries`")?;
        entries = entries_of(&document.path, &document.text);
        if entries.is_empty() {
            return Err(Problem::arguments("no references were found in it; give them as `entries`, each as a text"));
        }
    }
    entries.retain(|entry| input.kinds.is_empty() || input.kinds.contains(&entry.kind));
    Context::limit_length("references", entries.len(), MOST_SOURCES)?;
    let setup = context.asking()?;
    let known: Vec<&str> = setup.options.indexes.iter().map(|index| index.name()).collect();
    if !input.indexes.is_empty() && !input.indexes.iter().any(|name| known.contains(&name.as_str())) {
        return Err(Problem::arguments(format!("`indexes` names none that is asked; there are {}", known.join(", "))));
    }
    let report = call.wait(setup.look_up(&entries, &input.indexes))?;
    Answer::new(&works::sheet(&report).text(), &Output { report })
}
