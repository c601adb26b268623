//! `check_references`: whether the works of a list exist, as written, by indexes of works.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::args::{Listed, Part, read_document};
use super::context::{Context, MOST_SOURCES};
use super::tool::{Annotations, Call, Tool, line, output_schema, schema, typed};
use crate::pipeline::of_look;
use crate::serve::problem::{Problem, Result};
use cited_works::{Account, Entry, Index, Kind, Outcome, Report, entries_of, look_up};

pub const TOOL: Tool = Tool {
    name: "check_references",
    title: "Check references",
    description: "Looks references up in indexes of works (Crossref, OpenAlex, DBLP, arXiv, PubMed and others): do the works exist, and are \
                  title, authors, year, venue and identifiers as written. Give a document or bibliography, or references as texts. `not-found` \
                  proves nothing, and `unasked` means that an index that could have the work did not answer. Words of the references are \
                  sent to the indexes.",
    annotations: Annotations { read_only: true, open_world: true },
    input: schema::<Input>,
    output: output_schema::<Output>,
    run: |context, arguments, call| typed((context, arguments, call), run, text),
};

/// References.
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
    /// Which part of the list is wanted.
    part: Part,
}

/// What became of references.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// `PASS`, `PASS WITH NOTES`, `FAIL` or `BLOCKED`.
    verdict: &'static str,
    /// How many entries there are of each outcome.
    counts: BTreeMap<&'static str, usize>,
    /// The entries: those that do not simply exist first.
    entries: Listed<cited_works::Listed>,
    /// What became of each index.
    indexes: BTreeMap<String, Account>,
}

fn run(context: &Context, input: &Input, call: &Call) -> Result<Output> {
    let mut entries = entries(context, input)?;
    entries.retain(|entry| input.kinds.is_empty() || input.kinds.contains(&entry.kind));
    Context::limit_length("references", entries.len(), MOST_SOURCES)?;
    let setup = context.asking()?;
    let all = setup.options.works.indexes;
    let is_wanted = |index: &&dyn Index| input.indexes.is_empty() || input.indexes.iter().any(|n| n == index.name());
    let indexes: Vec<&dyn Index> = all.iter().map(AsRef::as_ref).filter(is_wanted).collect();
    if indexes.is_empty() {
        let known: Vec<&str> = all.iter().map(|index| index.name()).collect();
        return Err(Problem::arguments(format!("`indexes` names none that is asked; there are {}", known.join(", "))));
    }
    let year = setup.options.now.to_zoned(jiff::tz::TimeZone::UTC).year();
    let looked = call.wait(look_up(&entries, &indexes, year))?;
    let Report { verdict, mut entries, indexes, .. } = Report::build(&entries, looked, &indexes, of_look);
    let mut counts = BTreeMap::new();
    for entry in &entries {
        *counts.entry(entry.look.outcome.as_str()).or_insert(0) += 1;
    }
    entries.sort_by_key(|entry| entry.look.outcome == Outcome::Exists);
    Ok(Output { verdict, counts, entries: input.part.take_from(entries), indexes })
}

fn text(output: &Output) -> String {
    let counts: Vec<String> = output.counts.iter().map(|(outcome, count)| format!("{count} {outcome}")).collect();
    let mut text = format!("{}: {} references: {}\n", output.verdict, output.entries.total, counts.join(", "));
    for entry in output.entries.entries.iter().filter(|entry| entry.look.outcome != Outcome::Exists) {
        let title = line(entry.entry.read.title.as_deref().unwrap_or_default());
        let differs = entry.look.differs.iter().map(ToString::to_string);
        let why: Vec<String> = differs.chain(entry.look.reason.clone()).map(|why| line(&why)).collect();
        text.push_str(&format!("- “{title}”: {} {}\n", entry.look.outcome.as_str(), why.join("; ")));
    }
    text
}

fn entries(context: &Context, input: &Input) -> Result<Vec<Entry>> {
    let (text, path) = (input.text.as_deref(), input.path.as_deref());
    let is_listed = !input.entries.is_empty();
    if is_listed && path.is_none() && text.is_none_or(|text| text.trim().is_empty()) {
        return Ok(input.entries.iter().map(|words| Entry::of_words(words)).collect());
    }
    let given = if is_listed { (None, None) } else { (text, path) };
    let (document, _) = read_document(context, "references", given, " or `entries`")?;
    let entries = entries_of(&document.path, &document.text);
    if entries.is_empty() {
        return Err(Problem::arguments("no references were found in it; give them as `entries`, each as a text"));
    }
    Ok(entries)
}
