//! The models that a user has added: a file each in the user's configuration folder, with what a calibration found.
//!
//! The folder is `$XDG_CONFIG_HOME/cited/models` (XDG Base Directory), `%APPDATA%\cited\models` on Windows. Models stay where they
//! are; what is kept is where that is, and a hash of what was read there.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::folder::Files;
use crate::error::{Error, Result};
use crate::judge::model::{Calibration, Recipe};

/// The name and version of an entry.
const SCHEMA: &str = "cited/model/1";
/// The longest name of a model.
const LONGEST_NAME: usize = 64;
/// What `--model` understands as something else.
const TAKEN: [&str; 2] = ["none", "embedded"];

/// A model that was added.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    schema: String,
    /// The name it was added by.
    pub name: String,
    /// What is named to use it: a folder, or a file in it.
    pub path: PathBuf,
    /// SHA-256 over everything that is read of it.
    pub sha256: String,
    /// Bytes of its weights.
    pub bytes: u64,
    /// What a calibration found.
    pub calibration: Option<Calibration>,
}

impl Entry {
    /// An entry for a model at `path`, which is absolute.
    pub fn new(name: &str, path: &Path, sha256: &str, bytes: u64) -> Entry {
        let (schema, name, path) = (SCHEMA.to_owned(), name.to_owned(), path.to_path_buf());
        Entry { schema, name, path, sha256: sha256.to_owned(), bytes, calibration: None }
    }

    /// How its model is read; a calibration counts for the files that it was made with and for no others.
    ///
    /// # Errors
    /// When the files are not those that were added.
    pub fn recipe(&self, files: &Files) -> Result<Recipe> {
        let recipe = files.recipe().clone();
        let Some(calibration) = &self.calibration else { return Ok(recipe) };
        if files.sha256()? != self.sha256 {
            return Err(Error::settings(format!(
                "model: {}: its files are not those that `{}` was calibrated with; run `cited model add {}` and calibrate it again",
                files.folder.display(),
                self.name,
                self.path.display()
            )));
        }
        Ok(recipe.calibrated(calibration))
    }
}

/// Where a path leads, as it is kept. A file keeps its own name: in a store of downloads it may be a link to one that has none.
///
/// # Errors
/// When there is nothing at the path.
pub fn place_of(path: &Path) -> std::io::Result<PathBuf> {
    match path.file_name().filter(|_| path.is_file()) {
        Some(name) => Ok(std::path::absolute(path)?.parent().unwrap_or(Path::new("")).canonicalize()?.join(name)),
        None => path.canonicalize(),
    }
}

/// The folder of the entries.
#[derive(Debug, Clone)]
pub struct Registry {
    folder: PathBuf,
}

impl Registry {
    /// The user's own; none when the system does not say where that is.
    pub fn of_the_user() -> Option<Registry> {
        let variable = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let home = || {
            let below = if cfg!(target_os = "macos") { "Library/Application Support" } else { ".config" };
            Some(variable("HOME")?.join(below))
        };
        let folder = variable("XDG_CONFIG_HOME").or_else(|| variable("APPDATA")).or_else(home)?;
        Some(Registry { folder: folder.join("cited").join("models") })
    }

    /// Whether something can be the name of a model: small letters, digits, `.`, `_` and `-`.
    pub fn is_name(text: &str) -> bool {
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"._-".contains(&byte);
        let begins = text.bytes().next().is_some_and(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        begins && text.len() <= LONGEST_NAME && text.bytes().all(plain) && !TAKEN.contains(&text)
    }

    /// The name that a model gets from where it is.
    pub fn name_for(path: &Path) -> Option<String> {
        let part = |path: &Path| path.file_name().and_then(|name| name.to_str().map(str::to_owned));
        let named = |path: &Path| {
            let name = part(path)?;
            // A store of downloads: `models--PUBLISHER--NAME/snapshots/HASH`.
            let stored = path.parent().filter(|above| part(above).is_some_and(|name| name == "snapshots"));
            let store = stored.and_then(Path::parent).and_then(part);
            let store = store.and_then(|store| Some(store.rsplit_once("--")?.1.to_owned()));
            Some(store.unwrap_or(name))
        };
        let folder = if path.is_dir() { Some(path) } else { path.parent() }?;
        let folder = if part(folder).is_some_and(|name| name == "onnx") { folder.parent()? } else { folder };
        let name: String = named(folder)?
            .to_lowercase()
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' })
            .skip_while(|c| !c.is_ascii_alphanumeric())
            .take(LONGEST_NAME)
            .collect();
        Registry::is_name(&name).then_some(name)
    }

    fn place(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.json"))
    }

    /// The model of a name.
    ///
    /// # Errors
    /// When its entry cannot be read.
    pub fn named(&self, name: &str) -> Result<Option<Entry>> {
        let path = self.place(name);
        if !Registry::is_name(name) || !path.exists() {
            return Ok(None);
        }
        let text = std::fs::read_to_string(&path).map_err(|error| Error::read(&path, error))?;
        let entry: Entry = serde_json::from_str(&text).map_err(|error| {
            let shown = path.display();
            Error::settings(format!("{shown}: not what cited wrote: {error}; remove it and add the model again"))
        })?;
        if entry.schema != SCHEMA || entry.name != name || entry.calibration.as_ref().is_some_and(|one| !one.is_sane())
        {
            let shown = path.display();
            return Err(Error::settings(format!("{shown}: not what cited wrote; remove it and add the model again")));
        }
        Ok(Some(entry))
    }

    /// All models, by name.
    ///
    /// # Errors
    /// When an entry cannot be read.
    pub fn all(&self) -> Result<Vec<Entry>> {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten();
        let mut names: Vec<String> = entries
            .filter_map(|entry| Some(entry.ok()?.file_name().to_str()?.strip_suffix(".json")?.to_owned()))
            .collect();
        names.sort_unstable();
        let read = names.iter().map(|name| self.named(name));
        read.filter_map(Result::transpose).collect()
    }

    /// The model that is at a path.
    ///
    /// # Errors
    /// When an entry cannot be read.
    pub fn at(&self, path: &Path) -> Result<Option<Entry>> {
        let Ok(path) = place_of(path) else { return Ok(None) };
        Ok(self.all()?.into_iter().find(|entry| entry.path == path))
    }

    /// The file that an entry goes to, and what it holds.
    ///
    /// # Errors
    /// When its folder cannot be made.
    pub fn written(&self, entry: &Entry) -> Result<(PathBuf, Vec<u8>)> {
        std::fs::create_dir_all(&self.folder).map_err(|error| Error::write(&self.folder, error))?;
        let mut text = serde_json::to_vec_pretty(entry).map_err(|error| Error::defect(error.to_string()))?;
        text.push(b'\n');
        Ok((self.place(&entry.name), text))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::Registry;

    #[test]
    fn names_are_plain_and_come_from_folders() {
        for (path, name) in [
            ("/models/plain/onnx", Some("plain")),
            ("/models/DeBERTa-v3 base", Some("deberta-v3-base")),
            ("/hub/models--org--nli-small/snapshots/0123abcd", Some("nli-small")),
            ("/models/none", None),
            ("/models/…", None),
            ("/", None),
        ] {
            // A path that is not there is taken for a file of its folder.
            assert_eq!(Registry::name_for(&Path::new(path).join("config.json")).as_deref(), name, "{path}");
        }
        for bad in ["", "none", "embedded", "../x", "a/b", "A", ".hidden", "-x"] {
            assert!(!Registry::is_name(bad), "{bad}");
        }
    }
}
