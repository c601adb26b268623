//! The years of a claim and of a page's sentence.

use super::case::Case;
use crate::quantity::{Measure, Quantity};

/// The year of a claim that names only one.
pub(super) fn only_year(case: &Case<'_, '_, '_>) -> Option<i32> {
    let mut mine = case.quantities.iter().filter_map(year_of);
    mine.next().filter(|_| mine.next().is_none())
}

/// Whether a sentence names years, and not the only one that the claim names.
pub(super) fn speaks_of_another_year(case: &Case<'_, '_, '_>, sentence: usize) -> bool {
    let Some(year) = only_year(case) else { return false };
    let mut theirs = case.index.quantities_of(sentence, sentence).iter().filter_map(year_of).peekable();
    theirs.peek().is_some() && theirs.all(|theirs| theirs != year)
}

/// The year of a date.
pub(super) fn year_of(q: &Quantity) -> Option<i32> {
    match q.measure {
        Measure::Date(date) => date.year,
        _ => None,
    }
}

/// What a value is compared with others by: the year of a date.
pub(super) fn number(q: &Quantity) -> f64 {
    year_of(q).map_or(q.value, f64::from)
}

/// Whether some quantities name more than one year.
pub(super) fn has_several_years(quantities: &[Quantity]) -> bool {
    let years = |q: &Quantity| [year_of(q), q.upper.map(|upper| upper as i32).filter(|_| year_of(q).is_some())];
    let mut all = quantities.iter().flat_map(years).flatten();
    let first = all.next();
    all.any(|year| Some(year) != first)
}
