//! The shown text of an entry, with the addresses in it.

use std::ops::Range;

use crate::address::in_text;
use crate::markdown::{BlockId, Document, InlineKind};
use cited_text::Span;

/// What may stand between title and address.
pub(super) const SEPARATORS: &[char] = &[
    ' ', '\t', '\n', '\u{a0}', '-', '–', '—', '―', ':', '：', '|', '｜', ',', '，', '、', ';', '；', '·', '•', '→', '/',
];

/// What parts the paragraphs and items of an entry in its shown text.
pub(super) const PART: &str = " · ";

/// The shown text of an entry with the addresses in it.
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

    /// The shown text of a line that no parser has seen.
    pub fn plain(line: &str) -> Self {
        let (line, mut shown) = (line.trim(), Shown::default());
        shown.push_text(line, Span::new(0, line.len()), line.len());
        shown
    }

    fn push_leaf(&mut self, document: &Document, leaf: BlockId, content: Span) {
        let inlines = document.inlines(leaf);
        let first = inlines.partition_point(|inline| inline.span.end <= content.start);
        let mut done = content.start;
        let mut open: Option<(crate::markdown::LinkId, usize)> = None;
        let mut anchor: Option<(String, usize)> = None;
        for inline in &inlines[first..] {
            if inline.span.start >= content.end {
                break;
            }
            if open.is_some_and(|(id, _)| inline.link != Some(id)) {
                self.close(document, &mut open);
            }
            if let (Some(id), None) = (inline.link, open) {
                open = Some((id, self.text.len()));
            }
            let span = Span::new(inline.span.start.max(done), inline.span.end.min(content.end));
            if span.start >= inline.span.end {
                continue;
            }
            match &inline.kind {
                InlineKind::Text if open.is_some() => self.text.push_str(document.slice(span)),
                InlineKind::Text => done = self.push_text(document.text(), span, content.end),
                InlineKind::Spelled(text) => self.text.push_str(text),
                InlineKind::Code => self.push_code(document.slice(inline.span).trim_matches('`').trim()),
                // Escaped brackets in the words of an entry are brackets, whatever they hold.
                InlineKind::Math if document.slice(inline.span).starts_with('\\') => {
                    self.text.push_str(&without_escapes(document.slice(inline.span)));
                }
                InlineKind::Math => self.text.push_str(document.slice(inline.span)),
                InlineKind::SoftBreak | InlineKind::HardBreak => self.text.push('\n'),
                InlineKind::Html => self.push_tag(document.slice(inline.span), &mut anchor),
                InlineKind::FootnoteReference(_) | InlineKind::TaskBox | InlineKind::Image(_) => {}
            }
        }
        self.close(document, &mut open);
    }

    /// Code as it is written; one that is an address is the entry's, as if it stood there bare.
    fn push_code(&mut self, code: &str) {
        let start = self.text.len();
        self.text.push_str(code);
        if in_text::each(code).next() == Some(Span::new(0, code.len())) {
            self.push_found(start, code.to_owned());
        }
    }

    fn close(&mut self, document: &Document, open: &mut Option<(crate::markdown::LinkId, usize)>) {
        let Some((id, start)) = open.take() else { return };
        let link = document.link(id);
        if link.image || link.address.is_empty() || link.address.starts_with('#') {
            return;
        }
        self.push_found(start, link.address.replace('<', "%3C").replace('>', "%3E"));
    }

    /// Adds the address that the words from `start` on stand for.
    fn push_found(&mut self, start: usize, address: String) {
        let words = self.text[start..].trim();
        let titled = !(words.is_empty() || words == address || looks_like_address(words));
        self.found.push(FoundAddress { at: start..self.text.len(), address, titled });
    }

    /// Pushes text and the addresses in it; returns where in the source the last one ends.
    fn push_text(&mut self, text: &str, span: Span, limit: usize) -> usize {
        let mut from = span.start;
        for start in in_text::starts(span.slice(text)) {
            let start = span.start + start;
            if start < from {
                continue;
            }
            // In a list, an address ends at the first space whatever Markdown makes of its signs.
            let end = in_text::end_in(text, start, limit);
            self.text.push_str(&text[from..start]);
            let at = self.text.len();
            let found = in_text::unescaped(&text[start..end]);
            self.text.push_str(&found);
            self.found.push(FoundAddress { at: at..self.text.len(), address: found, titled: false });
            from = end;
        }
        if from < span.end {
            self.text.push_str(&text[from..span.end]);
        }
        from.max(span.end)
    }

    /// `<a href="…">Title</a>` is a link like any other; a line break is a space.
    fn push_tag(&mut self, tag: &str, anchor: &mut Option<(String, usize)>) {
        let lower = tag.to_ascii_lowercase();
        if lower.starts_with("<br") {
            self.text.push('\n');
        } else if lower.starts_with("</a")
            && let Some((address, start)) = anchor.take()
        {
            self.push_found(start, address);
        } else if lower.starts_with("<a ") {
            *anchor = address_of_tag(tag).map(|address| (address, self.text.len()));
        }
    }
}

/// The address of the web that the tag of a link has.
pub(crate) fn address_of_tag(tag: &str) -> Option<String> {
    let value = tag[tag.to_ascii_lowercase().find("href=")? + 5..].trim_start_matches(['"', '\'']);
    let address = &value[..value.find(['"', '\'', '>', ' ']).unwrap_or(value.len())];
    in_text::is_at_start(address).then(|| address.replace("&amp;", "&"))
}

fn looks_like_address(words: &str) -> bool {
    !words.contains(char::is_whitespace)
        && (words.contains("://")
            || words.starts_with("www.")
            || (words.contains('/') && words.contains('.') && words.is_ascii()))
}

/// Words without the backslashes of Markdown's escapes.
pub fn without_escapes(words: &str) -> String {
    let mut plain = String::with_capacity(words.len());
    let mut signs = words.chars().peekable();
    while let Some(sign) = signs.next() {
        plain.push(signs.next_if(|next| sign == '\\' && next.is_ascii_punctuation()).unwrap_or(sign));
    }
    plain
}
