//! A user's cross-encoder: an ONNX model with its tokenizer and a card that says how to read it.
//!
//! The card is JSON: `model` and `tokenizer` (files beside it), `labels` (what the outputs mean, in order; one of them is
//! `entailment`, one may be `contradiction`; a single output is read as a logit of entailment), and if wanted `longest`
//! (tokens of an input), `combination` or `weight`, `entailment`, `contradiction` and `even` (see [`Manner`]). Whatever else it says is
//! for readers.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rten::{Model, ModelOptions, NodeId, Value};
use serde::Deserialize;
use tokenizers::{Tokenizer, TruncationDirection, TruncationParams, TruncationStrategy};

use super::combine;
use super::meaning::{Combination, Entailment, Manner};

/// The longest input of a card that does not say, in tokens: what encoders of this kind are trained with.
const LONGEST: usize = 512;
/// The longest input that a card may ask for, in tokens.
const MOST_TOKENS: usize = 8192;

/// What a card says.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Card {
    /// The file of the model, beside the card.
    pub model: String,
    /// The file of the tokenizer (`tokenizer.json`), beside the card.
    pub tokenizer: String,
    /// What the outputs mean.
    labels: Vec<String>,
    #[serde(default = "longest")]
    longest: usize,
    #[serde(default = "weight")]
    weight: f64,
    combination: Option<Combination>,
    #[serde(default = "entailment")]
    entailment: f64,
    #[serde(default = "contradiction")]
    contradiction: f64,
    #[serde(default = "combine::even_odds")]
    even: f64,
}

fn longest() -> usize {
    LONGEST
}

fn weight() -> f64 {
    0.7
}

fn entailment() -> f64 {
    0.5
}

fn contradiction() -> f64 {
    0.95
}

impl Card {
    /// Reads a card.
    ///
    /// # Errors
    /// When it is not JSON of this shape, or says what cannot be.
    pub fn read(text: &str) -> Result<Card, String> {
        let card: Card = serde_json::from_str(text).map_err(|error| format!("the card cannot be read: {error}"))?;
        let lower = |label: &String| label.to_lowercase();
        if !card.labels.iter().any(|label| lower(label) == "entailment") {
            return Err("the card names no label `entailment`".to_owned());
        }
        if !(16..=MOST_TOKENS).contains(&card.longest) {
            return Err(format!("`longest` has to be 16 to {MOST_TOKENS} tokens"));
        }
        let share = |one: f64| (0.0..=1.0).contains(&one);
        if !(0.0..=10.0).contains(&card.weight)
            || ![card.entailment, card.contradiction, card.even].into_iter().all(share)
        {
            return Err("`weight` has to be 0 to 10, `entailment`, `contradiction` and `even` 0 to 1".to_owned());
        }
        if card.combination.is_some_and(|combination| !combination.is_sane()) {
            return Err("the weights of `combination` have to be -100 to 100".to_owned());
        }
        let beside = |name: &str| !name.is_empty() && !name.contains(['/', '\\']) && name != "..";
        if !beside(&card.model) || !beside(&card.tokenizer) {
            return Err("`model` and `tokenizer` have to be names of files beside the card".to_owned());
        }
        Ok(card)
    }

    /// How much the model counts.
    pub fn manner(&self) -> Manner {
        let combination = self.combination.unwrap_or_else(|| Combination::beside_words(self.weight));
        let Card { entailment, contradiction, even, .. } = *self;
        Manner { combination, entailment, contradiction, even }
    }

    fn place(&self, label: &str) -> Option<usize> {
        self.labels.iter().position(|own| own.to_lowercase() == label)
    }
}

/// A loaded model.
pub struct CrossEncoder {
    card: Card,
    model: Model,
    tokenizer: Tokenizer,
    inputs: Vec<(NodeId, Column)>,
    output: NodeId,
}

#[derive(Debug, Clone, Copy)]
enum Column {
    Ids,
    Mask,
    Sides,
}

impl CrossEncoder {
    /// Loads a model from the bytes of its files.
    ///
    /// # Errors
    /// When a file is no model or no tokenizer, or the model has inputs of another kind.
    pub fn load(card: Card, model: impl Into<Cow<'static, [u8]>>, tokenizer: &[u8]) -> Result<CrossEncoder, String> {
        let model = model.into();
        let model = guarded(|| {
            let mut options = ModelOptions::with_all_ops();
            // Else every question lays all weights out anew for the processor.
            options.prepack_weights(true);
            let loaded = match model {
                Cow::Borrowed(bytes) => options.load_static_slice(bytes),
                Cow::Owned(bytes) => options.load(bytes),
            };
            loaded.map_err(|error| format!("the model cannot be read: {error}"))
        })?;
        let mut tokenizer = guarded(|| {
            Tokenizer::from_bytes(tokenizer).map_err(|error| format!("the tokenizer cannot be read: {error}"))
        })?;
        let truncation = TruncationParams {
            max_length: card.longest,
            strategy: TruncationStrategy::LongestFirst,
            stride: 0,
            direction: TruncationDirection::Right,
        };
        tokenizer.with_truncation(Some(truncation)).map_err(|error| error.to_string())?;
        tokenizer.with_padding(None);
        let mut inputs = Vec::new();
        for id in model.input_ids() {
            let name = model.node_info(*id).and_then(|node| node.name().map(str::to_owned)).unwrap_or_default();
            let column = match name.as_str() {
                "input_ids" => Column::Ids,
                "attention_mask" => Column::Mask,
                "token_type_ids" => Column::Sides,
                other => return Err(format!("the model wants an input {other:?}, which is not known")),
            };
            inputs.push((*id, column));
        }
        let output = *model.output_ids().first().ok_or("the model has no output")?;
        Ok(CrossEncoder { card, model, tokenizer, inputs, output })
    }

    /// What each passage says about the claim beside it.
    ///
    /// # Errors
    /// When the model cannot be run on them.
    pub fn read(&self, pairs: &[(&str, &str)]) -> Result<Vec<Entailment>, String> {
        // One by one: the scales of whole numbers are those of all that is run together, and padding is work.
        guarded(|| pairs.iter().map(|pair| self.run(*pair)).collect())
    }

    fn run(&self, pair: (&str, &str)) -> Result<Entailment, String> {
        let encoded = self.tokenizer.encode(pair, true).map_err(|error| error.to_string())?;
        let column = |column: Column| {
            let values = match column {
                Column::Ids => encoded.get_ids(),
                Column::Mask => encoded.get_attention_mask(),
                Column::Sides => encoded.get_type_ids(),
            };
            let cells: Vec<i32> = values.iter().map(|value| i32::try_from(*value).unwrap_or(0)).collect();
            Value::from_shape([1, cells.len()], cells).map_err(|error| error.to_string())
        };
        let inputs: Vec<_> =
            self.inputs.iter().map(|(id, of)| Ok((*id, column(*of)?.into()))).collect::<Result<_, String>>()?;
        let mut outputs = self.model.run(inputs, &[self.output], None).map_err(|error| error.to_string())?;
        let output = outputs.pop().ok_or("the model gave no output")?;
        let ([rows, width], logits) =
            output.into_shape_vec::<f32, 2>().map_err(|_| "the output is no table of numbers".to_owned())?;
        if rows != 1 || width != self.card.labels.len() {
            return Err(format!("the model has {width} outputs and its card {} labels", self.card.labels.len()));
        }
        Ok(self.entailment(&logits))
    }

    fn entailment(&self, logits: &[f32]) -> Entailment {
        if let [one] = logits {
            return Entailment { entails: 1.0 / (1.0 + (-f64::from(*one)).exp()), contradicts: 0.0 };
        }
        let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let weights: Vec<f64> = logits.iter().map(|logit| f64::from(logit - most).exp()).collect();
        let sum: f64 = weights.iter().sum();
        let share = |label| self.card.place(label).and_then(|place| weights.get(place)).map_or(0.0, |w| w / sum);
        Entailment { entails: share("entailment"), contradicts: share("contradiction") }
    }
}

/// Runs foreign models: what panics in the libraries that read them is an error like any other.
fn guarded<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err("the model made its runtime fail".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::{Card, CrossEncoder};

    const CARD: &str = include_str!("../../testdata/model/card.json");
    const MODEL: &[u8] = include_bytes!("../../testdata/model/model.onnx");
    const TOKENIZER: &[u8] = include_bytes!("../../testdata/model/tokenizer.json");

    fn check(card: &str, model: &[u8], tokenizer: &[u8], problem: &str) {
        let loaded = Card::read(card).and_then(|card| CrossEncoder::load(card, model.to_vec(), tokenizer));
        let loaded = loaded.and_then(|encoder| encoder.read(&[("A passage.", "A claim.")]).map(|_| ()));
        assert!(loaded.as_ref().is_err_and(|why| why.contains(problem)), "{loaded:?} without {problem:?}");
    }

    #[test]
    fn the_model_of_the_tests_gives_what_it_gave_when_it_was_trained() {
        let encoder = CrossEncoder::load(Card::read(CARD).unwrap(), MODEL.to_vec(), TOKENIZER).unwrap();
        let long = "word ".repeat(4000);
        let first = ("A man rides a red motorcycle in the street.", "A man rides.");
        let read = encoder.read(&[first, (&long, "A man rides."), ("", "A man rides.")]).unwrap();
        assert_eq!(read.len(), 3);
        for one in &read {
            assert!((0.0..=1.0).contains(&one.entails) && one.entails + one.contradicts <= 1.0 + 1e-9, "{one:?}");
        }
        // Alone or among others, a pair means the same.
        let alone = encoder.read(&[first]).unwrap();
        assert_eq!(alone[0], read[0]);
        let expected: serde_json::Value = serde_json::from_str(CARD).unwrap();
        let said = expected["example"]["probabilities"][0].as_f64().unwrap();
        let example = |name: &str| expected["example"][name].as_str().unwrap().to_owned();
        let read = encoder.read(&[(&example("premise"), &example("hypothesis"))]).unwrap();
        assert!((read[0].entails - said).abs() < 0.02, "{read:?} and {said} in the card");
    }

    #[test]
    fn what_is_no_model_is_an_error_in_words() {
        check("{", MODEL, TOKENIZER, "card cannot be read");
        check(&CARD.replace("entailment", "yes"), MODEL, TOKENIZER, "no label");
        let with = |part: &str| CARD.replacen('{', &format!("{{{part}, "), 1);
        check(&with(r#""combination": {"bias": 0, "word": 1, "entailment": 1}"#), MODEL, TOKENIZER, "unknown field");
        check(&with(r#""combination": {"bias": 1e300, "words": 1, "entailment": 1}"#), MODEL, TOKENIZER, "combination");
        check(&with(r#""entailment": 2"#), MODEL, TOKENIZER, "0 to 1");
        check(&CARD.replace("model.onnx", "../model.onnx"), MODEL, TOKENIZER, "beside the card");
        check(CARD, b"not a model", TOKENIZER, "model cannot be read");
        check(CARD, &MODEL[..MODEL.len() / 2], TOKENIZER, "");
        check(CARD, MODEL, b"{}", "tokenizer cannot be read");
        check(&CARD.replace("\"neutral\",", ""), MODEL, TOKENIZER, "labels");
    }
}
