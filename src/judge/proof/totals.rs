//! Whether a value is that of a cell with its heads, the sum of a column of a table, or the part that one of its cells has in that: such a value is
//! missing nowhere.

use crate::evidence::Evidence;
use crate::judge::case::Case;
use crate::judge::derived::Asked;
use crate::quantity::{Agreement, Measure, Quantity, compare};

/// Larger tables are not added up.
const MOST_CELLS: usize = 2_000;
/// A row is the total of a column when it differs from the sum of the others by this part at most.
const ROUNDED: f64 = 0.005;

/// Whether a value of the claim may come from a cell or from a whole column.
pub(super) fn may_give(case: &Case<'_, '_, '_>, evidence: &Evidence, q: &Quantity) -> bool {
    if q.is_temporal() || q.upper.is_some() {
        return false;
    }
    let asked = Asked::new(case, q);
    evidence.tables().iter().enumerate().any(|(number, table)| {
        let small = table.rows.len() * table.columns <= MOST_CELLS;
        small
            && (0..table.columns).any(|column| {
                let cells = table.column(column).map(|(row, _)| evidence.values(case.index, (number, row, column)));
                let values: Vec<Quantity> =
                    cells.filter_map(|values| <[Quantity; 1]>::try_from(values).ok()).map(|[value]| value).collect();
                // *2.87 TWh*, of 2,871 below *GWh*.
                if values.iter().any(|value| compare(q, value) == Agreement::Same) {
                    return true;
                }
                let own: Vec<f64> =
                    values.iter().filter(|value| value.upper.is_none()).map(|value| value.value).collect();
                let sum: f64 = own.iter().sum();
                // A row that sums up the others counts once.
                let total = own.iter().find(|value| (sum - 2.0 * **value).abs() <= ROUNDED * value.abs());
                let whole = total.copied().unwrap_or(sum);
                let part = |value: &f64| asked.is((value / whole * 100.0).abs());
                // Bare figures are of what the table is about: *53 days*.
                let unit = (q.value / q.raw).abs();
                let is_it = || asked.is(whole.abs()) || unit.is_finite() && asked.is(whole.abs() * unit);
                own.len() > 2 && if q.measure == Measure::Percent { own.iter().any(part) } else { is_it() }
            })
    })
}
