//! The indexes of works: how each is asked is a table, and so is where it keeps the fields of a work (`value`).
//!
//! Crossref: <https://api.crossref.org/swagger-ui/>; `OpenAlex`: <https://docs.openalex.org/>; `PubMed`: <https://www.ncbi.nlm.nih.gov/books/NBK25500/>;
//! DBLP: <https://dblp.org/faq/How+to+use+the+dblp+search+API.html>; arXiv: <https://info.arxiv.org/help/api/user-manual.html>;
//! `DataCite`: <https://support.datacite.org/docs/api>; Semantic Scholar: <https://api.semanticscholar.org/api-docs/>; Open Library:
//! <https://openlibrary.org/developers/api>; doi.org: <https://www.doi.org/the-identifier/resources/factsheets/>.

mod arxiv;
mod row;
mod value;
mod web;
#[cfg(test)]
mod web_tests;

pub use web::{IndexAddress, Web};
