//! What the labels of models and of labelled claims mean, however they are spelt.

use std::collections::HashMap;
use std::sync::LazyLock;

/// What a model, or whoever labelled a claim, says of passage and claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// The passage says it.
    Entailment,
    /// The passage says the contrary.
    Contradiction,
    /// The passage does not say it; where a model has two labels, it may say the contrary.
    Neither,
}

static TABLE: LazyLock<HashMap<&'static str, Meaning>> = LazyLock::new(|| {
    let rows = include_str!("../data/model_labels.tsv").lines().filter(|line| !line.starts_with('#'));
    rows.filter_map(|row| {
        let mut columns = row.split('\t');
        let meaning = match columns.next()? {
            "entailment" => Meaning::Entailment,
            "contradiction" => Meaning::Contradiction,
            _ => Meaning::Neither,
        };
        Some((columns.next()?, meaning))
    })
    .collect()
});

/// What a label means; `None` for one that says nothing, such as `LABEL_0`.
pub fn meaning_of(label: &str) -> Option<Meaning> {
    let folded: String = label.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    TABLE.get(folded.as_str()).copied()
}

/// What a row of labels means, each by its place.
///
/// # Errors
/// When one of them says nothing, or not exactly one is entailment.
pub fn meanings_of(labels: &[String]) -> Result<Vec<Meaning>, String> {
    let advice = "say what each output means: entailment, neutral, contradiction or not_entailment";
    let meanings = labels
        .iter()
        .map(|label| meaning_of(label).ok_or_else(|| format!("nobody knows what the label {label:?} means; {advice}")))
        .collect::<Result<Vec<_>, _>>()?;
    let count = |wanted: Meaning| meanings.iter().filter(|meaning| **meaning == wanted).count();
    match (count(Meaning::Entailment), count(Meaning::Contradiction)) {
        (1, 0 | 1) => Ok(meanings),
        (0, _) => Err(format!("no label means entailment ({}); {advice}", labels.join(", "))),
        _ => Err(format!("two labels mean the same ({}); {advice}", labels.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::Meaning::{Contradiction, Entailment, Neither};
    use super::{Meaning, meanings_of};

    fn check(labels: &[&str], expected: Result<&[Meaning], &str>) {
        let labels: Vec<String> = labels.iter().map(|label| (*label).to_owned()).collect();
        let found = meanings_of(&labels);
        match expected {
            Ok(meanings) => assert_eq!(found.as_deref(), Ok(meanings), "{labels:?}"),
            Err(part) => assert!(found.as_ref().is_err_and(|why| why.contains(part)), "{labels:?}: {found:?}"),
        }
    }

    #[test]
    fn labels_mean_the_same_in_any_order_and_spelling() {
        check(&["entailment", "neutral", "contradiction"], Ok(&[Entailment, Neither, Contradiction]));
        check(&["CONTRADICTION", "ENTAILMENT", "NEUTRAL"], Ok(&[Contradiction, Entailment, Neither]));
        check(&["Not_Entailment", "entailment"], Ok(&[Neither, Entailment]));
        check(&["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"], Ok(&[Entailment, Contradiction, Neither]));
        check(&["consistent"], Ok(&[Entailment]));
        check(&["LABEL_0", "LABEL_1"], Err("LABEL_0"));
        check(&["positive", "negative"], Err("positive"));
        check(&["neutral", "contradiction"], Err("no label means entailment"));
        check(&["entailment", "supported"], Err("two labels"));
        check(&[], Err("no label"));
    }
}
