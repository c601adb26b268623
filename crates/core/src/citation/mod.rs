//! Citations as written: markers in the text and the source lists that give them a meaning.
//!
//! [`read()`] finds the lists by heading or shape, scans the text once for everything that is written as a citation, and
//! keeps what the labels of the document or of its research files give a meaning, or what is unmistakably meant.

pub(crate) mod accessed;
pub mod author_year;
pub mod bare_address;
pub(crate) mod brackets;
mod collection;
mod entries;
pub(crate) mod evidence_label;
pub mod form;
pub mod heading;
pub mod label;
pub mod layout;
mod leading_words;
pub mod line_label;
mod linked;
pub mod list;
pub(crate) mod locator;
pub mod marker;
pub(crate) mod members;
pub(crate) mod nearby;
pub mod pandoc;
mod piece;
mod plain;
pub(crate) mod quoted;
mod read;
pub mod reference;
pub mod remark;
pub(crate) mod scan;
mod scope;
pub(crate) mod shown;
pub mod source_list;
pub mod stray;
pub(crate) mod table;
/// All that come, each once, in the order in which they come first.
pub fn each_once<T: PartialEq>(all: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut once = Vec::new();
    for one in all {
        if !once.contains(&one) {
            once.push(one);
        }
    }
    once
}

#[cfg(test)]
mod tests;
pub mod title;
pub mod vocabulary;
pub mod written;

pub use label::Label;
pub use marker::{Citations, Marker, MarkerForm, MarkerId, Placement, Target};
pub use read::read;
pub use source_list::{Entry, EntryId, ListKind, SourceList};
pub use vocabulary::KnownLabels;
