//! Works: do the references of a list exist, and as written?
//!
//! An entry is read (`entry`, `words`), the indexes that cover its kind are asked (`walk`, `index`), what they say is compared with
//! what it says (`compare`), and from all of it follows its outcome (`verdict`). Reading and comparing need no network.

mod compare;
mod entry;
mod fields;
mod fold;
#[cfg(feature = "network")]
mod index;
mod kind;
mod layouts;
mod look;
mod lookup;
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
mod words;
mod write;

pub use entry::Entry;
pub use fields::{Ids, Read};
#[cfg(feature = "network")]
pub use index::{Place, Web};
pub use kind::Kind;
pub use look::{
    Account, AnswerKind, Asked, Coverage, Difference, Field, How, Look, Note, NoteKind, Offer, Outcome, Severity,
    Version, Work,
};
pub use lookup::{Looked, look_up};
pub use name::Name;
pub use question::{Answer, Answered, Asking, Index, Question};
pub use read::{entries_of, of_listed};
pub use record::Record;
pub use report::{Listed, Report, SCHEMA, accounts};
pub use write::{edit, edited};
