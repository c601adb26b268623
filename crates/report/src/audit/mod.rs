//! A night of an audit in each format, a file a format.
//!
//! Nothing here asks what time it is or who reads: all of it is in the report. What came from outside (addresses, titles, sentences,
//! names of files) goes through the escape of its format.

pub mod findings;
mod human_report;
pub mod markdown;
#[cfg(test)]
#[path = "sample_tests.rs"]
mod sample;

#[cfg(test)]
mod tests {
    use super::sample;
    use crate::printers::OwnReport as _;
    use cited_audit::AuditReport;

    #[test]
    fn a_night_as_text_and_as_json() {
        let report = sample::report();
        let text = anstream::adapter::strip_str(&report.sheet().text()).to_string();
        sample::snapshot("text.txt", &text);
        assert!(!text.contains(|c: char| c != '\n' && cited_text::escape::is_unsafe(c)), "{text:?}");
        // What one has written another can read, and nothing is lost.
        assert_eq!(serde_json::from_str::<AuditReport>(&report.json().unwrap()).unwrap(), report);
    }
}
