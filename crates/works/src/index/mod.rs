//! The indexes of works: a row each, with what it is asked and how its answers are read.

mod all;
mod arxiv;
mod crossref;
mod datacite;
mod dblp;
mod doi;
mod open_library;
mod openalex;
mod pubmed;
mod row;
mod semantic_scholar;
mod value;
mod web;
#[cfg(test)]
mod web_tests;

pub use web::{Place, Web};
