//! A page, prepared for judging many claims by it.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};

use crate::evidence::{Evidence, SourceIndex};
use cited_core::page::Page;
use cited_text::fold::Folded;
use cited_text::layout::Layout;
use cited_text::quantity::Quantity;
use cited_text::quotation::bare;
use cited_text::words::words;

/// A page, prepared for judging many claims by it.
#[derive(Debug, Default)]
pub struct SourceText<'a> {
    /// The page's text and where its words are.
    pub index: SourceIndex<'a>,
    /// SHA-256 of the text, in hexadecimal.
    pub text_sha256: String,
    /// Whether the text is all there was. Only then does absence prove anything.
    pub complete: bool,
    /// Whether it is a file of data. Such a file leaves out what each reader of it knows, such as the unit, the country and the year of all its
    /// values: that it lacks a value proves nothing, that it lacks a quotation does.
    pub data: bool,
    /// The page's title, …
    pub title: Option<String>,
    /// … its address, …
    pub address: Option<String>,
    /// … and when it was published.
    pub date: Option<String>,
    /// Keys of the words of the page's title and address.
    pub(super) context: Vec<u64>,
    /// Its units of evidence, read on first use.
    evidence: OnceLock<Evidence>,
    /// The figures of its quantities, whatever their magnitude, with where they begin, ascending; found when a table is first asked about.
    pub(super) leading: OnceLock<Vec<(f64, usize)>>,
    /// The one value of each cell that was asked for, by table, row and column, with what stands over it.
    pub(super) scaled: Mutex<HashMap<(usize, usize, usize), Option<Quantity>>>,
    /// Its letters and digits alone, in two readings.
    letters: OnceLock<[Folded; 2]>,
    /// Its figures alone.
    digits: OnceLock<String>,
}

impl<'a> SourceText<'a> {
    /// Prepares a page that was read whole. Linear in the text.
    pub fn new(text: &'a str, text_sha256: impl Into<String>) -> Self {
        let (index, text_sha256) = (SourceIndex::new(text), text_sha256.into());
        SourceText { index, text_sha256, complete: true, ..SourceText::default() }
    }

    /// Prepares a page as it was read.
    pub fn of_page(page: &'a Page) -> Self {
        SourceText::of_part(page, &page.text, page.is_whole())
    }

    /// Prepares a text of a page, which may be all of it.
    pub fn of_part(page: &'a Page, text: &'a str, complete: bool) -> Self {
        let source = SourceText::new(text, page.text_sha256.as_str());
        let (title, date) = (page.title.clone(), page.published.map(|date| date.to_string()));
        let source = SourceText { complete, data: page.is_data(), title, date, ..source };
        page.title.iter().fold(source, |source, title| source.about(title))
    }

    /// The page as a reader sees it, read on first use.
    pub fn evidence(&self) -> &Evidence {
        self.evidence.get_or_init(|| Evidence::new(&self.index, &Layout::of_text(self.index.text())))
    }

    /// Its letters and digits alone: all of them, and those of its words.
    pub(super) fn letters(&self) -> &[Folded; 2] {
        self.letters.get_or_init(|| [self.index.folded().letters(), bare::unmarked(self.index.text())])
    }

    /// Its figures, each number a word, without what groups or parts their figures.
    pub(super) fn digits(&self) -> &str {
        self.digits.get_or_init(|| numbers_in(self.index.text()))
    }

    /// The page of this address; none when it is empty.
    #[must_use]
    pub fn at(mut self, address: &str) -> Self {
        self.address = Some(address.to_owned()).filter(|address| !address.is_empty());
        self
    }

    /// Adds what the page's title or address says of its subject: a page about ripgrep need not repeat the name.
    #[must_use]
    pub fn about(mut self, title_or_address: &str) -> Self {
        self.context.extend(words(title_or_address).filter(|word| !word.stop).map(|word| word.key));
        self
    }
}

/// The numbers of a text with spaces between them, without what groups or parts their figures.
pub(super) fn numbers_in(text: &str) -> String {
    let mut figures = String::new();
    for c in text.chars() {
        if c.is_ascii_digit() {
            figures.push(c);
        } else if figures.ends_with(|last: char| last != ' ')
            && !matches!(c, '.' | ',' | ' ' | '\u{a0}' | '\u{202f}' | '\'' | '’')
        {
            figures.push(' ');
        }
    }
    figures
}
