//! What the values of each sentence of a page give by a step of arithmetic, read once for all claims on it.

use crate::evidence::SourceIndex;
use crate::quantity::Quantity;

/// A sentence with more values is read for each claim: some two of them give any number.
const MOST_VALUES: usize = 12;
/// By more than this nothing is multiplied or divided.
pub(super) const MOST_FACTOR: f64 = 10_000.0;

/// What may be given by the sentences of a page, ascending, each with its sentence.
#[derive(Debug, Default)]
pub(super) struct Given {
    amounts: Vec<(f64, u32)>,
    results: Vec<(f64, u32)>,
    /// The sentences with too many values.
    full: Vec<u32>,
}

impl Given {
    pub(super) fn read(index: &SourceIndex<'_>) -> Given {
        let mut given = Given::default();
        for sentence in 0..index.len() {
            let values: Vec<&Quantity> =
                index.quantities_of(sentence, sentence).iter().filter(|value| may_be_operand(value)).collect();
            let place = sentence as u32;
            given.amounts.extend(values.iter().map(|value| (value.value.abs(), place)));
            if values.len() > MOST_VALUES {
                given.full.push(place);
                continue;
            }
            for (i, a) in values.iter().enumerate() {
                for (_, b) in values.iter().enumerate().filter(|(j, _)| i != *j) {
                    let (part, [times, over]) = (share(a, b), scaled(a, b));
                    let results = [part, times, over].into_iter().flatten().chain(changed(a, b).into_iter().flatten());
                    given.results.extend(results.map(|result| (result, place)));
                }
            }
        }
        given.amounts.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        given.results.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        given
    }

    /// The sentences that have an amount in one of some ranges, or two values that give one in `results`, and those with too many values.
    pub(super) fn sentences(&self, amounts: &[(f64, f64)], results: impl Iterator<Item = (f64, f64)>) -> Vec<usize> {
        let mut found: Vec<u32> = self.full.clone();
        amounts.iter().for_each(|range| add_within(&self.amounts, *range, &mut found));
        results.for_each(|range| add_within(&self.results, range, &mut found));
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(|place| place as usize).collect()
    }
}

fn add_within(all: &[(f64, u32)], (low, high): (f64, f64), found: &mut Vec<u32>) {
    let from = all.partition_point(|(value, _)| *value < low);
    found.extend(all[from..].iter().take_while(|(value, _)| *value <= high).map(|(_, place)| *place));
}

/// Whether something may be worked out from a value.
pub(super) fn may_be_operand(value: &Quantity) -> bool {
    !value.is_label() && !value.is_temporal() && value.upper.is_none()
}

/// The share in per cent that the first of two values has in the second.
pub(super) fn share(a: &Quantity, b: &Quantity) -> Option<f64> {
    let (part, whole) = (a.value.abs(), b.value.abs());
    (part < whole).then(|| part / whole * 100.0)
}

/// The first of two values so many times, and by as many as the second says.
pub(super) fn scaled(a: &Quantity, b: &Quantity) -> [Option<f64>; 2] {
    let (amount, by) = (a.value.abs(), b.raw.abs());
    let may = by > 1.0 && by <= MOST_FACTOR;
    [amount * by, amount / by].map(|result| may.then_some(result))
}

/// The first of two values less and more by the second; by *0.7* of *12.6 million, 0.7 more* also as so many millions.
pub(super) fn changed(a: &Quantity, b: &Quantity) -> [[f64; 2]; 2] {
    let scale = if a.raw == 0.0 { 1.0 } else { (a.value / a.raw).abs() };
    let amount = a.value.abs();
    [b.value.abs(), b.raw.abs() * scale].map(|by| [amount - by, amount + by])
}
