//! Findings as JUnit XML: a suite a document, a case a finding; a document without findings is one case that passes.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::{OwnReport, Print, Printer};
use crate::findings::json::located;
use crate::findings::{Stream, shown};
use cited_core::check::State;
use cited_core::error::{Error, Result};

/// The row of the table.
pub static PRINTER: Printer = Printer {
    name: Some("junit"),
    endings: &[".xml"],
    about: "JUnit XML for test reports",
    print: Print::Any(|outcome, _| outcome.own().and_then(OwnReport::junit).unwrap_or_else(|| render(&outcome.stream))),
};

/// The report. New findings at or over the severity that fails the run are failures; allowed and known ones are
/// skipped; what could not be checked is an error.
///
/// # Errors
/// When the report cannot be written as XML: a fault of cited.
pub fn render(stream: &Stream<'_>) -> Result<String> {
    let mut suites = Vec::new();
    for document in &stream.documents {
        let texts = document.texts();
        let cases = document.items.iter().map(|item| {
            let finding = &item.finding;
            let at = located(finding, &texts).place();
            let fate = match &item.state {
                State::New if stream.fails(item) => {
                    let help = finding.remedy.as_ref().map(|remedy| format!("\nhelp: {remedy}")).unwrap_or_default();
                    let description = format!("{at}: {}{help}", finding.message);
                    Fate::Failure { message: finding.message.clone(), kind: finding.severity.as_str(), description }
                }
                State::New => Fate::Passed(format!("{}: {}", finding.severity, finding.message)),
                State::Known => Fate::Skipped(format!("in the baseline: {}", finding.message)),
                State::Suppressed(reason) => Fate::Skipped(format!("allowed ({reason}): {}", finding.message)),
            };
            Case { name: format!("{} at {at}", finding.code), class: finding.code.as_str(), fate }
        });
        suites.push((document.document.path.clone(), cases.collect()));
    }
    let incomplete = stream.incomplete.iter();
    let undone = incomplete.map(|part| (part.file.as_deref().unwrap_or("the run"), part.reason.as_str()));
    write("cited", suites, "no findings", ("not checked", undone.collect()))
}

/// A case of a suite.
pub(crate) struct Case {
    /// Its name.
    pub name: String,
    /// What kind of case it is.
    pub class: &'static str,
    /// What became of it.
    pub fate: Fate,
}

/// What became of a case.
pub(crate) enum Fate {
    /// It passes, and this is told.
    Passed(String),
    /// It does not count, and why.
    Skipped(String),
    /// It fails.
    Failure { message: String, kind: &'static str, description: String },
}

/// Suites by their names as XML; one without cases has a case `none` that passes. What could not be `done` is a suite of errors.
///
/// # Errors
/// When they cannot be written: a fault of cited.
pub(crate) fn write(
    tool: &str,
    suites: Vec<(String, Vec<Case>)>,
    none: &str,
    (undone, errors): (&str, Vec<(&str, &str)>),
) -> Result<String> {
    let mut report = Report::new(tool);
    for (name, cases) in suites {
        let mut suite = TestSuite::new(name);
        if cases.is_empty() {
            suite.add_test_case(TestCase::new(none, TestCaseStatus::success()));
        }
        for Case { name, class, fate } in cases {
            let mut case = TestCase::new(name, TestCaseStatus::success());
            case.set_classname(class);
            match fate {
                Fate::Passed(told) => drop(case.set_system_out(told)),
                Fate::Skipped(why) => {
                    case.status = TestCaseStatus::skipped();
                    case.status.set_message(why);
                }
                Fate::Failure { message, kind, description } => {
                    case.status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                    case.status.set_message(message).set_type(kind).set_description(description);
                }
            }
            suite.add_test_case(case);
        }
        report.add_test_suite(suite);
    }
    if !errors.is_empty() {
        let mut suite = TestSuite::new(undone);
        for (name, why) in errors {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_message(why).set_type(undone);
            suite.add_test_case(TestCase::new(name, status));
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
