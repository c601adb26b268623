//! A claim without a document around it.

use std::sync::Arc;

use super::kind::ClaimKind;
use super::split::split;
use crate::citation::Citations;
use crate::markdown::Document;

/// What kind of statement a claim is: the kind of its sentence, and of several that which asks most.
pub fn kind_of(claim: &str) -> ClaimKind {
    let document = Document::read(Arc::from(claim));
    let kinds = split(&document, &Citations::default()).into_iter().map(|claim| claim.kind);
    kinds.max_by_key(|kind| (kind.must_have_source(), kind.is_factual())).unwrap_or(ClaimKind::Plain)
}
