//! The steps of arithmetic that the words of a claim name, and whether one of them gives its value.

use crate::case::Case;
use crate::cues::{self, Class};
use crate::derived::{ClaimValue, is_met};
use cited_text::quantity::{Agreement, Bound, Measure, Quantity, Role, Step, compare, follow, written};
use cited_text::words::Word;

/// So many words say how exactly a value is meant: *more than*.
const BOUND_WORDS: usize = 2;

/// What a claim says of one of its values: what was done to get it, and in which direction it went.
pub(super) struct Steps<'c> {
    pub(super) q: &'c Quantity,
    /// The steps that the claim's words may name.
    pub(super) named: Vec<Step>,
    rises: bool,
    falls: bool,
}

impl<'c> Steps<'c> {
    /// `naming` are the places of the claim's words that name rows and columns: *Lower Brenn* is not lower than anything.
    pub(super) fn read(case: &'c Case<'c>, q: &'c Quantity, naming: &[usize]) -> Self {
        let claimed = ClaimValue::new(case, q);
        // *More than half* compares nothing.
        let bounds: &[Word] = match case.claim.words.iter().position(|word| word.span.start >= q.span.start) {
            Some(at) if at > 0 && cues::has(&case.claim.words[at - 1], Class::Than) => {
                &case.claim.words[at.saturating_sub(BOUND_WORDS)..at]
            }
            _ => &[],
        };
        let is_bound = |word: &Word| bounds.iter().any(|bound| bound.span == word.span);
        let others = case.claim.words.iter().enumerate().filter(|(at, word)| !naming.contains(at) && !is_bound(word));
        let others: Vec<&Word> = others.map(|(_, word)| word).collect();
        let says = |class| others.iter().any(|word| cues::has(word, class));
        let moves_in_a_phrase = || {
            let (from, to) = bounds.first().map_or((0, 0), |word| (word.span.start, q.span.start));
            [&case.claim.text[..from], &case.claim.text[to..]].into_iter().any(cues::moves_in_a_phrase)
        };
        let (up, down) = (says(Class::Up), says(Class::Down));
        let differs = [Class::Up, Class::Down, Class::Gap, Class::Differing, Class::Change].into_iter().any(says);
        let moves = up
            || down
            || says(Class::Than)
            || claimed.is_a_difference() && (differs || q.measure == Measure::Points)
            || moves_in_a_phrase();
        let mut named = Vec::new();
        match q.measure {
            Measure::Percent if moves => named.push(Step::Change),
            Measure::Percent => named.push(Step::Share),
            Measure::Multiple => named.push(Step::Ratio),
            _ if moves || says(Class::Gap) => named.push(Step::Difference),
            _ => {}
        }
        let sum = says(Class::Together) || cues::says(case.claim.text, "sum");
        let mean = says(Class::Mean) || cues::says(case.claim.text, "average");
        let many = [(sum, Step::Sum), (mean, Step::Mean), (mean || says(Class::Per), Step::Quotient)];
        named.extend(many.into_iter().filter(|(is_said, _)| *is_said).map(|(_, step)| step));
        // What it rose *to* was not worked out.
        if q.is_temporal() || q.upper.is_some() || matches!(q.role, Role::From | Role::To) {
            named.clear();
        }
        Steps { q, named, rises: up && !down, falls: down && !up }
    }

    /// Whether a step from these operands, in their order, gives the value.
    pub(super) fn gives(&self, step: Step, operands: &[&Quantity]) -> bool {
        // A change in per cent is told from the value before it; a difference may be told either way.
        if let (Step::Change | Step::Difference, [from, to]) = (step, operands)
            && (step == Step::Change || (from.role, to.role) == (Role::From, Role::To))
            && self.goes_against(from, to)
        {
            return false;
        }
        // What changes nothing at the claim's precision is no operand.
        let matters = |operand: &&&Quantity| operand.value.abs() > self.q.tolerance;
        let added = matches!(step, Step::Sum | Step::Difference);
        (!added || operands.iter().all(|operand| matters(&operand)))
            && follow(step, operands).is_some_and(|found| self.is_met(&found))
    }

    /// What a step from these operands gives, as it is written, where neither it nor another step gives the claim's value in whatever order.
    /// `scale` is by how much the figures of the operands are multiplied.
    pub(super) fn other_result(&self, step: Step, operands: &[&Quantity], scale: f64) -> Option<String> {
        let turned: Vec<&Quantity> = operands.iter().rev().copied().collect();
        let orders = [operands, turned.as_slice()];
        let any = |order: &&[&Quantity]| ANY.into_iter().any(|step| self.gives(step, order));
        if orders.iter().any(any) {
            return None;
        }
        let found = orders.iter().find_map(|order| follow(step, order))?;
        let kind = found.measure == self.q.measure
            || matches!((self.q.measure, found.measure), (Measure::Points, Measure::Percent));
        let near = (found.value.abs() - self.q.value.abs()).abs() <= NEAR * self.q.value.abs();
        let scale = if matches!(step, Step::Sum | Step::Difference | Step::Mean) { scale } else { 1.0 };
        (kind && !near && compare(self.q, &found) != Agreement::Unrelated).then(|| figure(found.value / scale))
    }

    /// Whether the claim says that it rose where a value says that it fell, or the contrary; `lessens` says that the heads of the value speak of
    /// a fall.
    pub(super) fn turns(&self, value: &Quantity, lessens: bool) -> bool {
        let share = matches!(self.q.measure, Measure::Percent | Measure::Points);
        let by = share && !matches!(self.q.role, Role::From | Role::To) && self.q.value >= 0.0;
        by && (self.rises && (value.value < 0.0 || lessens) || self.falls && value.value > 0.0 && !lessens)
    }

    /// Whether the claim says that it went the other way than from the one to the other.
    pub(super) fn goes_against(&self, from: &Quantity, to: &Quantity) -> bool {
        self.rises && to.value < from.value || self.falls && to.value > from.value
    }

    /// Whether what followed is the claim's value: of its kind, at its precision. A difference of percentages is told in points.
    fn is_met(&self, found: &Quantity) -> bool {
        let points = matches!((self.q.measure, found.measure), (Measure::Points, Measure::Percent));
        (points || self.q.measure == found.measure || compare(self.q, found) == Agreement::Same)
            && compare(self.q, found) != Agreement::Unrelated
            && is_met(self.q, found.value.abs())
    }
}

/// The steps that may give a value, whatever the words of a claim seem to name.
const ANY: [Step; 6] = [Step::Sum, Step::Difference, Step::Mean, Step::Share, Step::Change, Step::Ratio];

/// A result that is away by this part at most may be of operands that were rounded before.
const NEAR: f64 = 0.03;

/// A number as it is written.
pub(super) fn figure(value: f64) -> String {
    let rounded = (value.abs() * 100.0).round() / 100.0;
    rounded.to_string()
}

/// Whether one value is a thousand, a million or a thousand million times the other.
pub(super) fn is_in_thousands(q: &Quantity, value: &Quantity) -> bool {
    let times = (q.value / value.value).abs().log10();
    let thousands = 10f64.powf((times / 3.0).round() * 3.0);
    let spare = q.tolerance.max(value.tolerance * thousands).max(1e-6 * q.value.abs());
    times.abs() > 2.5 && (q.value.abs() - value.value.abs() * thousands).abs() <= spare
}

/// How a step is written: the greater value first where one is taken from the other.
pub(super) fn write_step(step: Step, mut operands: Vec<&Quantity>, text: &str, value: &str) -> String {
    if step == Step::Difference {
        operands.sort_by(|a, b| b.value.total_cmp(&a.value));
    }
    let operands: Vec<&str> = operands.iter().map(|operand| operand.span.slice(text).trim()).collect();
    written(step, &operands, value.trim())
}

/// Whether a value of the page is the claim's, at its precision and with its hedge. *Up to 90 kg* is no *70 kg*, and a table may write
/// a fall as a negative change.
pub(super) fn is_the_value(q: &Quantity, value: &Quantity) -> bool {
    let exact = match q.bound {
        Bound::AtLeast | Bound::AtMost => Quantity { bound: Bound::Exact, ..q.clone() },
        Bound::Exact | Bound::About => q.clone(),
    };
    compare(&exact, value) == Agreement::Same
        || q.measure == value.measure
            && !q.is_temporal()
            && q.upper.is_none()
            && value.upper.is_none()
            && compare(&exact, value) != Agreement::Unrelated
            && is_met(&exact, value.value.abs())
}
