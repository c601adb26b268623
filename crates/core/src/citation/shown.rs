//! The shown text of an entry, with the addresses in it.

use std::ops::Range;

use super::bare_address::bare_in;
use crate::address::in_text;
use crate::markdown::{BlockId, Document, Emphasis, InlineKind, Link, LinkStyle, Rendered};
use crate::pattern::Pattern;
use cited_text::Span;

/// What may stand between title and address.
pub(super) const SEPARATORS: &[char] = &[
    ' ', '\t', '\n', '\u{a0}', '-', '–', '—', '―', ':', '：', '|', '｜', ',', '，', '、', ';', '；', '·', '•', '→', '/',
];

/// What parts the paragraphs and items of an entry in its shown text.
pub(super) const PART: &str = " · ";

/// The shown text of an entry with the addresses in it, in order, none inside another.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shown {
    pub text: String,
    pub found: Vec<FoundAddress>,
}

/// An address in the shown text.
#[derive(Debug, Clone)]
pub(crate) struct FoundAddress {
    /// The shown bytes of the address or of the words that link to it.
    pub at: Range<usize>,
    pub address: String,
    /// Whether words stand for the address.
    pub titled: bool,
    /// The bytes of the source that another address would take the place of: not known of a name, and none where the address is written
    /// elsewhere, `[Title][1]`.
    pub place: Option<Span>,
}

impl Shown {
    /// The shown text of the part `content` of `leaves`.
    pub fn render(document: &Document, leaves: &[BlockId], content: Span) -> Self {
        let mut shown = Shown::default();
        for (i, leaf) in leaves.iter().enumerate() {
            if i > 0 {
                // What stands in another paragraph or item is another part of the entry.
                shown.text.push_str(PART);
            }
            shown.push_leaf(document, *leaf, content);
        }
        // Links and anchors may hold each other; the outer one counts.
        shown.found.sort_by_key(|found| (found.at.start, std::cmp::Reverse(found.at.end)));
        let mut end = 0;
        shown.found.retain(|found| {
            let apart = found.at.start >= end;
            end = end.max(found.at.end);
            apart
        });
        shown
    }

    /// The shown text of a leaf.
    pub fn leaf(document: &Document, leaf: BlockId) -> Self {
        Shown::render(document, &[leaf], document.content_span(leaf))
    }

    /// Its words on one line.
    pub fn line(&self) -> String {
        self.text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn push_leaf(&mut self, document: &Document, leaf: BlockId, content: Span) {
        let own = document.content_span(leaf);
        let part = Span::new(own.start.max(content.start), own.end.min(content.end));
        let rendered = Rendered::render_part(document, leaf, part);
        let start = self.text.len();
        self.text.push_str(&rendered.text);
        let mut keep = |shown: Span, address: String, place: Span| {
            let at = start + rendered.shown(shown.start)..start + rendered.shown(shown.end);
            let words = self.text[at.clone()].trim();
            let is_path = words.contains('/') && words.contains('.') && words.is_ascii();
            let is_address = words.contains("://") || words.starts_with("www.") || is_path;
            let titled = !(words.is_empty() || words == address || is_address && !words.contains(char::is_whitespace));
            self.found.push(FoundAddress { at, address, titled, place: Some(place) });
        };
        let leads = |link: &&Link| {
            !(link.image || link.text.is_empty() || link.address.is_empty() || link.address.starts_with('#'))
        };
        for link in document.links_in(part).iter().filter(leads) {
            keep(link.text, link.address.replace('<', "%3C").replace('>', "%3E"), place_of(document, link));
        }
        // `<a href="…">Title</a>` is a link like any other.
        let elements = &document.elements[document.elements.partition_point(|one| one.span.start < part.start)..];
        for Emphasis { span, inner } in elements.iter().take_while(|one| one.span.start < part.end) {
            let tag = Span::new(span.start, inner.start);
            // Its words may be a picture or none; an element that is hidden is one with all that is in it.
            let opening = document.inline_at(span.start).map(|inline| inline.span);
            let is_shown = part.contains(*span)
                && opening.is_some_and(|opening| opening.start == span.start && opening.end <= inner.end);
            if let Some(address) = address_of_tag(document.slice(tag)).filter(|_| is_shown) {
                let written = in_text::each(document.slice(tag)).next().unwrap_or_default();
                keep(*inner, address, Span::new(tag.start + written.start, tag.start + written.end));
            }
        }
        // Code that is an address is the entry's, as if it stood there bare.
        let inlines = document.inlines_in(leaf, part).iter();
        for code in inlines.filter(|inline| inline.kind == InlineKind::Code).map(|inline| inline.span) {
            let words = document.slice(code).trim_matches('`').trim();
            if in_text::each(words).next() == Some(Span::new(0, words.len())) {
                keep(code, words.to_owned(), code);
            }
        }
        // Of two that stand at the same words a link counts.
        for (span, address) in bare_in(document, part) {
            let is_shown = !document.inlines_in(leaf, Span::new(span.start, span.start + 1)).is_empty();
            if is_shown && in_text::is_at_start(document.slice(span)) {
                keep(span, address, span);
            }
        }
    }
}

/// Where a link has its address.
fn place_of(document: &Document, link: &Link) -> Span {
    match link.style {
        LinkStyle::Autolink if document.slice(link.span).starts_with('<') => {
            Span::new(link.span.start + 1, link.span.end - 1)
        }
        LinkStyle::Inline if !document.slice(link.text).contains("://") => {
            Span::new(link.text.end + "](".len(), link.span.end - 1)
        }
        LinkStyle::Autolink | LinkStyle::Inline => link.span,
        _ => Span::at(link.span.start),
    }
}

/// The address of the web that the tag of a link has.
pub(crate) fn address_of_tag(tag: &str) -> Option<String> {
    static ADDRESS: Pattern = Pattern::new(r#"(?i)^<a\s[^>]*?\bhref=["']?([^"'> ]*)"#);
    let address = ADDRESS.captures(tag)?[1].replace("&amp;", "&");
    in_text::is_at_start(&address).then_some(address)
}
