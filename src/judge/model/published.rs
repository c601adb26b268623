//! A model as its publisher gives it: what `config.json` and `tokenizer_config.json` say of how to read it.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::Value;

use super::labels::{Meaning, meanings_of};
use super::{LONGEST, MOST_TOKENS, Recipe, SHORTEST, too_short};

/// Kinds of models whose places begin behind the number of their padding token, by `model_type`, with that number when a
/// publisher leaves it out.
static PLACES_BEHIND_PADDING: LazyLock<HashMap<&'static str, u32>> = LazyLock::new(|| {
    let rows = include_str!("../data/model_places.tsv").lines().filter(|line| !line.starts_with('#'));
    rows.filter_map(|row| {
        let mut columns = row.split('\t');
        Some((columns.next()?, columns.next()?.parse().ok()?))
    })
    .collect()
});

#[derive(Debug, Deserialize)]
struct Config {
    #[serde(default)]
    id2label: BTreeMap<String, Value>,
    #[serde(default)]
    model_type: String,
    max_position_embeddings: Option<usize>,
    pad_token_id: Option<u32>,
    problem_type: Option<String>,
    vocab_size: Option<usize>,
}

/// What the files of a publisher say of how their model is read.
///
/// # Errors
/// When `config` is no such file, or does not say what the outputs mean.
pub fn read(config: &str, tokenizer_config: Option<&str>) -> Result<Recipe, String> {
    let config: Config =
        serde_json::from_str(config).map_err(|error| format!("config.json cannot be read: {error}"))?;
    if config.id2label.is_empty() {
        return Err(
            "config.json has no `id2label`, so that nobody knows what the outputs mean; write it in, for example \
                    \"id2label\": {\"0\": \"entailment\", \"1\": \"not_entailment\"}"
                .to_owned(),
        );
    }
    let labels = labels_of(&config.id2label)?;
    let meanings: Vec<Meaning> = meanings_of(&labels).map_err(|why| format!("`id2label` of config.json: {why}"))?;
    let behind = PLACES_BEHIND_PADDING.get(config.model_type.as_str()).copied();
    let padding = config.pad_token_id.or(behind).unwrap_or(0);
    let first_place = if behind.is_some() { padding.saturating_add(1) } else { 0 };
    // A tokenizer whose length nobody knew has a number there that no machine could read.
    let told = tokenizer_config.and_then(|text| serde_json::from_str::<Value>(text).ok());
    let told = told.as_ref().and_then(|config| config.get("model_max_length")?.as_f64());
    let told = told.filter(|length| (1.0..=1e6).contains(length)).map(|length| length as usize);
    let places = config.max_position_embeddings.map(|places| places.saturating_sub(first_place as usize));
    let longest = told.into_iter().chain(places.filter(|places| *places > 0)).min().unwrap_or(LONGEST);
    if longest < SHORTEST {
        return Err(too_short(longest));
    }
    let mut recipe = Recipe::new(labels, meanings, longest.min(MOST_TOKENS));
    recipe.padding = padding;
    recipe.first_place = first_place;
    recipe.tokens = config.vocab_size;
    recipe.apart = config.problem_type.as_deref() == Some("multi_label_classification");
    Ok(recipe)
}

/// Labels in the order of their numbers, which have to be 0, 1, …
fn labels_of(id2label: &BTreeMap<String, Value>) -> Result<Vec<String>, String> {
    let mut numbered: Vec<(usize, String)> = Vec::new();
    for (number, label) in id2label {
        let place = number.parse().map_err(|_| format!("`id2label` of config.json has {number:?} for a number"))?;
        numbered.push((place, label.as_str().map_or_else(|| label.to_string(), str::to_owned)));
    }
    numbered.sort_unstable();
    if numbered.iter().enumerate().any(|(place, (number, _))| place != *number) {
        return Err("`id2label` of config.json leaves numbers out".to_owned());
    }
    Ok(numbered.into_iter().map(|(_, label)| label).collect())
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn a_length_is_the_least_that_the_files_allow() {
        let check = |config: &str, tokenizer: Option<&str>, longest: usize, first: u32| {
            let config = format!(r#"{{"id2label": {{"0": "entailment", "1": "not_entailment"}}, {config}}}"#);
            let recipe = read(&config, tokenizer).unwrap();
            assert_eq!((recipe.longest, recipe.first_place), (longest, first), "{config}");
        };
        check(r#""model_type": "bert", "max_position_embeddings": 512"#, None, 512, 0);
        check(r#""model_type": "bert", "max_position_embeddings": 512"#, Some(r#"{"model_max_length": 256}"#), 256, 0);
        check(r#""model_type": "bert""#, Some(r#"{"model_max_length": 1e30}"#), 512, 0);
        check(r#""model_type": "roberta", "max_position_embeddings": 514, "pad_token_id": 1"#, None, 512, 2);
        check(r#""model_type": "xlm-roberta", "max_position_embeddings": 514"#, None, 512, 2);
        check(r#""model_type": "modernbert", "max_position_embeddings": 8192"#, None, 8192, 0);
        check(r#""model_type": "new", "max_position_embeddings": 1000000"#, None, 8192, 0);
    }

    #[test]
    fn what_a_publisher_leaves_out_is_said_in_words() {
        let check = |config: &str, part: &str| {
            let found = read(config, None);
            assert!(found.as_ref().is_err_and(|why| why.contains(part)), "{config}: {found:?}");
        };
        check("{", "cannot be read");
        check("{}", "no `id2label`");
        check(r#"{"id2label": {"0": "LABEL_0", "1": "LABEL_1"}}"#, "LABEL_0");
        check(r#"{"id2label": {"0": "entailment", "2": "neutral"}}"#, "leaves numbers out");
        check(r#"{"id2label": {"a": "entailment"}}"#, "for a number");
        check(r#"{"id2label": {"0": "entailment"}, "max_position_embeddings": 8}"#, "too few");
    }
}
