//! Values of tables that say their unit and magnitude in a head: *Employed (thousands)*, *Arrivals (x 1,000)*, *per cent*.
//!
//! Text does not tell which head a figure stands under. So a bare figure of a page with such a head is no proof that a claim's value is
//! missing, or another one: it may be the claim's.

use std::sync::LazyLock;

use regex::Regex;

use super::quantities::Case;
use crate::text::quantity::{Measure, Quantity};
use crate::text::table;

/// How a head writes that its figures are so many times greater, or in per cent: `data/scales.tsv`.
static HEADS: LazyLock<Vec<(f64, Regex)>> = LazyLock::new(|| {
    let rows = table::read(include_str!("data/scales.tsv"));
    let mut heads: Vec<(f64, Regex)> = rows
        .into_iter()
        .filter_map(|(factor, patterns)| {
            let pattern = format!("(?i){}", patterns.join("|"));
            Some((factor.parse().ok()?, Regex::new(&pattern).ok()?))
        })
        .collect();
    heads.sort_by(|a, b| a.0.total_cmp(&b.0));
    heads
});

/// The factor of a head in per cent.
const PER_CENT: f64 = 0.01;

/// Whether a page has figures without a unit that are the claim's value under a head which the page has.
pub(super) fn may_stand_in_a_table(case: &Case<'_, '_, '_>, q: &Quantity) -> bool {
    let percent = q.measure == Measure::Percent || q.measure == Measure::Points;
    if q.spelled || q.upper.is_some() || !(percent || matches!(q.measure, Measure::Count | Measure::Money(_))) {
        return false;
    }
    let text = case.index.text();
    HEADS.iter().any(|(factor, head)| {
        let is_percent = (factor - PER_CENT).abs() < f64::EPSILON;
        if is_percent != percent {
            return false;
        }
        let factor = if percent { 1.0 } else { *factor };
        let (value, precision) = (q.value.abs() / factor, q.tolerance / factor);
        let stands = |other: &Quantity| {
            other.measure == Measure::Count
                && !other.spelled
                && other.upper.is_none()
                && (other.value.abs() - value).abs() <= precision + 1e-9 * value
        };
        case.index.quantities().iter().any(stands) && head.is_match(text)
    })
}

/// By what the figures of a page may have to be multiplied: 1, and what its heads say.
pub(super) fn factors(case: &Case<'_, '_, '_>) -> Vec<f64> {
    let heads = HEADS.iter().filter(|(factor, head)| *factor > 1.0 && head.is_match(case.index.text()));
    std::iter::once(1.0).chain(heads.map(|(factor, _)| *factor)).collect()
}

#[cfg(test)]
mod tests {
    use super::HEADS;
    use crate::claim::ClaimKind;
    use crate::judge::{ClaimText, Settings, SourceText, Standing, judge};
    use crate::text::table;

    #[test]
    fn every_row_of_the_table_is_read() {
        assert_eq!(HEADS.len(), table::read(include_str!("data/scales.tsv")).len());
    }

    #[test]
    fn what_a_table_has_under_its_head_is_not_missing() {
        let arrivals = "Arrivals by country (x 1,000). Germany 1,845. France 912. Every hotel was asked.";
        let rates = "Unemployment rate (per cent), 2023 and 2024. Valdoria 5.7 5.3. Carrow 4.1 3.9.";
        for (page, claim, missing) in [
            (arrivals, "There were 1,845,000 arrivals from Germany.", false),
            (arrivals, "There were 1,548,000 arrivals from Germany.", true),
            (rates, "The unemployment rate in Valdoria was 5.7%.", false),
            (rates, "The unemployment rate in Valdoria was 7.5%.", true),
            ("Germany 1,845. France 912.", "There were 1,845,000 arrivals from Germany.", true),
        ] {
            let source = SourceText::new(page, "");
            let verdict = judge(&ClaimText::new(claim, ClaimKind::Quantitative), &source, &Settings::default());
            let found = verdict.hard && verdict.standing != Standing::Supported;
            assert_eq!(found, missing, "{claim:?} by {page:?}: {verdict:?}");
        }
    }
}
