//! Whether the values of a claim are proved by the units of a page: they stand there for the same thing, or follow by a step that is
//! written down.

use super::cues::{self, Class};
use super::derived::Asked;
use super::quantities::{Case, Finding};
use super::readings::Reading;
use super::tables::{self, Told};
use super::verdict::CheckResult;
use crate::evidence::Evidence;
use crate::evidence::search::MOST_TERMS;
use crate::quantity::{Agreement, Measure, Quantity, Role, Step, compare, follow, is_met, written};
use crate::text::Span;

/// What is known of a value of the claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// A unit has it.
    Stands,
    /// It follows from values of units.
    Follows,
    /// Neither was found.
    Open,
}

/// What the units of a page prove of a claim.
#[derive(Debug, Default)]
pub(super) struct Proof {
    /// For each value that is checked, in their order.
    pub(super) states: Vec<State>,
    /// The terms of the claim that stand where its values were found.
    pub(super) terms: u128,
    /// How the first value that follows does so, and where the first operand stands.
    pub(super) derived: Option<(String, Span)>,
    /// What the first cell that has a value of the claim says, and where it stands.
    pub(super) tabled: Option<(String, Span)>,
    /// What a table has in the place of a value of the claim, and the value.
    pub(super) refuted: Option<Told>,
    /// The value of the claim that it refutes, when it is not a place in an order.
    pub(super) claimed: Option<Span>,
    /// The cells that the values stand in.
    pub(super) cells: Vec<Span>,
}

impl Proof {
    /// Whether a value is proved.
    pub(super) fn has(&self, value: usize) -> bool {
        self.states.get(value).is_some_and(|state| *state != State::Open)
    }

    /// Whether nothing is open.
    pub(super) fn is_whole(&self) -> bool {
        self.states.iter().all(|state| *state != State::Open)
    }

    /// The part of the values in a state.
    pub(super) fn share(&self, state: State) -> f64 {
        let count = self.states.iter().filter(|own| **own == state).count();
        if self.states.is_empty() { 0.0 } else { count as f64 / self.states.len() as f64 }
    }
}

/// This part of the claim's words has to stand in a unit that has a value for it.
const COVERED: f64 = 0.55;

/// … and in the sentences that it follows from.
const FOLLOWED: f64 = 0.45;

/// Proves what can be proved.
pub(super) fn prove(
    case: &Case<'_, '_, '_>,
    evidence: &Evidence,
    readings: &[Reading],
    findings: &[Finding],
    title: u128,
) -> Proof {
    let mut proof = Proof::default();
    let grids = tables::grids(case, evidence, title);
    for finding in findings {
        let state = prove_one(case, &grids, readings, finding, &mut proof);
        proof.states.push(state);
    }
    // The time of a cell stands over it.
    let in_cells = !proof.cells.is_empty();
    for (state, finding) in proof.states.iter_mut().zip(findings) {
        if in_cells && *state == State::Open && grids.iter().any(|grid| grid.heads_have(&finding.quantity)) {
            *state = State::Stands;
        }
    }
    // Small numbers in words are looked for in cells only.
    let checked = |q: &Quantity| findings.iter().any(|finding| finding.quantity.span == q.span);
    let small =
        case.quantities.iter().filter(|q| q.spelled && q.measure == Measure::Count && q.value >= 2.0 && !checked(q));
    for told in small.filter_map(|q| grids.iter().find_map(|grid| grid.value(q))).filter(|told| !told.otherwise) {
        proof.terms |= told.terms;
        proof.cells.extend(told.from.iter().copied());
        proof.tabled = proof.tabled.take().or_else(|| Some((told.written.clone(), *told.from.first()?)));
    }
    if let Some(rank) = grids.iter().find_map(|grid| grid.rank().or_else(|| grid.moves())) {
        if rank.otherwise {
            proof.refuted.get_or_insert(rank);
        } else {
            proof.terms |= rank.terms;
            proof.cells.extend(rank.from.iter().copied());
            if let Some(at) = rank.from.first() {
                proof.derived.get_or_insert((rank.written.clone(), *at));
            }
        }
    }
    proof
}

fn prove_one(
    case: &Case<'_, '_, '_>,
    grids: &[tables::Grid<'_>],
    readings: &[Reading],
    finding: &Finding,
    proof: &mut Proof,
) -> State {
    let q = &finding.quantity;
    let told = grids.iter().find_map(|grid| grid.value(q));
    if finding.result == CheckResult::Agrees {
        if let Some(told) = told.filter(|told| !told.otherwise && told.step == Step::Same) {
            proof.terms |= told.terms;
            proof.cells.extend(told.from.iter().copied());
            proof.tabled = proof.tabled.take().or_else(|| Some((told.written.clone(), *told.from.first()?)));
        }
        return State::Stands;
    }
    if let Some(told) = &told {
        if told.otherwise {
            proof.claimed.get_or_insert(q.span);
            proof.refuted.get_or_insert(told.clone());
            return State::Open;
        }
        proof.terms |= told.terms;
        proof.cells.extend(told.from.iter().copied());
        if told.step == Step::Same {
            proof.tabled = proof.tabled.take().or_else(|| Some((told.written.clone(), *told.from.first()?)));
            return State::Stands;
        }
        if let Some(at) = told.from.first() {
            proof.derived.get_or_insert((told.written.clone(), *at));
        }
        return State::Follows;
    }
    if readings.iter().take(2).any(|reading| has_it(case, reading, q, finding)) {
        return State::Stands;
    }
    if let Some(found) = follows(case, readings, q) {
        proof.terms |= found.terms;
        proof.derived.get_or_insert((found.written, found.at));
        return State::Follows;
    }
    // The same value twice gives nothing.
    let apart = |from: &[String]| from.windows(2).all(|pair| pair[0] != pair[1]);
    let Some(working) = finding.working.as_ref().filter(|working| apart(&working.from)) else { return State::Open };
    let at = case.index.span_of(working.sentence, working.sentence);
    let covered = readings.iter().find(|reading| reading.span.overlaps(at)).map_or_else(
        || case.lookup.mask(working.sentence.saturating_sub(1), working.sentence + 1) | first_context(readings),
        |reading| reading.all() | reading.beside,
    );
    if case.lookup.weigh(covered | telling(case)) < COVERED {
        return State::Open;
    }
    proof.terms |= covered;
    let written = format!("{}: {}", working.value, working.from.join(", "));
    proof.derived.get_or_insert((written, at));
    State::Follows
}

fn first_context(readings: &[Reading]) -> u128 {
    readings.first().map_or(0, |reading| reading.hung)
}

/// The terms that say what was done with values: *together*, *on average*; they need not stand on the page.
pub(super) fn telling(case: &Case<'_, '_, '_>) -> u128 {
    let terms = case.lookup.terms().iter().take(MOST_TERMS).enumerate();
    let tells = |key: u64| case.words.iter().any(|word| word.key == key && cues::says_what_was_done(word));
    terms.filter(|(_, term)| tells(term.key)).fold(0, |mask, (bit, _)| mask | 1 << bit)
}

/// Whether a reading has a value: in itself where it is the only one of its kind, in what it hangs on where it is a time.
fn has_it(case: &Case<'_, '_, '_>, reading: &Reading, q: &Quantity, finding: &Finding) -> bool {
    let same = |other: &Quantity| compare(q, other) == Agreement::Same;
    if q.is_temporal() {
        let mut context = reading.context.iter().flat_map(|span| case.index.quantities_in(*span));
        let own = case.index.quantities_of(reading.first, reading.last);
        return context.any(same)
            || own.iter().any(same) && own.iter().filter(|other| other.is_temporal()).count() == 1;
    }
    if reading.row || !matches!(finding.result, CheckResult::Unknown) || case.lookup.weigh(reading.all()) < COVERED {
        return false;
    }
    let own = case.index.quantities_of(reading.first, reading.last);
    let kind: Vec<&Quantity> = own.iter().filter(|other| other.measure == q.measure).collect();
    matches!(kind.as_slice(), [one] if same(one))
}

/// Of so many readings, and the sentences beside them, the values are operands.
const READ: usize = 3;
/// Some two of more values give any number.
const MOST_OPERANDS: usize = 14;
/// Operands stand in sentences so near each other.
const NEAR: usize = 6;

/// A value that follows from two of the page.
struct Following {
    written: String,
    at: Span,
    terms: u128,
}

/// A value of the page, and the sentence that it stands in.
type Operand<'i> = (&'i Quantity, usize);

/// How a value follows from two values of the units that may say the claim, by a step that the claim names.
fn follows(case: &Case<'_, '_, '_>, readings: &[Reading], q: &Quantity) -> Option<Following> {
    let as_share = match (q.measure, q.upper) {
        // *Seven in ten* is 70%.
        (Measure::Ratio, Some(whole)) if whole > q.value => Some(Quantity {
            measure: Measure::Percent,
            value: q.value / whole * 100.0,
            raw: q.value / whole * 100.0,
            tolerance: 50.0 / whole,
            upper: None,
            ..q.clone()
        }),
        _ => None,
    };
    let q = as_share.as_ref().unwrap_or(q);
    if q.upper.is_some() || q.is_temporal() {
        return None;
    }
    let asked = Asked::new(case, q);
    let steps = steps(case, &asked, q);
    let last = case.index.len().saturating_sub(1);
    let near = readings.iter().take(READ).filter(|reading| !reading.row);
    let mut sentences: Vec<usize> =
        near.flat_map(|reading| reading.first.saturating_sub(1)..=(reading.last + 1).min(last)).collect();
    sentences.sort_unstable();
    sentences.dedup();
    let all = sentences.iter().flat_map(|sentence| {
        case.index.quantities_of(*sentence, *sentence).iter().map(move |value| (value, *sentence))
    });
    let free = |(value, _): &Operand<'_>| !value.is_label() && !value.is_temporal() && value.upper.is_none();
    let operands: Vec<Operand<'_>> = all.filter(free).take(MOST_OPERANDS).collect();
    let falls = asked.says(Class::Down) && !asked.says(Class::Up);
    let rises = asked.says(Class::Up) && !asked.says(Class::Down);
    let mut pairs = operands.iter().flat_map(|a| operands.iter().map(move |b| (a, b)));
    pairs.find_map(|(a, b)| {
        if a.0.span == b.0.span || a.1.abs_diff(b.1) > NEAR {
            return None;
        }
        let (low, high) = (a.0.value.min(b.0.value), a.0.value.max(b.0.value));
        let terms = [a.1, b.1].iter().fold(0, |all, sentence| {
            let reading = readings.iter().find(|reading| reading.sentences().contains(sentence));
            all | reading.map_or_else(|| case.lookup.mask(*sentence, *sentence), Reading::all)
        });
        let covered = case.lookup.weigh(terms | telling(case)) >= FOLLOWED;
        steps.iter().filter(|_| covered).find_map(|step| {
            // What fell was more before.
            let backward = match step {
                Step::Change => falls && a.0.value < high || rises && a.0.value > low,
                _ => false,
            };
            let against = (a.0.role, b.0.role) == (Role::From, Role::To)
                && (falls && b.0.value > a.0.value || rises && b.0.value < a.0.value);
            let found = follow(*step, &[a.0, b.0]).filter(|_| !backward && !against)?;
            let met = kindred(q, &found) && (asked.is(found.value.abs()) || is_met(q, &found));
            let text = case.index.text();
            met.then(|| Following {
                written: written(*step, &[a.0.written(text), b.0.written(text)], q.written(case.claim)),
                at: case.index.span_of(a.1.min(b.1), a.1.min(b.1)),
                terms,
            })
        })
    })
}

/// Whether what followed is of the kind of the claim's value.
fn kindred(q: &Quantity, found: &Quantity) -> bool {
    matches!((q.measure, found.measure), (Measure::Points | Measure::Percent, Measure::Percent | Measure::Points))
        || compare(q, found) != Agreement::Unrelated && q.measure == found.measure
        || compare(q, found) == Agreement::Same
}

/// The steps that a claim may have taken to a value.
fn steps(case: &Case<'_, '_, '_>, asked: &Asked<'_, '_, '_>, q: &Quantity) -> Vec<Step> {
    let moves = asked.says(Class::Up)
        || asked.says(Class::Down)
        || asked.is_a_difference()
        || cues::moves_in_a_phrase(case.claim);
    let mut steps = Vec::new();
    match q.measure {
        Measure::Percent if moves => steps.push(Step::Change),
        Measure::Percent => steps.push(Step::Share),
        Measure::Multiple => steps.push(Step::Ratio),
        _ => {
            if moves || asked.says(Class::Gap) || q.measure == Measure::Points {
                steps.push(Step::Difference);
            }
            if asked.says(Class::Together) || cues::adds_up_in_a_phrase(case.claim) {
                steps.push(Step::Sum);
            }
            if asked.says(Class::Mean) || asked.says(Class::Per) || cues::means_in_a_phrase(case.claim) {
                steps.extend([Step::Quotient, Step::Mean]);
            }
        }
    }
    steps
}
