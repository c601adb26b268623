//! Addresses that stand in a document as they are, without a link.

use crate::address::in_text::{bare_hosts, end_in, starts, unescaped};
use crate::markdown::{Document, Inline, InlineKind};
use cited_text::{Span, Spans};

/// The addresses that stand in a leaf, or in a part of one, as they are.
pub fn bare_in(document: &Document, content: Span) -> Vec<(Span, String)> {
    let text = document.text();
    if !["://", "www."].iter().any(|sign| content.slice(text).contains(sign)) {
        return Vec::new();
    }
    let linked: Spans = document.links_in(content).iter().map(|link| link.span).collect();
    // Only what is shown as text is an address to a reader: no code, formula or tag.
    let is_shown = |inline: &Inline| matches!(inline.kind, InlineKind::Text | InlineKind::Spelled(_));
    let is_text = |at: usize| document.inline_at(at).is_none_or(is_shown);
    let is_linked = |at: usize| linked.overlap(Span::new(at, at + 1));
    let hosts = bare_hosts(content.slice(text)).map(|at| (content.start + at, "https://"));
    let starts = starts(content.slice(text)).map(|at| (content.start + at, "")).chain(hosts);
    let found = starts.filter(|(start, _)| is_text(*start) && !is_linked(*start)).map(|(start, scheme)| {
        let span = Span::new(start, end_in(text, start, content.end));
        (span, [scheme, &unescaped(span.slice(text))].concat())
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_holds_a_few_others_at_most() {
        let found = |text: &str| {
            let document = Document::read(text);
            let leaf = document.leaves().next().map(|(id, _)| id).expect("a paragraph");
            bare_in(&document, document.content_span(leaf))
                .into_iter()
                .map(|(span, _)| span.slice(text).len())
                .collect::<Vec<_>>()
        };
        assert_eq!(found("See https://a.b/2023/https://c.d/ and https://e.f/.\n"), [29, 12, 12]);
        assert_eq!(found("Ask www.a.example/faq. [![b](https://a.b/i)](https://a.b/)\n"), [17]);
        let glued = "http://a/".repeat(1000);
        assert_eq!(found(&glued), [9000, 8991, 8982, 8973, 8964]);
    }
}
