//! Whether a value is that of a cell with its heads, the sum of a column of a table or of rows that follow each other, or the part that one of
//! its cells has in that or in another of its row: such a value is missing nowhere.

use crate::evidence::{Evidence, Table};
use crate::judge::case::Case;
use crate::judge::derived::Asked;
use crate::quantity::{Agreement, Measure, Quantity, compare};

/// Larger tables are not added up.
const MOST_CELLS: usize = 2_000;
/// So many rows that follow each other may be added up by a reader.
const MOST_ADDED: usize = 12;
/// A row is the total of a column when it differs from the sum of the others by this part at most.
const ROUNDED: f64 = 0.005;

/// Whether a value of the claim may come from a cell or from a whole column.
pub(super) fn may_give(case: &Case<'_, '_, '_>, evidence: &Evidence, q: &Quantity) -> bool {
    if q.is_temporal() || q.upper.is_some() {
        return false;
    }
    let asked = Asked::new(case, q);
    // Bare figures are of what the table is about: *53 days*.
    let unit = (q.value / q.raw).abs();
    let is_it = |sum: f64| asked.is(sum.abs()) || unit.is_finite() && asked.is(sum.abs() * unit);
    let is_part = |value: f64, whole: f64| asked.is((value / whole * 100.0).abs());
    let shares = q.measure == Measure::Percent;
    let gives = |(number, table): (usize, &Table)| {
        let value = |row, column| match evidence.values(case.index, (number, row, column)).as_slice() {
            [value] if value.upper.is_none() => Some(value.value),
            _ => None,
        };
        let cells =
            |column| table.column(column).flat_map(move |(row, _)| evidence.values(case.index, (number, row, column)));
        // *2.87 TWh*, of 2,871 below *GWh*.
        if (0..table.columns).flat_map(cells).any(|value| compare(q, &value) == Agreement::Same) {
            return true;
        }
        let mut wholes = Vec::new();
        let in_a_column = (0..table.columns).any(|column| {
            let own: Vec<(usize, f64)> =
                table.column(column).filter_map(|(row, _)| Some((row, value(row, column)?))).collect();
            let values: Vec<f64> = own.iter().map(|(_, value)| *value).collect();
            let sum: f64 = values.iter().sum();
            // A row that sums up the others counts once.
            let total = own.iter().find(|(_, value)| (sum - 2.0 * value).abs() <= ROUNDED * value.abs());
            wholes.extend(total.filter(|_| own.len() > 2));
            let whole = total.map_or(sum, |(_, value)| *value);
            let given = || if shares { values.iter().any(|value| is_part(*value, whole)) } else { is_it(whole) };
            own.len() > 2 && given() || !shares && sums(&values).any(is_it)
        });
        let in_a_row = |(row, value): &(usize, f64)| {
            let mut others = wholes.iter().filter(|(other, whole)| other == row && whole > value);
            others.any(|(_, whole)| is_part(*value, *whole))
        };
        in_a_column || shares && wholes.iter().any(in_a_row)
    };
    let small = |(_, table): &(usize, &Table)| table.rows.len() * table.columns <= MOST_CELLS;
    evidence.tables().iter().enumerate().filter(small).any(gives)
}

/// The sums of some values that follow each other.
fn sums(values: &[f64]) -> impl Iterator<Item = f64> {
    (0..values.len()).flat_map(|from| {
        let sum = |all: &mut f64, value: &f64| {
            *all += value;
            Some(*all)
        };
        values[from..].iter().take(MOST_ADDED).scan(0.0, sum).skip(1)
    })
}
