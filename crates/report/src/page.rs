//! Markdown of our own: what a page or a draft says in it stays text whatever it holds.

use cited_core::address::is_web;
use cited_text::escape;

/// A page that is being written.
#[derive(Default)]
pub(super) struct Page {
    text: String,
    /// How many lists are open.
    depth: usize,
}

impl Page {
    /// Words from outside, which begin no block either where they stand first.
    fn escaped(&self, text: &str) -> String {
        let begins = text.starts_with(|c: char| c.is_ascii_punctuation() || c.is_ascii_digit());
        let is_first = self.text.is_empty() || self.text.ends_with(['\n', ' ']);
        if begins && is_first { escape::title(text) } else { escape::inline(text).into_owned() }
    }

    pub(super) fn text(&mut self, text: &str) {
        self.text += &self.escaped(text);
    }

    pub(super) fn heading(&mut self, level: usize, text: &str) {
        self.text += &format!("{} {}\n\n", "#".repeat(level), escape::inline(text));
    }

    /// A list, of each item what `write` writes.
    pub(super) fn list<T>(&mut self, items: impl IntoIterator<Item = T>, mut write: impl FnMut(&mut Self, T)) {
        for (i, item) in items.into_iter().enumerate() {
            let end = if i > 0 || self.depth > 0 { "\n" } else { "" };
            self.text += &format!("{end}{}- ", "  ".repeat(self.depth));
            self.depth += 1;
            write(self, item);
            self.depth -= 1;
        }
        self.text += if self.depth == 0 { "\n\n" } else { "" };
    }

    /// A list under a heading; neither of them without an item.
    pub(super) fn section<T>(
        &mut self,
        level: usize,
        heading: &str,
        items: impl IntoIterator<Item = T>,
        write: impl FnMut(&mut Self, T),
    ) {
        let mut items = items.into_iter().peekable();
        if items.peek().is_some() {
            self.heading(level, heading);
            self.list(items, write);
        }
    }

    /// Words behind a bold name: `**Date:** 2026-11-22`.
    pub(super) fn fact(&mut self, name: &str, value: &str) {
        self.text += &format!("**{}:** {}", escape::inline(name), escape::inline(value));
    }

    /// A paragraph of nothing but text.
    pub(super) fn paragraph(&mut self, text: &str) {
        self.text += &(self.escaped(text) + "\n\n");
    }

    /// Text in which no name of a person and no number of an issue is one: a forge that shows the page tells nobody and links nothing.
    pub(super) fn quiet_text(&mut self, text: &str) {
        self.text += if text.starts_with(' ') { " " } else { "" };
        let text = self.escaped(text.trim_start());
        let mut signs = text.chars().peekable();
        while let Some(sign) = signs.next() {
            self.text.push(sign);
            if matches!(sign, '@' | '#') && signs.peek().is_some_and(|next| next.is_alphanumeric()) {
                self.text += "<!-- -->";
            }
        }
    }

    /// An address as a link to itself; as text when it is none of the web.
    pub(super) fn address(&mut self, address: &str) {
        // As the parser writes it nothing in it ends the link.
        match url::Url::parse(address).ok().filter(|_| is_web(address)) {
            Some(link) => self.text += &format!("<{link}>"),
            None => self.quiet_text(address),
        }
    }

    pub(super) fn write(self) -> String {
        self.text.trim_end().to_owned() + "\n"
    }
}
