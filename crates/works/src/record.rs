//! What an index says of a work.

use super::look::Note;
use super::venue::is_server;
use cited_core::address::identity::address_of_doi;
use cited_core::citation::reference::{Ids, Name};
use cited_core::page::Page;

/// A record of an index, as far as entries can be compared with it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Record {
    /// The index that gave it.
    pub by: &'static str,
    /// The title; further ones are the same with a subtitle, or in other words.
    pub titles: Vec<String>,
    /// The authors, in its order; those who edited a book.
    pub authors: Vec<Name>,
    /// Whether the index is known to put authors in the order of the alphabet here.
    pub sorted: bool,
    /// Years: of the issue, online, in print.
    pub years: Vec<i16>,
    /// Names of the venue.
    pub venues: Vec<String>,
    /// What kind of text it is, in the words of the index.
    pub kind: String,
    /// The volume.
    pub volume: Option<String>,
    /// The issue.
    pub issue: Option<String>,
    /// The pages.
    pub pages: Option<String>,
    /// The names by which it is known.
    pub ids: Ids,
    /// Whether it is of a preprint.
    pub is_preprint: bool,
    /// Whether any year is right: a book has editions.
    pub any_year: bool,
    /// The year of the first edition of a book, of all that are known.
    pub first_year: Option<i16>,
    /// Names of other versions of the work, or of the book that holds it.
    pub others: Vec<String>,
    /// What a preprint says of where it is published.
    pub comment: String,
    /// What became of it.
    pub fates: Vec<Note>,
    /// Its abstract.
    pub summary: Option<String>,
    /// Where a reader finds it, when no identifier leads there.
    pub url: Option<String>,
}

impl Record {
    /// What the page of a published work says of itself.
    pub fn of_page(page: &Page) -> Option<Record> {
        let imprint = &page.imprint;
        (imprint.published_work && !imprint.titles.is_empty()).then(|| Record {
            by: "page",
            titles: imprint.titles.clone(),
            authors: imprint.authors.iter().map(|name| Name::read(name)).collect(),
            years: imprint.year.into_iter().collect(),
            ids: Ids { doi: page.doi.clone(), ..Ids::default() },
            ..Record::default()
        })
    }

    /// The title; empty when there is none.
    pub fn title(&self) -> &str {
        self.titles.first().map_or("", String::as_str)
    }

    /// Whether it is of a preprint, by its own word or by where it stands.
    pub fn is_of_preprint(&self) -> bool {
        self.is_preprint || !self.venues.is_empty() && self.venues.iter().all(|venue| is_server(venue))
    }

    /// The address of the work.
    pub fn address(&self) -> Option<String> {
        let Ids { doi, arxiv, pmid, .. } = &self.ids;
        let doi = doi.as_deref().map(address_of_doi);
        let arxiv = || arxiv.as_ref().map(|id| format!("https://arxiv.org/abs/{id}"));
        let pubmed = || pmid.as_ref().map(|id| format!("https://pubmed.ncbi.nlm.nih.gov/{id}/"));
        doi.or_else(arxiv).or_else(pubmed).or_else(|| self.url.clone())
    }
}
