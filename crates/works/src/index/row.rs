//! How the indexes of the web are asked, and where each keeps the fields of a work: a row of `indexes.json` for each, in the order in which records
//! are preferred, after the documentation that `index` names.

use std::collections::HashMap;
use std::sync::LazyLock;

use cited_core::outcome::Fate;
use serde::Deserialize;
use url::Url;

use crate::question::Question;

/// Every index of the web.
pub(super) static ROWS: LazyLock<Vec<Row>> =
    LazyLock::new(|| serde_json::from_str(include_str!("../data/indexes.json")).unwrap_or_default());

/// Requests at once, and milliseconds between two: for one record, and for a list.
pub(super) type Pace = (usize, u64, u64);

/// An index.
#[derive(Deserialize)]
pub(super) struct Row {
    /// Its name.
    pub name: &'static str,
    /// Where it is.
    pub base: &'static str,
    pub pace: Pace,
    /// The same for who gives no contact.
    pub without_contact: Option<Pace>,
    /// The variable that holds a key, the parameter (`=`) or header (`:`) that takes it, and milliseconds between two lists with it.
    pub key: Option<(&'static str, &'static str, u64)>,
    /// The parameter that takes the contact.
    pub contact: Option<&'static str>,
    /// How it is asked each question that it is asked, by the names of questions.
    asks: HashMap<&'static str, Ask>,
    /// JSON pointers to each field of a work; `/*` goes through a list. Of `preprint` and `editions` the kinds of text that are preprints, and books with
    /// editions; of `version` the dates of a preprint's versions; of `sorted` the prefixes of DOIs whose depositors put authors in the order of the
    /// alphabet; of `relations` how the same work is related, or the one that holds it.
    #[serde(default)]
    fields: HashMap<&'static str, Vec<&'static str>>,
    /// What the types of its updates say of a work.
    #[serde(default)]
    pub fates: HashMap<&'static str, Fate>,
}

/// A question as an index is asked it.
#[derive(Deserialize)]
pub(super) struct Ask {
    /// Path and query: `{}` is what is asked for, `{family}` the name beside it. A parameter without a value is left out.
    path: String,
    /// What every answer has; empty for the feeds of arXiv.
    #[serde(default)]
    pub form: &'static str,
    /// Where its records are.
    #[serde(default)]
    pub records: &'static str,
    /// In their place the numbers that they are asked for by.
    pub numbers: Option<&'static str>,
    /// The status that says that there is none.
    pub no: Option<u16>,
    /// Where such an answer says so, and in which words.
    pub words: Option<(&'static str, &'static str)>,
    /// What form is asked for; then another host may answer.
    pub accept: Option<&'static str>,
}

impl Row {
    /// What it has for a field.
    pub fn places(&self, field: &str) -> &[&'static str] {
        self.fields.get(field).map_or(&[], Vec::as_slice)
    }

    /// How it is asked a question; `None` for what it is not asked.
    pub fn ask(&self, question: &Question) -> Option<&Ask> {
        self.asks.get(question.parts().0)
    }
}

impl Ask {
    /// The address that it is asked at.
    pub fn url(&self, base: &Url, question: &Question) -> Url {
        let (_, asked, family) = question.parts();
        let (path, query) = self.path.split_once('?').unwrap_or((&self.path, ""));
        let filled = |form: &str| form.replace("{family}", family).replace("{}", asked).trim().to_owned();
        let mut url = base.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().extend(filled(path).split('/'));
        }
        let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        let pairs: Vec<_> =
            pairs.map(|(name, value)| (name, filled(value))).filter(|(_, value)| !value.is_empty()).collect();
        if !pairs.is_empty() {
            url.query_pairs_mut().extend_pairs(pairs);
        }
        url
    }
}
