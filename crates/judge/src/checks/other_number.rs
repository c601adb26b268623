//! A sentence accounts for everything but one number, which has another value there; or for everything, with *from* and *to* exchanged.

use super::found::Found;
use super::guards;
use crate::align::{Account, Aligned, Token};
use crate::pair::Pair;
use crate::{cues, derived};
use cited_text::quantity::{Agreement, Bound, Measure, Quantity, Role, compare};
use cited_text::words::Word;

/// A shorter sentence is said of many things.
const FEWEST_TOKENS: usize = 4;
/// The rest of the claim stands there in its order, but for this part.
const ORDERED: f64 = 0.03;

pub(super) fn look(pair: &Pair<'_>) -> Option<Found> {
    if pair.is_foreign {
        return None;
    }
    let single = || pair.units.iter().filter(|unit| unit.first == unit.last && guards::is_plain(pair, unit));
    single().find_map(|unit| other_value(pair, unit).or_else(|| exchanged(pair, unit)))
}

/// The one value of a sentence that stands in the place of the claim's.
fn other_value(pair: &Pair<'_>, unit: &Aligned<'_>) -> Option<Found> {
    let gaps = unit.gaps();
    let [gap] = gaps.as_slice() else { return None };
    let [own] = gap.claimed.as_slice() else { return None };
    let other = crate::only::only(gap.found.iter().filter(|j| unit.tokens[**j].is_value()))?;
    let (Token::Value(own, _), Token::Value(found, _)) = (pair.claim.tokens[*own], unit.tokens[*other]) else {
        return None;
    };
    let (q, theirs) = (&pair.claim.quantities[own], &unit.quantities[found]);
    // *Llama 3* and *Llama 2* are two things.
    let is_name = names(pair.claim.text, &pair.claim.words, q) || names(pair.page(), unit.words, theirs);
    // *46.7% more than men* is no share. Words beside an amount say of what it is, beside a date they do not.
    if is_name || guards::is_used_otherwise(pair, unit, q, *other) || gap.found.len() > 1 && !theirs.is_temporal() {
        return None;
    }
    // A short sentence is said of many things, unless it is all of the page's.
    let tells = pair.claim.tokens.len() >= FEWEST_TOKENS || unit.used.iter().filter(|used| !**used).count() == 1;
    let in_place = tells && unit.in_place >= unit.covered - ORDERED && !unit.accounts.contains(&Account::Over);
    // Another value of the sentence that the claim has not may be the one that it means.
    let rivals = unit.other_values().filter(|(_, other)| other.measure == theirs.measure);
    let alone = rivals.filter(|(j, _)| !guards::is_of_another(pair, unit, *j));
    let are_sure = [q, theirs].into_iter().all(|q| is_sure(q) && q.bound == Bound::Exact);
    let differs = are_sure && compare(q, theirs) == Agreement::Different;
    // A guard that would say just that is no objection.
    let is_objected = || guards::is_objected_beside(pair, unit, &["other-value"]);
    if !(in_place && differs && alone.count() == 1 && !is_elsewhere(pair, q) && !is_objected()) {
        return None;
    }
    let (claimed, told) = (q.written(pair.claim.text).to_owned(), theirs.written(pair.page()).to_owned());
    // *193.000* and *193,000*: the same digits with other marks between them are the same number in another country's writing.
    let figures = |written: &str| written.trim_matches(|c: char| !c.is_ascii_digit()).to_owned();
    let digits = |written: &str| written.chars().filter(char::is_ascii_digit).collect::<String>();
    if figures(&claimed) != figures(&told) && digits(&claimed) == digits(&told) {
        return None;
    }
    let reason = format!("number not in source: {claimed} (source has {told})");
    Some(Found { span: Some(unit.span), reason, claimed, on_page: told, ..Found::default() })
}

/// Whether a number tells which of several things of one name is meant: it stands right behind the name, or is a version.
pub(super) fn names(text: &str, words: &[Word], q: &Quantity) -> bool {
    let before = words.iter().rfind(|word| word.span.end <= q.span.start);
    let is_name = |word: &Word| !word.stop && word.span.slice(text).contains(char::is_uppercase);
    let behind = |word: &Word| is_name(word) && &text[word.span.end..q.span.start] == " ";
    matches!(q.measure, Measure::Version(..)) || q.measure == Measure::Count && before.is_some_and(behind)
}

/// Whether a value is one number, of something: a place in a row or a small number in words is not.
pub(super) fn is_sure(q: &Quantity) -> bool {
    !matches!(q.measure, Measure::Label | Measure::Ordinal) && (!q.spelled || q.value > 2.0)
}

/// Whether the page has the value in another place, or what it follows from.
fn is_elsewhere(pair: &Pair<'_>, q: &Quantity) -> bool {
    let index = &pair.source.index;
    let on_page = index.agreeing(q).any(|other| {
        // Its sentence has words of the claim, too.
        let sentence = index.sentence_at(other.span.start);
        let near = pair.lookup.recall(sentence, sentence) > 0.0;
        // *Three branches* are not the three euros of the claim.
        let is_of_a_thing = q.measure != Measure::Count && other.measure == Measure::Count && other.counted.is_some();
        (near || !q.is_temporal()) && !is_of_a_thing
    });
    on_page || derived::working(&pair.case(), q).is_some()
}

/// The claim goes from the one value to the other, and the sentence from the other to the one.
fn exchanged(pair: &Pair<'_>, unit: &Aligned<'_>) -> Option<Found> {
    let side = |all: &[Quantity], role: Role| crate::only::only(all.iter().filter(|q| q.role == role)).cloned();
    let mine = &pair.claim.quantities;
    let (from, to) = (side(mine, Role::From)?, side(mine, Role::To)?);
    let (theirs_from, theirs_to) = (side(unit.quantities, Role::From)?, side(unit.quantities, Role::To)?);
    let same = |a: &Quantity, b: &Quantity| compare(a, b) == Agreement::Same;
    let turned = same(&from, &theirs_to) && same(&to, &theirs_from) && !same(&from, &to);
    // What fell from the one to the other rose from that one.
    let moves = |i: usize| matches!(pair.claim.tokens[i], Token::Word(word) if cues::moves(&word));
    let all = pair.claim.tokens.len() >= FEWEST_TOKENS && unit.missing().all(moves);
    (turned && all && !guards::is_objected_beside(pair, unit, &["roles", "direction", "other-value"])).then(|| Found {
        span: Some(unit.span),
        reason: "numbers in a different order in source".to_owned(),
        claimed: "from–to".to_owned(),
        on_page: "to–from".to_owned(),
        ..Found::default()
    })
}
