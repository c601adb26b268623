//! The report as JUnit XML: a suite a document, a case a source that it stands on and that there is something to tell of.

use super::words::{remedy, told};
use crate::printers::junit::{Case, Fate, write};
use cited_audit::report::{Entry, Place};
use cited_audit::{AuditReport, News};
use cited_core::error::Result;

/// The report. What is newly broken fails, what was told before is skipped, what is back passes, what kept the audit from its end is
/// an error.
///
/// # Errors
/// When it cannot be written as XML: a fault of cited.
pub fn render(report: &AuditReport) -> Result<String> {
    let documents = report.by_document().into_iter();
    let mut suites: Vec<(String, Vec<Case>)> = documents
        .map(|(document, entries)| {
            (document.to_owned(), entries.iter().map(|(entry, places)| case(entry, places)).collect())
        })
        .collect();
    if report.entries.is_empty() {
        suites.push(("sources".to_owned(), Vec::new()));
    }
    let undone = report.blocked.iter().chain(&report.unread).map(|why| ("the audit", why.as_str()));
    write("cited audit", suites, "nothing to tell", ("not audited", undone.collect()))
}

fn case(entry: &Entry, places: &[&Place]) -> Case {
    let what = told(entry);
    let lines: Vec<String> = places.iter().filter(|place| place.line > 0).map(|place| place.line.to_string()).collect();
    let at = if lines.is_empty() { String::new() } else { format!(" at line {}", lines.join(", ")) };
    let fate = if entry.news == News::Recovered {
        Fate::Passed(what)
    } else if entry.news.is_new() {
        let help = remedy(entry).map(|remedy| format!("\nhelp: {remedy}")).unwrap_or_default();
        Fate::Failure { description: format!("{what}{help}"), message: what, kind: entry.news.as_str() }
    } else {
        Fate::Skipped(format!("told before: {what}"))
    };
    Case { name: format!("{}{at}", entry.address), class: entry.news.as_str(), fate }
}

#[cfg(test)]
mod tests {
    use quick_junit::Report;

    use super::*;
    use crate::audit::sample;

    #[test]
    fn a_night_as_junit() {
        let text = render(&sample::report()).unwrap();
        sample::snapshot("junit.xml", &text);
        assert!(!text.contains(cited_text::escape::is_unsafe), "{text:?}");
        let read = Report::deserialize_from_str(&text).unwrap();
        assert_eq!((read.tests, read.failures, read.errors), (8, 6, 0), "{text}");
        let read = |report| Report::deserialize_from_str(&render(&report).unwrap()).unwrap();
        let quiet = read(sample::quiet());
        assert_eq!((quiet.tests, quiet.failures, quiet.errors), (1, 0, 0));
        let blocked = read(sample::blocked());
        assert_eq!((blocked.tests, blocked.failures, blocked.errors), (2, 0, 1));
    }
}
