//! What a reader of the page does not see: elements with `hidden` or `display:none`, templates, and what stands there for browsers without scripts (HTML Living Standard, "The hidden
//! attribute", "The template element"); what programs that make pages fill in or leave out (Liquid, Jinja, MDX, Obsidian); the signs and
//! titles of callouts, which head what stands below them. And what a reader sees as code: the elements of HTML for it.

use std::cmp::Reverse;
use std::sync::LazyLock;

use regex::{Match, Regex};

use super::reader::Tree;
use crate::markdown::parts::{BlockKind, InlineKind};
use crate::markdown::tags::tags;
use cited_text::Span;
use cited_text::lexicon::table;

/// The tag of an element that is not shown, and of one that shows code.
static MASKS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?i)^<(?:(?:template|noscript)\b|[^<>]*\shidden(?:[\s=/>])|[^<>]*\sstyle\s*=\s*["'][^"']*\b(?:display\s*:\s*none|visibility\s*:\s*hidden)\b)|^<(code|kbd|samp)\b"#)
        .expect("a fixed pattern")
});

/// What opens and what closes a part of a text that another program reads.
static UNSEEN: LazyLock<Vec<[Regex; 2]>> = LazyLock::new(|| {
    let pattern = |cell: &str| Regex::new(cell).expect("a fixed pattern");
    table::cells(include_str!("../data/unseen.tsv")).map(|cells| [0, 1].map(|at| pattern(cells[at]))).collect()
});

/// What is masked, in order, none over another: as a tag what is not shown, so that it has no words, no citations and no claims; as code what
/// shows code. What nothing closes masks nothing: what would be lost by an error is the rest of the document.
pub(super) fn masks(text: &str, tree: &Tree) -> Vec<(Span, InlineKind)> {
    let mut masks = unseen(text, tree);
    let tags = tags_of(text, tree);
    let mut end = 0;
    for (i, (span, name)) in tags.iter().enumerate() {
        let written = span.slice(text);
        if name.starts_with('/') || span.start < end || written.ends_with("/>") {
            continue;
        }
        let Some(mask) = MASKS.captures(written) else { continue };
        let kind = if mask.get(1).is_some() { InlineKind::Code } else { InlineKind::Html };
        let mut depth = 0usize;
        let close = tags[i..].iter().find(|(_, other)| {
            if other.trim_start_matches('/').eq_ignore_ascii_case(name) {
                depth = if other.starts_with('/') { depth.saturating_sub(1) } else { depth + 1 };
            }
            depth == 0
        });
        if let Some((close, _)) = close {
            end = close.end;
            masks.push((Span::new(span.end, close.start), kind));
        }
    }
    masks.sort_by_key(|(span, _)| (span.start, Reverse(span.end)));
    masks.dedup_by(|(later, _), (earlier, _)| later.start < earlier.end);
    masks
}

/// What stands in the words of a text for another program.
fn unseen(text: &str, tree: &Tree) -> Vec<(Span, InlineKind)> {
    let is_text = |open: &Match<'_>| {
        let at = open.end() - open.as_str().trim_start_matches([' ', '\t', '>']).len();
        let inline = tree.inlines.get(tree.inlines.partition_point(|inline| inline.span.end <= at));
        // Per cent signs behind a number are a slip.
        let is_slip = text[at..].starts_with('%') && text[..at].ends_with(char::is_alphanumeric);
        !is_slip && inline.is_some_and(|inline| inline.span.has(at) && inline.kind == InlineKind::Text)
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

/// The tags of the document, in order, with their names: those that stand in its text, and those in blocks of HTML. The name of one that
/// closes begins with a slash.
fn tags_of<'t>(text: &'t str, tree: &Tree) -> Vec<(Span, &'t str)> {
    let inline = tree.inlines.iter().filter(|inline| inline.kind == InlineKind::Html).map(|inline| inline.span);
    let blocks = tree.blocks.iter().filter(|block| block.kind == BlockKind::Html).map(|block| block.span);
    let mut parts: Vec<Span> = inline.chain(blocks).collect();
    parts.sort_unstable();
    let in_part = |part: Span| {
        tags(part.slice(text))
            .map(move |tag| (Span::new(part.start + tag.span.start, part.start + tag.span.end), tag.name))
    };
    parts.into_iter().flat_map(in_part).collect()
}
