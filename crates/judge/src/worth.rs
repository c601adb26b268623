//! Whether a value that a page does not have follows from values that it has: what a writer worked out is not missing.

use super::derived;
use super::pair::Pair;
use cited_text::Span;
use cited_text::quantity::Quantity;

/// So many cells of a column are added up.
const MOST_CELLS: usize = 60;
/// A column may be in thousands or millions, and the claim, too.
const SCALES: [f64; 5] = [1.0, 1e3, 1e6, 1e-3, 1e-6];

/// What a value that the page lacks may have been worked out from, for a person.
pub(super) fn worked_out(pair: &Pair<'_>) -> Option<String> {
    let case = pair.case();
    let index = &pair.source.index;
    let lacking = |q: &&Quantity| q.is_measured() && index.agreeing(q).next().is_none();
    pair.claim.quantities.iter().filter(lacking).find_map(|q| derived::working(&case, q))
}

/// Whether values of the passages that speak to the claim give a value of it by a step of arithmetic.
pub(super) fn follows(pair: &Pair<'_>, q: &Quantity) -> bool {
    derived::working(&pair.case(), q).is_some()
}

/// Whether neighbouring cells of a column or a row add up to a value, at its precision: the rows of a group, some years, all of them.
pub(super) fn adds_up(pair: &Pair<'_>, q: &Quantity) -> bool {
    let value = |cell: Span| pair.source.index.quantities_in(cell).first().map(|value| value.raw.abs());
    let unit = (q.value / q.raw).abs();
    let is_it = |sum: f64| SCALES.iter().any(|scale| (sum * scale - q.raw.abs()).abs() * unit <= q.tolerance);
    let adds_up_from = |values: &[f64]| {
        let sums = values.iter().scan(0.0, |sum, value| {
            *sum += value;
            Some(*sum)
        });
        sums.into_iter().any(is_it)
    };
    let any_add_up = |values: Vec<f64>| (0..values.len()).any(|from| adds_up_from(&values[from..]));
    pair.source.evidence().tables().iter().any(|table| {
        (0..table.columns).any(|column| {
            any_add_up(table.column(column).filter_map(|(_, cell)| value(cell)).take(MOST_CELLS).collect())
        }) || table
            .body()
            .any(|(_, row)| any_add_up(row.cells.iter().filter_map(|cell| value(cell.span)).take(MOST_CELLS).collect()))
    })
}
