//! `show_source`: what cited sees of one page: whether it is there, every hop, its text.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::args::{PageRef, head, read_pages};
use super::context::Context;
use super::tool::{Annotations, Call, Tool, line, output_schema, schema, typed};
use crate::serve::problem::{Problem, Result};
use crate::setup::read_page::ReadPage;
use cited_core::outcome::{ArchiveCopy, Fetched, Hop, Outcome};
use cited_core::page::Page;

pub const TOOL: Tool = Tool {
    name: "show_source",
    title: "Show a source",
    description: "Reads one page as cited does and shows what it sees: whether the page is there and why it thinks so, every redirect, the \
                  archived copy that stands in for it, title, dates, and its text in parts. Use it to look for the words that a claim \
                  stands on.",
    annotations: Annotations { read_only: true, open_world: true },
    input: schema::<Input>,
    output: output_schema::<Output>,
    run: |context, arguments, call| typed((context, arguments, call), run, text),
};

/// Characters of text that are given unless the caller says how many.
const CHARS: usize = 4000;
/// Characters of text that are given at most.
const MOST_CHARS: usize = 200_000;

/// A page, and which part of its text.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Its address.
    url: String,
    /// Where the part of the text begins, in bytes: the `next_offset` of the part before.
    #[serde(default)]
    offset: usize,
    /// How many characters of text to give, at most 200000. 4000 unless you say so.
    max_chars: Option<usize>,
}

/// What is seen of a page.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// The address as it was named.
    source: String,
    /// What asking gave.
    outcome: Outcome,
    /// Why, in words; empty for a page that is simply there.
    reason: String,
    /// The rule that decided.
    rule: String,
    /// The signs that the rule rests on.
    signs: Vec<String>,
    /// Every request on the way.
    hops: Vec<Hop>,
    /// Where the way ended.
    final_url: Option<String>,
    /// The copy that stands in.
    archive: Option<ArchiveCopy>,
    /// What the page says of itself, and this part of its text.
    #[serde(flatten)]
    page: Page,
    /// Bytes of the whole text.
    text_bytes: usize,
    /// Where this part begins, in bytes.
    offset: usize,
    /// Where the next part begins; null at the end.
    next_offset: Option<usize>,
}

fn run(context: &Context, input: &Input, call: &Call) -> Result<Output> {
    let Input { offset, max_chars, .. } = *input;
    let page = PageRef { url: Some(input.url.clone()), ..PageRef::default() };
    let read = read_pages(context, &[page], &[], call)?.pop();
    let Some(ReadPage { name: source, fetched: Some(fetched), page, .. }) = read else {
        return Err(Problem::defect("a page was asked for and none came"));
    };
    let text_bytes = page.text.len();
    let Some(rest) = page.text.get(offset..) else {
        let message =
            format!("`offset` {offset} is no place in this text of {text_bytes} bytes; take `next_offset` as it is");
        return Err(Problem::arguments(message));
    };
    let text = head(rest, max_chars.unwrap_or(CHARS).clamp(1, MOST_CHARS)).to_owned();
    let end = offset + text.len();
    let Fetched { outcome, reason, rule, signs, hops, final_url, archive, .. } = fetched;
    let (rule, next_offset) = (rule.to_string(), (end < text_bytes).then_some(end));
    let page = Page { text, ids: Vec::new(), page_starts: Vec::new(), ..page };
    Ok(Output { source, outcome, reason, rule, signs, hops, final_url, archive, page, text_bytes, offset, next_offset })
}

fn text(output: &Output) -> String {
    let why = Some(line(&output.reason)).filter(|why| !why.is_empty()).map(|why| format!(" ({why})"));
    let outcome = output.outcome.in_words(output.rule.as_str());
    let mut text = format!("{}: {outcome}{}\n", line(&output.source), why.unwrap_or_default());
    let copy = output.archive.as_ref().map(|copy| &copy.url);
    for (what, words) in [("Title", output.page.title.as_ref()), ("Archived copy", copy)] {
        text.extend(words.map(|words| format!("{what}: {}\n", line(words))));
    }
    // What the page says is data, and is shown between marks as such.
    let shown: String =
        output.page.text.chars().map(|c| if c == '\n' { c } else { cited_report::findings::shown(c) }).collect();
    text.push_str(&format!(
        "--- text of the page, bytes {} of {} ---\n{shown}\n--- end ---\n",
        output.offset, output.text_bytes
    ));
    if let Some(next) = output.next_offset {
        text.push_str(&format!("More from offset {next}.\n"));
    }
    text
}
