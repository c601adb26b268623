//! Finds out how much a model's word is worth, from claims with known answers: on one half of them a fit, on the other its
//! measure.
//!
//! Fitted is a logistic regression over the log-odds of words and model: Platt's scaling ("Probabilistic outputs for support
//! vector machines", 1999, with his smoothed targets), with the words as a second score. The measures are the part of right
//! answers and the expected calibration error over ten bins (Naeini et al., 2015).

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::labels::Meaning;
use crate::judge::combine;
use crate::judge::meaning::{Combination, Entailment, LEAST_ENTAILED, Manner, odds};

/// So many claims are needed in each half …
pub const FEWEST: usize = 40;
/// … of which so many have to be supported, and so many not.
pub const FEWEST_OF_A_KIND: usize = 12;
/// With so many pages no page has claims in both halves.
const MANY_PAGES: usize = 10;
/// Of the claims that a model may raise, this part has to be supported in the half that the limit is found on …
const RIGHT_WHEN_FOUND: f64 = 0.9;
/// … and this part in the other.
const RIGHT_WHEN_MEASURED: f64 = 0.8;
/// Of the claims that a model may call contradicted, this part has to be.
const RIGHT_AGAINST: f64 = 0.9;
/// A limit rests on so many claims at least.
const FEWEST_BEYOND: usize = 5;
/// Bins of the calibration error.
const BINS: usize = 10;
/// How much the weights are held back: that of one claim that says nothing.
const RIDGE: f64 = 0.1;

/// A claim with its answer, and what words and model say of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Known {
    /// The page's name.
    pub page: String,
    /// The claim.
    pub claim: String,
    /// What is true of it.
    pub answer: Meaning,
    /// How probable the words make it.
    pub words: f64,
    /// Whether the words alone call it supported.
    pub supported: bool,
    /// What the model reads.
    pub read: Entailment,
}

impl Known {
    fn holds(&self) -> bool {
        self.answer == Meaning::Entailment
    }
}

/// What a calibration found; it lies beside the model in the registry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calibration {
    /// What words and model count together.
    pub combination: Combination,
    /// From which entailment on the model raises a claim; none: it raises nothing.
    pub entailment: Option<f64>,
    /// From which contradiction on it is believed; none: never.
    pub contradiction: Option<f64>,
    /// What it was measured by.
    pub figures: Figures,
}

/// What a calibration is worth.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// Claims that it was fitted on.
    pub fitted: usize,
    /// Claims that it was measured on.
    pub measured: usize,
    /// Words alone.
    pub words: Measure,
    /// The model alone, as published.
    pub published: Measure,
    /// Both, calibrated.
    pub calibrated: Measure,
    /// Claims of the measured ones that it would raise to supported.
    pub raised: usize,
    /// Those of them that are supported.
    pub rightly: usize,
}

/// How right probabilities are.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Measure {
    /// The part of claims on the right side of one half.
    pub right: f64,
    /// The expected calibration error.
    pub error: f64,
}

impl Calibration {
    /// How much the model counts.
    pub fn manner(&self) -> Manner {
        let limit = |limit: Option<f64>| limit.unwrap_or(f64::INFINITY);
        Manner {
            combination: self.combination,
            entailment: limit(self.entailment),
            contradiction: limit(self.contradiction),
            even: combine::even_odds(),
            raises: true,
        }
    }

    /// Whether it can have been found by a fit.
    pub fn is_sane(&self) -> bool {
        let share = |limit: Option<f64>| limit.is_none_or(|limit| (0.0..=1.0).contains(&limit));
        self.combination.is_sane() && share(self.entailment) && share(self.contradiction)
    }

    /// Finds it. `supported` is the probability from which a claim is called so.
    ///
    /// # Errors
    /// When there are too few claims, or the model's word does not go with their answers.
    pub fn find(known: &[Known], supported: f64) -> Result<Calibration, String> {
        let (fit, measure) = halves(known);
        for half in [&fit, &measure] {
            let holds = half.iter().filter(|one| one.holds()).count();
            let fewest = holds.min(half.len() - holds);
            if half.len() < FEWEST || fewest < FEWEST_OF_A_KIND {
                return Err(format!(
                    "too few claims: half of them are {} that the model is asked about, {holds} of these supported; {FEWEST} are needed in each half, {FEWEST_OF_A_KIND} of them supported and as many not",
                    half.len()
                ));
            }
        }
        let alone = fitted(&fit, |one| vec![odds(one.read.entails)]);
        if alone.get(1).is_none_or(|slope| *slope <= 0.0) {
            return Err("what the model says does not go with the answers: it entails no more of what is supported than of what is \
                        not; see whether the labels of its outputs are right"
                .to_owned());
        }
        let combination = stacked(&fit, &alone);
        let probability = |one: &Known| combination.probability(one.words, one.read, 0.0);
        // A claim is raised when the model is sure, and both together are.
        let may = |one: &Known, limit: f64| one.read.entails >= limit && probability(one) >= supported;
        let entailment = limit(&fit, |one| one.read.entails, |one| may(one, 0.0), Known::holds, RIGHT_WHEN_FOUND);
        let raised: Vec<&&Known> =
            measure.iter().filter(|one| !one.supported && entailment.is_some_and(|limit| may(one, limit))).collect();
        let rightly = raised.iter().filter(|one| one.holds()).count();
        let is_right = rightly as f64 >= RIGHT_WHEN_MEASURED * raised.len() as f64 && !raised.is_empty();
        let contradiction = limit(
            &fit,
            |one| one.read.contradicts,
            |one| one.read.contradicts >= 0.5 && one.read.entails <= LEAST_ENTAILED,
            |one| one.answer == Meaning::Contradiction,
            RIGHT_AGAINST,
        );
        let measured = |score: &dyn Fn(&Known) -> f64| Measure::of(&measure, score);
        let figures = Figures {
            fitted: fit.len(),
            measured: measure.len(),
            words: measured(&|one| one.words),
            published: measured(&|one| one.read.entails),
            calibrated: measured(&probability),
            raised: raised.len(),
            rightly,
        };
        Ok(Calibration { combination, entailment: entailment.filter(|_| is_right), contradiction, figures })
    }
}

impl Measure {
    fn of(known: &[&Known], score: &dyn Fn(&Known) -> f64) -> Measure {
        let mut bins = [(0usize, 0.0f64, 0usize); BINS];
        let mut right = 0;
        for one in known {
            let probability = score(one).clamp(0.0, 1.0);
            right += usize::from((probability >= 0.5) == one.holds());
            let place = ((probability * BINS as f64) as usize).min(BINS - 1);
            if let Some((count, sum, holding)) = bins.get_mut(place) {
                *count += 1;
                *sum += probability;
                *holding += usize::from(one.holds());
            }
        }
        let all = known.len().max(1) as f64;
        let gap = |(_, sum, holding): (usize, f64, usize)| (sum - holding as f64).abs();
        Measure { right: right as f64 / all, error: bins.into_iter().map(gap).sum::<f64>() / all }
    }
}

/// Two halves, the same whatever the order: by pages where there are many, else by claims; each with its part of the
/// supported ones.
fn halves(known: &[Known]) -> (Vec<&Known>, Vec<&Known>) {
    let digest = |text: &str| -> [u8; 32] { Sha256::digest(text).into() };
    let mut pages: Vec<&str> = known.iter().map(|one| one.page.as_str()).collect();
    pages.sort_unstable();
    pages.dedup();
    let by_page = pages.len() >= MANY_PAGES;
    let key = |one: &Known| if by_page { digest(&one.page) } else { digest(&format!("{}\0{}", one.page, one.claim)) };
    let mut groups: std::collections::BTreeMap<[u8; 32], Vec<&Known>> = std::collections::BTreeMap::new();
    for one in known {
        groups.entry(key(one)).or_default().push(one);
    }
    let mut groups: Vec<Vec<&Known>> = groups.into_values().collect();
    // The large ones first, so that the small ones can even out what they leave.
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    let (mut first, mut second) = (Vec::new(), Vec::new());
    let holding = |half: &[&Known]| half.iter().filter(|one| one.holds()).count();
    for mut group in groups {
        // What is more in the first half than in the second, of both kinds of answer, has to stay small.
        let mine = holding(&group);
        let more = |holds: bool| {
            let count = |half: &[&Known]| half.iter().filter(|one| one.holds() == holds).count();
            count(&first) as f64 - count(&second) as f64
        };
        let (holds, others) = (mine as f64, (group.len() - mine) as f64);
        let into_first = (more(true) + holds).powi(2) + (more(false) + others).powi(2);
        let into_second = (more(true) - holds).powi(2) + (more(false) - others).powi(2);
        if into_first <= into_second { first.append(&mut group) } else { second.append(&mut group) }
    }
    (first, second)
}

/// The least score from which on enough of those that `count` are `right`: none when that is never so.
fn limit(
    known: &[&Known],
    score: impl Fn(&Known) -> f64,
    counts: impl Fn(&Known) -> bool,
    right: impl Fn(&Known) -> bool,
    least: f64,
) -> Option<f64> {
    let mut ranked: Vec<&&Known> = known.iter().filter(|one| counts(one)).collect();
    ranked.sort_by(|a, b| score(b).total_cmp(&score(a)));
    let mut found = None;
    let mut rightly = 0;
    for (place, one) in ranked.iter().enumerate() {
        rightly += usize::from(right(one));
        // Those of one score are on one side.
        let is_last = ranked.get(place + 1).is_none_or(|next| score(next) < score(one));
        if is_last && place + 1 >= FEWEST_BEYOND && f64::from(rightly as u32) >= least * (place + 1) as f64 {
            found = Some(score(one));
        }
    }
    found
}

/// Words and model together; of a score that speaks the wrong way nothing is used.
fn stacked(known: &[&Known], alone: &[f64]) -> Combination {
    let [bias, slope] = *alone else { return Combination::beside_words(0.0) };
    let none = Combination { bias, words: 0.0, entailment: slope, contradiction: 0.0, product: 0.0, each: 0.0 };
    match fitted(known, |one| vec![odds(one.words), odds(one.read.entails)])[..] {
        [bias, words, entailment] if words > 0.0 && entailment > 0.0 => Combination { bias, words, entailment, ..none },
        _ => none,
    }
}

/// The weights of a logistic regression, the first of them that of nothing; by Newton's method.
fn fitted(known: &[&Known], scores: impl Fn(&Known) -> Vec<f64>) -> Vec<f64> {
    let rows: Vec<Vec<f64>> = known.iter().map(|one| std::iter::once(1.0).chain(scores(one)).collect()).collect();
    let width = rows.first().map_or(0, Vec::len);
    let holding = known.iter().filter(|one| one.holds()).count() as f64;
    let others = known.len() as f64 - holding;
    let target = |one: &Known| if one.holds() { (holding + 1.0) / (holding + 2.0) } else { 1.0 / (others + 2.0) };
    let mut weights = vec![0.0; width];
    for _ in 0..50 {
        let mut slope = vec![0.0; width];
        let mut bend = vec![vec![0.0; width]; width];
        for (row, one) in rows.iter().zip(known) {
            let sum: f64 = row.iter().zip(&weights).map(|(score, weight)| score * weight).sum();
            let probability = 1.0 / (1.0 + (-sum).exp());
            let spread = (probability * (1.0 - probability)).max(1e-9);
            for (one_score, (pull, line)) in row.iter().zip(slope.iter_mut().zip(&mut bend)) {
                *pull += one_score * (target(one) - probability);
                for (other, cell) in row.iter().zip(line) {
                    *cell += one_score * other * spread;
                }
            }
        }
        for (place, (pull, line)) in slope.iter_mut().zip(&mut bend).enumerate() {
            if let (Some(cell), Some(weight)) = (line.get_mut(place), weights.get(place)) {
                *cell += RIDGE;
                *pull -= RIDGE * weight;
            }
        }
        let step = solved(bend, slope);
        weights.iter_mut().zip(&step).for_each(|(weight, step)| *weight += step.clamp(-2.0, 2.0));
        if step.iter().all(|step| step.abs() < 1e-8) {
            break;
        }
    }
    weights
}

/// Solves linear equations whose matrix is positive definite, by elimination.
fn solved(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let width = right.len();
    for place in 0..width {
        let Some(line) = matrix.get(place).cloned() else { break };
        let pivot = line.get(place).copied().unwrap_or(1.0);
        let own = right.get(place).copied().unwrap_or_default();
        for (other, below) in matrix.iter_mut().enumerate() {
            if other == place {
                continue;
            }
            let factor = below.get(place).copied().unwrap_or_default() / pivot;
            below.iter_mut().zip(&line).for_each(|(cell, above)| *cell -= factor * above);
            if let Some(value) = right.get_mut(other) {
                *value -= factor * own;
            }
        }
    }
    let diagonal = matrix.iter().enumerate().map(|(place, line)| line.get(place).copied().unwrap_or(1.0));
    right.into_iter().zip(diagonal).map(|(value, pivot)| value / pivot).collect()
}

#[cfg(test)]
mod tests {
    use super::{Calibration, Known, halves};
    use crate::judge::meaning::Entailment;
    use crate::judge::model::labels::Meaning;

    /// Claims whose answers go with what the model says as often as `right` parts in a hundred, said too surely.
    fn known(count: usize, pages: usize, right: usize) -> Vec<Known> {
        (0..count)
            .map(|i| {
                let holds = i % 2 == 0;
                let told = (i / 2 * 37 % 100 < right) == holds;
                let entails = if told { 0.995 } else { 0.005 };
                Known {
                    page: format!("page-{}", i % pages),
                    claim: format!("claim {i}"),
                    answer: if holds { Meaning::Entailment } else { Meaning::Contradiction },
                    words: 0.4 + 0.001 * (i % 100) as f64,
                    supported: false,
                    read: Entailment { entails, contradicts: 1.0 - entails },
                }
            })
            .collect()
    }

    #[test]
    fn halves_share_no_page_and_are_as_large() {
        for (pages, apart) in [(40, true), (3, false)] {
            let known = known(200, pages, 80);
            let (first, second) = halves(&known);
            assert!(first.len().abs_diff(second.len()) <= 10, "{} {}", first.len(), second.len());
            let both = first.iter().any(|one| second.iter().any(|other| other.page == one.page));
            assert_eq!(both, !apart);
            let mut turned = known.clone();
            turned.reverse();
            let (again, _) = halves(&turned);
            let names = |half: &[&Known]| {
                let mut names: Vec<String> = half.iter().map(|one| one.claim.clone()).collect();
                names.sort();
                names
            };
            assert_eq!(names(&first), names(&again));
        }
    }

    #[test]
    fn too_sure_a_model_is_made_as_sure_as_it_is_right() {
        let found = Calibration::find(&known(400, 40, 80), 0.6).unwrap();
        let figures = &found.figures;
        assert!((figures.published.right - 0.8).abs() < 0.06 && figures.published.error > 0.12, "{figures:?}");
        assert!(figures.calibrated.error < 0.08, "{figures:?}");
        assert!((figures.calibrated.right - 0.8).abs() < 0.06, "{figures:?}");
        // Four in five are not enough to raise a claim by, nor to call one contradicted.
        assert_eq!((found.entailment, found.contradiction), (None, None));
        let sure = Calibration::find(&known(400, 40, 97), 0.6).unwrap();
        assert_eq!((sure.entailment, sure.contradiction), (Some(0.995), Some(0.995)));
        assert!(sure.figures.rightly * 10 >= sure.figures.raised * 9 && sure.figures.raised > 50, "{sure:?}");
        assert!(sure.manner().raises && sure.is_sane());
    }

    #[test]
    fn too_few_claims_and_a_model_that_says_nothing_are_refused() {
        let check = |known: &[Known], part: &str| {
            let found = Calibration::find(known, 0.6);
            assert!(found.as_ref().is_err_and(|why| why.contains(part)), "{part}: {found:?}");
        };
        check(&[], "too few");
        check(&known(60, 40, 90), "too few");
        let mut one_sided = known(400, 40, 90);
        one_sided.retain(|one| one.answer == Meaning::Entailment);
        check(&one_sided, "too few");
        check(&known(400, 40, 10), "does not go with");
    }
}
