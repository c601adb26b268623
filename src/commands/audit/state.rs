//! Where the state is.

use std::path::Path;

use crate::cli::settings::Settings;
use cited_core::error::{Error, Result};

/// The folder of the usual state, in the folder where the audit is run: the state belongs to the documents beside it.
const FOLDER: &str = ".cited";
/// The usual state.
const FILE: &str = ".cited/audit.sqlite";

/// Where the state is. The folder of the usual one is made, and kept out of version control.
///
/// # Errors
/// When the folder cannot be made.
pub fn prepare_location(settings: &Settings) -> Result<String> {
    if let Some(state) = &settings.audit.state {
        return Ok(state.to_string_lossy().into_owned());
    }
    let folder = Path::new(FOLDER);
    if !folder.is_dir() {
        std::fs::create_dir(folder).map_err(|error| Error::write(folder, error))?;
        let ignore = folder.join(".gitignore");
        std::fs::write(&ignore, "*\n").map_err(|error| Error::write(&ignore, error))?;
    }
    Ok(FILE.to_owned())
}
