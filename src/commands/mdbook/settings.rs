//! What `[preprocessor.cited]` of `book.toml` says.

use schemars::JsonSchema;
use serde::Deserialize;

use cited_core::error::{Error, Result};
use cited_core::shape;

/// The table in `book.toml`.
const TABLE: &str = "preprocessor.cited";
/// Keys of the table that are mdBook's own.
const MDBOOKS: [&str; 5] = ["command", "renderers", "before", "after", "optional"];
/// The settings of a book that are of no other document: `cited.toml` beside it has the others.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct BookSettings {
    /// Whether it is judged what the sources say.
    #[serde(default)]
    pub support: bool,
    /// How the book cites.
    #[serde(default)]
    pub citations: Citations,
    /// The title of the chapter with all sources.
    #[serde(default = "bibliography_title")]
    pub bibliography_title: String,
}

/// How a book cites.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Citations {
    /// As its chapters do.
    #[default]
    Keep,
    /// With footnotes.
    Footnotes,
    /// With links into one bibliography.
    Bibliography,
}

fn bibliography_title() -> String {
    "Bibliography".to_owned()
}

impl BookSettings {
    /// The settings that the table of a book holds.
    ///
    /// # Errors
    /// When a key is unknown or a value cannot be used.
    pub fn read(table: &serde_json::Value) -> Result<BookSettings> {
        let wrong = |what: String| Error::settings(format!("book.toml, [{TABLE}]: {what}"));
        let mut table = table.as_object().cloned().unwrap_or_default();
        table.retain(|key, _| !MDBOOKS.contains(&key.as_str()));
        shape::read(&table.into()).map_err(wrong)
    }
}
