//! What was found of works, for people and for copying: `cited works`.

use std::fmt::Write as _;

use super::wording::one_line;
use cited_works::{Listed, Outcome, Report, Severity, Work};

/// For people: the entries by outcome, with what differs and who says so, and the indexes that did not answer.
pub fn text(report: &Report) -> String {
    let mut out = String::new();
    for outcome in [Outcome::Differs, Outcome::NotFound, Outcome::Unasked, Outcome::Exists] {
        for entry in report.entries.iter().filter(|entry| entry.look.outcome == outcome) {
            entry_text(entry, &mut out);
        }
    }
    let count = |outcome: Outcome| report.entries.iter().filter(|entry| entry.look.outcome == outcome).count();
    let _ = writeln!(
        out,
        "{}: {} entries: {} exist, {} differ, {} not found, {} not asked for or unanswered",
        report.verdict,
        report.entries.len(),
        count(Outcome::Exists),
        count(Outcome::Differs),
        count(Outcome::NotFound),
        count(Outcome::Unasked)
    );
    for (name, account) in report.indexes.iter().filter(|(_, account)| account.failures > 0) {
        let why =
            account.closed.as_ref().map(|why| format!(", not asked any more: {}", one_line(why))).unwrap_or_default();
        let _ = writeln!(
            out,
            "{name}: {} questions without an answer, {} entries wait for it{why}",
            account.failures, account.waiting
        );
    }
    out
}

fn entry_text(entry: &Listed, out: &mut String) {
    let look = &entry.look;
    let name =
        entry.label.as_ref().or(entry.key.as_ref()).map(|name| format!(" [{}]", one_line(name))).unwrap_or_default();
    let title = entry.read.title.as_deref().unwrap_or("(no title could be read)");
    let thin = look.coverage.map(|_| " (few indexes could have it)".to_owned());
    let why = look.reason.as_ref().map(|why| format!(" ({})", one_line(why))).or(thin).unwrap_or_default();
    let _ = writeln!(
        out,
        "{}:{}:{name} {}{why}: {}",
        one_line(&entry.file),
        entry.line,
        look.outcome.as_str(),
        one_line(title)
    );
    for differ in &look.differs {
        let loud = if differ.severity == Severity::Note { " (note)" } else { "" };
        let _ = writeln!(out, "    {}{loud}", one_line(&differ.to_string()));
    }
    for note in &look.notes {
        let by = note.by.as_ref().map(|by| format!(" ({})", one_line(by))).unwrap_or_default();
        let words = note.words.as_ref().map(|words| format!(": {}", one_line(words))).unwrap_or_default();
        let _ = writeln!(out, "    {}{words}{by}", note.code.as_str());
    }
    if let Some(offer) = &look.offer {
        let _ = writeln!(out, "    found at {}", one_line(&offer.url));
    }
}

/// The works that were found, as BibTeX for copying.
pub fn bibtex(report: &Report) -> String {
    let mut out = String::new();
    for (number, entry) in report.entries.iter().enumerate() {
        let Some(work) = &entry.look.work else { continue };
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
