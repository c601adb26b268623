//! For programs: the report as it is (`cited schema audit`).

use cited_audit::AuditReport;
use cited_core::error::Result;

/// The report as JSON.
///
/// # Errors
/// Never for a report that was made by an audit.
pub fn render(report: &AuditReport) -> Result<String> {
    crate::printers::json::pretty(report)
}
