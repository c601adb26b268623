//! Which words of a source speak to a claim: passages, and the units of evidence that a page is read into.

mod page;
pub(crate) mod scale;
pub mod search;
pub mod speaker;
pub mod unit;

pub use cited_core::verdict::Passage;
pub use page::Evidence;
pub(crate) use scale::names_a_scale;
pub use search::SourceIndex;
pub use speaker::{Attribution, Speaker, speakers};
pub use unit::{Cell, Context, ContextKind, Row, Table, Unit};
