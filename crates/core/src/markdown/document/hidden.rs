//! What a reader of the page does not see: elements with `hidden` or `display:none`, templates, and what stands there for browsers without scripts (HTML Living Standard, "The hidden
//! attribute", "The template element"); what programs that make pages fill in or leave out (Liquid, Jinja, MDX, Obsidian); the signs and
//! titles of callouts, which head what stands below them. And what a reader sees as code: the elements of HTML for it.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::LazyLock;

use regex::{Match, Regex};

use super::Document;
use crate::markdown::parts::{BlockKind, Emphasis, InlineKind};
use crate::markdown::tags::tags;
use crate::pattern::{Pattern, build};
use cited_text::Span;
use cited_text::lexicon::table;

/// The tag of an element that is not shown, and of one that shows code.
static MASKS: Pattern = Pattern::new(
    r#"(?i)^<(?:(?:template|noscript)\b|[^<>]*\shidden(?:[\s=/>])|[^<>]*\sstyle\s*=\s*["'][^"']*\b(?:display\s*:\s*none|visibility\s*:\s*hidden)\b)|^<(code|kbd|samp)\b"#,
);

/// What opens and what closes a part of a text that another program reads.
static UNSEEN: LazyLock<Vec<[Regex; 2]>> = LazyLock::new(|| {
    table::cells(include_str!("../data/unseen.tsv")).map(|cells| [0, 1].map(|at| build(cells[at]))).collect()
});

/// What is masked, in order, none over another: as a tag what is not shown, so that it has no words, no citations and no claims; as code what
/// shows code. What nothing closes masks nothing: what would be lost by an error is the rest of the document.
pub(super) fn masks(document: &Document) -> Vec<(Span, InlineKind)> {
    let mut masks = unseen(document);
    let mut end = 0;
    for Emphasis { span, inner } in &document.elements {
        let Some(mask) = MASKS.captures(document.slice(Span::new(span.start, inner.start))) else { continue };
        let kind = if mask.get(1).is_some() { InlineKind::Code } else { InlineKind::Html };
        // What an element that is masked has in it is masked with it.
        if span.start >= end {
            end = span.end;
            masks.push((*inner, kind));
        }
    }
    masks.sort_by_key(|(span, _)| (span.start, Reverse(span.end)));
    masks.dedup_by(|(later, _), (earlier, _)| later.start < earlier.end);
    masks
}

/// What stands in the words of a text for another program.
fn unseen(document: &Document) -> Vec<(Span, InlineKind)> {
    let text = document.text();
    let is_text = |open: &Match<'_>| {
        let at = open.end() - open.as_str().trim_start_matches([' ', '\t', '>']).len();
        // Per cent signs behind a number are a slip.
        let is_slip = text[at..].starts_with('%') && text[..at].ends_with(char::is_alphanumeric);
        !is_slip && document.inline_at(at).is_some_and(|inline| inline.kind == InlineKind::Text)
    };
    let mut found = Vec::new();
    for [open, close] in UNSEEN.iter() {
        let mut closes = close.find_iter(text).peekable();
        for open in open.find_iter(text).filter(is_text) {
            while closes.next_if(|close| close.start() < open.end()).is_some() {}
            let close = closes.peek().filter(|close| close.len() != 1 && !close.as_str().starts_with('\n'));
            found.extend(close.map(|close| (Span::new(open.start(), close.end()), InlineKind::Html)));
        }
    }
    found
}

/// The elements of HTML that are closed, in order of their starts: their tags stand in the text of the document or in blocks of HTML.
pub(super) fn elements(document: &Document) -> Vec<Emphasis> {
    let inline = document.inlines.iter().filter(|inline| inline.kind == InlineKind::Html).map(|inline| inline.span);
    let blocks = document.blocks.iter().filter(|block| block.kind == BlockKind::Html).map(|block| block.span);
    let mut parts: Vec<Span> = inline.chain(blocks).collect();
    parts.sort_unstable();
    let (mut elements, mut open) = (Vec::new(), HashMap::<String, Vec<Span>>::new());
    for (part, tag) in parts.into_iter().flat_map(|part| tags(document.slice(part)).map(move |tag| (part, tag))) {
        let span = Span::new(part.start + tag.span.start, part.start + tag.span.end);
        let open = open.entry(tag.name.trim_start_matches('/').to_ascii_lowercase()).or_default();
        if tag.name.starts_with('/') {
            let element = |open: Span| Emphasis { span: open.cover(span), inner: Span::new(open.end, span.start) };
            elements.extend(open.pop().map(element));
        } else if !document.slice(span).ends_with("/>") {
            open.push(span);
        }
    }
    elements.sort_unstable_by_key(|element| (element.span.start, Reverse(element.span.end)));
    elements
}
