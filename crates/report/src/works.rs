//! What was found of works, for people and for copying: `cited works`.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::wording::{counted, cut, one_line};
use cited_core::finding::Finding;
use cited_core::outcome::Fate;
use cited_works::{Field, Kind, Listed, Look, NoteKind, Outcome, Report};

/// Characters of an entry by which it is known when no title could be read.
const KNOWN_BY: usize = 80;
/// Letters of what is found of an entry that are shown.
const SHOWN: usize = 400;

/// For people: the entries by outcome, with what differs and who says so, and the indexes that did not answer.
pub fn text(report: &Report) -> String {
    let mut out = String::new();
    let (unlisted, listed): (Vec<&Listed>, Vec<&Listed>) =
        report.entries.iter().partition(|listed| listed.entry.kind == Kind::Unlisted);
    for outcome in [Outcome::Differs, Outcome::NotFound, Outcome::Unasked, Outcome::Exists] {
        for Listed { entry, look } in listed.iter().filter(|entry| entry.look.outcome == outcome) {
            let name = entry.label.as_ref().or(entry.key.as_ref());
            let name = name.map(|name| format!(" [{}]", one_line(name))).unwrap_or_default();
            let title = entry.read.title.as_ref();
            let title = title.map_or_else(|| cut(&entry.read.words, KNOWN_BY), |title| one_line(title));
            let why = match outcome {
                _ if look.coverage.is_some() => " (few indexes could have it)".to_owned(),
                Outcome::NotFound => {
                    let asked: BTreeSet<&str> = look.asked.iter().map(|asked| asked.index.as_str()).collect();
                    format!(" (asked: {})", asked.into_iter().collect::<Vec<_>>().join(", "))
                }
                Outcome::Unasked if look.asked.is_empty() => " (of a kind that no index covers)".to_owned(),
                _ => look.reason.as_ref().map(|why| format!(" ({})", one_line(why))).unwrap_or_default(),
            };
            let file = one_line(&entry.file);
            let _ = writeln!(out, "{file}:{}:{name} {}{why}: {title}", entry.line, outcome);
            let is_of_it =
                |found: &&Finding| found.span == Some(entry.span) && found.file.as_ref() == Some(&entry.file);
            for finding in report.findings.iter().filter(is_of_it) {
                let _ = writeln!(out, "    {}: {}", finding.severity, cut(&finding.message, SHOWN));
            }
            let other = look.differs.iter().any(|differ| differ.field >= Field::Doi);
            let found = look.offer.as_ref().map(|offer| offer.url.as_str()).or(look.address().filter(|_| other));
            found.into_iter().for_each(|url| out.push_str(&format!("    found at {}\n", one_line(url))));
        }
    }
    let count = |is: &dyn Fn(&Look) -> bool| listed.iter().filter(|entry| is(&entry.look)).count();
    let of = |outcome: Outcome| count(&|look| look.outcome == outcome);
    let kind = count(&|look| look.outcome == Outcome::Unasked && look.asked.is_empty());
    let _ = writeln!(
        out,
        "{}: {}: {} exist, {} differ, {} not found, {} without an answer, {kind} of a kind that no index covers; {} retracted",
        report.verdict,
        counted(listed.len(), "entry"),
        of(Outcome::Exists),
        of(Outcome::Differs),
        of(Outcome::NotFound),
        of(Outcome::Unasked) - kind,
        count(&|look| look
            .notes
            .iter()
            .any(|note| matches!(note.code, NoteKind::Fate(Fate::Retracted | Fate::Withdrawn))))
    );
    if of(Outcome::NotFound) > 0 {
        out.push_str("Not found proves nothing: indexes have gaps.\n");
    }
    if !unlisted.is_empty() {
        let places = unlisted.iter().map(|one| format!("{}:{}", one_line(&one.entry.file), one.entry.line));
        let places = places.collect::<Vec<_>>().join(", ");
        let advice = "put a heading such as “References” above";
        let lines = counted(unlisted.len(), "line");
        let _ = writeln!(out, "Not looked up: {lines} in no list, perhaps of references ({places}); {advice}");
    }
    for (name, account) in report.indexes.iter().filter(|(_, account)| account.failures > 0) {
        let why = account.reason.as_ref().map(|why| format!(" ({})", one_line(why))).unwrap_or_default();
        let (asked, waiting) = (counted(account.failures, "question"), counted(account.waiting, "entry"));
        let _ = writeln!(out, "{name}: {asked} without an answer{why}, needed by {waiting}");
    }
    out
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
