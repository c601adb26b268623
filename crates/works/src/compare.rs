//! An entry beside a record: whether it is of the work, and which fields agree.

use super::entry::Entry;
use super::fold::{find, letters};
use super::look::Field;
use super::name::{self, NameMatch};
use super::record::Record;
use super::title::{self, Likeness};
use super::venue;
use cited_core::citation::reference::{Name, Reference};
use cited_core::finding::Severity;
use cited_text::script::is_latin;

/// What a record says of one field of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Match {
    /// Nothing that can be compared.
    Nothing,
    /// The same.
    Same,
    /// Fewer authors, all of them in the entry: it may have lost the others.
    Fewer(usize),
    /// Something else.
    Other(Severity),
}

/// Whether a record is of the work that an entry names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Relation {
    /// It is of another.
    Other,
    /// It has the title, and nobody in common.
    Namesake,
    /// It is.
    Work,
}

/// A record, and what it says beside an entry.
pub(super) struct FoundRecord {
    pub record: Record,
    /// The field whose identifier led there.
    pub led: Option<Field>,
    pub relation: Relation,
    /// What it says of each of the fields of words, in their order.
    said: [Match; 4],
}

impl FoundRecord {
    /// What the record says of a field.
    pub(super) fn said(&self, field: Field) -> Match {
        self.said.get(field as usize).copied().unwrap_or(Match::Nothing)
    }

    /// Whether the record says otherwise than the entry of a field.
    pub(super) fn denies(&self, field: Field) -> bool {
        matches!(self.said(field), Match::Other(_))
    }
}

/// Years that a record may lie from the entry's, with a title that is only near.
const NEAR_YEARS: i16 = 3;
/// A title that is looked for in words, unread, has at least so many letters.
const TITLE_LETTERS: usize = 16;

/// Compares an entry with a record. `now` is the year of the run; `led` the field whose identifier led to the record.
pub(super) fn compare_record(entry: &Entry, found: Record, led: Option<Field>, now: i16) -> FoundRecord {
    let (read, record) = (&entry.read, &found);
    let like = likeness(read, record);
    let authors = authors(read, record);
    let year = year(read, record, now);
    let venue = venue(read, record);
    let is_slip = |own: &String| read.title.as_deref().is_some_and(|title| title::is_slip(title, own));
    let title = match like {
        None => Match::Nothing,
        Some(Likeness::Equal | Likeness::Main) => Match::Same,
        Some(_) if record.titles.iter().any(is_slip) => Match::Other(Severity::Note),
        Some(_) => Match::Other(Severity::Warning),
    };
    // Of a title that is not read, the words tell: a notice has that of the work in its own.
    let own = read.title.as_deref().or_else(|| find(&read.words, record.title()).map(|(at, to)| &read.words[at..to]));
    let about = title::is_about(record.title()) != title::is_about(own.unwrap_or(&read.words));
    let common = like == Some(Likeness::Main) || read.title.as_deref().is_some_and(title::is_common);
    let shares = shares_author(read, record);
    // Many works of a year have the same short title, and one of their authors.
    let at_year = year == Match::Same && authors != Match::Other(Severity::Warning);
    let is_sure = shares == Some(true) && (venue == Match::Same || at_year || record.any_year);
    let near_year = read
        .year
        .is_none_or(|year| record.years.is_empty() || record.years.iter().any(|own| (own - year).abs() <= NEAR_YEARS));
    let first = read.authors.first().zip(record.authors.first()).map(|(own, other)| name::compare(own, other));
    let first_agrees = matches!(first, Some(NameMatch::Same | NameMatch::OtherGiven))
        || record.sorted && first == Some(NameMatch::Other) && shares == Some(true);
    let relation = match like {
        _ if about => Relation::Other,
        None if led.is_some() => Relation::Work,
        Some(like) if led.is_some() && like > Likeness::Other => Relation::Work,
        Some(Likeness::Equal | Likeness::Main) if common && !is_sure => Relation::Other,
        Some(Likeness::Equal | Likeness::Main) if shares != Some(false) => Relation::Work,
        Some(Likeness::Equal | Likeness::Main) => Relation::Namesake,
        Some(Likeness::Near) if near_year && first_agrees => Relation::Work,
        _ => Relation::Other,
    };
    FoundRecord { relation, led, said: [title, authors, year, venue], record: found }
}

/// How the titles stand to each other; `None` when the entry gives none.
fn likeness(read: &Reference, record: &Record) -> Option<Likeness> {
    let best = read.title.as_deref().and_then(|title| record.titles.iter().map(|own| title::compare(title, own)).max());
    if read.given || best == Some(Likeness::Equal) {
        return best;
    }
    // A layout that is cut in the wrong place has the title all the same: right behind the names, or elsewhere than it was read; up to a sign.
    let names = read.words.len() - read.body.len();
    let begins = |own: &str, (at, to): (usize, usize)| {
        let behind = read.words[to..].trim_start_matches([' ', '”', '"', '*', ')', '’', '»']);
        let is_next = at >= names && !read.words[names..at].contains(char::is_alphanumeric);
        let is_unread = || read.title.as_deref().is_none_or(|title| find(title, own).is_none());
        let is_apart = || !read.words[..at].trim_end().ends_with(char::is_alphanumeric);
        (behind.is_empty() || behind.starts_with(['.', '?', '!', ',', '[', '/', ';']))
            && (is_next || is_apart() && is_unread())
    };
    let mut long = record.titles.iter().map(|own| title::bare(own)).filter(|own| letters(own).len() >= TITLE_LETTERS);
    let there = long.any(|own| find(&read.words, own).is_some_and(|at| read.title.is_none() || begins(own, at)));
    if there { Some(Likeness::Equal) } else { best }
}

/// The words in the place of authors: those before the title, wherever that is read.
pub(super) fn before_title<'r>(read: &'r Reference, record: &Record) -> &'r str {
    let title = read.title.as_deref().and_then(|title| read.words.find(title));
    let found = || record.titles.iter().find_map(|title| Some(find(&read.words, title::bare(title))?.0));
    &read.words[..title.or_else(found).unwrap_or_default()]
}

/// Whether any author is in both; `None` when one side has none, or another script. Of names that could not be read the words are looked at.
fn shares_author(read: &Reference, record: &Record) -> Option<bool> {
    if read.authors.is_empty() && !read.given {
        let before = before_title(read, record);
        let stands = record.authors.iter().any(|author| name::stands_in(before, author));
        let is_latin_too = record.authors.iter().all(|author| is_latin(&author.family) == is_latin(before));
        let is_other = !record.authors.is_empty() && is_latin_too && name::are_names(before);
        return (stands || is_other).then_some(stands);
    }
    let pairs = read.authors.iter().flat_map(|own| record.authors.iter().map(move |other| name::compare(own, other)));
    let mut told = pairs.filter(|alike| *alike != NameMatch::Unknown).peekable();
    told.peek()?;
    Some(told.any(|alike| alike == NameMatch::Same))
}

fn authors(read: &Reference, record: &Record) -> Match {
    let (own, theirs) = (&read.authors, &record.authors);
    let shares = shares_author(read, record);
    if theirs.is_empty() || own.is_empty() || shares.is_none() {
        return if shares == Some(false) { Match::Other(Severity::Warning) } else { Match::Nothing };
    }
    let same = |a: &Name, b: &Name| name::compare(a, b) == NameMatch::Same;
    let within = |few: &[Name], all: &[Name]| {
        let mut rest = all.iter();
        few.iter().all(|name| rest.any(|other| same(name, other)))
    };
    let as_set = |few: &[Name], all: &[Name]| {
        let mut rest: Vec<&Name> = all.iter().collect();
        few.iter().all(|name| rest.iter().position(|other| same(name, other)).map(|at| rest.swap_remove(at)).is_some())
    };
    // A list that was cut in the wrong places has the names all the same.
    let is_unknown = |name: &Name| theirs.iter().all(|other| name::compare(name, other) == NameMatch::Other);
    if !read.given && own.iter().any(is_unknown) && name::are_all_in(before_title(read, record), theirs) {
        return Match::Same;
    }
    let first = same(&own[0], &theirs[0]);
    let in_order = first && within(own, theirs) || record.sorted && as_set(own, theirs);
    // A longer list that goes on as the record ends: one of the two has lost or gained names.
    let goes_on = || within(theirs, own) && first || record.sorted && as_set(theirs, own);
    if in_order && (own.len() == theirs.len() || read.others) {
        Match::Same
    } else if in_order && own.len() < theirs.len() {
        Match::Other(Severity::Note)
    } else if own.len() > theirs.len() && goes_on() {
        Match::Fewer(theirs.len())
    } else {
        Match::Other(Severity::Warning)
    }
}

fn year(read: &Reference, record: &Record, now: i16) -> Match {
    let Some(year) = read.year else { return Match::Nothing };
    if year > now + 1 && !record.years.contains(&year) {
        return Match::Other(Severity::Warning);
    }
    let Some(apart) = record.years.iter().map(|own| (own - year).abs()).min() else { return Match::Nothing };
    // A preprint may be published some years later: what one of the two says of its year says nothing of the other's.
    let later = if record.is_of_preprint() { 1 } else { -1 };
    let is_later = record.years.iter().any(|own| (0..=NEAR_YEARS).contains(&((year - own) * later)));
    if read.container.as_deref().map(venue::is_server) == Some(!record.is_of_preprint()) && apart > 1 && is_later {
        return Match::Nothing;
    }
    // A book has editions: those that a record does not tell of are none before the first.
    let first = record.first_year.map_or(i16::MIN, |first| first - 1);
    match apart {
        0 | 1 => Match::Same,
        _ if record.any_year && record.years.iter().any(|own| *own < year) => Match::Same,
        _ if record.any_year && year >= first => Match::Nothing,
        2 => Match::Other(Severity::Note),
        _ => Match::Other(Severity::Warning),
    }
}

fn venue(read: &Reference, record: &Record) -> Match {
    let Some(own) = read.container.as_deref().filter(|own| !venue::is_server(own)) else { return Match::Nothing };
    // What words say of a venue may be cut in the wrong place, as behind a title with a question in it: then it stands alone further on.
    let parts = read.rest.split(['.', ',', ';', ':', '(', '?', '!', '”', '"']).filter(|_| !read.given).map(letters);
    let parts: Vec<String> = parts.map(|part| part.trim_matches(char::is_numeric).to_owned()).collect();
    let agree = |theirs: &String| Some(venue::agree(own, theirs)? || parts.contains(&letters(theirs)));
    match record.venues.iter().filter_map(agree).max() {
        _ if !record.comment.is_empty() && venue::stands_in(&record.comment, own) => Match::Same,
        _ if record.is_of_preprint() => Match::Nothing,
        Some(true) => Match::Same,
        Some(false) => Match::Other(Severity::Warning),
        None => Match::Nothing,
    }
}
