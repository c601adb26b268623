//! From features to a calibrated probability: boosted regression trees, trained by `training/combine.py`.

use std::sync::LazyLock;

use super::wording::FEATURES;

/// One node of a tree: a question about a feature, or an answer.
#[derive(Debug, Clone, Copy)]
struct Node {
    /// The feature asked for; a leaf has none.
    feature: Option<usize>,
    /// Goes left when the feature is at most this.
    threshold: f32,
    /// The answer of a leaf, in log-odds.
    value: f32,
    left: usize,
    right: usize,
}

/// The trees and the way from their sum to a probability.
#[derive(Debug, Default)]
struct Model {
    trees: Vec<Vec<Node>>,
    base: f32,
    /// Slope and offset of the calibration, applied to the log-odds.
    slope: f32,
    offset: f32,
}

/// Reads `data/combiner.tsv`: a `base` line, a `calibration` line, and one line for each tree with its nodes as
/// `feature:threshold:left:right` or `value`.
fn read(table: &str) -> Model {
    let mut model = Model { slope: 1.0, ..Model::default() };
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let mut fields = line.split('\t');
        match fields.next() {
            Some("base") => model.base = fields.next().and_then(|f| f.parse().ok()).unwrap_or(0.0),
            Some("calibration") => {
                model.slope = fields.next().and_then(|f| f.parse().ok()).unwrap_or(1.0);
                model.offset = fields.next().and_then(|f| f.parse().ok()).unwrap_or(0.0);
            }
            Some("tree") => model.trees.push(fields.filter_map(node).collect()),
            _ => {}
        }
    }
    model
}

fn node(field: &str) -> Option<Node> {
    let mut parts = field.split(':');
    let first = parts.next()?;
    let Some(threshold) = parts.next() else {
        return Some(Node { feature: None, threshold: 0.0, value: first.parse().ok()?, left: 0, right: 0 });
    };
    let feature = first.parse().ok().filter(|feature| *feature < FEATURES)?;
    let (left, right) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    Some(Node { feature: Some(feature), threshold: threshold.parse().ok()?, value: 0.0, left, right })
}

static MODEL: LazyLock<Model> = LazyLock::new(|| read(include_str!("data/combiner.tsv")));

/// The calibrated probability that the source supports the claim.
pub fn probability(features: &[f32; FEATURES]) -> f64 {
    let model = &*MODEL;
    let mut sum = model.base;
    for tree in &model.trees {
        let mut at = 0;
        // A tree is never deeper than it has nodes.
        for _ in 0..tree.len() {
            let Some(node) = tree.get(at) else { break };
            let Some(feature) = node.feature else {
                sum += node.value;
                break;
            };
            at = if features[feature] <= node.threshold { node.left } else { node.right };
        }
    }
    let odds = f64::from(model.slope * sum + model.offset);
    1.0 / (1.0 + (-odds).exp())
}

#[cfg(test)]
mod tests {
    use super::{MODEL, probability};
    use crate::claim::ClaimKind;
    use crate::judge::{ClaimText, SourceText, features};

    #[test]
    fn every_line_of_the_table_was_read() {
        let lines = include_str!("data/combiner.tsv").lines().filter(|line| line.starts_with("tree\t"));
        for (tree, line) in MODEL.trees.iter().zip(lines) {
            assert_eq!(tree.len(), line.split('\t').count() - 1);
            assert!(
                tree.iter().all(|node| node.feature.is_none() || node.left < tree.len() && node.right < tree.len())
            );
        }
        assert!(MODEL.trees.len() > 20);
    }

    #[test]
    fn nothing_in_common_is_improbable_and_the_same_words_are_probable() {
        let probability_of = |claim: &str, page: &str| {
            let claim = ClaimText::new(claim, ClaimKind::Plain);
            probability(&features(&claim, &SourceText::new(page, "")))
        };
        let claim = "The Eiffel Tower was built for the World's Fair of 1889.";
        assert!(probability_of(claim, "Bananas are rich in potassium and grow in the tropics.") < 0.3);
        assert!(
            probability_of(claim, "Opened in spring, the Eiffel Tower was built for the World's Fair of 1889.") > 0.7
        );
    }
}
