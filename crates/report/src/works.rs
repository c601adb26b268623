//! What was found of works, for people and for copying: `cited works`.

use std::fmt::Write as _;

use super::html::Tone;
use super::sheet::{Entry, Line, Part, Sheet};
use super::wording::{counted, one_line, tally};
use cited_core::citation::each_once;
use cited_core::finding::Finding;
use cited_core::outcome::Fate;
use cited_works::{Field, Kind, Listed, NoteKind, Outcome, Report};

/// The entries by outcome, with what differs and who says so, and the indexes that did not answer.
pub fn sheet(report: &Report) -> Sheet {
    let of_entry = |Listed { entry, look }: &Listed| {
        let name = entry.label.as_ref().or(entry.key.as_ref()).map(|name| format!("[{name}]")).unwrap_or_default();
        let asked = each_once(look.asked.iter().map(|asked| asked.index.as_str()));
        let thin = if look.coverage.is_some() { "; few indexes could have it" } else { "" };
        let (tone, why) = match look.outcome {
            Outcome::Exists => (Tone::Good, look.reason.clone()),
            Outcome::Differs => (Tone::Bad, look.reason.clone()),
            Outcome::NotFound => (Tone::Doubtful, Some(format!("asked: {}{thin}", asked.join(", ")))),
            Outcome::Unasked if asked.is_empty() && entry.kind != Kind::Unlisted => {
                (Tone::Neutral, Some("of a kind that no index covers".to_owned()))
            }
            Outcome::Unasked => (Tone::Neutral, look.reason.clone()),
        };
        let is_of_it = |found: &&Finding| found.span == Some(entry.span) && found.file.as_ref() == Some(&entry.file);
        let told = report.findings.iter().filter(is_of_it);
        let told = told.map(|Finding { severity, message, remedy, .. }| {
            let remedy = remedy.as_ref().map(|remedy| format!(" ({remedy})")).unwrap_or_default();
            format!("{severity}: {message}{remedy}")
        });
        let is_another = look.differs.iter().any(|differ| differ.field >= Field::Doi);
        let found = look.offer.as_ref().map(|offer| offer.url.as_str()).or(look.address().filter(|_| is_another));
        let lines = why.into_iter().chain(told).chain(found.map(|url| format!("found at: {url}")));
        Entry {
            place: format!("{}:{}", entry.file, entry.line),
            lines: lines.map(Line::Words).collect(),
            ..Entry::new((tone, look.outcome.into()), &name, entry.read.title.as_ref().unwrap_or(&entry.read.words))
        }
    };
    let order = [Outcome::Differs, Outcome::NotFound, Outcome::Unasked, Outcome::Exists];
    let with = |outcome: Outcome| report.entries.iter().filter(move |listed| listed.look.outcome == outcome);
    let entries = order.into_iter().flat_map(with).map(of_entry).collect();
    let silent = report.indexes.iter().filter(|(_, account)| account.failures > 0).map(|(name, account)| {
        let (asked, waiting) = (counted(account.failures, "question"), counted(account.waiting, "entry"));
        let why = account.reason.as_ref().map(|why| format!(" ({why})")).unwrap_or_default();
        Entry::new((Tone::Doubtful, "silent"), name, format!("{asked} without an answer{why}, needed by {waiting}"))
    });
    let outcomes = tally(report.entries.iter().map(|listed| listed.look.outcome.to_string()));
    let outcomes: Vec<String> = outcomes.iter().map(|(outcome, count)| format!("{count} {outcome}")).collect();
    let is_retracted = |listed: &&Listed| {
        listed.look.notes.iter().any(|note| matches!(note.code, NoteKind::Fate(Fate::Retracted | Fate::Withdrawn)))
    };
    let retracted = report.entries.iter().filter(is_retracted).count();
    let gaps =
        if with(Outcome::NotFound).next().is_some() { " Not found proves nothing: indexes have gaps." } else { "" };
    let count = counted(report.entries.len(), "entry");
    Sheet {
        title: "References".to_owned(),
        verdict: (report.verdict.to_owned(), Tone::default()),
        lead: format!("{count}: {}; {retracted} retracted.{gaps}", outcomes.join(", ")),
        parts: vec![
            Part::new("entries", "Entries", vec![(String::new(), entries)]),
            Part::new("indexes", "Indexes", vec![(String::new(), silent.collect())]),
        ],
        ..Sheet::default()
    }
}

/// The works that were found, as BibTeX for copying.
pub fn bibtex(report: &Report) -> String {
    let mut out = String::new();
    for (number, Listed { entry, look }) in report.entries.iter().enumerate() {
        let Some(work) = &look.work else { continue };
        let (kind, container) = match work.kind.as_str() {
            kind if kind.contains("book-chapter") => ("incollection", "booktitle"),
            kind if kind.contains("book") => ("book", "series"),
            kind if kind.contains("proceedings") || kind.contains("Conference") => ("inproceedings", "booktitle"),
            _ if work.venue.is_some() => ("article", "journal"),
            _ => ("misc", "howpublished"),
        };
        let mut key = entry.key.clone().unwrap_or_else(|| format!("work{}", number + 1));
        key.retain(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.' | '/'));
        let _ = writeln!(out, "@{kind}{{{key},");
        let fields = [
            ("title", Some(work.title.clone())),
            ("author", Some(work.authors.join(" and "))),
            (container, work.venue.clone()),
            ("year", work.year.map(|year| year.to_string())),
            ("doi", work.doi.clone()),
            ("url", work.url.clone().filter(|_| work.doi.is_none())),
        ];
        for (name, value) in fields {
            // Braces of a title from outside must not end the field.
            let value = one_line(&value.unwrap_or_default()).replace(['{', '}', '\\'], "");
            if !value.is_empty() {
                let _ = writeln!(out, "  {name} = {{{value}}},");
            }
        }
        out.push_str("}\n\n");
    }
    out
}
