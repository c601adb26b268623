//! Claims that give different values for the same quantity.
//!
//! Nothing is averaged and nothing picked: both stay, and the difference between them is named if it can be.

use std::collections::{BTreeSet, HashMap};

use super::case::counted;
use super::certainty::CLASSES;
use super::checks;
use super::cues::{self, Class};
use super::polarity;
use super::settings::Settings;
use crate::evidence::search::{Term, terms};
use cited_core::claim::Cell;
use cited_core::markdown::BlockId;
use cited_core::verdict::{Check, CheckKind, CheckResult, Standing, Verdict};
use cited_text::quantity::{Agreement, Measure, Quantity, agree, compare, quantities};
use cited_text::words::{Word, words};

/// Two claims are about the same when the shorter has this part of its words, by weight, in the other …
const SHARED_OF_SHORTER: f64 = 0.8;
/// … and the longer this part of its own.
const SHARED_OF_LONGER: f64 = 0.55;
/// A word that more claims have than this brings none of them together.
const COMMON: usize = 40;
/// The words before *that* are those of the one who reports, when they are no more than this, in bytes.
const REPORTER: usize = 60;

/// A claim that is held against others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClaimInContext<'a> {
    /// Its words.
    pub text: &'a str,
    /// Where they can be understood.
    pub within: Within<'a>,
}

/// Where the words of a claim say what they are about: claims of different places may be about different things.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Within<'a> {
    /// Anywhere: it names what it is about.
    Document,
    /// In this block: *It employs 2,877 people*, or a fragment in a list.
    Block(BlockId),
    /// In the cells with this row label and column head.
    Cell(&'a Cell),
}

/// A disagreement of two claims.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The first claim's value, as written.
    pub first: String,
    /// The second claim's value.
    pub second: String,
    /// What may explain it: `time (“2023”)`, `definition (“daily”)`, `population (“women”)` or `unexplained`.
    pub difference: String,
}

/// A claim as it is compared.
struct Prepared<'a> {
    text: &'a str,
    quantities: Vec<Quantity>,
    terms: Vec<Term>,
}

/// The pairs of claims that give different values for the same quantity, in order.
///
/// ```
/// use cited_judge::conflict::{ClaimInContext, Within, conflicts};
/// let claims = ["Pew reports that 45% of adults use AI tools.", "McKinsey reports that 12% of adults use AI tools daily."];
/// let found = conflicts(&claims.map(|text| ClaimInContext { text, within: Within::Document }));
/// assert_eq!((found[0].0, found[0].1, found[0].2.difference.as_str()), (0, 1, "definition (“daily”)"));
/// ```
pub fn conflicts(claims: &[ClaimInContext<'_>]) -> Vec<(usize, usize, Conflict)> {
    let prepared: Vec<Prepared<'_>> = claims.iter().map(|claim| prepare(claim.text)).collect();
    let mut having: HashMap<u64, Vec<usize>> = HashMap::new();
    for (i, claim) in prepared.iter().enumerate().filter(|(_, claim)| !claim.quantities.is_empty()) {
        for term in &claim.terms {
            having.entry(term.key).or_default().push(i);
        }
    }
    let mut pairs = BTreeSet::new();
    for claims in having.values().filter(|claims| claims.len() <= COMMON) {
        for (n, a) in claims.iter().enumerate() {
            pairs.extend(claims[n + 1..].iter().map(|b| (*a, *b)));
        }
    }
    pairs.retain(|(a, b)| claims[*a].within == claims[*b].within);
    pairs.into_iter().filter_map(|(a, b)| Some((a, b, disagreement(&prepared[a], &prepared[b])?))).collect()
}

/// Holds what the sources of one claim say against each other: where one supports it, those that give another number for the same say so;
/// where each says a part, each lacks the others.
pub fn hold_against_each_other<'v>(claim: &str, verdicts: impl IntoIterator<Item = &'v mut Verdict>) {
    let all: Vec<&mut Verdict> = verdicts.into_iter().collect();
    if !all.iter().any(|verdict| verdict.standing == Standing::Supported) {
        return share_out(claim, all);
    }
    for verdict in all {
        if let Some(other) = other_number(claim, verdict) {
            *verdict = other;
        }
    }
}

/// What the page of a source that leaves a claim open says instead, where another source supports the claim: its own words give another value
/// for the same quantity, and nothing that would explain it. *In total* or *on average* on one side alone hides no difference.
fn other_number(claim: &str, verdict: &Verdict) -> Option<Verdict> {
    let lacks = |check: &Check| check.kind == CheckKind::Quantity && check.result != CheckResult::Agrees;
    let is_open =
        matches!(verdict.standing, Standing::Weak | Standing::Unverifiable) && verdict.checks.iter().any(lacks);
    let passage = verdict.passage.as_ref().filter(|_| is_open)?;
    let (mine, theirs) = (prepare(claim), prepare(&passage.text));
    let conflict = disagreement(&mine, &theirs).filter(|_| explained(&mine, &theirs).is_none())?;
    let Conflict { first: claimed, second: found, .. } = conflict;
    let decisive = checks::check("other-number")?;
    Some(Verdict {
        standing: Standing::Contradicted,
        confidence: decisive.wrong(),
        hard: true,
        against: Some(CheckKind::Quantity),
        reason: format!("number not in source: {claimed} (source has {found})"),
        checks: vec![Check { kind: CheckKind::Quantity, result: CheckResult::Differs { claimed, found } }],
        check: Some(decisive.id.to_owned()),
        ..verdict.clone()
    })
}

/// Where each source of a claim says a part of it in a sentence of its own, and together all its numbers, each lacks the others.
fn share_out(claim: &str, verdicts: Vec<&mut Verdict>) {
    let numbers: Vec<Quantity> = quantities(claim).into_iter().filter(Quantity::is_measured).collect();
    let own: Vec<u64> = words(claim).map(|word| word.key).collect();
    let is_part = |text: &str| !text.is_empty() && words(text).all(|word| word.stop || own.contains(&word.key));
    let has = |text: &str, q: &Quantity| quantities(text).iter().any(|other| agree(q, other));
    let said = verdicts.iter().map(|verdict| verdict.passage.as_ref());
    let parts: Vec<String> = said.map(|said| said.map_or_else(String::new, |said| said.text.clone())).collect();
    let is_all = numbers.iter().all(|q| parts.iter().any(|part| has(part, q)));
    if parts.len() < 2 || numbers.is_empty() || !is_all || !parts.iter().all(|part| is_part(part)) {
        return;
    }
    for (verdict, part) in verdicts.into_iter().zip(parts) {
        let lacks = numbers.iter().filter(|q| !has(&part, q)).map(|q| q.span.slice(claim).to_owned());
        let lacks = lacks.map(|claimed| Check { kind: CheckKind::Quantity, result: CheckResult::Absent { claimed } });
        (verdict.standing, verdict.hard, verdict.checks) = (Standing::Weak, true, lacks.collect());
        verdict.confidence = verdict.confidence.max(Settings::default().weak);
    }
}

fn prepare(claim: &str) -> Prepared<'_> {
    // Who reports it is no part of what is reported.
    let reported = claim.find(" that ").filter(|at| *at <= REPORTER).map_or(0, |at| at + " that ".len());
    let quantities = quantities(claim)
        .into_iter()
        .filter(|q| q.is_measured() && !q.is_temporal() && !q.spelled && q.span.start >= reported)
        .collect();
    let mut terms = terms(claim);
    terms.retain(|term| term.span.start >= reported);
    Prepared { text: claim, quantities, terms }
}

fn disagreement(a: &Prepared<'_>, b: &Prepared<'_>) -> Option<Conflict> {
    let weight = |terms: &[Term]| terms.iter().map(|term| term.weight).sum::<f64>();
    let shared: f64 =
        a.terms.iter().filter(|term| b.terms.iter().any(|other| other.key == term.key)).map(|term| term.weight).sum();
    let (one, two) = (weight(&a.terms), weight(&b.terms));
    if shared < SHARED_OF_SHORTER * one.min(two) || shared < SHARED_OF_LONGER * one.max(two) || shared == 0.0 {
        return None;
    }
    // Claims with several values each are comparisons of their own.
    let ([mine], [theirs]) = (a.quantities.as_slice(), b.quantities.as_slice()) else { return None };
    let differ = [compare(mine, theirs), compare(theirs, mine)].iter().all(|said| *said == Agreement::Different);
    let count_one_thing = mine.measure != Measure::Count || counted(a.text, mine) == counted(b.text, theirs);
    let are_of_one_label = label(a).zip(label(b)).is_none_or(|(one, other)| one == other);
    // Two points in time are no disagreement.
    let (then, other) = (years(a.text), years(b.text));
    let are_of_one_time = then.is_empty() || other.is_empty() || then == other;
    if !(differ && count_one_thing && are_of_one_label && are_of_one_time) {
        return None;
    }
    let written = |claim: &Prepared<'_>, q: &Quantity| q.span.slice(claim.text).trim().to_owned();
    Some(Conflict {
        first: written(a, mine),
        second: written(b, theirs),
        difference: explained(a, b).unwrap_or_else(|| "unexplained".to_owned()),
    })
}

/// What a claim is headed by: *Basic tier: $50 a month*.
fn label(claim: &Prepared<'_>) -> Option<BTreeSet<u64>> {
    let end = claim.text.find([':', '：']).filter(|at| *at <= REPORTER)?;
    Some(claim.terms.iter().filter(|term| term.span.end <= end).map(|term| term.key).collect())
}

/// The dates of a claim, as written, and its places in a row: *first*, of quarters and of floors.
fn years(text: &str) -> Vec<String> {
    let dates = quantities(text).into_iter().filter(Quantity::is_temporal).map(|date| date.span);
    let in_row = |word: &Word| cues::has(word, Class::Ordinal) || cues::has(word, Class::Rank);
    let places = words(text).filter(in_row).map(|word| word.span);
    dates.chain(places).map(|span| span.slice(text).to_lowercase()).collect()
}

/// What may explain that two claims differ.
fn explained(a: &Prepared<'_>, b: &Prepared<'_>) -> Option<String> {
    let only = |x: &Prepared<'_>, y: &Prepared<'_>| -> Vec<String> {
        let new = words(x.text).filter(|word| !words(y.text).any(|other| other.key == word.key));
        new.map(|word| word.span.slice(x.text).to_owned()).collect()
    };
    let dated: Vec<String> = years(a.text).into_iter().chain(years(b.text)).collect();
    if let Some(year) = dated.first().filter(|_| years(a.text) != years(b.text)) {
        return Some(format!("time (“{year}”)"));
    }
    let mut extra = only(a, b);
    extra.extend(only(b, a));
    let restricts = |word: &&String| polarity::stance(word).qualifies;
    if let Some(word) = extra.iter().find(restricts) {
        return Some(format!("definition (“{word}”)"));
    }
    let word = extra.iter().find(|word| CLASSES.has("population", &word.to_lowercase()))?;
    Some(format!("population (“{word}”)"))
}

#[cfg(test)]
mod tests {
    use super::{ClaimInContext, Within, conflicts, other_number, share_out};
    use crate::{ClaimText, Settings, SourceText, Standing, judge};
    use cited_core::claim::{Cell, ClaimKind};

    fn check(first: &str, second: &str, expected: Option<&str>) {
        let found = conflicts(&[first, second].map(|text| ClaimInContext { text, within: Within::Document }));
        assert_eq!(found.first().map(|(_, _, conflict)| conflict.difference.as_str()), expected, "{first} / {second}");
    }

    #[test]
    fn differences_are_named_and_other_things_are_no_conflict() {
        check("The market is worth $5 billion.", "The market is worth $9 billion.", Some("unexplained"));
        check("In 2023 the market was worth $5 billion.", "The market is worth $9 billion.", Some("time (“2023”)"));
        check("In 2023 the market was worth $5 billion.", "In 2024 the market was worth $9 billion.", None);
        check("12% of adults smoke tobacco.", "15% of urban adults smoke tobacco.", Some("population (“urban”)"));
        check("12% of adults smoke.", "15% of adults drive to work by car.", None);
        check("The market is worth $5 billion.", "The market is worth $5.0 billion.", None);
        check("Basic tier: $50 monthly limit", "Growth tier: $500 monthly limit", None);
        let quarter = |which: &str| format!("Revenue of Acme was {which}.");
        for (one, other) in [("first quarter", "second quarter"), ("second half", "third half"), ("Q1", "Q2")] {
            let (one, other) =
                (quarter(&format!("44 million in the {one}")), quarter(&format!("48 million in the {other}")));
            check(&one, &other, None);
        }
        check("Basic tier: $50 monthly limit", "Basic tier: $500 monthly limit", Some("unexplained"));
    }

    #[test]
    fn a_total_or_an_average_on_one_side_hides_no_other_number() {
        let check = |claim: &str, page: &str, expected: Option<&str>| {
            let read = SourceText::new(page, "");
            let verdict = judge(&ClaimText::new(claim, ClaimKind::Quantitative), &read, &Settings::default());
            let found = other_number(claim, &verdict);
            assert!(found.as_ref().is_none_or(|found| found.standing == Standing::Contradicted));
            assert_eq!(found.map(|found| found.reason).as_deref(), expected, "{claim} / {page}");
        };
        let differs = Some("number not in source: 45% (source has 12%)");
        let asked = "McKinsey asked 3,100 adults in May 2025.";
        for word in ["Overall, ", "In total ", "Altogether, ", "On average, "] {
            check("45% of adults use AI tools.", &format!("{asked} {word}12% of adults use AI tools."), differs);
            check(
                &format!("{word}45% of adults use AI tools."),
                &format!("{asked} 12% of adults use AI tools."),
                differs,
            );
        }
        check("45% of adults use AI tools.", &format!("{asked} In total 12% of adults use AI tools daily."), None);
        check("45% of adults use AI tools.", &format!("{asked} Overall, 12% of adults drive to work by car."), None);
    }

    #[test]
    fn sources_that_each_say_a_part_have_all_of_it_together() {
        let claim = "Los embalses están al 58% de su capacidad y el riego consume el 71% del agua.";
        let pages = ["Los embalses están al 58% de su capacidad.", "El riego consume el 71% del agua.", "Hace sol."];
        let judged = |pages: &[&str]| {
            let of = |page: &&str| {
                let read = SourceText::new(page, "");
                judge(&ClaimText::new(claim, ClaimKind::Quantitative), &read, &Settings::default())
            };
            let mut verdicts: Vec<_> = pages.iter().map(of).collect();
            share_out(claim, verdicts.iter_mut().collect());
            verdicts.into_iter().map(|verdict| (verdict.standing, verdict.checks.len())).collect::<Vec<_>>()
        };
        assert_eq!(judged(&pages[..2]), [(Standing::Weak, 1), (Standing::Weak, 1)]);
        assert_ne!(judged(&pages[1..])[1].0, Standing::Weak);
    }

    #[test]
    fn cells_are_compared_with_those_of_the_same_row_and_column() {
        let cell = |row: &str| Cell { row: row.to_owned(), column: "Share".to_owned() };
        let found = |one: &Cell, other: &Cell| {
            let of = |text, cell| ClaimInContext { text, within: Within::Cell(cell) };
            conflicts(&[of("14% of adults", one), of("9% of adults", other)]).len()
        };
        assert_eq!(found(&cell("Oldham"), &cell("Oldham")), 1);
        assert_eq!(found(&cell("Oldham"), &cell("Karst")), 0);
    }
}
