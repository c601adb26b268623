//! What a reader of the page does not see: elements with `hidden` or `display:none`, and templates (HTML Living Standard, "The hidden
//! attribute", "The template element").

use std::sync::LazyLock;

use regex::Regex;

use super::reader::Tree;
use crate::markdown::parts::{BlockKind, InlineKind};
use cited_text::{Span, Spans};

/// A comment, or the tag of an element: its slash and its name.
static TAG: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?s)<!--.*?(?:-->|\z)|<(/?)([A-Za-z][A-Za-z0-9-]*)[^<>]*>").expect("a fixed pattern")
});

/// The tag of an element that is not shown.
static HIDES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?i)^<template\b|^<[^<>]*\shidden(?:[\s=/>])|^<[^<>]*\sstyle\s*=\s*["'][^"']*\b(?:display\s*:\s*none|visibility\s*:\s*hidden)\b"#)
        .expect("a fixed pattern")
});

/// What stands in every text that has such a tag.
static MAY_HIDE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)<[a-z][^<>]*hidden|<[a-z][^<>]*display|<template").expect("a fixed pattern"));

/// The tag of an element that ends with itself.
static ENDS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)/>$|^<(?:area|br|hr|img|input|link|meta|source|wbr)\b").expect("a fixed pattern")
});

/// A tag: its bytes, the name of its element, whether it closes.
struct Tag<'t> {
    span: Span,
    name: &'t str,
    closes: bool,
}

/// Makes what stands in elements that are not shown a part of their tags: no words, no citations, no claims. An element that nothing closes
/// hides nothing here: what would be lost by an error is the rest of the document.
pub(super) fn mask(text: &str, tree: &mut Tree) {
    if !MAY_HIDE.is_match(text) {
        return;
    }
    let tags = tags(text, tree);
    let mut hidden: Vec<Span> = Vec::new();
    let mut end = 0;
    for (i, tag) in tags.iter().enumerate() {
        let written = tag.span.of(text);
        if tag.closes || tag.span.start < end || !HIDES.is_match(written) || ENDS.is_match(written) {
            continue;
        }
        let mut depth = 0usize;
        let close = tags[i..].iter().find(|other| {
            if other.name.eq_ignore_ascii_case(tag.name) {
                depth = if other.closes { depth.saturating_sub(1) } else { depth + 1 };
            }
            depth == 0
        });
        if let Some(close) = close {
            end = close.span.end;
            hidden.push(Span::new(tag.span.end, close.span.start));
        }
    }
    if hidden.is_empty() {
        return;
    }
    let hidden: Spans = hidden.into_iter().collect();
    for inline in tree.inlines.iter_mut().filter(|inline| hidden.contain(inline.span)) {
        (inline.kind, inline.link) = (InlineKind::Html, None);
    }
}

/// The tags of the document, in order: those that stand in its text, and those in blocks of HTML.
fn tags<'t>(text: &'t str, tree: &Tree) -> Vec<Tag<'t>> {
    let inline = tree.inlines.iter().filter(|inline| inline.kind == InlineKind::Html).map(|inline| inline.span);
    let blocks = tree.blocks.iter().filter(|block| block.kind == BlockKind::Html).map(|block| block.span);
    let mut parts: Vec<Span> = inline.chain(blocks).collect();
    parts.sort_unstable();
    let in_part = |part: Span| {
        TAG.captures_iter(part.of(text)).filter_map(move |found| {
            let (whole, name) = (found.get(0)?, found.get(2)?);
            let span = Span::new(part.start + whole.start(), part.start + whole.end());
            Some(Tag { span, name: name.as_str(), closes: !found.get(1)?.is_empty() })
        })
    };
    parts.into_iter().flat_map(in_part).collect()
}
