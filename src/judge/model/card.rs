//! The card of a model: a file in JSON beside it that says how to read it.
//!
//! `model` and `tokenizer` (files beside it), `labels` (what the outputs mean, in order; a single output is read as a logit of
//! entailment), and if wanted `longest` (tokens of an input), `combination` or `weight`, `entailment`, `contradiction` and
//! `even` (see [`Manner`]). Whatever else it says is for readers.

use serde::Deserialize;

use super::labels::{Meaning, meanings_of};
use super::{LONGEST, MOST_TOKENS, Recipe, SHORTEST};
use crate::judge::combine;
use crate::judge::meaning::{Combination, Manner, Reading};

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
    weight: Option<f64>,
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

fn entailment() -> f64 {
    0.5
}

fn contradiction() -> f64 {
    super::CONTRADICTION
}

impl Card {
    /// Reads a card.
    ///
    /// # Errors
    /// When it is not JSON of this shape, or says what cannot be.
    pub fn read(text: &str) -> Result<Card, String> {
        let card: Card = serde_json::from_str(text).map_err(|error| format!("the card cannot be read: {error}"))?;
        meanings_of(&card.labels)?;
        if !(SHORTEST..=MOST_TOKENS).contains(&card.longest) {
            return Err(format!("`longest` has to be {SHORTEST} to {MOST_TOKENS} tokens"));
        }
        let share = |one: f64| (0.0..=1.0).contains(&one);
        if !(0.0..=10.0).contains(&card.weight.unwrap_or_default())
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

    /// How the model is read. One with a fitted `combination` reads what it was fitted on, and may raise a claim.
    pub fn recipe(&self) -> Recipe {
        let meanings: Vec<Meaning> = meanings_of(&self.labels).unwrap_or_default();
        let mut recipe = Recipe::new(self.labels.clone(), meanings, self.longest);
        let Card { contradiction, even, .. } = *self;
        recipe.manner = Manner { contradiction: Manner::unless_never(contradiction), even, ..recipe.manner };
        match self.combination {
            Some(combination) => {
                let entailment = Manner::unless_never(self.entailment);
                recipe.manner = Manner { combination, entailment, raises: true, ..recipe.manner };
                recipe.reading = Reading::Windows;
            }
            None => {
                let weight = self.weight.unwrap_or(super::WEIGHT);
                recipe.manner.combination = Combination::beside_words(weight);
            }
        }
        recipe
    }
}
