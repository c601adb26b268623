//! A night of an audit as text: a file a format, and one table of them.

pub mod json;
pub mod text;

use crate::audit::AuditReport;
use crate::error::Result;

/// A format that a report is written in.
#[derive(Debug, Clone, Copy)]
pub struct Printer {
    /// How the names of files end that are written in it.
    pub ending: &'static str,
    /// Writes a report.
    pub print: fn(&AuditReport) -> Result<String>,
}

/// All formats. The first whose ending fits counts.
pub const PRINTERS: &[Printer] = &[
    Printer { ending: ".json", print: json::render },
    Printer { ending: ".txt", print: |report| Ok(text::render(report, false)) },
];
