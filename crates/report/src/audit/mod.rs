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
mod words;

use cited_audit::AuditReport;
use cited_core::error::Result;

use crate::html::View;
use crate::printers::OwnReport;
use crate::printers::json::pretty;

/// What a night has to tell.
///
/// # Errors
/// When it cannot be written as JSON: a fault of cited.
pub fn told(report: &AuditReport) -> Result<OwnReport> {
    let content = human_report::history(report);
    Ok(OwnReport {
        json: pretty(report)?,
        sheet: human_report::sheet(report),
        view: View { id: "history", name: "Over time", count: None, content },
        markdown: Some(markdown::render(report)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_night_as_text_and_as_json() {
        let report = sample::report();
        let told = told(&report).unwrap();
        let text = anstream::adapter::strip_str(&told.sheet.text()).to_string();
        sample::snapshot("text.txt", &text);
        assert!(!text.contains(|c: char| c != '\n' && cited_text::escape::is_unsafe(c)), "{text:?}");
        // What one has written another can read, and nothing is lost.
        assert_eq!(serde_json::from_str::<AuditReport>(&told.json).unwrap(), report);
    }
}
