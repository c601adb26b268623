//! What indexes are asked, and what they say.

use std::future::Future;
use std::pin::Pin;

use super::look::{Account, Field, QueryKind};
use super::record::Record;

/// What is asked of an index: words of an entry, and nothing else.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Question {
    /// The record of an identifier; or those of several, with commas between them.
    Record(Field, String),
    /// What was published about the work of a DOI: retractions, corrections.
    Updates(String),
    /// Whether a DOI is registered, and where.
    Agency(String),
    /// Works that an entry may mean, by all its words.
    Words(String),
    /// Works of this title, by somebody of this family name where one is given.
    Title(String, Option<String>),
}

impl Question {
    /// Its name in the rows of indexes, what is asked for, and the family name beside it.
    pub fn parts(&self) -> (&'static str, &str, &str) {
        match self {
            Question::Record(field, one) => (field.name(), one, ""),
            Question::Updates(one) => ("updates", one, ""),
            Question::Agency(one) => ("agency", one, ""),
            Question::Words(one) => ("words", one, ""),
            Question::Title(title, family) => ("title", title, family.as_deref().unwrap_or_default()),
        }
    }

    /// How the record of a run names the way of asking.
    pub fn query_kind(&self) -> QueryKind {
        match self {
            Question::Words(_) | Question::Title(..) => QueryKind::Search,
            _ => QueryKind::Identifier,
        }
    }
}

/// What an index says, with where it comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexAnswer {
    /// The records that it has: of a search, some that may be meant. Or why it could not be asked, or gave no answer.
    pub answer: Result<Vec<Record>, String>,
    /// The hash of its text; empty when there is none.
    pub text_sha256: String,
    /// When it came.
    pub at: Option<jiff::Timestamp>,
}

impl IndexAnswer {
    /// An answer that nobody gave.
    pub fn unasked(why: impl Into<String>) -> IndexAnswer {
        IndexAnswer { answer: Err(why.into()), text_sha256: String::new(), at: None }
    }
}

/// The future of an answer.
pub type Asking<'a> = Pin<Box<dyn Future<Output = IndexAnswer> + Send + 'a>>;

/// An index of works: one of the web, a caller's own catalogue, an offline dump.
pub trait Index: Send + Sync {
    /// Its name, as in the record.
    fn name(&self) -> &'static str;

    /// Asks it; `None` for what it cannot be asked. Several entries may ask the same: who pays for requests keeps the answers of a look-up.
    fn ask<'a>(&'a self, question: &'a Question) -> Option<Asking<'a>>;

    /// Lets go of the answers that it kept: a look-up is over, and an audit has a hundred thousand of them.
    fn forget(&self) {}

    /// What was asked of it so far, and whether it is asked any more. Answers are counted by whoever gets them.
    fn account(&self) -> Account {
        Account::default()
    }
}
