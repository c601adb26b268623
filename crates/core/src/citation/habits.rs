//! How a document cites, as far as its candidates for citations tell.

use super::marker::MarkerForm;
use super::scan::{Candidate, Shape};

/// How the document cites.
pub(super) struct Habits {
    /// Whether plain numbers that are labels are among its citations, or would be: its list has numbers, and nothing else
    /// cites.
    pub(super) is_numeric: bool,
    /// Whether numbers that are links outnumber plain ones.
    pub(super) number_links_prevail: bool,
}

impl Habits {
    pub(super) fn detect(candidates: &[Candidate], has_numbered_list: bool) -> Self {
        let plain = candidates
            .iter()
            .filter(|c| matches!(c.shape, Shape::Single | Shape::Group | Shape::Unmistakable) && c.missing.is_empty())
            .filter(|c| c.form != MarkerForm::NumberLink)
            .count();
        let links = candidates.iter().filter(|c| matches!(c.form, MarkerForm::NumberLink)).count();
        let cites_otherwise = candidates.iter().any(|c| c.missing.len() < c.targets.len());
        let is_numeric = plain > 0 || has_numbered_list && !cites_otherwise;
        Habits { is_numeric, number_links_prevail: links > plain }
    }
}
