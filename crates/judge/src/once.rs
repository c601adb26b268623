//! What a page says whatever the claim, found once for all claims of it: many claims may be judged by one page.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};

use cited_text::quantity::Quantity;

/// What does not depend on the claim, each found where it is first asked for.
#[derive(Debug, Default)]
pub(super) struct PageFacts {
    /// The figures of its quantities, whatever their magnitude, with where they begin; ascending.
    pub(super) leading: OnceLock<Vec<(f64, usize)>>,
    /// The one value of each cell that was asked for, by table, row and column, with what stands over it.
    pub(super) scaled: Mutex<HashMap<(usize, usize, usize), Option<Quantity>>>,
}
