//! Citations as written: markers in the text and the source lists that give them a meaning.

pub mod label;
pub mod marker;
pub mod source_list;

pub use label::Label;
pub use marker::{Citations, Marker, MarkerForm, MarkerId, Placement, Target};
pub use source_list::{Entry, EntryId, SourceList};
