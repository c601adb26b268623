//! For programs: the report as it is (`cited schema audit`).

use cited_audit::AuditReport;
use cited_core::error::{Error, Result};

/// The report as JSON.
///
/// # Errors
/// Never for a report that was made by an audit.
pub fn render(report: &AuditReport) -> Result<String> {
    let text = serde_json::to_string_pretty(report).map_err(|error| Error::defect(error.to_string()))?;
    Ok(text + "\n")
}
