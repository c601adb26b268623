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

/// Boosted trees over numbers, and the way from their sum to a probability.
#[derive(Debug, Default)]
pub(super) struct Trees {
    forest: Vec<Vec<Node>>,
    base: f32,
    /// Slope and offset of the calibration, applied to the log-odds.
    slope: f32,
    offset: f32,
    threshold: f64,
}

impl Trees {
    /// Reads a table of trees over so many features: a `base` line, a `calibration` line, a `threshold` line, and one line
    /// for each tree with its nodes as `feature:threshold:left:right` or `value`.
    pub(super) fn read(table: &str, features: usize) -> Trees {
        let mut model = Trees { slope: 1.0, threshold: 0.5, ..Trees::default() };
        for line in table.lines().filter(|line| !line.starts_with('#')) {
            let mut fields = line.split('\t');
            match fields.next() {
                Some("base") => model.base = fields.next().and_then(|f| f.parse().ok()).unwrap_or(0.0),
                Some("calibration") => {
                    model.slope = fields.next().and_then(|f| f.parse().ok()).unwrap_or(1.0);
                    model.offset = fields.next().and_then(|f| f.parse().ok()).unwrap_or(0.0);
                }
                Some("threshold") => model.threshold = fields.next().and_then(|f| f.parse().ok()).unwrap_or(0.5),
                Some("tree") => model.forest.push(fields.filter_map(|field| node(field, features)).collect()),
                _ => {}
            }
        }
        model
    }

    /// The probability that was chosen to decide by.
    pub(super) fn threshold(&self) -> f64 {
        self.threshold
    }

    /// The calibrated probability.
    pub(super) fn probability(&self, features: &[f32]) -> f64 {
        let mut sum = self.base;
        for tree in &self.forest {
            let mut at = 0;
            // A tree is never deeper than it has nodes.
            for _ in 0..tree.len() {
                let Some(node) = tree.get(at) else { break };
                let Some(feature) = node.feature else {
                    sum += node.value;
                    break;
                };
                let value = features.get(feature).copied().unwrap_or(0.0);
                at = if value <= node.threshold { node.left } else { node.right };
            }
        }
        let odds = f64::from(self.slope * sum + self.offset);
        1.0 / (1.0 + (-odds).exp())
    }
}

fn node(field: &str, features: usize) -> Option<Node> {
    let mut parts = field.split(':');
    let first = parts.next()?;
    let Some(threshold) = parts.next() else {
        return Some(Node { feature: None, threshold: 0.0, value: first.parse().ok()?, left: 0, right: 0 });
    };
    let feature = first.parse().ok().filter(|feature| *feature < features)?;
    let (left, right) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    Some(Node { feature: Some(feature), threshold: threshold.parse().ok()?, value: 0.0, left, right })
}

static MODEL: LazyLock<Trees> = LazyLock::new(|| Trees::read(include_str!("data/combiner.tsv"), FEATURES));

/// The calibrated probability that the source supports the claim.
pub fn probability(features: &[f32; FEATURES]) -> f64 {
    MODEL.probability(features)
}

/// The confidence from which a claim is rather supported than not, chosen by `training/combine.py` on the A halves of the
/// labelled sets for balanced accuracy. Standings do not use it.
pub fn even_odds() -> f64 {
    MODEL.threshold()
}

#[cfg(test)]
mod tests {
    use super::{MODEL, probability};
    use crate::claim::ClaimKind;
    use crate::judge::{ClaimText, SourceText, features};

    #[test]
    fn every_line_of_the_table_was_read() {
        let lines = include_str!("data/combiner.tsv").lines().filter(|line| line.starts_with("tree\t"));
        for (tree, line) in MODEL.forest.iter().zip(lines) {
            assert_eq!(tree.len(), line.split('\t').count() - 1);
            assert!(
                tree.iter().all(|node| node.feature.is_none() || node.left < tree.len() && node.right < tree.len())
            );
        }
        assert!(MODEL.forest.len() > 20);
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
