//! The report as JUnit XML: a suite a document, a case a source that it stands on and that there is something to tell of.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::words::{remedy, told};
use crate::findings::shown;
use cited_audit::report::{Entry, Place};
use cited_audit::{AuditReport, News};
use cited_core::error::{Error, Result};

/// The report. What is newly broken fails, what was told before is skipped, what is back passes, what kept the audit from its end is
/// an error.
///
/// # Errors
/// When it cannot be written as XML: a fault of cited.
pub fn render(report: &AuditReport) -> Result<String> {
    let mut out = Report::new("cited audit");
    for (document, entries) in report.by_document() {
        let mut suite = TestSuite::new(document);
        entries.iter().for_each(|(entry, places)| {
            suite.add_test_case(case(entry, places));
        });
        out.add_test_suite(suite);
    }
    if report.entries.is_empty() {
        let mut suite = TestSuite::new("sources");
        suite.add_test_case(TestCase::new("nothing to tell", TestCaseStatus::success()));
        out.add_test_suite(suite);
    }
    let failures: Vec<&String> = report.blocked.iter().chain(&report.unread).collect();
    if !failures.is_empty() {
        let mut suite = TestSuite::new("not audited");
        for why in failures {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_message(why.as_str()).set_type("not audited");
            suite.add_test_case(TestCase::new("the audit", status));
        }
        out.add_test_suite(suite);
    }
    let written = out.to_string().map(|text| text.chars().map(shown).collect());
    written.map_err(|error| Error::defect(format!("the JUnit report: {error}")))
}

fn case(entry: &Entry, places: &[&Place]) -> TestCase {
    let what = told(entry);
    let lines: Vec<String> = places.iter().filter(|place| place.line > 0).map(|place| place.line.to_string()).collect();
    let name = if lines.is_empty() {
        entry.address.clone()
    } else {
        format!("{} at line {}", entry.address, lines.join(", "))
    };
    let status = if entry.news == News::Recovered {
        TestCaseStatus::success()
    } else if entry.news.is_new() {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
        let help = remedy(entry).map(|remedy| format!("\nhelp: {remedy}")).unwrap_or_default();
        status.set_message(&what).set_type(entry.news.as_str());
        status.set_description(format!("{what}{help}"));
        status
    } else {
        let mut status = TestCaseStatus::skipped();
        status.set_message(format!("told before: {what}"));
        status
    };
    let passes = matches!(status, TestCaseStatus::Success { .. });
    let mut case = TestCase::new(name, status);
    case.set_classname(entry.news.as_str());
    if passes {
        case.set_system_out(what);
    }
    case
}

#[cfg(test)]
mod tests {
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
