//! Recomputing a claim: its metric by the engine, and whether the claimed value is the recomputed one.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use super::engine::Engine;
use serde_json::Number;

/// What is smaller is zero, when a value is compared with zero.
const ZERO: f64 = 1e-9;
/// What arithmetic in binary fractions adds, in units of the last place: `0.995` is half a percent below `1`.
const SLACK: f64 = 4.0 * f64::EPSILON;

/// The part of a value that arithmetic in binary fractions adds where most of its digits cancel out, as in a change of a part of
/// a per cent.
const NOISE: f64 = 1e-12;

/// From here on real numbers do not tell a whole number from the next.
pub const EXACT: f64 = 9_007_199_254_740_992.0;

/// Whether the sign of a metric says whether something rose or fell: `pct_change`, and `x / y - 1` as people write it out.
pub fn is_change(metric: &str) -> bool {
    static CHANGE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?is)\bpct_change\b|/.*-\s*1(?:\.0)?(?:[^\w.]|$)").expect("a fixed pattern"));
    CHANGE.is_match(metric)
}

/// Recomputes a metric: its value, and the tables and columns that it read.
///
/// # Errors
/// In words, when it gives no number.
pub fn recompute(engine: &Engine, metric: &str) -> Result<(Number, BTreeSet<(String, String)>), String> {
    let first = metric.trim_start().split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let is_query = ["select", "with"].iter().any(|word| first.eq_ignore_ascii_case(word));
    let advice = if is_query { "" } else { "; a metric is a query, as in `SELECT sum(revenue) FROM sales`" };
    engine.query(metric).map_err(|why| why + advice)
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
pub fn compare(claimed: &Number, tolerance: f64, recomputed: &Number) -> Difference {
    let [claim, value] = [claimed, recomputed].map(|number| number.as_f64().unwrap_or(f64::NAN));
    let wholes = claimed.as_i64().zip(recomputed.as_i64());
    let difference = wholes.map_or(claim - value, |(claim, value)| (i128::from(claim) - i128::from(value)) as f64);
    if tolerance == 0.0 {
        let fits = match wholes {
            Some((claim, value)) => claim == value,
            // It may have been any of its neighbours before it became a real number.
            None if claimed.as_i64().is_some() && value.abs() >= EXACT => false,
            None => is_same(claim, value),
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
