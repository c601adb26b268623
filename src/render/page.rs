//! Markdown of our own, as events: what a page or a draft says in it stays text whatever it holds.

use pulldown_cmark::{Event, HeadingLevel, Tag, TagEnd};
use pulldown_cmark_to_cmark::{Options, cmark_with_options};

use crate::text::escape;

/// A page that is being written.
#[derive(Default)]
pub(super) struct Page(Vec<Event<'static>>);

impl Page {
    pub(super) fn text(&mut self, text: &str) {
        self.0.push(Event::Text(escape::plain(text).into_owned().into()));
    }

    pub(super) fn heading(&mut self, level: HeadingLevel, text: &str) {
        self.0.push(Event::Start(Tag::Heading { level, id: None, classes: Vec::new(), attrs: Vec::new() }));
        self.text(text);
        self.0.push(Event::End(TagEnd::Heading(level)));
    }

    pub(super) fn open_list(&mut self) {
        self.0.push(Event::Start(Tag::List(None)));
    }

    pub(super) fn close_list(&mut self) {
        self.0.push(Event::End(TagEnd::List(false)));
    }

    /// An item with a bold name: `- **Date:** 2026-11-22`.
    pub(super) fn fact(&mut self, name: &str, value: &str) {
        self.0.push(Event::Start(Tag::Item));
        self.0.push(Event::Start(Tag::Strong));
        self.text(&format!("{name}:"));
        self.0.push(Event::End(TagEnd::Strong));
        self.0.push(Event::Text(format!(" {}", escape::plain(value)).into()));
        self.0.push(Event::End(TagEnd::Item));
    }

    /// A paragraph of nothing but text.
    pub(super) fn paragraph(&mut self, text: &str) {
        self.0.push(Event::Start(Tag::Paragraph));
        self.text(text);
        self.0.push(Event::End(TagEnd::Paragraph));
    }

    /// An item of nothing but text.
    pub(super) fn item(&mut self, text: &str) {
        self.0.push(Event::Start(Tag::Item));
        self.text(text);
        self.0.push(Event::End(TagEnd::Item));
    }

    pub(super) fn write(self) -> String {
        let mut out = String::new();
        let options = Options { list_token: '-', newlines_after_headline: 2, ..Options::default() };
        // Writing to a string cannot fail; events of ours are always well formed.
        let written = cmark_with_options(self.0.iter(), &mut out, crate::markdown::parser_options(), options);
        debug_assert!(written.is_ok());
        out.push('\n');
        out
    }
}
