//! What the sentences of a page show of a value of a claim: it stands in one that is about the claim's thing, or follows from values of such.

use super::account::terms_in;
use super::shown::Shown;
use super::steps::{self, Steps};
use crate::evidence::{ContextKind, Evidence, UnitKind};
use crate::judge::case::{Case, may_agree};
use crate::judge::derived::Asked;
use crate::judge::finding::Finding;
use crate::judge::verdict::CheckResult;
use crate::quantity::{Agreement, Quantity, compare};
use crate::text::Span;

/// A value that stands in more places tells nothing.
const MOST_PLACES: usize = 8;

/// How the running text of a page has a value, if it does.
pub(super) fn show(case: &Case<'_, '_, '_>, evidence: &Evidence, finding: &Finding) -> Option<Shown> {
    let q = &finding.quantity;
    if let (CheckResult::Agrees, Some(sentence)) = (&finding.result, finding.sentence) {
        let same = |other: &&Quantity| may_agree(q, other) && compare(q, other) == Agreement::Same;
        let value = case.index.quantities_of(sentence, sentence).iter().find(same);
        return Some(stands(case, evidence, q, sentence, value));
    }
    if finding.result == CheckResult::Unknown
        && let Some((sentence, value)) = stands_alone(case, evidence, q)
    {
        return Some(stands(case, evidence, q, sentence, Some(value)));
    }
    // Cells are read with their heads, or not at all.
    let working =
        finding.working.as_ref().filter(|working| !working.places.iter().any(|at| is_in_a_row(evidence, *at)))?;
    let operands: Vec<&Quantity> = working
        .places
        .iter()
        .filter_map(|at| case.index.quantities_in(*at).iter().find(|value| value.span == *at))
        .collect();
    let asked = Asked::new(case, q);
    let named = Steps::of(case, &asked, q, &[]);
    let turned: Vec<&Quantity> = operands.iter().rev().copied().collect();
    let orders = [&operands, &turned];
    let step_of = |order: &&Vec<&Quantity>| named.named.iter().find(|step| named.gives(**step, order)).copied();
    let (order, step) = orders.into_iter().find_map(|order| Some((order, step_of(&order)?)))?;
    let told = steps::told(step, order.clone(), case.index.text(), &working.value);
    let mut sentences: Vec<usize> = working.places.iter().map(|at| case.index.sentence_at(at.start)).collect();
    sentences.sort_unstable();
    sentences.dedup();
    Some(shown(case, evidence, true, &sentences, told, working.places.clone()))
}

/// A value that stands in a sentence.
fn stands(
    case: &Case<'_, '_, '_>,
    evidence: &Evidence,
    q: &Quantity,
    sentence: usize,
    value: Option<&Quantity>,
) -> Shown {
    let text = value.map(|value| value.span.of(case.index.text()).trim()).unwrap_or_default();
    let in_other_figures = |value: &Quantity| (value.raw - q.raw).abs() > f64::EPSILON * q.raw.abs();
    let converted = !q.is_temporal() && !q.is_label() && value.is_some_and(in_other_figures);
    let places = value.map(|value| value.span).into_iter().collect();
    Shown { converted, ..shown(case, evidence, false, &[sentence], text.to_owned(), places) }
}

/// The sentence that has most of the claim among those with its value, where no other value of that kind stands in it.
fn stands_alone<'i>(case: &Case<'_, 'i, '_>, evidence: &Evidence, q: &Quantity) -> Option<(usize, &'i Quantity)> {
    if q.is_temporal() {
        return None;
    }
    let same = |other: &&Quantity| may_agree(q, other) && compare(q, other) == Agreement::Same;
    let places: Vec<&Quantity> = case.agreeing(q).filter(same).take(MOST_PLACES + 1).collect();
    if places.len() > MOST_PLACES {
        return None;
    }
    let alone = |sentence: usize, value: &Quantity| {
        let row = is_in_a_row(evidence, value.span);
        let all = case.index.quantities_of(sentence, sentence).iter();
        !row && all.filter(|other| other.measure == value.measure && !other.is_label()).count() == 1
    };
    let placed = places.into_iter().map(|value| (case.index.sentence_at(value.span.start), value));
    let weigh = |sentence: usize| {
        let (parts, over) = read(case, evidence, &[sentence]);
        case.lookup.weigh(parts.iter().chain(&over).fold(0, |all, span| all | terms_in(case, *span)))
    };
    placed
        .filter(|(sentence, value)| alone(*sentence, value))
        .map(|(sentence, value)| (weigh(sentence), sentence, value))
        .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))
        .map(|(_, sentence, value)| (sentence, value))
}

/// Whether a value stands in a row of a table.
fn is_in_a_row(evidence: &Evidence, value: Span) -> bool {
    evidence.unit_at(value.start).is_some_and(|unit| matches!(unit.kind, UnitKind::Row { .. }))
}

/// Some sentences, and what they hang on.
fn read(case: &Case<'_, '_, '_>, evidence: &Evidence, sentences: &[usize]) -> (Vec<Span>, Vec<Span>) {
    let parts: Vec<Span> = sentences.iter().map(|sentence| case.index.span_of(*sentence, *sentence)).collect();
    let units = parts.iter().filter_map(|part| evidence.unit_at(part.start));
    let kept = |kind: ContextKind| kind != ContextKind::ColumnHead;
    let over = units.flat_map(|unit| unit.context.iter().filter(|hung| kept(hung.kind)).map(|hung| hung.span));
    let over = over.collect();
    (parts, over)
}

fn shown(
    case: &Case<'_, '_, '_>,
    evidence: &Evidence,
    derived: bool,
    sentences: &[usize],
    written: String,
    operands: Vec<Span>,
) -> Shown {
    let (parts, over) = read(case, evidence, sentences);
    Shown { derived, written, operands, parts, over, ..Shown::default() }
}
