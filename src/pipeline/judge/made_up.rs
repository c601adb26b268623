//! The parts of pages whose data were made up by their own words.

use std::collections::HashMap;

use crate::pipeline::ask::Asked;
use cited_core::source::SourceId;
use cited_judge::made_up;
use cited_text::Span;

/// The parts of a page whose data were made up by its own words, and the page's text with blanks in their places.
pub(super) struct MadeUp {
    pub(super) parts: Vec<Span>,
    pub(super) measured: String,
}

/// By source, where support is judged and the policy holds made-up data for none.
pub(super) fn parts(asked: &Asked) -> HashMap<SourceId, MadeUp> {
    let options = &asked.read.options;
    if !options.support || options.policy.allow_synthetic {
        return HashMap::new();
    }
    let readable = asked.answers.iter().filter(|(_, answer)| answer.outcome.is_readable());
    let pages = readable.filter_map(|(id, answer)| Some((*id, answer.page.as_ref()?)));
    let parts = pages.map(|(id, page)| (id, page, made_up::parts(&page.text)));
    let with_parts = parts.filter(|(_, _, parts)| !parts.is_empty());
    with_parts.map(|(id, page, parts)| (id, MadeUp { measured: blanked(&page.text, &parts), parts })).collect()
}

/// A text with blanks in the place of these parts: what stands around them keeps its place.
fn blanked(text: &str, parts: &[Span]) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut done = 0;
    for part in parts {
        kept.push_str(&text[done..part.start]);
        kept.extend(part.of(text).bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
        done = part.end;
    }
    kept.push_str(&text[done..]);
    kept
}
