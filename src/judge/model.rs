//! A user's cross-encoder: an ONNX model with its tokenizer, and a [recipe](Recipe) of how to read it, which comes from a
//! [card](card) or from the files of its [publisher](published).

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rten::{DataType, Dimension, Model, ModelOptions, NodeId, Value, ValueType};
use tokenizers::{Encoding, ModelWrapper, Tokenizer};

use super::combine;
use super::meaning::{Combination, Entailment, Manner, Reading};

pub mod calibration;
pub mod card;
pub mod labels;
pub mod onnx;
pub mod published;
#[cfg(test)]
pub(crate) mod tiny;

pub use calibration::Calibration;
pub use card::Card;
use labels::Meaning;

/// The longest input of a model that does not say, in tokens: what encoders of this kind are trained with.
const LONGEST: usize = 512;
/// The longest input that is given to any model, in tokens.
const MOST_TOKENS: usize = 8192;
/// A model has to take so many tokens.
const SHORTEST: usize = 16;
/// The weight of a model that nobody calibrated, beside the words.
const WEIGHT: f64 = 0.7;
/// From which probability a model that nobody calibrated is believed when it contradicts.
const CONTRADICTION: f64 = 0.95;
/// So many tokens of a passage have to have room beside a claim.
const LEAST_ROOM: usize = 8;
/// A passage that is longer than the model reads is read in windows: so many at most …
const MOST_WINDOWS: usize = 16;
/// … of which each begins with the last part of the one before.
const SHARED: usize = 4;
/// Bytes of a text that so many tokens may have: beyond, nothing of a passage is even cut into tokens.
const BYTES_A_TOKEN: usize = 16;
/// Bytes of a text that so many tokens surely hold, in most scripts.
const SURE_BYTES_A_TOKEN: usize = 3;
/// So many pairs are run together.
const BATCH: usize = 16;
/// Of the cells of a batch so many parts in a hundred may be padding.
const MOST_PADDING: usize = 25;
/// So many pairs of tokens are held against each other in a batch of several: the memory of a model grows with them.
const MOST_CELLS: usize = BATCH * LONGEST * LONGEST;

/// How a model is read.
#[derive(Debug, Clone, PartialEq)]
pub struct Recipe {
    /// What its outputs are called, in order.
    pub labels: Vec<String>,
    meanings: Vec<Meaning>,
    /// Tokens of its longest input.
    pub longest: usize,
    /// Whether each output is a probability of its own, and not all together.
    pub apart: bool,
    /// The number of the token that fills up a batch.
    pub padding: u32,
    /// The number of the first place, where the model wants the places of tokens.
    pub first_place: u32,
    /// How many tokens it knows, where that is said.
    pub tokens: Option<usize>,
    /// How much it counts.
    pub manner: Manner,
    /// What of a page it reads.
    pub reading: Reading,
}

impl Recipe {
    /// A recipe for a model that nobody calibrated: it may lower a verdict and raises none.
    fn new(labels: Vec<String>, meanings: Vec<Meaning>, longest: usize) -> Recipe {
        Recipe {
            labels,
            meanings,
            longest,
            apart: false,
            padding: 0,
            first_place: 0,
            tokens: None,
            manner: Manner {
                combination: Combination::beside_words(WEIGHT),
                entailment: f64::INFINITY,
                contradiction: CONTRADICTION,
                even: combine::even_odds(),
                raises: false,
            },
            reading: Reading::Units { room: longest * SURE_BYTES_A_TOKEN },
        }
    }

    /// The same for a model that was calibrated.
    #[must_use]
    pub fn calibrated(mut self, calibration: &Calibration) -> Recipe {
        self.manner = calibration.manner();
        self.reading = Reading::Units { room: self.room() };
        self
    }

    /// So many bytes of passage and claim it surely reads at once.
    pub fn room(&self) -> usize {
        self.longest * SURE_BYTES_A_TOKEN
    }
}

/// The bytes of a model.
pub struct Weights {
    /// The file in ONNX.
    pub model: Cow<'static, [u8]>,
    /// The files beside it that it names, with their names.
    pub beside: Vec<(String, Vec<u8>)>,
}

impl From<Cow<'static, [u8]>> for Weights {
    fn from(model: Cow<'static, [u8]>) -> Self {
        Weights { model, beside: Vec::new() }
    }
}

/// A loaded model.
pub struct CrossEncoder {
    recipe: Recipe,
    model: Model,
    tokenizer: Tokenizer,
    inputs: Vec<(NodeId, Column, bool)>,
    output: NodeId,
    /// So many pairs are run together.
    batch: usize,
    /// Whether it counts with whole numbers that it scales by what it reads.
    scales_by_input: bool,
    /// Tokens of every input, for a model that takes no fewer.
    filled: Option<usize>,
}

#[derive(Debug, Clone, Copy)]
enum Column {
    Ids,
    Mask,
    Sides,
    Places,
}

impl CrossEncoder {
    /// Loads a model from the bytes of its files.
    ///
    /// # Errors
    /// When a file is no model or no tokenizer, or the model has inputs of another kind.
    pub fn load(mut recipe: Recipe, weights: impl Into<Weights>, tokenizer: &[u8]) -> Result<CrossEncoder, String> {
        let Weights { model, beside } = weights.into();
        let cannot = |error: &dyn std::fmt::Display| format!("the model cannot be read: {error}");
        let outline = onnx::outline(&model).map_err(|why| cannot(&why))?;
        let model = guarded(|| {
            let mut options = ModelOptions::with_all_ops();
            // Else every question lays all weights out anew for the processor.
            options.prepack_weights(true);
            for (name, bytes) in beside {
                options.external_data(&name, bytes);
            }
            let loaded = match model {
                Cow::Borrowed(bytes) => options.load_static_slice(bytes),
                Cow::Owned(bytes) => options.load(bytes),
            };
            loaded.map_err(|error| cannot(&error))
        })?;
        let mut tokenizer = guarded(|| {
            Tokenizer::from_bytes(tokenizer).map_err(|error| format!("the tokenizer cannot be read: {error}"))
        })?;
        tokenizer.with_truncation(None).map_err(|error| error.to_string())?;
        tokenizer.with_padding(None);
        let mut inputs = Vec::new();
        let (mut batch, mut filled) = (BATCH, None);
        for (place, id) in model.input_ids().iter().enumerate() {
            let node = model.node_info(*id);
            let name = node.as_ref().and_then(|node| node.name().map(str::to_owned)).unwrap_or_default();
            let column = match name.as_str() {
                "input_ids" => Column::Ids,
                "attention_mask" => Column::Mask,
                "token_type_ids" => Column::Sides,
                "position_ids" => Column::Places,
                other => {
                    return Err(format!(
                        "the model wants an input {other:?}, which is not known; export it for the classification of pairs of text"
                    ));
                }
            };
            let wants_fractions = node.and_then(|node| node.dtype()) == Some(ValueType::Tensor(DataType::Float));
            inputs.push((*id, column, wants_fractions));
            match model.input_shape(place).as_deref() {
                Some([pairs, tokens]) => {
                    match pairs {
                        Dimension::Fixed(1) => batch = 1,
                        Dimension::Fixed(many) => {
                            return Err(format!(
                                "the model reads {many} pairs at once and no fewer; export it with a batch of any size"
                            ));
                        }
                        Dimension::Symbolic(_) => {}
                    }
                    if let Dimension::Fixed(tokens) = tokens {
                        filled = Some(*tokens);
                    }
                }
                None => {}
                Some(_) => return Err(format!("the input {name:?} of the model is no row of tokens")),
            }
        }
        if let Some(filled) = filled {
            if filled < SHORTEST {
                return Err(too_short(filled));
            }
            recipe.longest = recipe.longest.min(filled);
        }
        // The scales of whole numbers are those of all that is run together: a pair has to mean the same alone and among others.
        let scales_by_input = outline.scales_by_input;
        if scales_by_input {
            batch = 1;
        }
        let named = |id: &&NodeId| model.node_info(**id).and_then(|node| node.name().map(|name| name == "logits"));
        let outputs = model.output_ids();
        let output = outputs.iter().find(|id| named(id).unwrap_or_default()).or(outputs.first());
        let output = *output.ok_or("the model has no output")?;
        Ok(CrossEncoder { recipe, model, tokenizer, inputs, output, batch, scales_by_input, filled })
    }

    /// How it is read.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// The kind of its tokenizer, and how many tokens that knows.
    pub fn words(&self) -> (&'static str, usize) {
        let kind = match self.tokenizer.get_model() {
            ModelWrapper::BPE(_) => "BPE",
            ModelWrapper::WordPiece(_) => "WordPiece",
            ModelWrapper::WordLevel(_) => "WordLevel",
            ModelWrapper::Unigram(_) => "Unigram",
        };
        (kind, self.tokenizer.get_vocab_size(true))
    }

    /// Whether it counts with whole numbers that it scales by what it reads.
    pub fn counts_whole(&self) -> bool {
        self.scales_by_input
    }

    /// Whether a claim is short enough to be read beside a passage. One that the tokenizer fails at counts as such: reading it says why.
    pub fn takes(&self, claim: &str) -> bool {
        guarded(|| Ok(self.encode("", claim)?.len() + LEAST_ROOM <= self.recipe.longest)).unwrap_or(true)
    }

    /// What each passage says about the claim beside it. A passage that is longer than the model reads is read in windows; of
    /// these the one counts that entails it most, and the one that contradicts it most.
    ///
    /// # Errors
    /// When the model cannot be run on them.
    pub fn read(&self, pairs: &[(&str, &str)]) -> Result<Vec<Entailment>, String> {
        guarded(|| {
            let mut inputs: Vec<(usize, Encoding)> = Vec::new();
            for (place, (passage, claim)) in pairs.iter().enumerate() {
                inputs.extend(self.windows(passage, claim)?.into_iter().map(|window| (place, window)));
            }
            // Those of one length together: padding is work.
            inputs.sort_by_key(|(place, input)| (input.len(), *place));
            let mut found: Vec<Option<Entailment>> = vec![None; pairs.len()];
            let mut rest = inputs.as_slice();
            while !rest.is_empty() {
                let (batch, after) = rest.split_at(self.together(rest));
                rest = after;
                for ((place, _), read) in batch.iter().zip(self.run(batch)?) {
                    if let Some(known) = found.get_mut(*place) {
                        let other = known.unwrap_or(read);
                        let (entails, contradicts) =
                            (read.entails.max(other.entails), read.contradicts.max(other.contradicts));
                        *known = Some(Entailment { entails, contradicts });
                    }
                }
            }
            found.into_iter().map(|one| one.ok_or_else(|| "the model gave no answer".to_owned())).collect()
        })
    }

    fn encode(&self, passage: &str, claim: &str) -> Result<Encoding, String> {
        self.tokenizer.encode((passage, claim), true).map_err(|error| error.to_string())
    }

    /// The inputs for a passage and a claim: one, or several when the passage is too long for one.
    fn windows(&self, passage: &str, claim: &str) -> Result<Vec<Encoding>, String> {
        let longest = self.recipe.longest;
        let most = longest * BYTES_A_TOKEN * MOST_WINDOWS;
        let passage = passage.get(..passage.floor_char_boundary(most)).unwrap_or(passage);
        let whole = self.encode(passage, claim)?;
        if whole.len() <= longest {
            return Ok(vec![whole]);
        }
        let beside = self.encode("", claim)?.len();
        let room = longest.saturating_sub(beside);
        if room < LEAST_ROOM {
            return Err("a claim is longer than the model reads".to_owned());
        }
        let own = self.tokenizer.encode(passage, false).map_err(|error| error.to_string())?;
        let places = own.get_offsets();
        let mut found = Vec::new();
        let mut first = 0;
        while first < places.len() && found.len() < MOST_WINDOWS {
            let mut count = room.min(places.len() - first);
            let window = loop {
                let span = places.get(first..first + count).and_then(|span| Some((span.first()?.0, span.last()?.1)));
                // Where tokens are parts of a letter, the whole letter is read.
                let text = span.and_then(|(begin, end)| {
                    passage.get(passage.floor_char_boundary(begin)..passage.ceil_char_boundary(end))
                });
                let text = text.ok_or("a text cannot be cut into what the model reads")?;
                let window = self.encode(text, claim)?;
                match window.len().saturating_sub(longest) {
                    0 => break window,
                    // Cut out of its text, a word may be more tokens than in it.
                    over if count > over + 1 => count -= over + 1,
                    _ => return Err("a text cannot be cut into what the model reads".to_owned()),
                }
            };
            found.push(window);
            if first + count >= places.len() {
                break;
            }
            first += (count - count / SHARED).max(1);
        }
        Ok(found)
    }

    /// How many of these inputs, which are sorted by length, are run together.
    fn together(&self, inputs: &[(usize, Encoding)]) -> usize {
        let mut cells = 0;
        let mut count = 0;
        for (_, input) in inputs.iter().take(self.batch) {
            let padded = input.len() * (count + 1);
            let filled = cells + input.len();
            let width = self.filled.unwrap_or(input.len());
            let is_too_much =
                (padded - filled) * 100 > padded * MOST_PADDING || (count + 1) * width * width > MOST_CELLS;
            if count > 0 && is_too_much {
                break;
            }
            cells = filled;
            count += 1;
        }
        count.max(1)
    }

    fn run(&self, batch: &[(usize, Encoding)]) -> Result<Vec<Entailment>, String> {
        let longest = batch.iter().map(|(_, input)| input.len()).max().unwrap_or(0);
        let width = self.filled.unwrap_or(longest);
        let Recipe { padding, first_place, tokens, .. } = self.recipe;
        if let Some(tokens) = tokens
            && let Some(id) = batch.iter().flat_map(|(_, input)| input.get_ids()).find(|id| **id as usize >= tokens)
        {
            return Err(format!(
                "the tokenizer gives token {id} and the model knows {tokens}: the files are not of one model"
            ));
        }
        let column = |column: Column, wants_fractions: bool| {
            let mut cells: Vec<i32> = Vec::with_capacity(batch.len() * width);
            let number = |value: u32| i32::try_from(value).unwrap_or(0);
            for (_, input) in batch {
                let end = cells.len() + width;
                match column {
                    Column::Ids => cells.extend(input.get_ids().iter().map(|id| number(*id))),
                    Column::Mask => cells.extend(input.get_attention_mask().iter().map(|one| number(*one))),
                    Column::Sides => cells.extend(input.get_type_ids().iter().map(|side| number(*side))),
                    Column::Places => cells.extend((first_place..).take(input.len()).map(number)),
                }
                let filling = match column {
                    Column::Ids => padding,
                    Column::Mask | Column::Sides => 0,
                    Column::Places => first_place.saturating_sub(1),
                };
                cells.resize(end, number(filling));
            }
            let shape = [batch.len(), width];
            if wants_fractions {
                let cells: Vec<f32> = cells.into_iter().map(|cell| cell as f32).collect();
                return Value::from_shape(shape, cells).map_err(|error| error.to_string());
            }
            Value::from_shape(shape, cells).map_err(|error| error.to_string())
        };
        let inputs: Vec<_> = self
            .inputs
            .iter()
            .map(|(id, of, wants_fractions)| Ok((*id, column(*of, *wants_fractions)?.into())))
            .collect::<Result<_, String>>()?;
        let mut outputs = self.model.run(inputs, &[self.output], None).map_err(|error| error.to_string())?;
        let output = outputs.pop().ok_or("the model gave no output")?;
        let ([rows, width], logits) = output
            .into_shape_vec::<f32, 2>()
            .map_err(|_| "its output is no row of numbers a pair: it is no model that classifies pairs".to_owned())?;
        if width != self.recipe.meanings.len() {
            return Err(format!("the model has {width} outputs and {} labels", self.recipe.meanings.len()));
        }
        if rows != batch.len() {
            return Err(format!("the model was asked about {} pairs and answered about {rows}", batch.len()));
        }
        if logits.iter().any(|logit| !logit.is_finite()) {
            return Err("the model's answer is no number: it may be damaged".to_owned());
        }
        Ok(logits.chunks_exact(width.max(1)).map(|logits| self.entailment(logits)).collect())
    }

    fn entailment(&self, logits: &[f32]) -> Entailment {
        let alone = |logit: f32| 1.0 / (1.0 + (-f64::from(logit)).exp());
        let place = |wanted| self.recipe.meanings.iter().position(|meaning| *meaning == wanted);
        let (shares, sum): (Vec<f64>, f64) = if self.recipe.apart || logits.len() == 1 {
            (logits.iter().map(|logit| alone(*logit)).collect(), 1.0)
        } else {
            let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let weights: Vec<f64> = logits.iter().map(|logit| f64::from(logit - most).exp()).collect();
            let sum = weights.iter().sum();
            (weights, sum)
        };
        let share = |wanted| place(wanted).and_then(|place| shares.get(place)).map_or(0.0, |share| share / sum);
        Entailment { entails: share(Meaning::Entailment), contradicts: share(Meaning::Contradiction) }
    }
}

fn too_short(tokens: usize) -> String {
    format!("it reads {tokens} tokens at most: too few for a claim and a passage")
}

/// Runs foreign models: what panics in the libraries that read them is an error like any other.
fn guarded<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err("the model made its runtime fail".to_owned()))
}

#[cfg(test)]
mod tests;
