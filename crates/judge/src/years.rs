//! Years of texts.

use cited_text::quantity::{Measure, Quantity};

/// The year of a date.
pub(super) fn year_of(q: &Quantity) -> Option<i32> {
    match q.measure {
        Measure::Date(date) => date.year,
        _ => None,
    }
}

/// What is compared of a value: of a date its year.
pub(super) fn number(q: &Quantity) -> f64 {
    year_of(q).map_or(q.value, f64::from)
}
