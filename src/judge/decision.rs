//! From what was found to a verdict: hard checks first, in a fixed order; what they leave open is judged by the words.

use super::asked::Settings;
use super::examined::Examined;
use super::finding::Finding;
use super::page::SourceText;
use super::quantities::Order;
use super::signs::{self, SignId};
use super::verdict::{Check, CheckKind, CheckResult, Derivation, Standing, Verdict};
use super::{quotations, wording};
use crate::evidence::Passage;
use crate::text::Span;

/// A claim is mostly a quotation when this part of its words stands between quotation marks …
const MOSTLY_QUOTED: f64 = 0.6;
/// … and then the source supports it with this probability at least, once the words were found. Set by hand: the labelled
/// sets have too few quotations to measure it.
const VERBATIM: f64 = 0.85;
/// A claim that is a whole sentence of the source is supported with this probability.
const WORD_FOR_WORD: f64 = 0.95;
/// A claim that no passage covers needs so much more probability to be called supported.
const SURER: f64 = 0.15;

/// The verdict of a source on what was found about a claim: the first of these that has a word decides.
pub(super) fn decide(source: &SourceText<'_>, settings: &Settings, examined: &Examined) -> Verdict {
    let decision = Decision { source, settings, examined, checks: checks(examined) };
    decision
        .word_for_word()
        .or_else(|| decision.said_otherwise_by_a_check())
        .or_else(|| decision.proved())
        .or_else(|| decision.without_its_number())
        .or_else(|| decision.nearly())
        .or_else(|| decision.in_another_language())
        .unwrap_or_else(|| decision.by_words())
}

/// What a verdict is made of.
struct Decision<'d> {
    source: &'d SourceText<'d>,
    settings: &'d Settings,
    examined: &'d Examined,
    checks: Vec<Check>,
}

impl Decision<'_> {
    fn verdict(&self, standing: Standing, confidence: f64, hard: bool, span: Option<Span>, reason: String) -> Verdict {
        let (index, sha256) = (&self.source.index, &self.source.text_sha256);
        let span = span.or(self.best()).filter(|span| !span.is_empty());
        Verdict {
            standing,
            confidence,
            hard,
            against: None,
            checks: self.checks.clone(),
            passage: span.map(|span| Passage::pin(index.text(), sha256, span)),
            derivation: None,
            sign: None,
            reason,
            by_words: false,
            cut_before: self.examined.quotations.iter().find_map(|found| found.cut_before.clone()),
        }
    }

    /// Where the best passage stands.
    fn best(&self) -> Option<Span> {
        self.examined.window.map(|window| window.span)
    }

    /// Where a sentence stands.
    fn sentence(&self, at: usize) -> Span {
        self.source.index.span_of(at, at)
    }

    /// The sentence that a place stands in.
    fn sentence_round(&self, place: Span) -> Span {
        self.sentence(self.source.index.sentence_at(place.start))
    }

    /// The confidence in a claim that the page speaks against.
    fn low(&self) -> f64 {
        self.examined.probability.min(self.settings.weak * 0.5)
    }

    /// What is found word for word is said, whatever its parts look like.
    fn word_for_word(&self) -> Option<Verdict> {
        let at = self.examined.verbatim?;
        let confidence = self.examined.probability.max(WORD_FOR_WORD);
        let reason = "the source says it word for word".to_owned();
        Some(self.verdict(Standing::Supported, confidence, true, Some(at), reason))
    }

    /// What a hard check has against the claim.
    fn said_otherwise_by_a_check(&self) -> Option<Verdict> {
        let examined = self.examined;
        let against = |check, span, reason| Verdict {
            against: Some(check),
            ..self.verdict(Standing::Contradicted, self.low(), true, span, reason)
        };
        let misquoted = |found: &&quotations::Finding| found.hard && found.result != CheckResult::Agrees;
        if let Some(found) = examined.quotations.iter().find(misquoted) {
            let reason = if found.quotation.is_empty() { "empty quotation" } else { "quote not in source" };
            return Some(against(CheckKind::Quotation, found.span, reason.to_owned()));
        }
        let proved = examined.proof.whole().is_some();
        for found in examined.quantities.iter().filter(|_| !proved) {
            // A sum is another value than what it is the sum of.
            let hard = found.hard && !examined.of_many;
            if let (CheckResult::Differs { claimed, found: theirs }, true) = (&found.result, hard) {
                let reason = format!("number not in source: {claimed} (source has {theirs})");
                return Some(against(CheckKind::Quantity, found.sentence.map(|at| self.sentence(at)), reason));
            }
        }
        if let Order::Reversed(sentence, _) = examined.order {
            let reason = "numbers in a different order in source".to_owned();
            return Some(against(CheckKind::Order, Some(self.sentence(sentence)), reason));
        }
        if let Some((clash, sentence)) = &examined.clash {
            // Words that are said to be the source's own are looked for as they are.
            let misquoted = examined.quoted_part >= MOSTLY_QUOTED
                && examined.quotations.iter().any(|found| found.result != CheckResult::Agrees);
            let (check, reason) = if misquoted {
                (CheckKind::Quotation, "quote not in source".to_owned())
            } else {
                (CheckKind::Polarity, clash.reason())
            };
            return Some(against(check, Some(self.sentence(*sentence)), reason));
        }
        let refuted = examined.proof.refuted.as_ref()?;
        let at = refuted.place().map(|at| self.sentence_round(at));
        Some(against(refuted.check().kind, at, refuted.reason()))
    }

    /// That the passage has the claim's words for something else.
    fn misplaced(&self) -> Option<(usize, SignId, String)> {
        let misplaced = self.examined.misplaced.map(|(sentence, sign, note)| (sentence, sign, note.to_owned()));
        misplaced.or_else(|| replaced(self.examined))
    }

    /// That the values of the claim follow from those of the page, or stand in its tables.
    fn proved(&self) -> Option<Verdict> {
        let quoted = self.examined.quotations.iter().all(|found| found.result == CheckResult::Agrees);
        let shown = self.examined.proof.whole().filter(|_| quoted)?;
        // What else the running text says is no reason to doubt a table.
        if !shown.is_of_a_table() && self.misplaced().is_some() {
            return None;
        }
        let at = shown.place().map(|at| self.sentence_round(at));
        let confidence = self.examined.probability.max(self.settings.supported);
        let pin = |span: &Span| Passage::pin(self.source.index.text(), &self.source.text_sha256, *span);
        let operands = shown.operands.iter().map(pin).collect();
        let derivation = Some(Derivation { written: shown.written.clone(), operands });
        Some(Verdict { derivation, ..self.verdict(Standing::Supported, confidence, true, at, shown.reason()) })
    }

    /// That a number of the claim is missing, or that the passage has another one.
    fn without_its_number(&self) -> Option<Verdict> {
        let proved = self.examined.proof.whole().is_some();
        // What follows from values of the page, of whatever they are, is not proven absent.
        let proven = |(value, found): &(usize, &Finding)| found.hard && !self.examined.proof.shows(*value);
        let mut values: Vec<_> = self.examined.quantities.iter().enumerate().filter(|_| !proved).collect();
        values.sort_by_key(|found| !proven(found));
        values.into_iter().find_map(|(value, found)| match &found.result {
            CheckResult::Absent { claimed } => {
                let reason = format!("number not in source: {claimed}");
                let hard = proven(&(value, found));
                let against = hard.then_some(CheckKind::Quantity);
                Some(Verdict { against, ..self.verdict(Standing::Unverifiable, self.low(), hard, None, reason) })
            }
            CheckResult::Differs { claimed, found: theirs } => {
                let reason = format!("number not found for the same thing: {claimed} (the passage has {theirs})");
                let at = found.sentence.map(|at| self.sentence(at));
                Some(self.verdict(Standing::Unverifiable, self.low(), false, at, reason))
            }
            _ => None,
        })
    }

    /// That a number may be worked out, or that a quotation stands there in slightly other words.
    fn nearly(&self) -> Option<Verdict> {
        let Settings { supported, weak, .. } = *self.settings;
        let confidence = || self.examined.probability.clamp(weak, supported - f64::EPSILON);
        if let Some(working) = self.examined.quantities.iter().find_map(|found| found.working.as_ref()) {
            let reason = format!("the source has numbers that give {}: {}", working.value, working.from.join(", "));
            let at = Some(self.sentence(working.sentence));
            return Some(self.verdict(Standing::Weak, confidence(), false, at, reason));
        }
        let found = self.examined.quotations.iter().find(|found| found.inexact)?;
        let reason = "the source has the quotation in slightly other words".to_owned();
        Some(self.verdict(Standing::Weak, confidence(), false, found.span, reason))
    }

    /// The quotation that the page has.
    fn quoted(&self) -> Option<&quotations::Finding> {
        self.examined.quotations.iter().find(|found| found.result == CheckResult::Agrees)
    }

    /// Where the quotation stands, or the best passage.
    fn told_at(&self) -> Option<Span> {
        self.quoted().and_then(|found| found.span).or(self.best())
    }

    /// Words of two languages cannot be compared here; that every number is there is a sign and no proof.
    fn in_another_language(&self) -> Option<Verdict> {
        let (examined, settings) = (self.examined, self.settings);
        let translated = examined.foreign
            && !examined.quantities.is_empty()
            && examined.quantities.iter().all(|found| found.on_page && !found.quantity.spelled);
        let reason = "the source is in another language; it has the numbers".to_owned();
        let confidence = examined.probability.max(settings.weak);
        (translated && examined.probability < settings.supported)
            .then(|| self.verdict(Standing::Weak, confidence, false, self.told_at(), reason))
    }

    /// What the words say, where no hard check decides.
    fn by_words(&self) -> Verdict {
        let (examined, settings) = (self.examined, self.settings);
        let agreed = examined.quantities.iter().any(|found| found.result == CheckResult::Agrees);
        let quoted = self.quoted().is_some();
        let open =
            examined.quantities.iter().any(|found| found.result != CheckResult::Agrees && !found.quantity.spelled);
        let anchored = !open && (agreed || quoted || examined.says);
        // A claim that is mostly somebody's words stands when those words are there.
        let verbatim = quoted && (examined.quoted_part >= MOSTLY_QUOTED || examined.said_so);
        let probability = examined.probability;
        let probability = if verbatim && !open { probability.max(VERBATIM) } else { probability };
        let sure = verbatim
            || wording::covers(&examined.features)
            || probability >= settings.supported + SURER && wording::touches_every_clause(&examined.features);
        let span = self.told_at();
        let held = |confidence, (sentence, sign, reason): (usize, SignId, String)| {
            let weak = self.verdict(Standing::Weak, confidence, false, Some(self.sentence(sentence)), reason);
            Verdict { sign: Some(sign.to_owned()), ..weak }
        };
        if probability >= settings.supported && anchored && sure {
            // What is found word for word is said, whatever stands round it.
            if let Some(other) = self
                .misplaced()
                .filter(|(_, sign, _)| !verbatim || *sign == signs::OTHER_SPEAKER)
                .or_else(|| replaced(examined))
            {
                return held(probability.min(settings.supported - f64::EPSILON), other);
            }
            let reason = if quoted {
                "the source has the quotation"
            } else if agreed {
                "the source has the numbers for the same thing"
            } else {
                "the source says it in nearly the same words"
            };
            self.verdict(Standing::Supported, probability, quoted || agreed, span, reason.to_owned())
        } else if probability >= settings.weak && examined.window.is_some() {
            let like = || "the source says something like it, not clearly the same".to_owned();
            match replaced(examined) {
                Some(other) => held(probability, other),
                None => Verdict { by_words: true, ..self.verdict(Standing::Weak, probability, false, span, like()) },
            }
        } else {
            // Where nothing of the claim stands there is nothing to be unsure about, whatever the page is like.
            let probability = probability.min(settings.weak - f64::EPSILON);
            self.verdict(Standing::Unverifiable, probability, false, span, "not found in the source".to_owned())
        }
    }
}

/// That the passage has another word in the place of one of the claim's.
fn replaced(examined: &Examined) -> Option<(usize, SignId, String)> {
    examined.replaced.as_ref().map(|found| (found.sentence, signs::OTHER_WORD, found.reason()))
}

/// Every check that was made, in the order in which they decide.
fn checks(examined: &Examined) -> Vec<Check> {
    let mut checks: Vec<Check> = Vec::new();
    if examined.verbatim.is_some() {
        return vec![Check { kind: CheckKind::Wording, result: CheckResult::Agrees }];
    }
    checks.extend(
        examined.quotations.iter().map(|found| Check { kind: CheckKind::Quotation, result: found.result.clone() }),
    );
    let proved = examined.proof.whole().is_some();
    checks.extend(examined.quantities.iter().map(|found| {
        let result = if proved { CheckResult::Agrees } else { found.result.clone() };
        Check { kind: CheckKind::Quantity, result }
    }));
    if let Some(refuted) = &examined.proof.refuted {
        checks.push(refuted.check());
    } else if examined.proof.whole().is_some() {
        checks.push(Check { kind: CheckKind::Derived, result: CheckResult::Agrees });
    }
    match &examined.order {
        Order::Silent => {}
        Order::Same(_) => checks.push(Check { kind: CheckKind::Order, result: CheckResult::Agrees }),
        Order::Reversed(..) => checks.push(Check {
            kind: CheckKind::Order,
            result: CheckResult::Differs { claimed: "from–to".to_owned(), found: "to–from".to_owned() },
        }),
    }
    if let Some((clash, _)) = &examined.clash {
        let result = CheckResult::Differs { claimed: clash.claimed.clone(), found: clash.found.clone() };
        checks.push(Check { kind: CheckKind::Polarity, result });
    } else if examined.says {
        checks.push(Check { kind: CheckKind::Polarity, result: CheckResult::Agrees });
    }
    let wording = examined.replaced.as_ref().map_or(CheckResult::Unknown, |other| CheckResult::Differs {
        claimed: other.claimed.clone(),
        found: other.found.clone(),
    });
    checks.push(Check { kind: CheckKind::Wording, result: wording });
    checks
}
