//! Every index of the web.

use super::row::Row;
use super::{arxiv, crossref, datacite, dblp, doi, open_library, openalex, pubmed, semantic_scholar};

/// Every index of the web, in the order in which records are preferred.
pub(super) static ROWS: [&Row; 9] = [
    &crossref::ROW,
    &datacite::ROW,
    &dblp::ROW,
    &pubmed::ROW,
    &openalex::ROW,
    &semantic_scholar::ROW,
    &arxiv::ROW,
    &open_library::ROW,
    &doi::ROW,
];
