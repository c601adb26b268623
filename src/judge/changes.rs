//! The order of a change: *from 30 to 12* is not *from 12 to 30*.

use std::collections::HashSet;

use super::case::Case;
use crate::quantity::{Agreement, Quantity, Role, compare};
use crate::text::Span;

/// A pair from–to is compared with a pair in a sentence that has this part of the claim's words.
const ORDER_RECALL: f64 = 0.4;

/// What the page has of the order of a change from one value to another.
#[derive(Debug, Clone, PartialEq)]
pub enum Order {
    /// The claim has no such change, or the page does not speak of it.
    Silent,
    /// The page has it in the same order, in this sentence.
    Same(usize),
    /// The page has it the other way round, in this sentence.
    Reversed(usize, Span),
}

/// The values from which and to which something goes, as places among some quantities.
pub(super) fn changes(all: &[Quantity]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for i in (0..all.len()).filter(|i| all[*i].role == Role::From) {
        // Mostly behind it: *from 2000 to 2001 and from 2005 to 2013*.
        let near = i.saturating_sub(4)..(i + 5).min(all.len());
        let to = near.filter(|j| all[*j].role == Role::To).min_by_key(|j| (j.abs_diff(i), *j < i));
        found.extend(to.map(|j| (i, j)));
    }
    found
}

/// Compares the order of a change: *from 30 to 12* is not *from 12 to 30*.
pub fn order(case: &Case<'_, '_, '_>) -> Order {
    let claimed = changes(case.quantities);
    if claimed.is_empty() {
        return Order::Silent;
    }
    let theirs = case.once.changes.get_or_init(|| changes(case.index.quantities()));
    let mut seen = HashSet::new();
    for (from, to) in claimed {
        let (a, b) = (&case.quantities[from], &case.quantities[to]);
        if compare(a, b) != Agreement::Different {
            continue;
        }
        let mut reversed = None;
        for (from, to) in theirs {
            let (c, d) = (&case.index.quantities()[*from], &case.index.quantities()[*to]);
            let sentence = case.index.sentence_at(c.span.start);
            if case.lookup.recall(sentence, sentence) < ORDER_RECALL {
                continue;
            }
            let same = |x, y| compare(x, y) == Agreement::Same;
            if same(a, c) && same(b, d) {
                return Order::Same(sentence);
            }
            if same(a, d) && same(b, c) && seen.insert(sentence) {
                reversed = Some(Order::Reversed(sentence, c.span.cover(d.span)));
            }
        }
        if let Some(reversed) = reversed {
            return reversed;
        }
    }
    Order::Silent
}
