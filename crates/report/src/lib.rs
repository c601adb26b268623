//! Outputs: the brief, the record, the side-car, findings. Pure: values in, text out.

pub mod audit;
pub mod brief;
pub mod difference;
pub mod explain;
pub mod findings;
pub mod html;
pub mod judgement;
mod page;
pub mod printers;
pub mod prose;
pub mod provenance;
pub mod record;
mod refine;
pub mod summary;
pub mod view;
pub mod wording;
mod words;
pub mod works;

pub use html::sheet;
pub use record::Record;
