//! The indexes of works: a row each, with what it is asked and how its answers are read.

#[cfg(feature = "network")]
mod all;
#[cfg(feature = "network")]
mod arxiv;
#[cfg(feature = "network")]
mod crossref;
#[cfg(feature = "network")]
mod datacite;
#[cfg(feature = "network")]
mod dblp;
#[cfg(feature = "network")]
mod doi;
#[cfg(feature = "network")]
mod open_library;
#[cfg(feature = "network")]
mod openalex;
#[cfg(feature = "network")]
mod pubmed;
mod question;
#[cfg(feature = "network")]
mod row;
#[cfg(feature = "network")]
mod semantic_scholar;
#[cfg(feature = "network")]
mod value;
#[cfg(feature = "network")]
mod web;

pub use question::{Answer, Answered, Asking, Index, Question};
#[cfg(feature = "network")]
pub use web::{Place, Web};
