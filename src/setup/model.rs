//! The entailment model of `--model`: how it is read is known at the start, the model itself is loaded when a claim first needs it.

use std::path::Path;
use std::sync::OnceLock;

use crate::cli::settings::ModelChoice;
use crate::error::{Error, Result};
use crate::judge::meaning::{Entailment, EntailmentModel, Manner, Reading};
use crate::judge::model::{CrossEncoder, Recipe};

pub mod folder;
pub mod registry;

use folder::Files;
use registry::Registry;

/// The files of the model that ships with the program; `models/minilm/README.md` is its card in words.
#[cfg(feature = "embedded-model")]
mod embedded {
    pub const CARD: &str = include_str!("../../models/minilm/card.json");
    pub const MODEL: &[u8] = include_bytes!("../../models/minilm/model.onnx");
    pub const TOKENIZER: &[u8] = include_bytes!("../../models/minilm/tokenizer.json");
}

/// Where a model comes from.
enum Source {
    Files(Box<Files>),
    #[cfg(feature = "embedded-model")]
    Embedded,
}

/// A model that is loaded when it is first asked.
pub struct LazyModel {
    source: Source,
    recipe: Recipe,
    loaded: OnceLock<std::result::Result<CrossEncoder, String>>,
    failure: OnceLock<String>,
}

impl LazyModel {
    /// The model that a setting names; none for `none`.
    ///
    /// # Errors
    /// When there is no such model, or its files do not say how it is read.
    pub fn open(choice: &ModelChoice) -> Result<Option<LazyModel>> {
        let (source, recipe) = match choice {
            ModelChoice::None => return Ok(None),
            ModelChoice::Embedded => embedded()?,
            ModelChoice::Card(path) => of_the_user(path)?,
        };
        Ok(Some(LazyModel { source, recipe, loaded: OnceLock::new(), failure: OnceLock::new() }))
    }

    /// A model that is loaded already.
    pub fn loaded(files: Files, encoder: CrossEncoder) -> LazyModel {
        let recipe = encoder.recipe().clone();
        let loaded = OnceLock::from(Ok(encoder));
        LazyModel { source: Source::Files(Box::new(files)), recipe, loaded, failure: OnceLock::new() }
    }

    /// How it is read.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// Why it could not be loaded or run, when that happened.
    pub fn failure(&self) -> Option<Error> {
        let failure = self.failure.get()?;
        let name = match &self.source {
            Source::Files(files) => files.folder.display().to_string(),
            #[cfg(feature = "embedded-model")]
            Source::Embedded => "embedded".to_owned(),
        };
        // What says already which file is at fault says enough.
        let told = if failure.starts_with("model: ") { String::new() } else { format!("model: {name}: ") };
        Some(Error::settings(format!("{told}{failure}; nothing was written")))
    }

    fn get(&self) -> std::result::Result<&CrossEncoder, String> {
        let load = || match &self.source {
            Source::Files(files) => {
                files.load(self.recipe.clone()).map(|loaded| loaded.encoder).map_err(|error| error.to_string())
            }
            #[cfg(feature = "embedded-model")]
            Source::Embedded => {
                let model = std::borrow::Cow::Borrowed(embedded::MODEL);
                CrossEncoder::load(self.recipe.clone(), model, embedded::TOKENIZER)
            }
        };
        self.loaded.get_or_init(load).as_ref().map_err(Clone::clone)
    }
}

#[cfg(feature = "embedded-model")]
fn embedded() -> Result<(Source, Recipe)> {
    let card = crate::judge::model::Card::read(embedded::CARD);
    let card = card.map_err(|why| Error::settings(format!("model: embedded: {why}")))?;
    Ok((Source::Embedded, card.recipe()))
}

#[cfg(not(feature = "embedded-model"))]
fn embedded() -> Result<(Source, Recipe)> {
    Err(Error::settings(
        "model: this program was built without its model (feature `embedded-model`); use none, or the folder of a model of \
         yours (see docs/models.md)",
    ))
}

/// A model that the user names: one that was added, by its name or its place, or any other folder or card.
fn of_the_user(path: &Path) -> Result<(Source, Recipe)> {
    let registry = Registry::of_the_user();
    let known = |registry: &Registry| match path.to_str().filter(|text| Registry::is_name(text)) {
        Some(name) => Ok(registry.named(name)?.or(registry.at(path)?)),
        None => registry.at(path),
    };
    match registry.as_ref().map(known).transpose()?.flatten() {
        Some(entry) => {
            let files = Files::find(&entry.path)?;
            let recipe = entry.recipe(&files)?;
            Ok((Source::Files(Box::new(files)), recipe))
        }
        None => {
            if !path.exists() {
                return Err(Error::settings(format!(
                    "model: {}: there is no such folder or card, and no model was added by this name (see `cited model list`)",
                    path.display()
                )));
            }
            let files = Files::find(path)?;
            let recipe = files.recipe().clone();
            Ok((Source::Files(Box::new(files)), recipe))
        }
    }
}

impl EntailmentModel for LazyModel {
    fn read(&self, pairs: &[(&str, &str)]) -> std::result::Result<Vec<Entailment>, String> {
        self.get().and_then(|model| model.read(pairs)).inspect_err(|why| {
            self.failure.get_or_init(|| why.clone());
        })
    }

    fn manner(&self) -> Manner {
        self.recipe.manner
    }

    fn reading(&self) -> Reading {
        self.recipe.reading
    }

    fn takes(&self, claim: &str) -> bool {
        // One that cannot be loaded says so when it is asked.
        self.get().map_or(true, |model| model.takes(claim))
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
        assert!(manner.entailment > 1.0 && manner.combination.words > 0.0, "{manner:?}");
        let page = "Sales rose to 40 million in 2021, from 31 million in 2019. The firm has 300 employees.";
        let says = |claim: &str| model.read(&[(page, claim)]).unwrap()[0].entails;
        let (right, wrong) = (says("In 2019 sales were 31 million."), says("The firm had 2,000 employees in 2019."));
        assert!(wrong < right, "{right} {wrong}");
        assert!(embedded::MODEL.len() + embedded::TOKENIZER.len() < 30_000_000);
    }
}
