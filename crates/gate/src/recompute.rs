//! Recomputing a claim: its metric by the engine, and whether the claimed value is the recomputed one.

use super::data::Table;
use super::engine::{Engine, ShownRow, Value, finite};
use super::ledger::{Number, NumberClaim};
use super::metric::expression::{Expression, Operator, Pair, read};
use super::metric::{Term, Translated, is_sql, translate};
use super::scalar::Scalar;

/// What is smaller is zero, when a value is compared with zero.
const ZERO: f64 = 1e-9;
/// What arithmetic in binary fractions adds, in units of the last place: `0.995` is half a percent below `1`.
const SLACK: f64 = 4.0 * f64::EPSILON;

/// The part of a value that arithmetic in binary fractions adds where most of its digits cancel out, as in a change of a part of
/// a per cent.
const NOISE: f64 = 1e-12;

/// From here on real numbers do not tell a whole number from the next.
pub const EXACT: f64 = 9_007_199_254_740_992.0;

/// A metric, understood for the tables that there are.
#[derive(Debug, Clone)]
pub enum Prepared {
    /// A query of the user's.
    Sql(String),
    /// A short form.
    Short(Box<(Expression, Translated)>),
    /// One that cannot be: why.
    Unusable(String),
}

/// Understands a metric.
pub fn prepare(metric: &str, tables: &[Table]) -> Prepared {
    if metric.contains('\0') {
        return Prepared::Unusable("has a null character in it".to_owned());
    }
    if is_sql(metric) {
        return Prepared::Sql(metric.to_owned());
    }
    let understood = read(metric).and_then(|expression| {
        let translated = translate(metric, &expression, tables)?;
        Ok(Prepared::Short(Box::new((expression, translated))))
    });
    understood.unwrap_or_else(|fault| Prepared::Unusable(fault.described(metric)))
}

impl Prepared {
    /// The query that it is.
    pub fn sql(&self) -> Option<&str> {
        match self {
            Prepared::Sql(sql) => Some(sql),
            Prepared::Short(short) => Some(&short.1.sql),
            Prepared::Unusable(_) => None,
        }
    }

    /// Its aggregates, when it is a short form.
    pub fn terms(&self) -> &[Term] {
        match self {
            Prepared::Short(short) => &short.1.terms,
            _ => &[],
        }
    }

    /// Whether its sign says whether something rose or fell.
    pub fn is_change(&self) -> bool {
        let Prepared::Short(short) = self else { return false };
        is_change(&short.0)
    }
}

/// `pct_change`, `delta`, and `x / y - 1` as people write it out.
fn is_change(expression: &Expression) -> bool {
    match expression {
        Expression::Pair(Pair::Delta | Pair::PctChange, ..) => true,
        Expression::Arithmetic(left, Operator::Times | Operator::Over, right) => {
            let number = |side: &Expression| matches!(side, Expression::Number(_));
            number(right) && is_change(left) || number(left) && is_change(right)
        }
        Expression::Arithmetic(left, Operator::Minus, right) => {
            let one = matches!(&**right, Expression::Number(number) if number.parse() == Ok(1.0));
            let quotient =
                matches!(&**left, Expression::Arithmetic(_, Operator::Over, _) | Expression::Pair(Pair::Ratio, ..));
            one && quotient
        }
        _ => false,
    }
}

/// What a metric gave.
#[derive(Debug, Clone, PartialEq)]
pub struct Recomputed {
    /// The value.
    pub value: Scalar,
    /// Its aggregates, with the rows that they are of.
    pub terms: Vec<TermValue>,
    /// The tables and columns that a query read, when it is no short form.
    pub reads: Vec<(String, String)>,
}

/// One aggregate of a metric.
#[derive(Debug, Clone, PartialEq)]
pub struct TermValue {
    /// Its words.
    pub text: String,
    /// Its table.
    pub table: String,
    /// Its value; `None` for nothing.
    pub value: Option<f64>,
    /// How many rows it is of.
    pub rows: u64,
}

/// Recomputes a metric.
///
/// # Errors
/// In words, when it gives no number.
pub fn recompute(engine: &mut Engine, metric: &Prepared) -> Result<Recomputed, String> {
    match metric {
        Prepared::Unusable(why) => Err(why.clone()),
        Prepared::Sql(sql) => {
            let (value, reads) = engine.query(sql)?;
            Ok(Recomputed { value, terms: Vec::new(), reads: reads.into_iter().collect() })
        }
        Prepared::Short(short) => {
            let (expression, translated) = &**short;
            let mut terms = Vec::new();
            for term in &translated.terms {
                let (value, rows) = engine.term(term)?;
                let shown = match value {
                    Value::Null => None,
                    Value::Whole(whole) => Some(whole as f64),
                    Value::Real(real) => Some(real),
                };
                terms.push((
                    value,
                    TermValue { text: term.text.clone(), table: term.table.clone(), value: shown, rows },
                ));
            }
            let mut values = terms.iter().map(|(value, _)| *value);
            let value = evaluate(expression, &mut values);
            let value = finite(value)?;
            Ok(Recomputed { value, terms: terms.into_iter().map(|(_, term)| term).collect(), reads: Vec::new() })
        }
    }
}

/// The rows of each aggregate, for a claim that fails.
pub fn shown_rows(engine: &Engine, metric: &Prepared) -> Vec<Vec<ShownRow>> {
    metric.terms().iter().map(|term| engine.shown(term)).collect()
}

/// The arithmetic of a short form over its aggregates, from left to right, as the engine does it: nothing in, nothing
/// out; whole numbers stay whole while they fit; a division by zero is nothing.
fn evaluate(expression: &Expression, terms: &mut dyn Iterator<Item = Value>) -> Value {
    match expression {
        Expression::Number(written) => match (written.parse::<i64>(), written.parse::<f64>()) {
            (Ok(whole), _) => Value::Whole(whole),
            (_, Ok(real)) => Value::Real(real),
            _ => Value::Null,
        },
        Expression::Aggregate(_) => terms.next().unwrap_or(Value::Null),
        Expression::Negated(inner) => match evaluate(inner, terms) {
            Value::Whole(whole) => whole.checked_neg().map_or(Value::Real(-(whole as f64)), Value::Whole),
            Value::Real(real) => Value::Real(-real),
            Value::Null => Value::Null,
        },
        Expression::Arithmetic(left, operator, right) => {
            let left = evaluate(left, terms);
            apply(left, *operator, evaluate(right, terms))
        }
        Expression::Pair(pair, new, old) => {
            let new = evaluate(new, terms);
            let old = evaluate(old, terms);
            match pair {
                Pair::Ratio => apply(new, Operator::Over, old),
                Pair::Delta => apply(new, Operator::Minus, old),
                Pair::PctChange => {
                    let above = apply(apply(new, Operator::Over, old), Operator::Minus, Value::Whole(1));
                    apply(above, Operator::Times, Value::Whole(100))
                }
            }
        }
    }
}

fn apply(left: Value, operator: Operator, right: Value) -> Value {
    let real = |value: Value| match value {
        Value::Null => None,
        Value::Whole(whole) => Some(whole as f64),
        Value::Real(real) => Some(real),
    };
    if let (Value::Whole(left), Value::Whole(right)) = (left, right) {
        let whole = match operator {
            Operator::Plus => left.checked_add(right),
            Operator::Minus => left.checked_sub(right),
            Operator::Times => left.checked_mul(right),
            Operator::Over => None,
        };
        if let Some(whole) = whole {
            return Value::Whole(whole);
        }
    }
    let (Some(left), Some(right)) = (real(left), real(right)) else { return Value::Null };
    let value = match operator {
        Operator::Plus => left + right,
        Operator::Minus => left - right,
        Operator::Times => left * right,
        Operator::Over if right == 0.0 => return Value::Null,
        Operator::Over => left / right,
    };
    if value.is_nan() { Value::Null } else { Value::Real(value) }
}

/// How far a claimed value is from the recomputed one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// Claimed less recomputed.
    pub difference: f64,
    /// What it may be.
    pub allowed: f64,
    /// Whether it is no more than that.
    pub fits: bool,
}

/// Compares a claimed value with the recomputed one.
///
/// The tolerance is a part of the recomputed value. `0` means equal, whole numbers to the last digit, others as decimals. Where one of
/// the two is zero and the tolerance is not, what is smaller than 1e-9 is zero.
pub fn compare(claimed: &Number, tolerance: f64, recomputed: Scalar) -> Difference {
    let (claim, value) = (claimed.value, recomputed.as_f64());
    let difference = match (claimed.whole, recomputed) {
        (Some(claim), Scalar::Whole(value)) => (i128::from(claim) - i128::from(value)) as f64,
        _ => claim - value,
    };
    if tolerance == 0.0 {
        let fits = match (claimed.whole, recomputed) {
            (Some(claim), Scalar::Whole(value)) => claim == value,
            // It may have been any of its neighbours before it became a real number.
            (Some(_), Scalar::Real(value)) if value.abs() >= EXACT => false,
            _ => is_same(claim, value),
        };
        return Difference { difference, allowed: 0.0, fits };
    }
    if claim == 0.0 || value == 0.0 {
        return Difference { difference, allowed: ZERO, fits: difference.abs() <= ZERO };
    }
    let allowed = tolerance * value.abs();
    let slack = SLACK * claim.abs().max(value.abs());
    Difference { difference, allowed, fits: difference.abs() <= allowed + slack }
}

/// Whether two real numbers are one, but for what arithmetic in binary fractions adds: `(0.54 / 0.5 - 1) * 100` is 8, and is
/// computed as 8.000000000000007. Of two whole numbers nothing is added: they are one to the last digit or not at all.
fn is_same(claim: f64, value: f64) -> bool {
    let difference = (claim - value).abs();
    if claim.fract() == 0.0 && value.fract() == 0.0 {
        return difference == 0.0;
    }
    let size = claim.abs().max(value.abs());
    difference <= (SLACK * size).max((NOISE * size).min(ZERO))
}

/// Whether a claim of a number says what was recomputed.
pub fn agrees(claim: &NumberClaim, recomputed: Scalar) -> Difference {
    compare(&claim.value, claim.tolerance(), recomputed)
}
