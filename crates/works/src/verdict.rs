//! From what the indexes said of an entry to its outcome.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::compare::{Compared, Match, Relation, before_title};
use super::look::{Coverage, Difference, Field, Look, Note, NoteKind, Offer, Outcome, Version, Work};
use super::record::Record;
use super::title::{self, Likeness};
use super::venue;
use super::walk::{FoundRecord, Led, Walk, registrar};
use cited_core::citation::reference::Name;
use cited_core::finding::Severity;
use cited_text::script::is_latin;

pub(super) fn verdict(walk: &Walk<'_>) -> Look {
    let entry = walk.entry;
    let (silent, failed) = (walk.silent(), walk.failed());
    let in_part = silent.is_some() && failed.is_some();
    let may_be_elsewhere = silent.clone().or_else(|| failed.clone());
    let mut works: Vec<(&Record, Compared)> = walk.works().collect();
    if works.is_empty() && may_be_elsewhere.is_none() && walk.led.values().all(|led| *led != Led::Somewhere) {
        works = walk.related(Relation::Namesake).collect();
    }
    let of_words = Field::OF_WORDS.into_iter();
    let agreeing = |beside: &Compared| of_words.clone().filter(|field| beside.field(*field) == Match::Same).count();
    works.sort_by_key(|(record, beside)| Reverse((agreeing(beside), !record.is_of_preprint())));
    let differing = of_words.clone().filter_map(|field| difference(walk, &works, field, combined(&works, field)?));
    let mut differs: Vec<Difference> = differing.chain(identifiers(walk, &works)).collect();
    let agreed = of_words.filter(|field| works.iter().any(|(_, beside)| beside.field(*field) == Match::Same));
    let otherwise = agreed.filter_map(|field| difference(walk, &works, field, Severity::Note)).collect();
    let found = differs.len();
    if in_part {
        // Indexes have slips: what one says alone is not held against an entry while another that could have the work is silent.
        differs.retain(|differ| differ.field >= Field::Doi || differ.by.len() > 1);
    }
    let mut look = Look { asked: walk.asked.clone(), otherwise, ..Look::default() };
    look.notes = notes(walk, &works);
    look.work = works.first().map(|(record, _)| work(record, &works));
    look.outcome = if !differs.is_empty() {
        Outcome::Differs
    } else if !works.is_empty() && found == 0 {
        Outcome::Exists
    } else if let Some((index, why)) = may_be_elsewhere {
        let no_title = entry.read.title.is_none() && !walk.searched.contains_key(&index);
        look.reason = Some(if no_title { "no title could be read".to_owned() } else { format!("{index}: {why}") });
        Outcome::Unasked
    } else {
        let thin = entry.read.title.as_deref().is_some_and(|title| is_latin(title) == Some(false));
        look.coverage = thin.then_some(Coverage::Thin);
        Outcome::NotFound
    };
    look.differs = differs;
    // Whether its DOI is registered, or where it was published, was to be said by one that did not answer.
    let is_doubted = walk.led.get(&Field::Doi) == Some(&Led::Unknown);
    let is_unconfirmed = look.notes.iter().any(|note| note.code == NoteKind::VenueUnconfirmed);
    let waits_for = silent.filter(|_| is_doubted).or(failed.filter(|_| is_unconfirmed));
    look.reason = look.reason.or(waits_for.map(|(index, why)| format!("{index}: {why}")));
    let dead = walk.led.get(&Field::Doi) == Some(&Led::Nowhere);
    let address = look.work.as_ref().and_then(|work| work.url.clone());
    let replaces = entry.read.ids.doi.clone().filter(|_| dead);
    look.offer = address.filter(|_| !entry.read.ids.is_any() || dead).map(|url| Offer { url, replaces });
    look
}

/// What all records of the work say of a field: that it differs, with how loud; `None` when one agrees or none can tell.
fn combined(works: &[(&Record, Compared)], field: Field) -> Option<Severity> {
    let said = || works.iter().map(|(record, beside)| (record.by, beside.field(field)));
    if said().any(|(_, said)| said == Match::Same) {
        return None;
    }
    let other = said().filter_map(|(_, said)| if let Match::Other(severity) = said { Some(severity) } else { None });
    // Two that know of the same few authors have not both lost the others.
    let fewer: Vec<(usize, &str)> =
        said().filter_map(|(by, said)| if let Match::Fewer(count) = said { Some((count, by)) } else { None }).collect();
    let twice = fewer.iter().any(|(count, by)| fewer.iter().any(|(other, also)| other == count && also != by));
    other.min().or_else(|| twice.then_some(Severity::Warning))
}

/// What records of the work say of a field that the entry does not.
fn difference(walk: &Walk<'_>, works: &[(&Record, Compared)], field: Field, severity: Severity) -> Option<Difference> {
    let read = &walk.entry.read;
    let shown = |title: Option<&str>, authors: &[Name], year: Option<&i16>, venue: Option<&String>| match field {
        Field::Title => title.map(str::to_owned),
        Field::Authors => Some(authors.iter().map(Name::shown).collect::<Vec<_>>().join("; ")),
        Field::Year => year.map(i16::to_string),
        _ => venue.cloned(),
    };
    let differs = |beside: &Compared| matches!(beside.field(field), Match::Other(_) | Match::Fewer(_));
    let differing = || works.iter().filter(|(_, beside)| differs(beside)).map(|(record, _)| *record);
    let first = differing().next()?;
    let by: BTreeSet<&str> = differing().map(|record| record.by).collect();
    let index = shown(Some(first.title()), &first.authors, first.years.first(), first.venues.first());
    let entry = shown(read.title.as_deref(), &read.authors, read.year.as_ref(), read.container.as_ref())?;
    // Of names that could not be read, their words.
    let entry =
        if entry.is_empty() { before_title(read, first).trim_matches([' ', ',', '.']).to_owned() } else { entry };
    Some(Difference {
        field,
        entry,
        index: index.unwrap_or_default(),
        by: by.into_iter().map(str::to_owned).collect(),
        severity,
    })
}

/// The identifiers that are not of the work, or not registered.
fn identifiers(walk: &Walk<'_>, works: &[(&Record, Compared)]) -> Vec<Difference> {
    let read = &walk.entry.read;
    let mut found = Vec::new();
    for (&field, led) in &walk.led {
        let Some(entry) = field.find_in(&read.ids).map(str::to_owned) else { continue };
        // The book that holds the chapter.
        let holds = |record: &Record| {
            let is_book = |book: &str| record.titles.iter().any(|title| title::compare(title, book) == Likeness::Equal);
            !works.is_empty() && read.container.as_deref().is_some_and(is_book)
        };
        let (index, by) = match walk.records.iter().find(|found| found.led == Some(field)) {
            // Another index knows the work by it.
            _ if field == Field::Doi && works.iter().any(|(record, _)| record.has_doi(&entry)) => continue,
            Some(FoundRecord { record, beside, .. }) if beside.relation != Relation::Work && !holds(record) => {
                (format!("“{}”", record.title()), record.by)
            }
            // That an index lacks a book or a paper says nothing of its name elsewhere.
            None if *led == Led::Nowhere && !works.is_empty() && !matches!(field, Field::Isbn | Field::Acl) => {
                ("nothing: it is not registered".to_owned(), registrar(field))
            }
            _ => continue,
        };
        found.push(Difference { field, entry, index, by: vec![by.to_owned()], severity: Severity::Warning });
    }
    found
}

fn notes(walk: &Walk<'_>, works: &[(&Record, Compared)]) -> Vec<Note> {
    let (entry, read) = (walk.entry, &walk.entry.read);
    let mut notes: Vec<Note> = Vec::new();
    if !title::says_fate(&entry.read.words) {
        for fate in works.iter().flat_map(|(record, _)| &record.fates).chain(&walk.fates) {
            if !notes.iter().any(|note| note.code == fate.code) {
                notes.push(fate.clone());
            }
        }
    }
    let at_server = read.container.as_deref().map(venue::is_server);
    let published = works
        .iter()
        .find(|(record, _)| !record.is_of_preprint() && record.venues.iter().any(|own| !venue::is_server(own)))
        .map(|(record, _)| {
            let words = [record.venues.first().cloned(), record.address()].into_iter().flatten();
            (record.by, words.collect::<Vec<_>>().join(", "))
        });
    // A preprint that names the DOI of its publication says so itself.
    let named = || {
        works.iter().filter(|(record, _)| record.is_of_preprint()).find_map(|(record, _)| {
            let other = record.others.iter().find(|doi| doi.starts_with("10.") && !doi.starts_with("10.48550/"))?;
            Some((record.by, format!("https://doi.org/{other}")))
        })
    };
    let as_preprint = at_server == Some(true) || read.container.is_none() && entry.kind == super::kind::Kind::Preprint;
    if let Some((by, words)) = published.or_else(named).filter(|_| as_preprint) {
        notes.push(Note::with_words(NoteKind::PublishedElsewhere, by, words));
    }
    let venue_said = works.iter().any(|(_, beside)| beside.field(Field::Venue) != Match::Nothing);
    if at_server == Some(false) && !works.is_empty() && !venue_said {
        notes.push(Note { words: read.container.clone(), ..Note::new(NoteKind::VenueUnconfirmed) });
    }
    if read.ids.isbn_is_wrong {
        notes.push(Note { words: read.ids.isbn.clone(), ..Note::new(NoteKind::IsbnCheckDigit) });
    }
    notes.extend(detail("volume", read.volume.as_ref(), works, |record| record.volume.as_ref()));
    notes.extend(detail("issue", read.issue.as_ref(), works, |record| record.issue.as_ref()));
    notes.extend(detail("pages", read.pages.as_ref(), works, |record| record.pages.as_ref()));
    notes
}

/// A volume, an issue or pages of which every record of this publication says otherwise; of pages the first counts.
fn detail<'r>(
    name: &str,
    own: Option<&String>,
    works: &[(&'r Record, Compared)],
    of: fn(&'r Record) -> Option<&'r String>,
) -> Option<Note> {
    // *12–14* begins where *12–4* does, and *IT-22* is volume 22.
    let first = |text: &str| {
        let start = text.trim().trim_start_matches(|c: char| c.is_alphabetic() || c == '-').split(['-', '–']).next();
        start.unwrap_or_default().trim().to_lowercase()
    };
    let own = own?;
    // Of the publication that the entry names, and not of another one.
    let is_other = |beside: &Compared, field| matches!(beside.field(field), Match::Other(_));
    let of_it = works.iter().filter(|(record, beside)| {
        !record.is_of_preprint() && !is_other(beside, Field::Venue) && !is_other(beside, Field::Year)
    });
    let theirs: Vec<(&str, &String)> = of_it.filter_map(|(record, _)| Some((record.by, of(record)?))).collect();
    let (by, other) = theirs.first().filter(|_| theirs.iter().all(|(_, other)| first(other) != first(own)))?;
    Some(Note::with_words(NoteKind::DetailDiffers, by, format!("{name}: {own} → {other}")))
}

/// Fewer words stand in the place of an abstract and are none.
const ABSTRACT: usize = 10;

fn work(chosen: &Record, works: &[(&Record, Compared)]) -> Work {
    let mut versions: Vec<Version> = Vec::new();
    for (record, _) in works.iter().filter(|(record, _)| record.is_of_preprint() != chosen.is_of_preprint()) {
        let kind = if record.is_of_preprint() { "preprint" } else { "publication" };
        let version = Version { kind: kind.to_owned(), url: record.address(), year: record.years.first().copied() };
        if version.url.is_some() && !versions.contains(&version) {
            versions.push(version);
        }
    }
    // A record of another publication has another address.
    let is_same = |(record, beside): &&(&Record, Compared)| {
        record.is_of_preprint() == chosen.is_of_preprint() && !matches!(beside.field(Field::Venue), Match::Other(_))
    };
    let any = |of: fn(&Record) -> Option<String>| {
        let others = works.iter().filter(is_same).map(|(record, _)| *record);
        std::iter::once(chosen).chain(others).find_map(of)
    };
    Work {
        title: chosen.title().to_owned(),
        authors: chosen.authors.iter().map(Name::shown).collect(),
        year: chosen.years.first().copied(),
        venue: any(|record| record.venues.first().cloned()),
        kind: chosen.kind.clone(),
        doi: any(|record| record.ids.doi.clone()),
        url: any(Record::address).or_else(|| works.iter().find_map(|(record, _)| record.address())),
        versions,
        summary: works
            .iter()
            .filter_map(|(record, _)| record.summary.clone())
            .find(|text| text.split_whitespace().count() >= ABSTRACT),
    }
}
