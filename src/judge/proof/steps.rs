//! The steps of arithmetic that the words of a claim name, and whether one of them gives its value.

use crate::judge::cues::{self, Class};
use crate::judge::derived::Asked;
use crate::judge::quantities::Case;
use crate::quantity::{Agreement, Bound, Measure, Quantity, Role, Step, compare, follow, written};

/// What a claim says of one of its values: what was done to get it, and in which direction it went.
pub(super) struct Steps<'q, 'c, 'i, 'a> {
    q: &'q Quantity,
    asked: &'q Asked<'c, 'i, 'a>,
    /// The steps that the claim's words may name.
    pub(super) named: Vec<Step>,
    rises: bool,
    falls: bool,
}

impl<'q, 'c, 'i, 'a> Steps<'q, 'c, 'i, 'a> {
    pub(super) fn of(case: &Case<'c, 'i, 'a>, asked: &'q Asked<'c, 'i, 'a>, q: &'q Quantity) -> Self {
        let (up, down) = (asked.says(Class::Up), asked.says(Class::Down));
        let moves = up
            || down
            || asked.says(Class::Than)
            || asked.is_a_difference()
            || cues::moves_in_a_phrase(case.claim);
        let mut named = Vec::new();
        match q.measure {
            Measure::Percent if moves => named.push(Step::Change),
            Measure::Percent => named.push(Step::Share),
            Measure::Multiple => named.push(Step::Ratio),
            _ if moves || asked.says(Class::Gap) => named.push(Step::Difference),
            _ => {}
        }
        if asked.says(Class::Together) || cues::adds_up_in_a_phrase(case.claim) {
            named.push(Step::Sum);
        }
        if asked.says(Class::Mean) || cues::means_in_a_phrase(case.claim) {
            named.push(Step::Mean);
        }
        if asked.says(Class::Mean) || asked.says(Class::Per) || cues::means_in_a_phrase(case.claim) {
            named.push(Step::Quotient);
        }
        if q.is_temporal() || q.upper.is_some() {
            named.clear();
        }
        Steps { q, asked, named, rises: up && !down, falls: down && !up }
    }

    /// Whether a step from these operands, in their order, gives the value.
    pub(super) fn gives(&self, step: Step, operands: &[&Quantity]) -> bool {
        if let (Step::Change | Step::Difference, [from, to]) = (step, operands)
            && (from.role, to.role) == (Role::From, Role::To)
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

    /// Whether the claim says that it went the other way than from the one to the other.
    pub(super) fn goes_against(&self, from: &Quantity, to: &Quantity) -> bool {
        self.rises && to.value < from.value || self.falls && to.value > from.value
    }

    /// Whether what followed is the claim's value: of its kind, at its precision. A difference of percentages is told in points.
    fn is_met(&self, found: &Quantity) -> bool {
        let points = matches!((self.q.measure, found.measure), (Measure::Points, Measure::Percent));
        (points || self.q.measure == found.measure || compare(self.q, found) == Agreement::Same)
            && compare(self.q, found) != Agreement::Unrelated
            && self.asked.is(found.value.abs())
    }
}

/// How a step is written: the greater value first where one is taken from the other.
pub(super) fn told(step: Step, mut operands: Vec<&Quantity>, text: &str, value: &str) -> String {
    if step == Step::Difference {
        operands.sort_by(|a, b| b.value.total_cmp(&a.value));
    }
    let operands: Vec<&str> = operands.iter().map(|operand| operand.span.of(text).trim()).collect();
    written(step, &operands, value.trim())
}

/// Whether a value of the page is the claim's, at its precision and with its hedge. *Up to 1,100 W* is no *800 W*, and a table may write
/// a fall as a negative change.
pub(super) fn is_the_value(case: &Case<'_, '_, '_>, q: &Quantity, value: &Quantity) -> bool {
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
            && Asked::new(case, &exact).is(value.value.abs())
}
