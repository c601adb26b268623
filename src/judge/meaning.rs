//! What an entailment model adds to a verdict: whether a passage says the claim in other words.
//!
//! The model is only asked about what no hard check decided, and only about the best passages. It can carry a claim to
//! `supported`, take that back, or say `contradicted`; the last is a note and never a removal, since it proves nothing.

use std::fmt;

use super::{Check, CheckKind, CheckResult, Settings, Standing, Verdict};
use crate::evidence::Passage;
use crate::evidence::search::{SourceIndex, Window};

/// The most windows of a page that a model reads for one claim.
pub const PASSAGES: usize = 3;
/// The most bytes that it reads together: what encoders of this kind take, beside the claim.
const MOST_BYTES: usize = 900;
/// How much the words still count beside a model.
const WORDS_WEIGHT: f64 = 0.7;
/// A model's word against a claim counts only when no passage entails it more than this.
const LEAST_ENTAILED: f64 = 0.2;
/// Probabilities nearer to 0 or 1 than this say no more.
const CLIP: f64 = 0.01;

/// What a model says about one passage and one claim, as probabilities.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Entailment {
    /// That the passage entails the claim.
    pub entails: f64,
    /// That it contradicts it; 0 for a model that does not tell.
    pub contradicts: f64,
}

/// How a model's probabilities are used; part of its card.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Manner {
    /// What its log-odds of entailment weigh beside those of the words.
    pub weight: f64,
    /// The probability of contradiction from which it is believed.
    pub contradiction: f64,
}

/// A model that reads pairs of passage and claim.
pub trait EntailmentModel: Send + Sync {
    /// What each passage says about the claim.
    ///
    /// # Errors
    /// In words for the user, when the model cannot be loaded or run.
    fn read(&self, passages: &[&str], claim: &str) -> Result<Vec<Entailment>, String>;

    /// How much it counts.
    fn manner(&self) -> Manner;
}

impl fmt::Debug for dyn EntailmentModel + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EntailmentModel").field("manner", &self.manner()).finish_non_exhaustive()
    }
}

/// What a model is given to read for a claim: the best windows in the order of the page, each sentence once, as much as
/// encoders take. One text, since what a claim says often stands in two places.
pub(super) fn reading(index: &SourceIndex<'_>, windows: &[Window]) -> String {
    let mut chosen: Vec<usize> = Vec::new();
    let mut bytes = 0;
    for sentence in windows.iter().take(PASSAGES).flat_map(|window| window.first..=window.last) {
        let length = index.span_of(sentence, sentence).len();
        if !chosen.contains(&sentence) && (chosen.is_empty() || bytes + length <= MOST_BYTES) {
            chosen.push(sentence);
            bytes += length;
        }
    }
    chosen.sort_unstable();
    let texts: Vec<&str> =
        chosen.iter().map(|sentence| index.span_of(*sentence, *sentence).of(index.text()).trim()).collect();
    texts.join(" ")
}

/// Revises a verdict that no hard check decided by what a model reads in the best passages.
///
/// A model that fails changes nothing but leaves its mark among the checks; whoever lent it knows why.
pub(super) fn revise(
    verdict: Verdict,
    claim: &str,
    index: &SourceIndex<'_>,
    windows: &[Window],
    text_sha256: &str,
    model: &dyn EntailmentModel,
    settings: &Settings,
) -> Verdict {
    let open = matches!(verdict.standing, Standing::Supported | Standing::Weak | Standing::Unverifiable);
    let Some(first) = windows.first() else { return verdict };
    if verdict.hard || !open {
        return verdict;
    }
    let text = reading(index, windows);
    let mut verdict = verdict;
    let Some(best) = model.read(&[text.as_str()], claim).unwrap_or_default().first().copied() else {
        verdict.checks.push(Check { kind: CheckKind::Meaning, result: CheckResult::Unknown });
        return verdict;
    };
    let manner = model.manner();
    if best.contradicts >= manner.contradiction && best.entails <= LEAST_ENTAILED {
        let result = CheckResult::Differs { claimed: String::new(), found: first.span.of(index.text()).to_owned() };
        verdict.checks.push(Check { kind: CheckKind::Meaning, result });
        return Verdict {
            standing: Standing::Contradicted,
            confidence: verdict.confidence.min(settings.weak * 0.5),
            passage: Some(Passage::pin(index.text(), text_sha256, first.span)),
            reason: "the model reads the contrary in the source".to_owned(),
            ..verdict
        };
    }
    // A number that is not there is no matter of meaning.
    let lacking = verdict.checks.iter().any(|check| {
        matches!(check.kind, CheckKind::Quantity | CheckKind::Quotation) && check.result != CheckResult::Agrees
    });
    let agrees = best.entails >= 0.5;
    let result = if agrees { CheckResult::Agrees } else { CheckResult::Unknown };
    verdict.checks.push(Check { kind: CheckKind::Meaning, result });
    if lacking {
        return verdict;
    }
    let confidence = probability(WORDS_WEIGHT * odds(verdict.confidence) + manner.weight * odds(best.entails));
    let (standing, reason) = if confidence >= settings.supported && agrees {
        (Standing::Supported, "the model reads it in the source")
    } else if confidence >= settings.weak {
        (Standing::Weak, "the model does not clearly read it in the source")
    } else {
        (Standing::Unverifiable, "the model does not read it in the source")
    };
    let confidence = if agrees { confidence } else { confidence.min(settings.supported - f64::EPSILON) };
    Verdict { standing, confidence, reason: reason.to_owned(), ..verdict }
}

fn odds(probability: f64) -> f64 {
    let clipped = probability.clamp(CLIP, 1.0 - CLIP);
    (clipped / (1.0 - clipped)).ln()
}

fn probability(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}

#[cfg(test)]
mod tests {
    use super::{Entailment, EntailmentModel, Manner};
    use crate::claim::ClaimKind;
    use crate::judge::{CheckKind, ClaimText, Settings, SourceText, Standing, judge_with};

    /// Says the same about every passage.
    struct Fixed(Result<Entailment, &'static str>);

    impl EntailmentModel for Fixed {
        fn read(&self, passages: &[&str], _: &str) -> Result<Vec<Entailment>, String> {
            self.0.map(|one| vec![one; passages.len()]).map_err(str::to_owned)
        }

        fn manner(&self) -> Manner {
            Manner { weight: 0.7, contradiction: 0.9 }
        }
    }

    fn check(claim: &str, page: &str, said: Result<(f64, f64), &'static str>, standing: Standing, hard: bool) {
        let model = Fixed(said.map(|(entails, contradicts)| Entailment { entails, contradicts }));
        let source = SourceText::new(page, "");
        let claim = ClaimText::new(claim, ClaimKind::Plain);
        let verdict = judge_with(&claim, &source, &Settings::default(), Some(&model));
        assert_eq!((verdict.standing, verdict.hard), (standing, hard), "{said:?}: {verdict:?}");
        assert_eq!(verdict.checks.iter().any(|check| check.kind == CheckKind::Meaning), !hard);
    }

    #[test]
    fn a_model_decides_what_hard_checks_leave_open_and_nothing_else() {
        let (claim, page) = (
            "The council closed the old harbour road to lorries.",
            "After years of debate the old harbour road is closed to heavy traffic, the council said on Monday.",
        );
        check(claim, page, Ok((0.97, 0.0)), Standing::Supported, false);
        check(claim, page, Ok((0.02, 0.01)), Standing::Unverifiable, false);
        check(claim, page, Ok((0.02, 0.97)), Standing::Contradicted, false);
        check(claim, page, Err("no such file"), Standing::Weak, false);
        let (claim, page) = ("The model scores 94.2% on MMLU.", "The model scores 49.2% on MMLU.");
        check(claim, page, Ok((0.99, 0.0)), Standing::Contradicted, true);
    }
}
