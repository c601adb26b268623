//! What kind of work an entry names, by its type or by marks in its words; and which indexes cover the kind.

use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Serialize};

use super::fold::texts;
use super::venue::{alias_of, is_server};
use cited_core::citation::reference::{Name, Reference, is_person, pattern};
use cited_core::pattern::Pattern;
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
    fn from_name(name: &str) -> Kind {
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
        match row.map_or(Kind::Work, |cells| Kind::from_name(cells[1])) {
            Kind::Article | Kind::Work if at_server => Kind::Preprint,
            kind @ (Kind::Article | Kind::Work) => left_alone(read).unwrap_or_else(|| {
                let marked = marked(&read.outside, "mark").filter(|_| kind == Kind::Work);
                marked.unwrap_or(if read.container.is_some() { Kind::Article } else { Kind::Work })
            }),
            kind => kind,
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
        if let Some(kind) = left_alone(read) {
            return kind;
        }
        let known = || container.and_then(alias_of).map(|_| Kind::Paper);
        // A paper has pages, too.
        let by_facts = surely.filter(|kind| *kind != Kind::Article).or_else(|| marked(outside, "sure")).or(surely);
        let by_marks = by_facts.or_else(known).or_else(|| marked(outside, "mark"));
        // What a body publishes by itself, and what nobody is named for, is a report or a page.
        // Without a title nothing is called not found, and the words may still lead to the work.
        let signed = is_signed(read);
        let unsigned = read.title.is_some() && !signed && !read.ids.is_any();
        if let Some(kind) = by_marks {
            return if unsigned && kind == Kind::Book { Kind::Uncovered } else { kind };
        }
        if read.volume.is_some() && container.is_some() {
            return Kind::Article;
        }
        // The title of a book is emphasised itself, that of an article not; or a publisher stands before its year.
        if (read.is_marked || PUBLISHED.is_match(&read.rest)) && signed && read.volume.is_none() {
            return Kind::Book;
        }
        if unsigned && container.is_none_or(is_place) { Kind::Uncovered } else { Kind::Work }
    }
}

/// Whether somebody is named as author, and no body.
fn is_signed(read: &Reference) -> bool {
    let is_whole = |name: &Name| is_latin(&name.family) == Some(false) && is_person(&name.family);
    read.authors.iter().any(|name| !name.given.is_empty() || is_whole(name))
}

/// What no index covers whatever else it says: what a gazette or a printer of a state publishes, and a law, by its number or its date.
fn left_alone(read: &Reference) -> Option<Kind> {
    let law = || LAW.is_match(&read.words).then_some(Kind::Uncovered).filter(|_| !is_signed(read));
    marked(&read.outside, "state").or_else(law)
}

/// How the title of a law begins: *Loi n° 88-1088*, *Directive 2011/24/EU*, *Gesetz zur … vom 17. Juli 2015*.
static LAW: LazyLock<Regex> = LazyLock::new(|| {
    let laws = of_class("law").flat_map(|(_, row)| row.forms()).collect::<Vec<_>>().join("|");
    let number = r"(?: \(\p{Lu}+\))?(?: ?[Nn]r?[.º°]{0,2})? ?\d{1,5}[-/.]\d{2,}";
    let date = r"\d{1,2}(?:er|º)?\.? (?:de )?\p{L}{3,9} (?:de )?(?:1[5-9]|20)\d\d\b";
    pattern(&format!(r"(?:^|\. )(?i:{laws})(?:{number}| \p{{Ll}}.{{0,300}}?\b{date})"))
});

/// A publisher before the year at the end: *Harrow; 2019*.
static PUBLISHED: Pattern = Pattern::new(r"\. \p{Lu}[^.:;]{1,60}; (?:1[5-9]|20)\d\d\.?\s*$");

/// Whether a part is a place and a publisher rather than a venue: *Washington, DC*, *Vienna*.
fn is_place(text: &str) -> bool {
    text.contains(": ") || text.split([',', '.']).all(|part| part.split_whitespace().count() <= 2)
}

/// Forms that are no words, and what they are of.
static FACTS: LazyLock<Vec<(Regex, Kind)>> =
    LazyLock::new(|| of_class("fact").map(|(kind, row)| (pattern(row.written()), kind)).collect());

/// The rows of a class, each with its kind.
fn of_class(class: &'static str) -> impl Iterator<Item = (Kind, table::Row)> {
    table::rows(TABLE).filter_map(move |row| {
        let (own, kind) = row.class.split_once(' ')?;
        (own == class).then(|| (Kind::from_name(kind), row))
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
        check("J. Doe and A. Roe, “Tides of peat,” in *Proc. 9th Int. Conf. Tides*, 2016, pp. 12–21.", Kind::Paper);
        check("Doe J. Tides of peat. London: Harrow; 2019.", Kind::Book);
        check("Doe J. Tides of peat and of the far coast. Harrow and Finch; 2019.", Kind::Book);
        check("Doe J. Tides of peat and of the far coast. London: The Stationery Office; 2019.", Kind::Deposit);
        check("Doe J. Tides of peat. In: Actes du colloque de Lindos (TPL 2008); 2008.", Kind::Work);
        check("Tide Council. Tides of peat. Lindos: Tide Council; 2012.", Kind::Uncovered);
        check("Tide Council. (2012). *Tides of peat*. Lindos: Council of the Tide.", Kind::Uncovered);
        check("Loi n° 88-1088 du 1er décembre 1988 relative aux marées. *Coast*, 15119.", Kind::Uncovered);
        check("Wet van 9 juli 2014, houdende regels. *Coast* 2014, 280.", Kind::Uncovered);
        check("刘建国、陈晓：《远岸的潮汐》，《海岸记录》2015年第4期，第88—97页。", Kind::Work);
        check("Doe, J. (2012). Directive 2011/24/EU and the tides. *Coastal Records*, 3(2), 1–9.", Kind::Article);
    }

    #[test]
    fn kinds_of_bibliographies_by_marks_where_the_type_says_little() {
        let check = |text: &str, kind: Kind| assert_eq!(crate::entries_of("a.bib", text)[0].kind, kind, "{text}");
        let law = "title = {Gesetz zur Stärkung der Küste vom 17. Juli 2015}, year = 2015";
        check(&format!("@misc{{a, {law}}}"), Kind::Uncovered);
        check(&format!("@article{{a, {law}, journal = {{Coast}}}}"), Kind::Uncovered);
        check("@misc{a, title = {Tides}, howpublished = {Bundesgesetzblatt I, S. 13}, year = 2015}", Kind::Uncovered);
        check("@article{a, title = {Tides}, author = {Doe, J.}, journal = {Coast}, year = 2015}", Kind::Article);
        check("@misc{a, title = {Tides}, note = {Accessed 3 May 2020}, year = 2015}", Kind::Uncovered);
        check("@misc{a, title = {Tides}, author = {Doe, J.}, howpublished = {Coast}, year = 2015}", Kind::Article);
    }
}
