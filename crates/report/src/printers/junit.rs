//! Findings as JUnit XML: a suite a document, a case a finding; a document without findings is one case that passes.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::{Print, Printer};
use crate::findings::json::located;
use crate::findings::{Stream, shown};
use cited_core::check::State;
use cited_core::error::{Error, Result};

/// The row of the table.
pub static PRINTER: Printer = Printer {
    name: Some("junit"),
    endings: &[".xml"],
    about: "JUnit XML for test reports",
    print: Print::Any(|outcome, _| render(&outcome.stream)),
};

/// The report. New findings at or over the severity that fails the run are failures; allowed and known ones are
/// skipped; what could not be checked is an error.
///
/// # Errors
/// When the report cannot be written as XML: a fault of cited.
pub fn render(stream: &Stream<'_>) -> Result<String> {
    let mut report = Report::new("cited");
    for document in &stream.documents {
        let mut suite = TestSuite::new(document.document.path.as_str());
        let texts = document.texts();
        for item in document.items {
            let place = located(&item.finding, &texts);
            let at = match (place.line, place.column) {
                (Some(line), Some(column)) => format!("{}:{line}:{column}", place.file),
                _ => place.file.clone(),
            };
            let severity = item.finding.severity;
            let status = match &item.state {
                State::New if stream.fails(item) => {
                    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                    status.set_message(&item.finding.message).set_type(severity.as_str());
                    let help = item.finding.remedy.as_ref().map(|remedy| format!("\nhelp: {remedy}"));
                    let description = format!("{at}: {}{}", item.finding.message, help.unwrap_or_default());
                    status.set_description(description);
                    status
                }
                State::New => TestCaseStatus::success(),
                State::Known => {
                    let mut status = TestCaseStatus::skipped();
                    status.set_message(format!("in the baseline: {}", item.finding.message));
                    status
                }
                State::Suppressed(reason) => {
                    let mut status = TestCaseStatus::skipped();
                    status.set_message(format!("allowed ({reason}): {}", item.finding.message));
                    status
                }
            };
            let passes = matches!(status, TestCaseStatus::Success { .. });
            let mut case = TestCase::new(format!("{} at {at}", item.finding.code), status);
            case.set_classname(item.finding.code.as_str());
            if passes {
                case.set_system_out(format!("{severity}: {}", item.finding.message));
            }
            suite.add_test_case(case);
        }
        if document.items.is_empty() {
            suite.add_test_case(TestCase::new("no findings", TestCaseStatus::success()));
        }
        report.add_test_suite(suite);
    }
    if !stream.incomplete.is_empty() {
        let mut suite = TestSuite::new("not checked");
        for incomplete in &stream.incomplete {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_message(&incomplete.reason).set_type("not checked");
            suite.add_test_case(TestCase::new(incomplete.file.as_deref().unwrap_or("the run"), status));
        }
        report.add_test_suite(suite);
    }
    // Names and messages hold what documents hold: nothing of it may reorder or hide the words of the report.
    // XML 1.0 knows no U+FFFE and U+FFFF, not even as references.
    let fit = |c: char| if matches!(c, '\u{fffe}' | '\u{ffff}') { char::REPLACEMENT_CHARACTER } else { shown(c) };
    let written = report.to_string().map(|text| text.chars().map(fit).collect());
    written.map_err(|error| Error::defect(format!("the JUnit report: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::Incomplete;
    use crate::findings::stream::tests::Sample;

    #[test]
    fn a_report_counts_what_it_holds_and_survives_hostile_names() {
        let hostile = "a]]><x>&\"\u{1b}[31m\u{0}\u{fffe}\u{202e}\u{61c}.md";
        let sample = Sample::new(&[
            (hostile, "x [9]", "[9]", "<m> & ]]>\n::error::", State::New),
            ("b.md", "x [9]", "[9]", "m", State::Known),
            ("c.md", "x [9]", "[9]", "m", State::Suppressed("<r>".into())),
        ]);
        let mut stream = sample.stream();
        stream.incomplete.push(Incomplete { file: Some("d.md".into()), reason: "not UTF-8".into() });
        let text = render(&stream).unwrap();
        assert!(!text.contains(cited_text::escape::is_unsafe), "{text:?}");
        let report = Report::deserialize_from_str(&text).unwrap();
        assert_eq!((report.tests, report.failures, report.errors), (4, 1, 1), "{text}");
        let suites: Vec<(usize, usize, usize)> =
            report.test_suites.iter().map(|suite| (suite.tests, suite.failures, suite.errors)).collect();
        assert_eq!(suites, [(1, 1, 0), (1, 0, 0), (1, 0, 0), (1, 0, 1)], "{text}");
        assert_eq!(text.matches("<skipped ").count(), 2, "{text}");
        assert_eq!(
            report.test_suites[0].test_cases[0].classname.as_ref().map(quick_junit::XmlString::as_str),
            Some("orphan-citation")
        );
    }
}
