//! From features to a calibrated probability: boosted regression trees, fitted on the A halves of labelled sets.

use std::sync::LazyLock;

use super::wording::FEATURES;

/// One node of a tree: a question about a feature, or an answer. Small, for every claim walks through all trees.
#[derive(Debug, Clone, Copy)]
struct Node {
    /// The feature asked for; of a leaf [`LEAF`].
    feature: u16,
    /// Where to go on in the tree when the feature is at most `number`, and where when it is more.
    left: u16,
    right: u16,
    /// The number that is compared with; the answer of a leaf, in log-odds.
    number: f32,
}

/// No feature: an answer.
const LEAF: u16 = u16::MAX;

/// Boosted trees over numbers, and the way from their sum to a probability.
#[derive(Debug, Default)]
pub(super) struct Trees {
    /// The nodes of all trees, one tree after the other …
    nodes: Vec<Node>,
    /// … and how many each has.
    sizes: Vec<usize>,
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
                Some("tree") => {
                    let before = model.nodes.len();
                    model.nodes.extend(fields.filter_map(|field| node(field, features)));
                    model.sizes.push(model.nodes.len() - before);
                }
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
        let mut rest = self.nodes.as_slice();
        for size in &self.sizes {
            let (tree, others) = rest.split_at(*size);
            rest = others;
            let mut at = 0;
            // A tree is never deeper than it has nodes.
            for _ in 0..tree.len() {
                let Some(node) = tree.get(at) else { break };
                if node.feature == LEAF {
                    sum += node.number;
                    break;
                }
                let value = features.get(usize::from(node.feature)).copied().unwrap_or(0.0);
                at = usize::from(if value <= node.number { node.left } else { node.right });
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
        return Some(Node { feature: LEAF, left: 0, right: 0, number: first.parse().ok()? });
    };
    let feature = first.parse().ok().filter(|feature| usize::from(*feature) < features)?;
    let (left, right) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    Some(Node { feature, left, right, number: threshold.parse().ok()? })
}

static MODEL: LazyLock<Trees> = LazyLock::new(|| Trees::read(include_str!("data/combiner.tsv"), FEATURES));

/// The calibrated probability that the source supports the claim.
pub fn probability(features: &[f32; FEATURES]) -> f64 {
    MODEL.probability(features)
}

/// The confidence from which a claim is rather supported than not, chosen on the A halves of the labelled
/// sets for balanced accuracy. Standings do not use it.
pub fn even_odds() -> f64 {
    MODEL.threshold()
}

#[cfg(test)]
mod tests {
    use super::{LEAF, MODEL, probability};
    use crate::claim::ClaimKind;
    use crate::judge::examined::examine;
    use crate::judge::{ClaimText, SourceText};

    #[test]
    fn every_line_of_the_table_was_read() {
        let lines = include_str!("data/combiner.tsv").lines().filter(|line| line.starts_with("tree\t"));
        let mut rest = MODEL.nodes.as_slice();
        for (size, line) in MODEL.sizes.iter().zip(lines) {
            assert_eq!(*size, line.split('\t').count() - 1);
            let (tree, others) = rest.split_at(*size);
            rest = others;
            let inside = |place: u16| usize::from(place) < tree.len();
            assert!(tree.iter().all(|node| node.feature == LEAF || inside(node.left) && inside(node.right)));
        }
        assert!(MODEL.sizes.len() > 20);
    }

    #[test]
    fn nothing_in_common_is_improbable_and_the_same_words_are_probable() {
        let probability_of = |claim: &str, page: &str| {
            let claim = ClaimText::new(claim, ClaimKind::Plain);
            probability(&examine(&claim, &SourceText::new(page, ""), f64::MAX).features)
        };
        let claim = "The Eiffel Tower was built for the World's Fair of 1889.";
        assert!(probability_of(claim, "Bananas are rich in potassium and grow in the tropics.") < 0.3);
        assert!(
            probability_of(claim, "Opened in spring, the Eiffel Tower was built for the World's Fair of 1889.") > 0.7
        );
    }
}
