//! Where the state is, and its way out and in.

use std::fs::File;
use std::io::{BufReader, BufWriter, Write as _};
use std::path::Path;

use crate::cli::exit::Exit;
use crate::cli::settings::Settings;
use crate::commands::input::STANDARD;
use crate::commands::output;
use cited_audit::store::Store;
use cited_core::error::{Error, Result};

/// The folder of the usual state, in the folder where the audit is run: the state belongs to the documents beside it.
const FOLDER: &str = ".cited";
/// The usual state.
const FILE: &str = ".cited/audit.sqlite";

/// Where the state is. The folder of the usual one is made, and kept out of version control.
///
/// # Errors
/// When the folder cannot be made.
pub fn place(settings: &Settings) -> Result<String> {
    if let Some(state) = &settings.audit.state {
        return Ok(state.clone());
    }
    let folder = Path::new(FOLDER);
    if !folder.is_dir() {
        std::fs::create_dir(folder).map_err(|error| Error::write(folder, error))?;
        let ignore = folder.join(".gitignore");
        std::fs::write(&ignore, "*\n").map_err(|error| Error::write(&ignore, error))?;
    }
    Ok(FILE.to_owned())
}

/// Writes all that is remembered.
///
/// # Errors
/// When the state cannot be read or the file cannot be written.
pub fn export(place: &str, path: &Path) -> Result<Exit> {
    let mut store = Store::open(place)?;
    if path == Path::new(STANDARD) {
        let mut out = BufWriter::new(std::io::stdout().lock());
        store.export(&mut out)?;
        out.flush().map_err(Error::print)?;
        return Ok(Exit::Done);
    }
    output::vet(&[path], &[place.into()])?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let wrong = |error: std::io::Error| Error::write(path, error);
    // Beside its place first: a disk that is full leaves the export of yesterday.
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(wrong)?;
    {
        let mut out = BufWriter::new(file.as_file_mut());
        store.export(&mut out)?;
        out.flush().map_err(wrong)?;
    }
    file.as_file().sync_all().map_err(wrong)?;
    file.persist(path).map_err(|error| wrong(error.error))?;
    Ok(Exit::Done)
}

/// Reads an export into a new state.
///
/// # Errors
/// When the state is not empty, or a line is not understood.
pub fn import(place: &str, path: &Path) -> Result<Exit> {
    if path == Path::new(STANDARD) {
        let mut store = Store::open(place)?;
        store.import(&mut std::io::stdin().lock())?;
        return Ok(Exit::Done);
    }
    let file = File::open(path).map_err(|error| Error::read(path, error))?;
    Store::open(place)?.import(&mut BufReader::new(file))?;
    Ok(Exit::Done)
}
