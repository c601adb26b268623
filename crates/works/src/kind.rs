//! What kind of work an entry names, by its type or by marks in its words; and which indexes cover the kind.

use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Serialize};

use super::fold::texts;
use super::venue::{alias_of, is_server};
use cited_core::citation::reference::{Name, Reference, is_person, pattern};
use cited_text::lexicon::table;
use cited_text::script::is_latin;

/// Types of bibliographies and marks in words, by kind.
const TABLE: &str = include_str!("data/kinds.tsv");

/// A kind of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// An article in a journal.
    Article,
    /// A paper at a conference.
    Paper,
    /// A preprint.
    Preprint,
    /// A chapter of a book.
    Chapter,
    /// A book.
    Book,
    /// A data set, a program, a report, a thesis: covered by an identifier alone.
    Deposit,
    /// Not sure which.
    #[default]
    Work,
    /// A kind that no index covers: a law, a web page, an interview.
    Uncovered,
    /// What looks like a reference and stands in no list: nobody is asked for it.
    Unlisted,
}

impl Kind {
    fn named(name: &str) -> Kind {
        serde_json::from_value(name.into()).unwrap_or_default()
    }

    /// The indexes that must have answered before a work of this kind is not found, by a class of rows; one of several with a stroke between.
    pub(super) fn covered(self, class: &'static str) -> impl Iterator<Item = &'static str> {
        of_class(class).filter(move |(kind, _)| *kind == self).flat_map(|(_, row)| row.forms())
    }

    /// Of a type of a format of bibliographies, with what the fields say beside it.
    pub(super) fn of_type(format: &'static str, name: &str, read: &Reference) -> Kind {
        let mut rows = table::cells(TABLE).filter(|cells| cells[0] == format);
        let row = rows.find(|cells| cells[2].split('|').any(|known| known.eq_ignore_ascii_case(name)));
        let at_server = read.container.as_deref().is_some_and(is_server) || read.ids.arxiv.is_some();
        match row.map(|cells| Kind::named(cells[1])) {
            Some(Kind::Article | Kind::Work) | None if at_server => Kind::Preprint,
            Some(Kind::Work) | None if read.container.is_some() => Kind::Article,
            Some(kind) => kind,
            None => Kind::Work,
        }
    }

    /// Of what the words of an entry say.
    pub(super) fn of_words(read: &Reference) -> Kind {
        let outside = read.outside.as_str();
        let surely = FACTS.iter().find(|(fact, _)| fact.is_match(outside)).map(|(_, kind)| *kind);
        let container = read.container.as_deref();
        if container.is_some_and(is_server) || read.ids.arxiv.is_some() && read.volume.is_none() {
            return Kind::Preprint;
        }
        if read.ids.isbn.is_some() {
            return if surely == Some(Kind::Chapter) { Kind::Chapter } else { Kind::Book };
        }
        let known = || container.and_then(alias_of).map(|_| Kind::Paper);
        let by_marks = surely.or_else(|| marked(outside, "sure")).or_else(known).or_else(|| marked(outside, "mark"));
        if let Some(kind) = by_marks {
            return kind;
        }
        if read.volume.is_some() && container.is_some() {
            return Kind::Article;
        }
        // The title of a book is emphasised itself, that of an article not.
        let is_whole = |name: &Name| is_latin(&name.family) == Some(false) && is_person(&name.family);
        let signed = read.authors.iter().any(|name| !name.given.is_empty() || is_whole(name));
        if read.is_marked && signed && read.volume.is_none() {
            return Kind::Book;
        }
        // What a body publishes by itself, and what nobody is named for, is a report or a page.
        // Without a title nothing is called not found, and the words may still lead to the work.
        let unsigned = read.title.is_some() && !signed && container.is_none_or(is_place);
        if unsigned && !read.ids.is_any() { Kind::Uncovered } else { Kind::Work }
    }
}

/// Whether a part is a place and a publisher rather than a venue: *Washington, DC*, *Vienna*.
fn is_place(text: &str) -> bool {
    text.split([',', '.']).all(|part| part.split_whitespace().count() <= 2)
}

/// Forms that no table of words can hold, and what they are of.
static FACTS: LazyLock<Vec<(Regex, Kind)>> = LazyLock::new(|| {
    let facts = [
        (r"^(?:ISO|IEC|IEEE|NIST|RFC|DIN|EN|ANSI|ITU|ETSI)\b[^.]*\d", Kind::Uncovered),
        (r"\bU\.?S\.? Patent\b|\bPatent No|\b[A-Z]{2}\s?\d{6,}[A-Z]\d?\b", Kind::Uncovered),
        (r"\bPub\. ?L\.|\bStat\. \d|\bU\.S\.C\.|\bC\.F\.R\.|\((?:EU|EC|EEC)\)|§", Kind::Uncovered),
        (r"[^\s,;:.()–-] v\.? [A-Z][^\s,;:.()–-]+.*\d+ [A-Z][^\s,;:()–-]* ?[^\s,;:.()–-]* \d+", Kind::Uncovered),
        (r"(?i)\bin:? .*(?:edited by|eds?\.\)|\(eds?)", Kind::Chapter),
        (r"\d+\s?\(\d+(?:[–-]\d+)?\)\s?[,:;] ?[A-Za-z]?\d+|[,:] ?(?:pp\. ?)?\d+[–-]\d+", Kind::Article),
        // A day in the text, and no volume: a newspaper.
        (r"\b\d{1,2} \p{Lu}[^\s\d,.]{2,8} \d{4}\b|\b\p{Lu}[^\s\d,.]{2,8} \d{1,2}, \d{4}\b", Kind::Uncovered),
        (r"(?:^|[.,])\W*\p{Lu}[\p{L} ]+: \p{Lu}[^:.]+, (?:1[5-9]|20)\d\d", Kind::Book),
    ];
    facts.map(|(text, kind)| (pattern(text), kind)).into()
});

/// The rows of a class, each with its kind.
fn of_class(class: &'static str) -> impl Iterator<Item = (Kind, table::Row)> {
    table::rows(TABLE).filter_map(move |row| {
        let (own, kind) = row.class.split_once(' ')?;
        (own == class).then(|| (Kind::named(kind), row))
    })
}

/// The kind of a mark in the words, the first row of the table that has one.
fn marked(text: &str, class: &'static str) -> Option<Kind> {
    let folded = |text: &str| format!(" {} ", texts(text).join(" "));
    let line = folded(text);
    let has = |form: &str| if form.starts_with('[') { text.contains(form) } else { line.contains(&folded(form)) };
    of_class(class).find(|(_, row)| row.forms().any(has)).map(|(kind, _)| kind)
}

#[cfg(test)]
mod tests {
    use super::Kind;
    use crate::Entry;

    #[test]
    fn kinds_by_marks_in_the_words() {
        let check = |text: &str, kind: Kind| assert_eq!(Entry::of_words(text).kind, kind, "{text}");
        check("Harbour Office. “Tide tables.” Accessed 3 May 2020.", Kind::Uncovered);
        check("Doe, J. “A bridge opens.” *The Bay Courier*, 14 March 2020, p. 3.", Kind::Uncovered);
        check("Clean Coast Act of 1996, Pub. L. No. 104-191, 110 Stat. 1936.", Kind::Uncovered);
        check("Doe v. Roe Water Board, 412 F.3d 118 (9th Cir. 2013).", Kind::Uncovered);
        check("ISO 9001:2015. Quality management systems.", Kind::Uncovered);
        check("Doe, Jane. Tides of peat. Doctoral dissertation, University of Lindos, 2018.", Kind::Deposit);
        check("Doe, Jane. *peat-tools* (version 2.4.1) [Computer software]. 2020.", Kind::Deposit);
        check("World Bank. Peat Economic Update. Washington, DC, 2020.", Kind::Work);
        check("Doe, J. (2019). Tides of peat. *Coastal Records*, 3(2), 1–9.", Kind::Article);
        check("Doe, J. Tides of peat. arXiv preprint arXiv:2312.01117, 2023.", Kind::Preprint);
        check("Jane Doe. Tides of peat. In Proceedings of the Coast Conference, 2019.", Kind::Paper);
        check("Doe, Jane. *Tides of peat*. London: Harrow & Finch, 2019.", Kind::Book);
        check("Doe, Jane. “Peat.” In *The Tide Companion*, edited by Ann Roe, 35-37. 2019.", Kind::Chapter);
        check("Doe, Jane. Tides of peat and of the far coast.", Kind::Work);
        check("刘建国、陈晓：《远岸的潮汐》，《海岸记录》2015年第4期，第88—97页。", Kind::Work);
    }
}
