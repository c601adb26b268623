//! What an entailment model adds to a verdict: whether a passage says the claim in other words.
//!
//! The model is only asked about what no hard check decided, and only about the best passages. It can carry a claim to
//! `supported`, take that back, or say `contradicted`; the last is a note and never a removal, since it proves nothing.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::asked::Settings;
use super::excerpts::excerpts;
use super::page::SourceText;
use super::verdict::{Check, CheckKind, CheckResult, Standing, Verdict};
use crate::evidence::Passage;
use crate::evidence::search::{SourceIndex, Window};
use crate::text::Span;

/// The most windows of a page that a model reads for one claim.
pub const PASSAGES: usize = 3;
/// The most bytes that it reads together: what encoders of this kind take, beside the claim.
const MOST_BYTES: usize = 900;
/// How much the words count beside a model whose card gives no combination.
const WORDS_WEIGHT: f64 = 0.7;
/// A model's word against a claim counts only when no passage entails it more than this.
pub const LEAST_ENTAILED: f64 = 0.2;
/// From which probability of entailment the record says that the model agrees.
const READ: f64 = 0.5;
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
    /// What they count beside the words.
    pub combination: Combination,
    /// The probability of entailment from which it raises a claim to `supported`; 1 for a model that is not to.
    pub entailment: f64,
    /// The probability of contradiction from which it is believed.
    pub contradiction: f64,
    /// The confidence from which a claim is rather supported than not (see [`even_odds`](super::combine::even_odds)).
    /// Standings do not use it.
    pub even: f64,
    /// Whether it may raise a verdict at all: not one that nobody calibrated.
    pub raises: bool,
}

impl Manner {
    /// A limit as it is written, where 1 says "never": a probability may be exactly 1, and is then under it, too.
    pub fn unless_never(limit: f64) -> f64 {
        if limit >= 1.0 { f64::INFINITY } else { limit }
    }
}

/// What of a page a model reads for a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// The best passages as one text, as the models were fitted that come with the program.
    Windows,
    /// The units of evidence that an outside judge is shown, each alone, and together as many of them as `room` bytes hold.
    Units {
        /// Bytes that the model reads at once.
        room: usize,
    },
}

/// The log-odds that a claim is supported, of the log-odds that words and model give: a logistic regression over both
/// ("stacking", Wolpert 1992), fitted by `training/stack.py` on claims that neither was trained on.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Combination {
    /// What is added.
    pub bias: f64,
    /// Weight of the words' log-odds.
    pub words: f64,
    /// Weight of the model's log-odds of entailment.
    pub entailment: f64,
    /// Weight of the model's log-odds of contradiction.
    #[serde(default)]
    pub contradiction: f64,
    /// Weight of the product of the first two: where both agree, more than their sum, or less.
    #[serde(default)]
    pub product: f64,
    /// Weight of the mean log-odds of entailment of the best passages, each read alone; 0 for a model that is to read
    /// them together only.
    #[serde(default)]
    pub each: f64,
}

/// A weight further from 0 decides alone, whatever the rest says.
const MOST_WEIGHT: f64 = 100.0;

impl Combination {
    /// Whether every weight is one that a fit could have found.
    pub fn is_sane(&self) -> bool {
        let Combination { bias, words, entailment, contradiction, product, each } = *self;
        [bias, words, entailment, contradiction, product, each].into_iter().all(|weight| weight.abs() <= MOST_WEIGHT)
    }

    /// The words and the model side by side, for a model that was not fitted to them.
    pub fn beside_words(weight: f64) -> Combination {
        Combination { bias: 0.0, words: WORDS_WEIGHT, entailment: weight, contradiction: 0.0, product: 0.0, each: 0.0 }
    }

    /// How probable words and model make a claim.
    pub fn probability(&self, words: f64, read: Entailment, each: f64) -> f64 {
        let (words, entails) = (odds(words), odds(read.entails));
        let sum = self.bias
            + self.words * words
            + self.entailment * entails
            + self.contradiction * odds(read.contradicts)
            + self.product * words * entails
            + self.each * each;
        1.0 / (1.0 + (-sum).exp())
    }
}

/// A model that reads pairs of passage and claim.
pub trait EntailmentModel: Send + Sync {
    /// What each passage says about the claim beside it.
    ///
    /// # Errors
    /// In words for the user, when the model cannot be loaded or run.
    fn read(&self, pairs: &[(&str, &str)]) -> Result<Vec<Entailment>, String>;

    /// How much it counts.
    fn manner(&self) -> Manner;

    /// What of a page it reads.
    fn reading(&self) -> Reading {
        Reading::Windows
    }

    /// Whether it can read a claim of this length whole; else it is not asked.
    fn takes(&self, _claim: &str) -> bool {
        true
    }
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

/// What a model is asked about one claim beside one page.
pub(super) struct Question<'q> {
    pub(super) claim: &'q str,
    /// The best passages.
    pub(super) windows: &'q [Window],
    /// Whether something on the page speaks against the claim.
    pub(super) held: bool,
}

/// What a model reads for a claim.
pub(super) struct Read {
    /// In the passages together.
    pub(super) together: Entailment,
    /// The mean log-odds of entailment of the passages one by one.
    pub(super) each: f64,
}

/// Asks a model.
///
/// # Errors
/// Those of the model.
pub(super) fn ask(
    question: &Question<'_>,
    index: &SourceIndex<'_>,
    each: bool,
    model: &dyn EntailmentModel,
) -> Result<Read, String> {
    let text = reading(index, question.windows);
    let alone = || question.windows.iter().take(PASSAGES).map(|window| window.span.of(index.text()).trim());
    let mut pairs = vec![(text.as_str(), question.claim)];
    // A passage that is all there is was read.
    let apart: Vec<&str> = if each { alone().filter(|passage| *passage != text).collect() } else { Vec::new() };
    pairs.extend(apart.iter().map(|passage| (*passage, question.claim)));
    let read = model.read(&pairs)?;
    let (together, apart) = read.split_first().ok_or("the model gave no answer")?;
    let apart = if apart.is_empty() { &read[..1] } else { apart };
    let each = apart.iter().map(|one| odds(one.entails)).sum::<f64>() / apart.len() as f64;
    Ok(Read { together: *together, each })
}

/// Asks a model about the units of evidence that speak to a claim, in one batch: each alone, and together as many as it reads at once. What
/// one of them says is said; what they say together speaks against.
///
/// # Errors
/// Those of the model.
pub fn read_units(
    claim: &str,
    verdict: &Verdict,
    source: &SourceText<'_>,
    room: usize,
    model: &dyn EntailmentModel,
) -> Result<Entailment, String> {
    let mut texts = excerpts(claim, verdict.passage.as_ref(), &source.index, source.evidence());
    let mut together = String::new();
    for text in &texts {
        if !together.is_empty() && together.len() + text.len() + claim.len() > room {
            break;
        }
        if !together.is_empty() {
            together.push('\n');
        }
        together.push_str(text);
    }
    if texts.len() > 1 {
        texts.push(together);
    }
    let pairs: Vec<(&str, &str)> = texts.iter().map(|text| (text.as_str(), claim)).collect();
    let read = model.read(&pairs)?;
    let contradicts = read.last().ok_or("the model gave no answer")?.contradicts;
    let entails = read.iter().map(|one| one.entails).fold(0.0, f64::max);
    Ok(Entailment { entails, contradicts })
}

/// Whether a number or quotation was not found: that is no matter of meaning, and no model raises the claim.
fn lacks_something(verdict: &Verdict) -> bool {
    verdict.checks.iter().any(|check| {
        matches!(check.kind, CheckKind::Quantity | CheckKind::Quotation) && check.result != CheckResult::Agrees
    })
}

/// Whether the confidence of a verdict stands, whatever a model reads: an exact check decided, or something was not found.
pub fn is_settled(verdict: &Verdict) -> bool {
    verdict.hard || lacks_something(verdict)
}

/// Revises a verdict that no hard check decided by what a model reads in the best passages.
///
/// Where something on the page speaks against the claim, it carries nothing to `supported`. A model that fails
/// changes nothing but leaves its mark among the checks; whoever lent it knows why.
pub(super) fn revise(
    verdict: Verdict,
    question: &Question<'_>,
    source: &SourceText<'_>,
    model: &dyn EntailmentModel,
    settings: &Settings,
) -> Verdict {
    let index = &source.index;
    let open = matches!(verdict.standing, Standing::Supported | Standing::Weak | Standing::Unverifiable);
    let Some(first) = question.windows.first() else { return verdict };
    if verdict.hard || !open {
        return verdict;
    }
    let lacking = lacks_something(&verdict);
    let manner = model.manner();
    let each = manner.combination.each != 0.0 && !lacking;
    let mut verdict = verdict;
    if !model.takes(question.claim) {
        verdict.checks.push(Check { kind: CheckKind::Meaning, result: CheckResult::Unknown });
        let own = if verdict.reason.is_empty() { String::new() } else { format!("{}; ", verdict.reason) };
        verdict.reason = format!("{own}the model was not asked: the claim is longer than it reads");
        return verdict;
    }
    let read = match model.reading() {
        Reading::Windows => ask(question, index, each, model),
        Reading::Units { room } => read_units(question.claim, &verdict, source, room, model)
            .map(|together| Read { together, each: odds(together.entails) }),
    };
    let Ok(read) = read else {
        verdict.checks.push(Check { kind: CheckKind::Meaning, result: CheckResult::Unknown });
        return verdict;
    };
    let best = read.together;
    let pin = |span: Span| Some(Passage::pin(index.text(), &source.text_sha256, span));
    if best.contradicts >= manner.contradiction && best.entails <= LEAST_ENTAILED {
        let result = CheckResult::Differs { claimed: String::new(), found: first.span.of(index.text()).to_owned() };
        verdict.checks.push(Check { kind: CheckKind::Meaning, result });
        return Verdict {
            standing: Standing::Contradicted,
            confidence: verdict.confidence.min(settings.weak * 0.5),
            passage: pin(first.span),
            reason: "the model reads the contrary in the source".to_owned(),
            ..verdict
        };
    }
    let result = if best.entails >= READ { CheckResult::Agrees } else { CheckResult::Unknown };
    verdict.checks.push(Check { kind: CheckKind::Meaning, result });
    if lacking {
        return verdict;
    }
    let mut confidence = manner.combination.probability(verdict.confidence, best, read.each);
    // What the words support stays so as long as both together do; to raise a claim the model has to be sure.
    let may_support = verdict.standing == Standing::Supported || best.entails >= manner.entailment && !question.held;
    if !may_support {
        confidence = confidence.min(settings.supported - f64::EPSILON);
    }
    if !manner.raises {
        confidence = confidence.min(verdict.confidence);
    }
    let standing = if !manner.raises && verdict.standing == Standing::Unverifiable {
        Standing::Unverifiable
    } else if confidence >= settings.supported {
        Standing::Supported
    } else if confidence >= settings.weak {
        Standing::Weak
    } else {
        Standing::Unverifiable
    };
    let reason = match standing {
        _ if standing == verdict.standing => verdict.reason,
        Standing::Supported => "the model reads it in the source".to_owned(),
        Standing::Weak if verdict.standing == Standing::Supported => {
            "the model does not clearly read it in the source".to_owned()
        }
        Standing::Weak => "the model reads something like it in the source".to_owned(),
        _ => "the model does not read it in the source".to_owned(),
    };
    Verdict { standing, confidence, reason, ..verdict }
}

/// Log-odds, as far as a probability says anything.
pub(crate) fn odds(probability: f64) -> f64 {
    let clipped = probability.clamp(CLIP, 1.0 - CLIP);
    (clipped / (1.0 - clipped)).ln()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::{Combination, Entailment, EntailmentModel, Manner, Reading};
    use crate::claim::ClaimKind;
    use crate::judge::{CheckKind, ClaimText, Settings, SourceText, Standing, judge_with};

    /// Says the same about every passage.
    struct Fixed(Result<Entailment, &'static str>, Manner);

    fn manner() -> Manner {
        Manner {
            combination: Combination::beside_words(0.7),
            entailment: 0.5,
            contradiction: 0.9,
            even: 0.5,
            raises: true,
        }
    }

    impl EntailmentModel for Fixed {
        fn read(&self, pairs: &[(&str, &str)]) -> Result<Vec<Entailment>, String> {
            self.0.map(|one| vec![one; pairs.len()]).map_err(str::to_owned)
        }

        fn manner(&self) -> Manner {
            self.1
        }
    }

    fn check(claim: &str, page: &str, said: Result<(f64, f64), &'static str>, standing: Standing, hard: bool) {
        check_with(manner(), claim, page, said, standing, hard);
    }

    fn check_with(
        manner: Manner,
        claim: &str,
        page: &str,
        said: Result<(f64, f64), &'static str>,
        standing: Standing,
        hard: bool,
    ) {
        let model = Fixed(said.map(|(entails, contradicts)| Entailment { entails, contradicts }), manner);
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

    #[test]
    fn what_the_words_support_stays_so_while_both_together_do_and_a_sign_on_the_page_holds_a_claim_back() {
        let said = "The council closed the old harbour road to lorries";
        let (same, page) = (format!("{said}."), format!("{said} on Monday. Traffic is lighter since."));
        check(&same, &page, Ok((0.45, 0.0)), Standing::Supported, false);
        check(&same, &page, Ok((0.2, 0.5)), Standing::Weak, false);
        // A model that may not raise a claim still lowers one.
        let lowers = Manner { entailment: 1.0, ..manner() };
        let likely =
            "After years of debate the old harbour road is closed to heavy traffic, the council said on Monday.";
        check_with(lowers, &same, likely, Ok((0.97, 0.0)), Standing::Weak, false);
        check_with(lowers, &same, &page, Ok((0.97, 0.0)), Standing::Supported, false);
        check_with(lowers, &same, likely, Ok((0.02, 0.01)), Standing::Unverifiable, false);
        // Nor does one that nobody calibrated, however sure it is and whatever it counts.
        let sure = Combination { bias: 9.0, ..Combination::beside_words(1.0) };
        let unfitted = Manner { combination: sure, raises: false, ..manner() };
        check_with(unfitted, &same, likely, Ok((0.99, 0.0)), Standing::Weak, false);
        let elsewhere =
            "The market sold fish on Monday, and the council had nothing to say of the harbour road or of lorries.";
        let far = "Lorries were banned by the mayor.";
        check_with(unfitted, far, elsewhere, Ok((0.99, 0.0)), Standing::Unverifiable, false);
        check_with(
            Manner { raises: false, ..manner() },
            &same,
            likely,
            Ok((0.02, 0.01)),
            Standing::Unverifiable,
            false,
        );
        let turned = "The builder sued the council over the old harbour road.";
        let page = "The council sued the builder over the old harbour road.";
        check(turned, page, Ok((0.99, 0.0)), Standing::Weak, false);
        // Also where the words alone would not be enough, and the model alone would be.
        let sure = Combination { bias: 5.0, ..Combination::beside_words(1.0) };
        let sure = Manner { combination: sure, ..manner() };
        let page = "The council sued the builder on Monday, papers wrote.";
        check_with(sure, "The council angrily sued the builder.", page, Ok((0.99, 0.0)), Standing::Supported, false);
        check_with(sure, "The builder angrily sued the council.", page, Ok((0.99, 0.0)), Standing::Weak, false);
        // Fitted weights take the place of the one of the card.
        let deaf = Combination { bias: -3.0, words: 0.0, entailment: 0.0, contradiction: 0.0, product: 0.0, each: 0.0 };
        let deaf = Manner { combination: deaf, ..manner() };
        check_with(deaf, &same, likely, Ok((0.97, 0.0)), Standing::Unverifiable, false);
    }

    /// Entails what a passage with this word says, reads units, and keeps what it was shown; of claims it takes the short ones.
    struct Units(&'static str, usize, std::sync::Mutex<Vec<String>>);

    impl EntailmentModel for Units {
        fn read(&self, pairs: &[(&str, &str)]) -> Result<Vec<Entailment>, String> {
            self.2.lock().unwrap().extend(pairs.iter().map(|(passage, _)| (*passage).to_owned()));
            let entails = |passage: &str| if passage.contains(self.0) { 0.97 } else { 0.03 };
            Ok(pairs.iter().map(|(passage, _)| Entailment { entails: entails(passage), contradicts: 0.0 }).collect())
        }

        fn manner(&self) -> Manner {
            manner()
        }

        fn reading(&self) -> Reading {
            Reading::Units { room: self.1 }
        }

        fn takes(&self, claim: &str) -> bool {
            claim.len() < 80
        }
    }

    #[test]
    fn units_are_read_alone_and_together_as_far_as_there_is_room() {
        let filler =
            "Nobody spoke of anything else on that long and rainy evening in the old hall by the river. ".repeat(8);
        let page = format!(
            "After years of debate heavy traffic is banned from the harbour road. {filler}The council closed its session at \
             noon. {filler}Lorries wait by the road to the harbour market."
        );
        let claim = "The council closed the harbour road to lorries.";
        for (room, together) in [(8000, true), (60, false)] {
            let model = Units("banned", room, std::sync::Mutex::default());
            let text = ClaimText::new(claim, ClaimKind::Plain);
            let verdict = judge_with(&text, &SourceText::new(&page, ""), &Settings::default(), Some(&model));
            let shown = model.2.into_inner().unwrap();
            assert!(verdict.checks.iter().any(|check| check.kind == CheckKind::Meaning), "{verdict:?}");
            let (last, units) = shown.split_last().unwrap();
            assert!(units.len() > 1 && units.iter().any(|unit| unit.contains("banned")), "{shown:?}");
            assert_eq!(units.iter().all(|unit| last.contains(unit.as_str())), together, "{room}: {shown:?}");
        }
        // A claim that is too long for the model is not asked about.
        let model = Units("banned", 4000, std::sync::Mutex::default());
        let long = format!("{claim} It did so without a word to those who had moved there for the road.");
        let text = ClaimText::new(&long, ClaimKind::Plain);
        let verdict = judge_with(&text, &SourceText::new(&page, ""), &Settings::default(), Some(&model));
        assert!(model.2.into_inner().unwrap().is_empty());
        assert!(verdict.reason.ends_with("the model was not asked: the claim is longer than it reads"), "{verdict:?}");
    }

    /// Entails what a passage with this word says, and counts its questions.
    struct Wants(&'static str, Manner, AtomicUsize);

    impl EntailmentModel for Wants {
        fn read(&self, pairs: &[(&str, &str)]) -> Result<Vec<Entailment>, String> {
            self.2.fetch_add(pairs.len(), Ordering::Relaxed);
            let entails = |passage: &str| if passage.contains(self.0) { 0.97 } else { 0.03 };
            Ok(pairs.iter().map(|(passage, _)| Entailment { entails: entails(passage), contradicts: 0.0 }).collect())
        }

        fn manner(&self) -> Manner {
            self.1
        }
    }

    fn check_each(page: &str, claim: &str, wanted: &'static str, each: f64, questions: usize) -> f64 {
        let combination = Combination { each, ..Combination::beside_words(0.1) };
        let model = Wants(wanted, Manner { combination, ..manner() }, AtomicUsize::new(0));
        let claim = ClaimText::new(claim, ClaimKind::Plain);
        let verdict = judge_with(&claim, &SourceText::new(page, ""), &Settings::default(), Some(&model));
        assert_eq!(model.2.into_inner(), questions, "{verdict:?}");
        verdict.confidence
    }

    #[test]
    fn passages_are_read_one_by_one_where_that_counts_and_nothing_is_asked_of_what_is_settled() {
        let page = "The council met on Monday. Lorries may no longer use the harbour road. It rained all week. The road past \
            the harbour was built for carts. Nobody spoke of the market. Heavy traffic is to take the ring road.";
        let claim = "The council closed the harbour road to heavy traffic.";
        let together = check_each(page, claim, "Lorries", 0.0, 1);
        // Of two passages one says it and one does not: their odds cancel out.
        let apart = check_each(page, claim, "Lorries", 0.5, 3);
        assert!((apart - together).abs() < 1e-9, "{apart} {together}");
        assert!(check_each(page, claim, "", 0.5, 3) > apart);
        // A passage that is all there is is read once.
        check_each("Lorries may no longer use the harbour road.", claim, "Lorries", 0.5, 1);
        check_each("The model scores 49.2% on MMLU.", "The model scores 94.2% on MMLU.", "model", 0.5, 0);
    }
}
