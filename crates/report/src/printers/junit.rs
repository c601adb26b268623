//! Findings as JUnit XML: a suite a document, a case a finding; a document without findings is one case that passes.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use crate::findings::{Incomplete, Stream, shown};
use cited_core::check::{Item, State};
use cited_core::error::{Error, Result};
use cited_core::finding::Finding;

/// The report. New findings at or over the severity that fails the run are failures; allowed and known ones are
/// skipped; what could not be checked is an error.
///
/// # Errors
/// When the report cannot be written as XML: a fault of cited.
pub fn render(stream: &Stream) -> Result<String> {
    let mut report = Report::new("cited");
    let passed = |name: &str| TestCase::new(name, TestCaseStatus::success());
    // A pipeline takes a report without a case for a fault.
    let suite = |name: &str, cases: Vec<TestCase>| {
        let mut suite = TestSuite::new(name);
        suite.add_test_cases(if cases.is_empty() { vec![passed("no findings")] } else { cases });
        suite
    };
    for document in &stream.documents {
        let texts = document.texts();
        let case = |item: &Item| {
            let Item { finding, state, .. } = item;
            let Finding { code, severity, message, remedy, .. } = finding;
            let at = texts.locate(finding).format_position();
            let mut case = passed(&format!("{code} at {at}"));
            case.set_classname(code.as_str());
            match state {
                State::New if stream.fails(item) => {
                    let help = remedy.as_ref().map(|remedy| format!("\nhelp: {remedy}")).unwrap_or_default();
                    case.status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                    case.status.set_message(message.as_str()).set_type(severity.as_str());
                    case.status.set_description(format!("{at}: {message}{help}"));
                }
                State::New => drop(case.set_system_out(format!("{severity}: {message}"))),
                State::Known => skip(&mut case, format!("known: {message}")),
                State::Suppressed(reason) => skip(&mut case, format!("allowed ({reason}): {message}")),
            }
            case
        };
        report.add_test_suite(suite(&document.document.path, document.items.iter().map(case).collect()));
    }
    let unchecked = |part: &Incomplete| {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_message(part.reason.as_str()).set_type("not checked");
        TestCase::new(part.file.as_deref().unwrap_or("the run"), status)
    };
    if !stream.incomplete.is_empty() || report.test_suites.is_empty() {
        let name = if stream.incomplete.is_empty() { "cited" } else { "not checked" };
        report.add_test_suite(suite(name, stream.incomplete.iter().map(unchecked).collect()));
    }
    // Names and messages hold what documents hold: nothing of it may reorder or hide the words of the report.
    // XML 1.0 knows no U+FFFE and U+FFFF, not even as references.
    let fit = |c: char| if matches!(c, '\u{fffe}' | '\u{ffff}') { char::REPLACEMENT_CHARACTER } else { shown(c) };
    let written = report.to_string().map(|text| text.chars().map(fit).collect());
    written.map_err(|error| Error::defect(format!("the JUnit report: {error}")))
}

/// A case that does not count, and why.
fn skip(case: &mut TestCase, why: String) {
    case.status = TestCaseStatus::skipped();
    case.status.set_message(why);
}

#[cfg(test)]
mod tests {
    use super::*;
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
