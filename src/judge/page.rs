//! A page, prepared for judging many claims by it.

use std::sync::OnceLock;

use super::once::Once;
use crate::evidence::{Evidence, SourceIndex};
use crate::fetch::Page;
use crate::text::layout::Layout;
use crate::text::words::words;

/// A page, prepared for judging many claims by it.
#[derive(Debug)]
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
    /// Language tag of the page, when it gives one; else it is guessed.
    pub language: Option<String>,
    /// Keys of the words of the page's title and address.
    pub(super) context: Vec<u64>,
    /// How the page is laid out, where its markup says so.
    layout: Option<Layout>,
    /// Its units of evidence, read on first use.
    evidence: OnceLock<Evidence>,
    /// What does not depend on the claim.
    pub(super) once: Once,
}

impl<'a> SourceText<'a> {
    /// Prepares a page that was read whole. Linear in the text.
    pub fn new(text: &'a str, text_sha256: impl Into<String>) -> Self {
        let index = SourceIndex::new(text);
        let language = index.languages().only().map(|language| language.tag().to_owned());
        SourceText {
            index,
            text_sha256: text_sha256.into(),
            complete: true,
            data: false,
            language,
            context: Vec::new(),
            layout: None,
            evidence: OnceLock::new(),
            once: Once::default(),
        }
    }

    /// Prepares a page as it was read.
    pub fn of_page(page: &'a Page) -> Self {
        SourceText::of_part(page, &page.text, page.is_whole())
    }

    /// Prepares a text of a page, which may be all of it.
    pub fn of_part(page: &'a Page, text: &'a str, complete: bool) -> Self {
        let source = SourceText::new(text, page.text_sha256.as_str()).complete(complete);
        let source = SourceText { data: page.is_data(), ..source };
        page.title.iter().fold(source, |source, title| source.about(title))
    }

    /// The same page, with what was cut off or left out kept in mind.
    #[must_use]
    pub fn complete(mut self, complete: bool) -> Self {
        self.complete = complete;
        self
    }

    /// The same page, laid out as its markup says.
    #[must_use]
    pub fn laid_out(mut self, layout: Layout) -> Self {
        self.layout = Some(layout);
        self
    }

    /// The page as a reader sees it, read on first use.
    pub fn evidence(&self) -> &Evidence {
        self.evidence.get_or_init(|| {
            let told = || Layout::of_text(self.index.text());
            self.layout
                .as_ref()
                .map_or_else(|| Evidence::new(&self.index, &told()), |own| Evidence::new(&self.index, own))
        })
    }

    /// Adds what the page's title or address says of its subject: a page about ripgrep need not repeat the name.
    #[must_use]
    pub fn about(mut self, title_or_address: &str) -> Self {
        self.context.extend(words(title_or_address).filter(|word| !word.stop).map(|word| word.key));
        self
    }
}
