//! Markdown of our own, as events: what a page or a draft says in it stays text whatever it holds.

use pulldown_cmark::{Event, HeadingLevel, Tag};
use pulldown_cmark_to_cmark::{Options, cmark_with_options};

use cited_core::address::is_web;
use cited_text::escape;

/// A page that is being written.
#[derive(Default)]
pub(super) struct Page(Vec<Event<'static>>);

impl Page {
    pub(super) fn text(&mut self, text: &str) {
        self.0.push(Event::Text(escape::plain(text).into_owned().into()));
    }

    /// What `write` writes, inside an element.
    fn within(&mut self, tag: Tag<'static>, write: impl FnOnce(&mut Self)) {
        let end = tag.to_end();
        self.0.push(Event::Start(tag));
        write(self);
        self.0.push(Event::End(end));
    }

    pub(super) fn heading(&mut self, level: usize, text: &str) {
        let level = HeadingLevel::try_from(level).unwrap_or(HeadingLevel::H6);
        let tag = Tag::Heading { level, id: None, classes: Vec::new(), attrs: Vec::new() };
        self.within(tag, |page| page.text(text));
    }

    /// A list under a heading, or without one where that is empty, of each item what `write` writes; nothing without an item.
    pub(super) fn section<T>(
        &mut self,
        level: usize,
        heading: &str,
        items: impl IntoIterator<Item = T>,
        mut write: impl FnMut(&mut Self, T),
    ) {
        let mut items = items.into_iter().peekable();
        if items.peek().is_some() {
            if !heading.is_empty() {
                self.heading(level, heading);
            }
            self.within(Tag::List(None), |page| {
                items.for_each(|item| page.within(Tag::Item, |page| write(page, item)));
            });
        }
    }

    /// Words behind a bold name: `**Date:** 2026-11-22`.
    pub(super) fn fact(&mut self, name: &str, value: &str) {
        self.within(Tag::Strong, |page| page.text(&format!("{name}:")));
        self.0.push(Event::Text(format!(" {}", escape::plain(value)).into()));
    }

    /// A paragraph of nothing but text.
    pub(super) fn paragraph(&mut self, text: &str) {
        self.within(Tag::Paragraph, |page| page.text(text));
    }

    /// Text in which no name of a person and no number of an issue is one: a forge that shows the page tells nobody and links nothing.
    pub(super) fn quiet_text(&mut self, text: &str) {
        if text.starts_with(' ') {
            self.0.push(Event::Text(" ".into()));
        }
        let text = escape::plain(text);
        let mut pieces = text.split_inclusive(['@', '#']).peekable();
        while let Some(piece) = pieces.next() {
            self.0.push(Event::Text(piece.to_owned().into()));
            let names = pieces.peek().is_some_and(|next| next.starts_with(char::is_alphanumeric));
            self.0.extend(names.then(|| Event::InlineHtml("<!-- -->".into())));
        }
    }

    /// An address as a link to itself; as text when it is none of the web.
    pub(super) fn address(&mut self, address: &str) {
        let link = url::Url::parse(address).ok().filter(|_| is_web(address));
        let Some(link) = link else { return self.quiet_text(address) };
        let (link_type, id) = (pulldown_cmark::LinkType::Autolink, "".into());
        // As the parser writes it nothing in it ends the link.
        let dest_url: pulldown_cmark::CowStr<'static> = link.to_string().into();
        let tag = Tag::Link { link_type, dest_url: dest_url.clone(), title: "".into(), id };
        self.within(tag, |page| page.0.push(Event::Text(dest_url)));
    }

    pub(super) fn write(self) -> String {
        let mut out = String::new();
        let options = Options { list_token: '-', newlines_after_headline: 2, ..Options::default() };
        // Writing to a string cannot fail; events of ours are always well formed.
        let written = cmark_with_options(self.0.iter(), &mut out, cited_core::markdown::parser_options(), options);
        debug_assert!(written.is_ok());
        out.push('\n');
        out
    }
}
