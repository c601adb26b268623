//! `show_source`: what cited sees of one page: whether it is there, every hop, its text.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::args::fetch;
use super::tool::{Answer, Call, Context};
use crate::serve::problem::{Problem, Result};
use crate::setup::read_page::{ShownPage, facts};
use cited_report::findings::shown;
use cited_report::wording::head;

/// Characters of text that are given unless the caller says how many.
const CHARS: usize = 4000;
/// Characters of text that are given at most.
const MOST_CHARS: usize = 200_000;

/// Reads one page as cited does and shows what it sees: whether the page is there and why it thinks so, every redirect, the archived copy
/// that stands in for it, title, dates, and its text in parts. Use it to look for the words that a claim stands on.
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
pub struct Output<'a> {
    /// What asking gave, with what the page says of itself and this part of its text.
    #[serde(flatten)]
    page: ShownPage<'a>,
    /// Bytes of the whole text.
    text_bytes: usize,
    /// Where this part begins, in bytes.
    offset: usize,
    /// Where the next part begins; null at the end.
    next_offset: Option<usize>,
}

pub fn run(context: &Context, input: &Input, call: &Call) -> Result<Answer> {
    let Input { offset, max_chars, .. } = *input;
    let mut fetched = fetch(context, vec![input.url.clone()], &[], call)?.remove(0);
    let mut text = facts(&fetched);
    let page = fetched.page.get_or_insert_default();
    (page.ids, page.page_starts) = (Vec::new(), Vec::new());
    let text_bytes = page.text.len();
    let Some(rest) = page.text.get(offset..) else {
        let message =
            format!("`offset` {offset} is no place in this text of {text_bytes} bytes; take `next_offset` as it is");
        return Err(Problem::arguments(message));
    };
    page.text = head(rest, max_chars.unwrap_or(CHARS).clamp(1, MOST_CHARS)).to_owned();
    let end = offset + page.text.len();
    let next_offset = (end < text_bytes).then_some(end);
    // What the page says is data, and is shown between marks as such.
    let words: String = page.text.chars().map(|c| if c == '\n' { c } else { shown(c) }).collect();
    text.push_str(&format!("--- text of the page, bytes {offset} of {text_bytes} ---\n{words}\n--- end ---\n"));
    text.extend(next_offset.map(|next| format!("More from offset {next}.\n")));
    Answer::new(&text, &Output { page: ShownPage::new(&fetched), text_bytes, offset, next_offset })
}
