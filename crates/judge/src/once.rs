//! What a page says whatever the claim, found once for all claims of it: many claims may be judged by one page.

use std::sync::OnceLock;

/// What does not depend on the claim, each found where it is first asked for.
#[derive(Debug, Default)]
pub(super) struct Once {
    /// The figures of its quantities, whatever their magnitude, with where they begin; ascending.
    pub(super) leading: OnceLock<Vec<(f64, usize)>>,
}
