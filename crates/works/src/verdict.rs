//! Entries looked up: each as one, many at once; and from what the indexes said of an entry to its outcome.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use futures_util::StreamExt as _;

use super::compare::{FoundRecord, Match, Relation, before_title};
use super::entry::Entry;
use super::kind::Kind;
use super::look::{Difference, Field, Look, Note, NoteKind, Offer, Outcome, Version, Work};
use super::question::Index;
use super::record::Record;
use super::title::{self, Likeness};
use super::venue;
use super::walk::{Asker, Led, Walk, registrar};
use cited_core::citation::reference::Name;
use cited_core::finding::Severity;
use cited_text::script::is_latin;

/// Entries that are looked up at once: more than any index is asked at once, so that no index waits for another.
const AT_ONCE: usize = 32;
/// A run in which more than half of so many entries with an identifier are not found has found fault with its way to the indexes.
const MANY: usize = 10;

/// What became of entries that were looked up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lookups {
    /// What became of each, in order.
    pub looks: Vec<Look>,
    /// Why nothing of it can be trusted, when the way to the indexes is at fault.
    pub at_fault: Option<&'static str>,
}

/// Looks entries up in indexes, each entry as one: the order in which indexes answer changes nothing. `now` is the year of the run.
pub async fn look_up(entries: &[Entry], indexes: &[&dyn Index], now: i16) -> Lookups {
    let asker = Asker::new(entries, indexes);
    let walks = entries.iter().map(|entry| walk(entry, &asker, now));
    let mut looks: Vec<Look> = futures_util::stream::iter(walks).buffered(AT_ONCE).collect().await;
    indexes.iter().for_each(|index| index.forget());
    let named = entries.iter().filter(|entry| entry.read.ids.is_any()).count();
    let is_lost = |(entry, look): &(&Entry, &mut Look)| entry.read.ids.is_any() && look.outcome == Outcome::NotFound;
    let lost: Vec<(&Entry, &mut Look)> = entries.iter().zip(&mut looks).filter(is_lost).collect();
    let at_fault = (named >= MANY && lost.len() * 2 > named).then_some(
        "more than half of the entries with an identifier were not found: the way to the indexes is at fault",
    );
    for (_, look) in lost.into_iter().filter(|_| at_fault.is_some()) {
        (look.outcome, look.reason) = (Outcome::Unasked, at_fault.map(str::to_owned));
    }
    Lookups { looks, at_fault }
}

async fn walk(entry: &Entry, asker: &Asker<'_>, now: i16) -> Look {
    if !entry.is_covered() {
        return Look::unasked(if entry.kind == Kind::Unlisted { "stands in no list" } else { "kind" });
    }
    let mut walk = Walk::new(entry, now);
    walk.follow_identifiers(asker).await;
    // What has no title is found by its identifier alone.
    let leads_there = entry.read.title.is_none() && walk.works().next().is_some();
    if !(matches!(entry.kind, Kind::Uncovered | Kind::Deposit) || walk.is_confirmed() || leads_there) {
        for (name, question) in walk.searches() {
            walk.search(asker, name, question).await;
            if walk.is_confirmed() {
                break;
            }
        }
    }
    walk.ask_for_fate(asker).await;
    verdict(&walk)
}

fn verdict(walk: &Walk<'_>) -> Look {
    let entry = walk.entry;
    let (silent, failed) = (walk.silent(), walk.failed());
    let in_part = silent.is_some() && failed.is_some();
    let may_be_elsewhere = silent.clone().or_else(|| failed.clone());
    let mut works: Vec<&FoundRecord> = walk.works().collect();
    if works.is_empty() && may_be_elsewhere.is_none() && walk.led.values().all(|led| *led != Led::Somewhere) {
        works = walk.records.iter().filter(|found| found.relation == Relation::Namesake).collect();
    }
    let of_words = Field::OF_WORDS.into_iter();
    let agreeing = |found: &FoundRecord| of_words.clone().filter(|field| found.said(*field) == Match::Same).count();
    works.sort_by_key(|found| Reverse((agreeing(found), !found.record.is_of_preprint())));
    let differing = of_words.clone().filter_map(|field| difference(walk, &works, field, combined(&works, field)?));
    let mut differs: Vec<Difference> = differing.chain(identifiers(walk, &works)).collect();
    let agreed = of_words.filter(|field| works.iter().any(|found| found.said(*field) == Match::Same));
    let otherwise = agreed.filter_map(|field| difference(walk, &works, field, Severity::Note)).collect();
    let found = differs.len();
    if in_part {
        // Indexes have slips: what one says alone is not held against an entry while another that could have the work is silent.
        differs.retain(|differ| differ.field >= Field::Doi || differ.by.len() > 1);
    }
    let mut look = Look { asked: walk.asked.clone(), otherwise, ..Look::default() };
    look.notes = notes(walk, &works);
    look.work = works.first().map(|found| work(&found.record, &works));
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
        look.coverage = thin.then(|| "thin".to_owned());
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
fn combined(works: &[&FoundRecord], field: Field) -> Option<Severity> {
    let said = || works.iter().map(|found| (found.record.by, found.said(field)));
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
fn difference(walk: &Walk<'_>, works: &[&FoundRecord], field: Field, severity: Severity) -> Option<Difference> {
    let read = &walk.entry.read;
    let shown = |title: Option<&str>, authors: &[Name], year: Option<&i16>, venue: Option<&String>| match field {
        Field::Title => title.map(str::to_owned),
        Field::Authors => Some(authors.iter().map(Name::shown).collect::<Vec<_>>().join("; ")),
        Field::Year => year.map(i16::to_string),
        _ => venue.cloned(),
    };
    let differing = || works.iter().filter(|found| found.said(field) > Match::Same).map(|found| &found.record);
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
fn identifiers(walk: &Walk<'_>, works: &[&FoundRecord]) -> Vec<Difference> {
    let read = &walk.entry.read;
    let mut found = Vec::new();
    for (&field, led) in &walk.led {
        let Some(entry) = field.find_in(&read.ids).map(str::to_owned) else { continue };
        // The book that holds the chapter.
        let holds = |record: &Record| {
            let is_book = |book: &str| record.titles.iter().any(|title| title::compare(title, book) == Likeness::Equal);
            !works.is_empty() && read.container.as_deref().is_some_and(is_book)
        };
        // Of this version, of another, or of the book that holds it.
        let has_doi = |record: &Record| {
            let arxiv = record.ids.arxiv.as_ref().map(|id| format!("10.48550/arxiv.{}", id.to_lowercase()));
            arxiv.iter().chain(&record.ids.doi).chain(&record.others).any(|own| *own == entry)
        };
        let (index, by) = match walk.records.iter().find(|found| found.led == Some(field)) {
            // Another index knows the work by it.
            _ if field == Field::Doi && works.iter().any(|found| has_doi(&found.record)) => continue,
            Some(FoundRecord { record, relation, .. }) if *relation != Relation::Work && !holds(record) => {
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

fn notes(walk: &Walk<'_>, works: &[&FoundRecord]) -> Vec<Note> {
    let records = || works.iter().map(|found| &found.record);
    let (entry, read) = (walk.entry, &walk.entry.read);
    let mut notes: Vec<Note> = Vec::new();
    if !title::says_fate(&entry.read.words) {
        for fate in records().flat_map(|record| &record.fates).chain(&walk.fates) {
            if !notes.iter().any(|note| note.code == fate.code) {
                notes.push(fate.clone());
            }
        }
    }
    let at_server = read.container.as_deref().map(venue::is_server);
    let is_published =
        |record: &&Record| !record.is_of_preprint() && record.venues.iter().any(|own| !venue::is_server(own));
    let published = records().find(is_published).map(|record| {
        let words = [record.venues.first().cloned(), record.address()].into_iter().flatten();
        (record.by, words.collect::<Vec<_>>().join(", "))
    });
    // A preprint that names the DOI of its publication says so itself.
    let named = || {
        records().filter(|record| record.is_of_preprint()).find_map(|record| {
            let other = record.others.iter().find(|doi| doi.starts_with("10.") && !doi.starts_with("10.48550/"))?;
            Some((record.by, format!("https://doi.org/{other}")))
        })
    };
    let as_preprint = at_server == Some(true) || read.container.is_none() && entry.kind == Kind::Preprint;
    if let Some((by, words)) = published.or_else(named).filter(|_| as_preprint) {
        notes.push(Note::with_words(NoteKind::PublishedElsewhere, by, words));
    }
    let venue_said = works.iter().any(|found| found.said(Field::Venue) != Match::Nothing);
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
    works: &[&'r FoundRecord],
    of: fn(&'r Record) -> Option<&'r String>,
) -> Option<Note> {
    // *12–14* begins where *12–4* does, and *IT-22* is volume 22.
    let first = |text: &str| {
        let start = text.trim().trim_start_matches(|c: char| c.is_alphabetic() || c == '-').split(['-', '–']).next();
        start.unwrap_or_default().trim().to_lowercase()
    };
    let own = own?;
    // Of the publication that the entry names, and not of another one.
    let is_of_it = |found: &&&FoundRecord| {
        !found.record.is_of_preprint() && !found.denies(Field::Venue) && !found.denies(Field::Year)
    };
    let of_it = works.iter().filter(is_of_it).map(|found| &found.record);
    let theirs: Vec<(&str, &String)> = of_it.filter_map(|record| Some((record.by, of(record)?))).collect();
    let (by, other) = theirs.first().filter(|_| theirs.iter().all(|(_, other)| first(other) != first(own)))?;
    Some(Note::with_words(NoteKind::DetailDiffers, by, format!("{name}: {own} → {other}")))
}

/// Fewer words stand in the place of an abstract and are none.
const ABSTRACT: usize = 10;

fn work(chosen: &Record, works: &[&FoundRecord]) -> Work {
    let mut versions: Vec<Version> = Vec::new();
    let records = || works.iter().map(|found| &found.record);
    for record in records().filter(|record| record.is_of_preprint() != chosen.is_of_preprint()) {
        let kind = if record.is_of_preprint() { "preprint" } else { "publication" };
        let version = Version { kind: kind.to_owned(), url: record.address(), year: record.years.first().copied() };
        if version.url.is_some() && !versions.contains(&version) {
            versions.push(version);
        }
    }
    // A record of another publication has another address.
    let is_same =
        |found: &&&FoundRecord| found.record.is_of_preprint() == chosen.is_of_preprint() && !found.denies(Field::Venue);
    let any = |of: fn(&Record) -> Option<String>| {
        std::iter::once(chosen).chain(works.iter().filter(is_same).map(|found| &found.record)).find_map(of)
    };
    Work {
        title: chosen.title().to_owned(),
        authors: chosen.authors.iter().map(Name::shown).collect(),
        year: chosen.years.first().copied(),
        venue: any(|record| record.venues.first().cloned()),
        kind: chosen.kind.clone(),
        doi: any(|record| record.ids.doi.clone()),
        url: any(Record::address).or_else(|| records().find_map(Record::address)),
        versions,
        summary: records()
            .filter_map(|record| record.summary.clone())
            .find(|text| text.split_whitespace().count() >= ABSTRACT),
    }
}
