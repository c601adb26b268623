//! JSON as it is printed. `cited schema` prints the shapes.

use cited_core::error::{Error, Result};

/// A value as readable JSON that ends with a line end.
///
/// # Errors
/// When it has no form in JSON: a fault of cited.
pub fn pretty(value: &impl serde::Serialize) -> Result<String> {
    let text = serde_json::to_string_pretty(value).map_err(|error| Error::defect(error.to_string()))?;
    Ok(text + "\n")
}
