//! How an index of the web is asked and read.

use crate::question::Question;
use crate::record::Record;

/// How an index of the web is asked and read.
pub(crate) struct Row {
    /// Its name.
    pub name: &'static str,
    /// Where it is.
    pub base: &'static str,
    /// Requests at once.
    pub at_once: usize,
    /// Milliseconds between two requests, for one record and for a list.
    pub gaps: (u64, u64),
    /// The same for who gives no contact, when that differs.
    pub without_contact: Option<(usize, (u64, u64))>,
    /// The variable that holds a key, the parameter or header that takes it, and the pause of lists with it.
    pub key: Option<(&'static str, Key, u64)>,
    /// The parameter that takes the contact.
    pub contact: Option<&'static str>,
    /// The way to an answer: path and query behind the base. `None` for what it is not asked.
    pub way: fn(&Question) -> Option<Way>,
    /// Reads an answer; `None` when it is not of the index's own form.
    pub read: fn(&Question, &str) -> Option<Vec<Record>>,
    /// Reads what says no, by its status and text.
    pub says_no: fn(&Question, u16, &str) -> bool,
}

impl Row {
    /// An index that wants one request a second, one at a time, and knows neither keys nor contacts.
    pub const PLAIN: Row = Row {
        name: "",
        base: "",
        at_once: 1,
        gaps: (1000, 1000),
        without_contact: None,
        key: None,
        contact: None,
        way: |_| None,
        read: |_, _| None,
        says_no: |_, _, _| false,
    };
}

/// Where a key goes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Key {
    /// Into a parameter.
    Parameter(&'static str),
    /// Into a header.
    Header(&'static str),
}

/// A request to an index.
#[derive(Debug, Clone, Default)]
pub(crate) struct Way {
    /// Segments of the path.
    pub path: Vec<String>,
    /// The query.
    pub query: Vec<(&'static str, String)>,
    /// What form is asked for.
    pub accept: Option<&'static str>,
    /// Whether a second request leads from this answer to the records.
    pub then: Option<fn(&str) -> Option<Way>>,
}

impl Way {
    pub fn to(path: &[&str], query: &[(&'static str, &str)]) -> Way {
        let path = path.iter().flat_map(|part| part.split('/')).map(str::to_owned).collect();
        Way { path, query: query.iter().map(|(name, value)| (*name, (*value).to_owned())).collect(), ..Way::default() }
    }
}

/// No record is at the address of one.
pub(super) fn is_missing(question: &Question, status: u16, _: &str) -> bool {
    status == 404 && matches!(question, Question::Doi(_) | Question::Isbn(_))
}

/// The words of a title as a search takes them: without signs that mean something to it.
pub(super) fn terms(title: &str) -> String {
    let spaced: String =
        title.chars().map(|c| if c.is_alphanumeric() || matches!(c, '\'' | '’') { c } else { ' ' }).collect();
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}
