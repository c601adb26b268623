//! The entailment model of `--model`: its card is read at the start, the model itself when a claim first needs it.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::cli::settings::ModelChoice;
use crate::error::{Error, Result};
use crate::judge::meaning::{Entailment, EntailmentModel, Manner};
use crate::judge::model::{Card, CrossEncoder};

/// The files of the model that ships with the program; `models/minilm/README.md` is its card in words.
#[cfg(feature = "embedded-model")]
mod embedded {
    pub const CARD: &str = include_str!("../../models/minilm/card.json");
    pub const MODEL: &[u8] = include_bytes!("../../models/minilm/model.onnx");
    pub const TOKENIZER: &[u8] = include_bytes!("../../models/minilm/tokenizer.json");
}

/// Where the files of a model are.
enum Files {
    Folder(PathBuf),
    #[cfg(feature = "embedded-model")]
    Embedded,
}

/// A model that is loaded when it is first asked.
pub struct LazyModel {
    files: Files,
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
        let (files, card) = match choice {
            ModelChoice::None => return Ok(None),
            ModelChoice::Embedded => embedded()?,
            ModelChoice::Card(path) if path.is_dir() => of_the_user(&path.join("card.json"))?,
            ModelChoice::Card(path) => of_the_user(path)?,
        };
        Ok(Some(LazyModel { files, card, loaded: OnceLock::new(), failure: OnceLock::new() }))
    }

    /// Why it could not be loaded or run, when that happened.
    pub fn failure(&self) -> Option<Error> {
        let failure = self.failure.get()?;
        let name = match &self.files {
            Files::Folder(folder) => folder.display().to_string(),
            #[cfg(feature = "embedded-model")]
            Files::Embedded => "embedded".to_owned(),
        };
        Some(Error::settings(format!("model: {name}: {failure}; nothing was written")))
    }

    fn load(&self) -> std::result::Result<CrossEncoder, String> {
        let (model, tokenizer): (Cow<'static, [u8]>, Cow<'static, [u8]>) = match &self.files {
            Files::Folder(folder) => {
                let read = |name: &str| {
                    std::fs::read(folder.join(name)).map_err(|error| format!("{name} cannot be read: {error}"))
                };
                (read(&self.card.model)?.into(), read(&self.card.tokenizer)?.into())
            }
            #[cfg(feature = "embedded-model")]
            Files::Embedded => (embedded::MODEL.into(), embedded::TOKENIZER.into()),
        };
        CrossEncoder::load(self.card.clone(), model, &tokenizer)
    }
}

#[cfg(feature = "embedded-model")]
fn embedded() -> Result<(Files, Card)> {
    let card = Card::read(embedded::CARD).map_err(|why| Error::settings(format!("model: embedded: {why}")))?;
    Ok((Files::Embedded, card))
}

#[cfg(not(feature = "embedded-model"))]
fn embedded() -> Result<(Files, Card)> {
    Err(Error::settings(
        "model: this program was built without its model (feature `embedded-model`); use none, or the card file of a model of \
         yours (see docs/models.md)",
    ))
}

/// The card of a user's model, and the folder that it and the files beside it are in.
fn of_the_user(path: &Path) -> Result<(Files, Card)> {
    let text = std::fs::read_to_string(path).map_err(|error| Error::read(path, error))?;
    let card = Card::read(&text).map_err(|why| Error::settings(format!("model: {}: {why}", path.display())))?;
    let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
    for name in [&card.model, &card.tokenizer] {
        let file = folder.join(name);
        if !file.is_file() {
            return Err(Error::read(&file, std::io::ErrorKind::NotFound.into()));
        }
    }
    Ok((Files::Folder(folder), card))
}

impl EntailmentModel for LazyModel {
    fn read(&self, pairs: &[(&str, &str)]) -> std::result::Result<Vec<Entailment>, String> {
        let loaded = self.loaded.get_or_init(|| self.load()).as_ref().map_err(Clone::clone);
        let read = loaded.and_then(|model| model.read(pairs));
        read.inspect_err(|why| {
            self.failure.get_or_init(|| why.clone());
        })
    }

    fn manner(&self) -> Manner {
        self.card.manner()
    }
}

#[cfg(all(test, feature = "embedded-model"))]
mod tests {
    use super::{LazyModel, embedded};
    use crate::cli::settings::ModelChoice;
    use crate::judge::meaning::EntailmentModel;

    #[test]
    fn the_model_that_ships_says_what_its_card_says() {
        let model = LazyModel::open(&ModelChoice::Embedded).unwrap().unwrap();
        assert!(model.loaded.get().is_none(), "loaded before a claim needs it");
        let card: serde_json::Value = serde_json::from_str(embedded::CARD).unwrap();
        let example = |name: &str| card["example"][name].as_str().unwrap().to_owned();
        let read = model.read(&[(&example("premise"), &example("hypothesis"))]).unwrap();
        let said = card["example"]["probabilities"][0].as_f64().unwrap();
        assert!((read[0].entails - said).abs() < 0.02, "{read:?} and {said} in the card");
        // It was fitted to the words, raises nothing to supported, and tells support from its contrary.
        let manner = model.manner();
        assert!(manner.entailment >= 1.0 && manner.combination.words > 0.0, "{manner:?}");
        let page = "Sales rose to 40 million in 2021, from 31 million in 2019. The firm has 300 employees.";
        let says = |claim: &str| model.read(&[(page, claim)]).unwrap()[0].entails;
        let (right, wrong) = (says("In 2019 sales were 31 million."), says("The firm had 2,000 employees in 2019."));
        assert!(wrong < right, "{right} {wrong}");
        assert!(embedded::MODEL.len() + embedded::TOKENIZER.len() < 30_000_000);
    }
}
