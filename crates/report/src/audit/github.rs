//! The report as workflow commands of GitHub Actions: an annotation at each place that stands on what is newly broken.

use std::fmt::Write as _;

use super::words::{remedy, told};
use crate::printers::github::{data, property};
use cited_audit::report::Entry;
use cited_audit::{AuditReport, News};
use cited_core::finding::Severity;
use cited_text::escape;

/// One command a line.
pub fn render(report: &AuditReport) -> String {
    let mut out = String::new();
    let is_told = |entry: &&Entry| entry.news.is_new() && entry.news != News::Recovered;
    for entry in report.entries.iter().filter(is_told) {
        let command = match entry.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "notice",
        };
        let help = remedy(entry).map(|remedy| format!("\nhelp: {}", escape::plain(&remedy))).unwrap_or_default();
        let message = data(&format!("{}{help}", escape::plain(&told(entry))));
        let title = format!("{} source", entry.state);
        for place in &entry.places {
            let line = if place.line > 0 { format!(",line={}", place.line) } else { String::new() };
            // Writing to a string cannot fail.
            let _ = writeln!(out, "::{command} file={}{line},title={title}::{message}", property(&place.document));
        }
        if entry.places.is_empty() {
            let _ = writeln!(out, "::{command} title={title}::{message}");
        }
    }
    for why in report.blocked.iter().chain(&report.unread) {
        let _ = writeln!(out, "::error title=not audited::{}", data(&escape::plain(why)));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::sample;

    #[test]
    fn a_night_as_annotations() {
        let text = render(&sample::report());
        sample::snapshot("github.txt", &text);
        assert!(text.lines().all(|line| line.starts_with("::error ") || line.starts_with("::warning ")), "{text}");
        assert!(!text.contains('\r'));
        assert_eq!(render(&sample::quiet()), "");
        assert!(render(&sample::blocked()).starts_with("::error title=not audited::"));
    }
}
