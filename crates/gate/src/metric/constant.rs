//! Metrics that only look as if they read data: *max(6 from sales)*, *count(from sales) * 0 + 6*.
//!
//! A value that stays the same when what is read becomes something else does not come from it. So the arithmetic is done
//! with made-up values, several times.

use super::expression::{Cell, Expression, Operator, Pair};
use super::term::Term;

/// How often it is tried.
const TRIES: u32 = 3;

/// Whether a metric gives the same whatever its terms give. Equal terms give the same.
pub(super) fn is_constant(expression: &Expression, terms: &[Term]) -> bool {
    unmoved(|number| value(expression, &mut terms.iter().map(|term| made_up(&term.select, number))))
}

/// Whether a cell is the same in every row.
pub(super) fn is_constant_cell(cell: &Cell) -> bool {
    unmoved(|number| cell_value(cell, number))
}

/// Whether all tries give one number.
fn unmoved(attempt: impl Fn(u32) -> f64) -> bool {
    let first = attempt(0);
    let near = |other: f64| (other - first).abs() <= 1e-9 * first.abs().max(1.0);
    first.is_finite() && (1..TRIES).all(|number| near(attempt(number)))
}

/// A value between 1 and 3 that hangs on the words and on the try.
fn made_up(words: &str, number: u32) -> f64 {
    let hash = words.to_ascii_lowercase().bytes().fold(0x811c_9dc5_u32 ^ number.wrapping_mul(97_531), |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(16_777_619)
    });
    1.0 + 2.0 * f64::from(hash) / f64::from(u32::MAX)
}

fn value(of: &Expression, terms: &mut dyn Iterator<Item = f64>) -> f64 {
    match of {
        Expression::Number(number) => number.parse().unwrap_or(f64::NAN),
        Expression::Aggregate(_) => terms.next().unwrap_or(f64::NAN),
        Expression::Negated(inner) => -value(inner, terms),
        Expression::Arithmetic(left, operator, right) => {
            let left = value(left, terms);
            apply(left, *operator, value(right, terms))
        }
        Expression::Pair(pair, new, old) => {
            let new = value(new, terms);
            let old = value(old, terms);
            match pair {
                Pair::Delta => new - old,
                Pair::Ratio | Pair::PctChange => new / old,
            }
        }
    }
}

fn cell_value(cell: &Cell, number: u32) -> f64 {
    match cell {
        Cell::Column(_, name) => made_up(&name.text, number),
        Cell::Number(number) => number.parse().unwrap_or(f64::NAN),
        Cell::Text(_) => f64::NAN,
        Cell::Negated(inner) => -cell_value(inner, number),
        Cell::Arithmetic(left, operator, right) => {
            apply(cell_value(left, number), *operator, cell_value(right, number))
        }
    }
}

fn apply(left: f64, operator: Operator, right: f64) -> f64 {
    match operator {
        Operator::Plus => left + right,
        Operator::Minus => left - right,
        Operator::Times => left * right,
        Operator::Over => left / right,
    }
}
