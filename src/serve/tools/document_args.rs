//! A document as a client gives it: its text, its file, or a list in its place. Which of them go together is said in words, as many
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

/// What a call gives of a document.
pub struct DocumentArgs<'a> {
    /// What it is called where it has no file.
    pub name: &'a str,
    /// Its text.
    pub text: Option<&'a str>,
    /// Its file.
    pub path: Option<&'a str>,
    /// The argument that may stand in its place, and whether it is there.
    pub list: Option<(&'a str, bool)>,
}

impl DocumentArgs<'_> {
    /// The document, with its file where it has one; none when the list stands in its place.
    ///
    /// # Errors
    /// Unless exactly one is given, the file is inside a folder that the service opened, and the document is not too long.
    pub fn read(self, context: &Context) -> Result<Option<(Input, Option<PathBuf>)>, Failure> {
        let list = self.list.filter(|(_, is_there)| *is_there);
        // Many models fill in every argument: an empty text beside a path is none.
        let text = self.text.filter(|text| self.path.is_none() && list.is_none() || !text.trim().is_empty());
        let (document, file) = match (text, self.path, list) {
            (Some(text), None, None) => (Input { path: self.name.to_owned(), text: text.into() }, None),
            (None, Some(path), None) => {
                let file = context.roots().file(path)?;
                (Input { path: path.to_owned(), text: (context.services().read)(&file)?.text }, Some(file))
            }
            (None, None, Some(_)) => return Ok(None),
            _ => {
                let list = self.list.map_or_else(String::new, |(name, _)| format!(" or `{name}`"));
                return Err(Failure::arguments(format!("give one of `text`, `path`{list}, and nothing beside it")));
            }
        };
        context.fits(self.name, &document.text)?;
        Ok(Some((document, file)))
    }
}
