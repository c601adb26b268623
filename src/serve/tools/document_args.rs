//! A document as a client gives it: its text or its file. Which of them go together is said in words, as many
//! agent programs refuse schemas with alternatives.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Deserialize;

use super::context::Context;
use super::failure::Failure;
use cited_core::input::Input;

/// A file that is given as its text.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InlineFile {
    /// Its name, such as `runs.csv` or `x-research-web.md`: its ending says what it is.
    pub name: String,
    /// What is in it.
    pub content: String,
}

/// The document that a call gives as its text or as its file, with that file; `name` is what it is called where it has none. `instead` names
/// what may stand in its place.
///
/// # Errors
/// Unless exactly one is given, the file is inside a folder that the service opened, and the document is not too long.
pub fn read_document(
    context: &Context,
    name: &str,
    (text, path): (Option<&str>, Option<&str>),
    instead: &str,
) -> Result<(Input, Option<PathBuf>), Failure> {
    // Many models fill in every argument: an empty text beside a path is none.
    let text = text.filter(|text| path.is_none() || !text.trim().is_empty());
    let (document, file) = match (text, path) {
        (Some(text), None) => (Input { path: name.to_owned(), text: text.into() }, None),
        (None, Some(path)) => {
            let file = context.roots.file(path)?;
            (Input { path: path.to_owned(), text: (context.services.read)(&file)?.text }, Some(file))
        }
        _ => return Err(Failure::arguments(format!("give one of `text`, `path`{instead}, and nothing beside it"))),
    };
    context.fits(name, &document.text)?;
    Ok((document, file))
}
