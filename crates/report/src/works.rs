//! What was found of works, for people and for copying: `cited works`.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::wording::{counted, cut, one_line};
use cited_core::finding::Finding;
use cited_works::{Field, Kind, Listed, Look, NoteKind, Outcome, Report, Work};

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
        for entry in listed.iter().filter(|entry| entry.look.outcome == outcome) {
            entry_text(report, entry, &mut out);
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
        count(&|look| look.notes.iter().any(|note| note.code <= NoteKind::Withdrawn))
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

fn entry_text(report: &Report, Listed { entry, look }: &Listed, out: &mut String) {
    let name =
        entry.label.as_ref().or(entry.key.as_ref()).map(|name| format!(" [{}]", one_line(name))).unwrap_or_default();
    let title = entry.read.title.as_ref().map_or_else(|| cut(&entry.read.words, KNOWN_BY), |title| one_line(title));
    let why = match look.outcome {
        _ if look.coverage.is_some() => " (few indexes could have it)".to_owned(),
        Outcome::NotFound => {
            let asked: BTreeSet<&str> = look.asked.iter().map(|asked| asked.index.as_str()).collect();
            format!(" (asked: {})", asked.into_iter().collect::<Vec<_>>().join(", "))
        }
        Outcome::Unasked if look.asked.is_empty() => " (of a kind that no index covers)".to_owned(),
        _ => look.reason.as_ref().map(|why| format!(" ({})", one_line(why))).unwrap_or_default(),
    };
    let _ = writeln!(out, "{}:{}:{name} {}{why}: {title}", one_line(&entry.file), entry.line, look.outcome.as_str());
    let is_of_it = |finding: &&Finding| finding.span == Some(entry.span) && finding.file.as_ref() == Some(&entry.file);
    for finding in report.findings.iter().filter(is_of_it) {
        let _ = writeln!(out, "    {}: {}", finding.severity, cut(&finding.message, SHOWN));
    }
    let other = look.differs.iter().any(|differ| differ.field >= Field::Doi);
    let found = look.offer.as_ref().map(|offer| offer.url.as_str()).or(look.address().filter(|_| other));
    if let Some(url) = found {
        let _ = writeln!(out, "    found at {}", one_line(url));
    }
}

/// The works that were found, as BibTeX for copying.
pub fn bibtex(report: &Report) -> String {
    let mut out = String::new();
    for (number, Listed { entry, look }) in report.entries.iter().enumerate() {
        let Some(work) = &look.work else { continue };
        let key = entry.key.clone().unwrap_or_else(|| format!("work{}", number + 1));
        bibtex_entry(&key, work, &mut out);
    }
    out
}

fn bibtex_entry(key: &str, work: &Work, out: &mut String) {
    let (kind, container) = match work.kind.as_str() {
        kind if kind.contains("book-chapter") => ("incollection", "booktitle"),
        kind if kind.contains("book") => ("book", "series"),
        kind if kind.contains("proceedings") || kind.contains("Conference") => ("inproceedings", "booktitle"),
        _ if work.venue.is_some() => ("article", "journal"),
        _ => ("misc", "howpublished"),
    };
    let key: String =
        key.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.' | '/')).collect();
    let _ = writeln!(out, "@{kind}{{{key},");
    let year = work.year.map(|year| year.to_string());
    let fields = [
        ("title", Some(work.title.clone())),
        ("author", Some(work.authors.join(" and "))),
        (container, work.venue.clone()),
        ("year", year),
        ("doi", work.doi.clone()),
        ("url", work.url.clone().filter(|_| work.doi.is_none())),
    ];
    for (name, value) in fields {
        // Braces of a title from outside must not end the field.
        let value = value.map(|value| one_line(&value).replace(['{', '}', '\\'], "")).filter(|value| !value.is_empty());
        if let Some(value) = value {
            let _ = writeln!(out, "  {name} = {{{value}}},");
        }
    }
    let _ = writeln!(out, "}}\n");
}
