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

use crate::findings::Stream;
use crate::html::View;
use crate::html::sheet::Sheet;
use crate::printers::OwnReport;
use crate::printers::json::pretty;

impl OwnReport for AuditReport {
    fn json(&self) -> Result<String> {
        pretty(self)
    }

    fn sheet(&self) -> Sheet {
        human_report::sheet(self)
    }

    fn view(&self, _: &Stream) -> View {
        View { id: "history", name: "Over time", count: None, content: human_report::history(self) }
    }

    fn markdown(&self) -> Option<String> {
        Some(markdown::render(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
