//! The entailment model of `--model`: its card is read at the start, the model itself when a claim first needs it.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::cli::settings::ModelChoice;
use crate::error::{Error, Result};
use crate::judge::meaning::{Entailment, EntailmentModel, Manner};
use crate::judge::model::{Card, CrossEncoder};

/// A model that is loaded when it is first asked.
pub struct LazyModel {
    folder: PathBuf,
    card: Card,
    loaded: OnceLock<std::result::Result<CrossEncoder, String>>,
    failure: OnceLock<String>,
}

impl LazyModel {
    /// The model that a setting names; none for `none`.
    ///
    /// # Errors
    /// When there is no such model, or its card cannot be used.
    pub fn open(choice: &ModelChoice) -> Result<Option<LazyModel>> {
        let path = match choice {
            ModelChoice::None => return Ok(None),
            ModelChoice::Embedded => {
                return Err(Error::settings(
                    "model: no model ships with this program: none has shown that it earns its megabytes over words and \
                     exact checks; use none, or the card file of a model of yours (see docs/models.md)",
                ));
            }
            ModelChoice::Card(path) if path.is_dir() => path.join("card.json"),
            ModelChoice::Card(path) => path.clone(),
        };
        let text = std::fs::read_to_string(&path).map_err(|error| Error::read(&path, error))?;
        let wrong = |why: String| Error::settings(format!("model: {}: {why}", path.display()));
        let card = Card::read(&text).map_err(wrong)?;
        let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
        for name in [&card.model, &card.tokenizer] {
            let file = folder.join(name);
            if !file.is_file() {
                return Err(Error::read(&file, std::io::ErrorKind::NotFound.into()));
            }
        }
        Ok(Some(LazyModel { folder, card, loaded: OnceLock::new(), failure: OnceLock::new() }))
    }

    /// Why it could not be loaded or run, when that happened.
    pub fn failure(&self) -> Option<Error> {
        let failure = self.failure.get()?;
        Some(Error::settings(format!("model: {}: {failure}; nothing was written", self.folder.display())))
    }

    fn load(&self) -> std::result::Result<CrossEncoder, String> {
        let read = |name: &str| {
            std::fs::read(self.folder.join(name)).map_err(|error| format!("{name} cannot be read: {error}"))
        };
        CrossEncoder::load(self.card.clone(), read(&self.card.model)?, &read(&self.card.tokenizer)?)
    }
}

impl EntailmentModel for LazyModel {
    fn read(&self, passages: &[&str], claim: &str) -> std::result::Result<Vec<Entailment>, String> {
        let loaded = self.loaded.get_or_init(|| self.load()).as_ref().map_err(Clone::clone);
        let read = loaded.and_then(|model| model.read(passages, claim));
        read.inspect_err(|why| {
            self.failure.get_or_init(|| why.clone());
        })
    }

    fn manner(&self) -> Manner {
        self.card.manner()
    }
}
