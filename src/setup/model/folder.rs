//! Where the files of a user's model are: a folder as its publisher gives it, a file in it, or a card beside the files.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::error::{Error, Result};
use crate::judge::model::{Card, CrossEncoder, Recipe, Weights, onnx, published};

/// The largest files that are read, in bytes: a card or settings, a tokenizer, weights.
const LARGEST_TEXT: u64 = 4 << 20;
const LARGEST_TOKENIZER: u64 = 64 << 20;
const LARGEST_WEIGHTS: u64 = 8 << 30;
/// Where publishers put models, below their folder.
const PLACES: [&str; 2] = ["onnx", ""];
/// Of several models the first of these is taken: the one that was trained before those that were made smaller from it.
const PREFERRED: [&str; 5] =
    ["model.onnx", "model_quantized.onnx", "model_int8.onnx", "model_uint8.onnx", "model_fp16.onnx"];
/// Endings of weights that another runtime reads.
const OTHER_WEIGHTS: [&str; 5] = ["safetensors", "bin", "pt", "h5", "msgpack"];
/// Files that a `tokenizer.json` can be made from.
const OTHER_TOKENIZERS: [&str; 5] =
    ["spm.model", "sentencepiece.bpe.model", "tokenizer.model", "vocab.txt", "vocab.json"];

/// The files of a model.
#[derive(Debug, Clone)]
pub struct Files {
    /// The folder that they are in.
    pub folder: PathBuf,
    /// The model.
    pub model: PathBuf,
    /// Other models in the folder that can be named instead.
    pub others: Vec<PathBuf>,
    tokenizer: PathBuf,
    /// What says how it is read.
    told: String,
    recipe: Recipe,
}

/// What was read from the files of a model.
pub struct Loaded {
    /// The model.
    pub encoder: CrossEncoder,
    /// SHA-256 over all that was read, in hexadecimal.
    pub sha256: String,
    /// Bytes of the weights.
    pub bytes: u64,
}

fn wrong(path: &Path, why: &str) -> Error {
    Error::settings(format!("model: {}: {why}", path.display()))
}

impl Files {
    /// Finds the files that a path leads to.
    ///
    /// # Errors
    /// When one is missing, or does not say how the model is read.
    pub fn find(path: &Path) -> Result<Files> {
        let metadata = path.metadata().map_err(|error| Error::read(path, error))?;
        if metadata.is_dir() {
            let card = path.join("card.json");
            return if card.is_file() { Files::of_card(&card) } else { Files::of_folder(path, None) };
        }
        if path.extension().is_some_and(|extension| extension == "onnx") {
            let beside = path.parent().unwrap_or(Path::new(""));
            let above = beside.parent().filter(|_| !beside.join("config.json").is_file());
            let folder = above.filter(|above| above.join("config.json").is_file()).unwrap_or(beside);
            return Files::of_folder(folder, Some(path));
        }
        if path.file_name().is_some_and(|name| name == "config.json") {
            Files::of_folder(path.parent().unwrap_or(Path::new("")), None)
        } else {
            Files::of_card(path)
        }
    }

    fn of_card(path: &Path) -> Result<Files> {
        let told = text(path)?;
        let card = Card::read(&told).map_err(|why| wrong(path, &why))?;
        let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
        let (model, tokenizer) = (folder.join(&card.model), folder.join(&card.tokenizer));
        for file in [&model, &tokenizer] {
            if !file.is_file() {
                return Err(Error::read(file, std::io::ErrorKind::NotFound.into()));
            }
        }
        Ok(Files { folder, model, others: Vec::new(), tokenizer, told, recipe: card.recipe() })
    }

    fn of_folder(folder: &Path, named: Option<&Path>) -> Result<Files> {
        let config = folder.join("config.json");
        if !config.is_file() {
            return Err(wrong(
                folder,
                "it has neither a config.json nor a card.json; name the folder that its publisher gives, with config.json, \
                 tokenizer.json and onnx/model.onnx (see docs/models.md)",
            ));
        }
        let mut models = models(folder);
        if let Some(named) = named {
            models.retain(|model| model != named);
            models.insert(0, named.to_path_buf());
        }
        let mut models = models.into_iter();
        let Some(model) = models.next() else { return Err(wrong(folder, &without_model(folder))) };
        let tokenizer = PLACES.iter().rev().map(|place| folder.join(place).join("tokenizer.json"));
        let Some(tokenizer) = tokenizer.into_iter().find(|path| path.is_file()) else {
            return Err(wrong(folder, &without_tokenizer(folder)));
        };
        let told = text(&config)?;
        let beside = folder.join("tokenizer_config.json");
        let of_tokenizer = if beside.is_file() { Some(text(&beside)?) } else { None };
        let recipe = published::read(&told, of_tokenizer.as_deref()).map_err(|why| wrong(folder, &why))?;
        let told = told + of_tokenizer.as_deref().unwrap_or_default();
        Ok(Files { folder: folder.to_path_buf(), model, others: models.collect(), tokenizer, told, recipe })
    }

    /// How the model is read, as its files say.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// SHA-256 over everything that is read of the model, in hexadecimal.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn sha256(&self) -> Result<String> {
        Ok(self.read()?.2)
    }

    fn read(&self) -> Result<(Weights, Vec<u8>, String)> {
        let model = whole(&self.model, LARGEST_WEIGHTS)?;
        let tokenizer = whole(&self.tokenizer, LARGEST_TOKENIZER)?;
        let named = onnx::outline(&model).map_err(|why| wrong(&self.model, &why))?.external;
        let folder = self.model.parent().unwrap_or(Path::new(""));
        let beside = named.into_iter().map(|name| {
            let path = folder.join(&name);
            if !path.is_file() {
                return Err(wrong(
                    &self.model,
                    &format!("its weights are in {name}, which is not beside it; get that file, too"),
                ));
            }
            Ok((name, whole(&path, LARGEST_WEIGHTS)?))
        });
        let beside = beside.collect::<Result<Vec<_>>>()?;
        let mut hash = Sha256::new();
        let parts = [self.told.as_bytes(), &model, &tokenizer];
        for part in parts.into_iter().chain(beside.iter().map(|(_, bytes)| bytes.as_slice())) {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        let sha256 = data_encoding::HEXLOWER.encode(&hash.finalize());
        Ok((Weights { model: model.into(), beside }, tokenizer, sha256))
    }

    /// Loads the model, to be read by this recipe.
    ///
    /// # Errors
    /// When its files cannot be read, or are no model.
    pub fn load(&self, recipe: Recipe) -> Result<Loaded> {
        let (weights, tokenizer, sha256) = self.read()?;
        let bytes = weights.model.len() + weights.beside.iter().map(|(_, bytes)| bytes.len()).sum::<usize>();
        let encoder = CrossEncoder::load(recipe, weights, &tokenizer).map_err(|why| wrong(&self.folder, &why))?;
        Ok(Loaded { encoder, sha256, bytes: bytes as u64 })
    }
}

/// The models of a folder, the one that is to be taken first.
fn models(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    for place in PLACES {
        let Ok(entries) = std::fs::read_dir(folder.join(place)) else { continue };
        let mut names: Vec<String> = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
        names.retain(|name| name.starts_with("model") && Path::new(name).extension().is_some_and(|end| end == "onnx"));
        names.sort_by_key(|name| {
            let rank = PREFERRED.iter().position(|preferred| preferred == name);
            (rank.unwrap_or(PREFERRED.len()), name.clone())
        });
        found.extend(names.into_iter().map(|name| folder.join(place).join(name)).filter(|path| path.is_file()));
    }
    found
}

fn without_model(folder: &Path) -> String {
    let ending = |path: &Path| path.extension().and_then(|ending| ending.to_str().map(str::to_owned));
    let names = std::fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let other = names.filter(|path| ending(path).is_some_and(|ending| OTHER_WEIGHTS.contains(&ending.as_str()))).min();
    let shown = folder.display();
    match other.as_deref().and_then(Path::file_name) {
        Some(name) => format!(
            "it has weights for another runtime ({}) and no model in ONNX; make one with `optimum-cli export onnx --model {shown} \
             --task text-classification {shown}/onnx`",
            name.display()
        ),
        None => "it has no onnx/model.onnx and no model.onnx; get the model in ONNX from its publisher".to_owned(),
    }
}

fn without_tokenizer(folder: &Path) -> String {
    let shown = folder.display();
    let other = OTHER_TOKENIZERS.iter().find(|name| folder.join(name).is_file());
    let (has, make) = match other {
        Some(name) => (
            format!("it has {name} and no tokenizer.json"),
            format!(
                "make it with `python3 -c \"from transformers import AutoTokenizer as T; \
                 T.from_pretrained('{shown}').save_pretrained('{shown}')\"`"
            ),
        ),
        None => ("it has no tokenizer.json".to_owned(), "get it from the publisher of the model".to_owned()),
    };
    format!("{has}; {make}")
}

fn text(path: &Path) -> Result<String> {
    let bytes = whole(path, LARGEST_TEXT)?;
    String::from_utf8(bytes).map_err(|error| Error::not_utf8(path, error.utf8_error().valid_up_to()))
}

/// A file that is not larger than it may be.
fn whole(path: &Path, largest: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| Error::read(path, error))?;
    file.take(largest + 1).read_to_end(&mut bytes).map_err(|error| Error::read(path, error))?;
    if bytes.len() as u64 > largest {
        return Err(wrong(path, &format!("it has more than {} MiB, which no such file needs", largest >> 20)));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::Files;
    use crate::judge::meaning::Entailment;
    use crate::judge::model::tiny::Tiny;

    fn says(path: &Path) -> Entailment {
        let files = Files::find(path).unwrap();
        let loaded = files.load(files.recipe().clone()).unwrap();
        assert_eq!(loaded.sha256, files.sha256().unwrap());
        loaded.encoder.read(&[("the council said yes", "the bridge is open")]).unwrap()[0]
    }

    #[test]
    fn a_model_is_found_where_publishers_put_it() {
        for place in ["onnx/model.onnx", "model.onnx", "onnx/model_quantized.onnx", "model_fp16.onnx"] {
            let folder = tempfile::tempdir().unwrap();
            Tiny { external: Some("model.onnx_data"), ..Tiny::new() }.write(folder.path(), place);
            for path in [folder.path().to_path_buf(), folder.path().join(place), folder.path().join("config.json")] {
                assert!(says(&path).entails > 0.8, "{place} by {}", path.display());
            }
        }
        // Of several the one that the others were made from; another by its name.
        let folder = tempfile::tempdir().unwrap();
        Tiny::new().write(folder.path(), "onnx/model.onnx");
        Tiny { whole_numbers: true, ..Tiny::new() }.write(folder.path(), "onnx/model_int8.onnx");
        let files = Files::find(folder.path()).unwrap();
        let name = |path: &Path| path.file_name().unwrap().to_owned();
        assert_eq!(
            (name(&files.model), files.others.iter().map(|path| name(path)).collect()),
            ("model.onnx".into(), vec!["model_int8.onnx".into()])
        );
        let named = Files::find(&folder.path().join("onnx/model_int8.onnx")).unwrap();
        assert_eq!(name(&named.model), "model_int8.onnx");
        assert!(named.load(named.recipe().clone()).unwrap().encoder.counts_whole());
        assert_ne!(named.sha256().unwrap(), files.sha256().unwrap());
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_of_links_into_a_store_is_read_as_one_of_files() {
        let folder = tempfile::tempdir().unwrap();
        let (blobs, snapshot) = (folder.path().join("blobs"), folder.path().join("snapshots"));
        std::fs::create_dir(&snapshot).unwrap();
        Tiny { external: Some("model.onnx_data"), ..Tiny::new() }.write(&blobs, "model.onnx");
        for (number, name) in ["model.onnx", "model.onnx_data", "config.json", "tokenizer.json"].iter().enumerate() {
            let blob = blobs.join(number.to_string());
            std::fs::rename(blobs.join(name), &blob).unwrap();
            std::os::unix::fs::symlink(&blob, snapshot.join(name)).unwrap();
        }
        assert!(says(&snapshot).entails > 0.8);
    }

    #[test]
    fn what_is_missing_is_said_with_what_to_do() {
        let check = |spoil: &dyn Fn(&Path), part: &str| {
            let folder = tempfile::tempdir().unwrap();
            Tiny::new().write(folder.path(), "onnx/model.onnx");
            spoil(folder.path());
            let files = Files::find(folder.path()).and_then(|files| files.load(files.recipe().clone()).map(|_| ()));
            let why = files.map_or_else(|error| error.to_string(), |()| "nothing".to_owned());
            assert!(why.contains(part), "{why} without {part}");
        };
        let remove = |name: &'static str| move |folder: &Path| std::fs::remove_file(folder.join(name)).unwrap();
        let put = |name: &'static str, content: &'static str| {
            move |folder: &Path| std::fs::write(folder.join(name), content).unwrap()
        };
        check(&|_| (), "nothing");
        check(&remove("config.json"), "neither a config.json nor a card.json");
        check(&remove("onnx/model.onnx"), "no onnx/model.onnx");
        check(
            &|folder| {
                remove("onnx/model.onnx")(folder);
                put("model.safetensors", "")(folder);
            },
            "optimum-cli export onnx",
        );
        check(&remove("tokenizer.json"), "it has no tokenizer.json");
        check(
            &|folder| {
                remove("tokenizer.json")(folder);
                put("spm.model", "")(folder);
            },
            "AutoTokenizer",
        );
        check(&put("config.json", "{}"), "id2label");
        check(&put("tokenizer.json", "{}"), "tokenizer cannot be read");
        check(&put("onnx/model.onnx", "nothing"), "");
        check(
            &|folder| {
                let far = Tiny { external: Some("../../etc/passwd"), ..Tiny::new() }.onnx();
                std::fs::write(folder.join("onnx/model.onnx"), far).unwrap();
            },
            "not a file beside it",
        );
        check(
            &|folder| {
                let apart = Tiny { external: Some("model.onnx_data"), ..Tiny::new() }.onnx();
                std::fs::write(folder.join("onnx/model.onnx"), apart).unwrap();
            },
            "get that file, too",
        );
        check(
            &|folder| {
                let file = std::fs::File::create(folder.join("tokenizer.json")).unwrap();
                file.set_len((64 << 20) + 1).unwrap();
            },
            "more than 64 MiB",
        );
    }
}
