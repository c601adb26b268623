//! What values are compared by: the year of a date, the thing that is counted.

use cited_text::quantity::{Measure, Quantity};
use cited_text::words::words;

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

/// The key of the content word that a quantity counts: the first within a few words after it.
pub(super) fn counted(text: &str, q: &Quantity) -> Option<u64> {
    const REACH: usize = 3;
    const BYTES: usize = 60;
    let start = q.counted?.start;
    let rest = &text[start..text.floor_char_boundary(start + BYTES)];
    let rest = &rest[..rest.find([',', ';', '.', '\n', '(']).unwrap_or(rest.len())];
    words(rest).take(REACH).find(|word| !word.stop && !word.number).map(|word| word.key)
}
