//! How the indexes of the web are asked: what the table says.

use std::sync::LazyLock;

use serde_json::Value;
use url::Url;

use super::arxiv;
use super::value::{each, read, text, texts};
use crate::look::Field;
use crate::question::Question;
use crate::record::Record;
use cited_text::lexicon::table;

const TABLE: &str = include_str!("../data/indexes.tsv");

/// Every index of the web, in the order in which records are preferred.
pub(super) static ROWS: LazyLock<Vec<Row>> =
    LazyLock::new(|| table::cells(TABLE).filter(|cells| cells[0] == "index").map(|cells| Row::parse(&cells)).collect());

/// Requests at once, and milliseconds between two: for one record, and for a list.
pub(super) type Pace = (usize, u64, u64);

/// How an index is asked.
pub(super) struct Row {
    /// Its name.
    pub name: &'static str,
    /// Where it is.
    pub base: &'static str,
    pub pace: Pace,
    /// The same for who gives no contact.
    pub without_contact: Pace,
    /// The variable that holds a key, what takes it, and milliseconds between two lists with it.
    pub key: Option<(&'static str, &'static str, u64)>,
    /// The parameter that takes the contact.
    pub contact: Option<&'static str>,
}

/// A question as an index is asked it: a row of the table.
pub(super) struct Ask {
    path: &'static str,
    form: &'static str,
    records: &'static str,
    no: &'static str,
    /// What form is asked for; then another host may answer.
    pub accept: Option<&'static str>,
}

/// What an answer comes to.
pub(super) enum Read {
    Records(Vec<Record>),
    /// What to ask for its records.
    Further(Question),
}

fn pace(cell: &str) -> Pace {
    let mut numbers = cell.split(' ').map(|number| number.parse().unwrap_or(1000));
    let mut next = || numbers.next().unwrap_or(1000);
    (next() as usize, next(), next())
}

impl Row {
    fn parse(cells: &[&'static str]) -> Row {
        let cell = |at: usize| cells.get(at).copied().filter(|cell| !cell.is_empty());
        let (pace, parts) = (pace(cells[3]), |cell: &'static str| cell.split(' ').collect::<Vec<_>>());
        Row {
            name: cells[1],
            base: cells[2],
            pace,
            without_contact: cell(4).map_or(pace, self::pace),
            key: cell(5).map(parts).and_then(|parts| Some((parts[0], parts[1], parts[2].parse().ok()?))),
            contact: cell(6),
        }
    }

    /// How it is asked a question; `None` for what it is not asked.
    pub fn ask(&self, question: &Question) -> Option<Ask> {
        let mut rows = table::cells(TABLE).filter(|cells| cells[0] == "ask" && cells[1] == self.name);
        let row = rows.find(|cells| cells[2].eq_ignore_ascii_case(question.name()))?;
        let cell = |at: usize| row.get(at).copied().unwrap_or_default();
        let accept = row.get(7).copied();
        Some(Ask { path: row[3], form: cell(4), records: cell(5), no: cell(6), accept })
    }
}

impl Ask {
    /// The address that it is asked at.
    pub fn url(&self, base: &Url, question: &Question) -> Url {
        let (asked, family) = question.asks_for();
        let (path, query) = self.path.split_once('?').unwrap_or((self.path, ""));
        let filled = |form: &str| form.replace("{family}", family).replace("{}", asked);
        let mut url = base.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().extend(filled(path).split('/'));
        }
        if !query.is_empty() {
            let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
            url.query_pairs_mut().extend_pairs(pairs.map(|(name, value)| (name, filled(value))));
        }
        url
    }

    /// What its answer comes to; `None` when it is not of the index's own form.
    pub fn read(&self, by: &'static str, question: &Question, status: u16, body: &str) -> Option<Read> {
        if self.form.is_empty() {
            return arxiv::read(body).filter(|_| status == 200).map(Read::Records);
        }
        let answer: Value = serde_json::from_str(body).unwrap_or_default();
        // Nothing is at the address of one record, or it says so in words.
        let mut no = self.no.splitn(3, ' ');
        let is_status = no.next().and_then(|number| number.parse().ok()) == Some(status);
        let said = no.next().zip(no.next());
        if is_status && said.is_none_or(|(at, words)| text(&answer, at).is_some_and(|said| said.contains(words))) {
            return Some(Read::Records(Vec::new()));
        }
        (status == 200 && answer.pointer(self.form).is_some()).then_some(())?;
        if let Some(ids) = self.records.strip_prefix('>') {
            let ids = texts(&answer, ids).collect::<Vec<_>>().join(",");
            let further = || Read::Further(Question::Record(Field::Pmid, ids.clone()));
            return Some(if ids.is_empty() { Read::Records(Vec::new()) } else { further() });
        }
        let items = each(&answer, self.records).into_iter();
        Some(Read::Records(items.filter_map(|item| read(by, question, item)).collect()))
    }
}
