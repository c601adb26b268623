//! Works: do the references of a list exist, and as written?
//!
//! An entry is read (`entry`; of words by `core`'s `reference`), the indexes that cover its kind are asked (`walk`, `index`), what they say is compared with
//! what it says (`compare`), and from all of it follows its outcome (`verdict`). Reading and comparing need no network.

mod compare;
mod entry;
mod fold;
#[cfg(feature = "network")]
mod index;
mod kind;
mod look;
mod name;
mod question;
mod read;
mod record;
mod report;
#[cfg(test)]
mod tests;
mod title;
mod venue;
mod verdict;
mod walk;
mod write;

pub use cited_core::citation::reference::{Ids, Name, Reference};
pub use cited_core::finding::Severity;
pub use entry::Entry;
#[cfg(feature = "network")]
pub use index::{IndexAddress, Web};
pub use kind::Kind;
pub use look::{
    Account, AnswerKind, Difference, Field, IndexQuery, Look, Note, NoteKind, Offer, Outcome, QueryKind, Version, Work,
};
pub use question::{Asking, Index, IndexAnswer, Question};
pub use read::{entries_of, of_listed};
pub use record::Record;
pub use report::{Listed, Report, SCHEMA, accounts};
pub use verdict::{Lookups, look_up};
pub use write::edit;
