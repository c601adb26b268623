//! Models that a user lends for an evaluation: an entailment model by its card, a sentence encoder for the cosine.

use std::path::Path;

use cited::cli::settings::ModelChoice;
use cited::setup::model::LazyModel;
use rten::{Model, Value};
use tokenizers::{Tokenizer, TruncationParams};

use crate::Result;

/// The longest input of the encoder, in tokens: what all-MiniLM-L6-v2 was trained with.
const LONGEST: usize = 256;
/// Words of one passage of a page; the published rule compares passages of about this size.
const PASSAGE: usize = 80;
/// Passages that are read at once.
const BATCH: usize = 16;

/// The entailment model of a card, or the one that ships.
pub fn encoder(card: &Path) -> Result<LazyModel> {
    let choice = match card.to_str() {
        Some("embedded") => ModelChoice::Embedded,
        _ => ModelChoice::Card(card.to_path_buf()),
    };
    Ok(LazyModel::open(&choice)?.ok_or("no model")?)
}

/// A sentence encoder.
pub struct Embedder {
    model: Model,
    tokenizer: Tokenizer,
}

/// The sentence encoder of a folder with `model.onnx` and `tokenizer.json`.
pub fn embedder(folder: &Path) -> Result<Embedder> {
    let model = Model::load_file(folder.join("model.onnx"))?;
    let mut tokenizer = Tokenizer::from_file(folder.join("tokenizer.json")).map_err(|error| error.to_string())?;
    let truncation = TruncationParams { max_length: LONGEST, ..TruncationParams::default() };
    tokenizer.with_truncation(Some(truncation)).map_err(|error| error.to_string())?;
    tokenizer.with_padding(None);
    Ok(Embedder { model, tokenizer })
}

impl Embedder {
    /// The cosine of the claim and the passage of the page that is nearest to it.
    pub fn nearest(&self, claim: &str, page: &str) -> Result<f64> {
        let words: Vec<&str> = page.split_whitespace().collect();
        let passages: Vec<String> = words.chunks(PASSAGE).map(|words| words.join(" ")).collect();
        let claim = self.embed(&[claim.to_owned()])?;
        let mut most = 0.0f64;
        for batch in passages.chunks(BATCH) {
            for passage in self.embed(batch)? {
                most = most.max(claim[0].iter().zip(&passage).map(|(a, b)| a * b).sum());
            }
        }
        Ok(most)
    }

    /// Mean of the last layer over the tokens, of length one.
    fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f64>>> {
        let encoded = self.tokenizer.encode_batch(texts.to_vec(), true).map_err(|error| error.to_string())?;
        let longest = encoded.iter().map(tokenizers::Encoding::len).max().unwrap_or(0);
        let mut inputs = Vec::new();
        for id in self.model.input_ids() {
            let name = self.model.node_info(*id).and_then(|node| node.name().map(str::to_owned)).unwrap_or_default();
            let mut cells = vec![0i32; encoded.len() * longest];
            for (row, one) in cells.chunks_exact_mut(longest.max(1)).zip(&encoded) {
                let values = match name.as_str() {
                    "input_ids" => one.get_ids(),
                    "attention_mask" => one.get_attention_mask(),
                    _ => one.get_type_ids(),
                };
                for (cell, value) in row.iter_mut().zip(values) {
                    *cell = i32::try_from(*value)?;
                }
            }
            inputs.push((*id, Value::from_shape([encoded.len(), longest], cells)?.into()));
        }
        let output = *self.model.output_ids().first().ok_or("no output")?;
        let states = self.model.run(inputs, &[output], None)?.pop().ok_or("no output")?;
        let ([_, tokens, width], states) = states.into_shape_vec::<f32, 3>()?;
        let embed = |(row, one): (&[f32], &tokenizers::Encoding)| {
            let mut mean = vec![0.0f64; width];
            for (state, _) in row.chunks_exact(width).zip(one.get_ids()) {
                for (sum, value) in mean.iter_mut().zip(state) {
                    *sum += f64::from(*value);
                }
            }
            let length = mean.iter().map(|value| value * value).sum::<f64>().sqrt().max(1e-12);
            mean.iter().map(|value| value / length).collect()
        };
        Ok(states.chunks_exact(tokens * width).zip(&encoded).map(embed).collect())
    }
}
