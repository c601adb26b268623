//! Quantities in running text: what is written, what it is worth, and whether two of them say the same.
//!
//! [`quantities`] reads a text once, from left to right, without regular expressions; its cost is linear in the text.
//! It reads the writing of English, Chinese, Japanese, German, French, Spanish and Russian. What a quantity is
//! *about* is not decided here: that takes the words around it.

mod amount;
mod clock;
mod compare;
mod date;
mod derive;
mod figures;
mod habit;
mod nearby;
mod number;
mod pairing;
mod per;
mod reference;
mod scan;
mod spelled;
mod tables;
#[cfg(test)]
mod tests;

pub use compare::{agree, compare};
pub use derive::{Step, follow, written};
pub use figures::{HIDDEN, Unreadable, figures, says_when};
pub use habit::Habit;
pub use nearby::trailing_unit;
pub use number::digit;
pub use per::{Per, PerUnit};
pub use scan::{is_measured, quantities, quantities_in};
pub use tables::Dimension;
pub use tables::{is_partitive, is_per, month};

use crate::Span;

/// What a number says.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Measure {
    /// A bare number: how many.
    #[default]
    Count,
    /// A share of a hundred.
    Percent,
    /// A difference of two percentages, in percentage points.
    Points,
    /// A factor: `3x`, `twice`, `3倍`.
    Multiple,
    /// An amount of money, in the named currency (`$`, `USD`, `¥`, …). Currencies are never converted.
    Money(&'static str),
    /// A physical unit; the value is in the base unit of the dimension.
    Physical(Dimension),
    /// A year, a month, a day, or a part of these.
    Date(Date),
    /// A time of day, in minutes after midnight; or how long something took, told in the same way: `2:04:11`.
    Time,
    /// A version: up to four components, and how many are there.
    Version([u32; 4], u8),
    /// A place in an order: `3rd`, `第三`.
    Ordinal,
    /// Two numbers side by side: `3:1`. The value is the first, the upper value the second.
    Ratio,
    /// Part of a name or a reference: `GPT-4`, `Figure 3`, `[12]`. It measures nothing.
    Label,
}

/// A calendar date of which parts may be missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Date {
    /// The year.
    pub year: Option<i32>,
    /// The month, 1 to 12.
    pub month: Option<u8>,
    /// The day of the month.
    pub day: Option<u8>,
    /// Whether the month and the day could also be the other way round (`03/04/2020`).
    pub swappable: bool,
}

/// How exactly a number is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Bound {
    /// As it is written.
    #[default]
    Exact,
    /// *About*, `~`, *nearly*.
    About,
    /// *More than*, *at least*, `10+`.
    AtLeast,
    /// *Less than*, *up to*.
    AtMost,
}

/// The place of a number in a change from one value to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Role {
    /// Stands alone.
    #[default]
    Alone,
    /// The value before: *from 12 ms* to 30 ms.
    From,
    /// The value after: from 12 ms *to 30 ms*.
    To,
}

/// How two quantities stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Agreement {
    /// Of different kinds: nothing follows.
    Unrelated,
    /// Of one kind, with different values.
    Different,
    /// Not the same as written, but both can be true: one is coarser, a bound, or a range around the other.
    Compatible,
    /// The same at the claim's own precision.
    Same,
}

/// One quantity of a text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Quantity {
    /// Where it stands: number, unit and currency, without the words that qualify it.
    pub span: Span,
    /// What it says.
    pub measure: Measure,
    /// The value, in the base unit of its measure.
    pub value: f64,
    /// The upper end of a range, in the same unit.
    pub upper: Option<f64>,
    /// Half a unit in the last place that is written, in the same unit: values this near are the same at its precision.
    pub tolerance: f64,
    /// The other reading where writing is ambiguous (`1.200`), in the same unit.
    pub alternative: Option<f64>,
    /// The number as written, before the unit was applied.
    pub raw: f64,
    /// How exactly it is meant.
    pub bound: Bound,
    /// Its place in a from–to pair.
    pub role: Role,
    /// Whether it is written in words (*twelve*).
    pub spelled: bool,
    /// The word right after it, when that is a word: what is counted (`1,200 documents`).
    pub counted: Option<Span>,
    /// What it is given for, when that is a unit: `403 kg/ha`.
    pub per: Option<Per>,
}

impl Quantity {
    /// A number that is exactly this one.
    fn exact(span: Span, measure: Measure, value: f64) -> Self {
        Quantity { span, measure, value, raw: value, ..Quantity::default() }
    }

    /// So many times as much.
    #[must_use]
    pub fn times(&self, factor: f64) -> Self {
        let (upper, alternative) =
            (self.upper.map(|upper| upper * factor), self.alternative.map(|other| other * factor));
        Quantity { value: self.value * factor, tolerance: self.tolerance * factor, upper, alternative, ..self.clone() }
    }

    /// What is written of it in its text, with the unit that it is given for: `403 kg/ha`.
    pub fn written<'t>(&self, text: &'t str) -> &'t str {
        let end = self.per.map_or(self.span.end, |per| per.end.max(self.span.end));
        text.get(self.span.start..end).unwrap_or_default().trim()
    }

    /// Whether it measures something: an amount, a percentage, a sum of money, a date, a version.
    ///
    /// Ordinals, section numbers, list numbers, parts of names and small numbers in words do not.
    pub fn is_measured(&self) -> bool {
        match self.measure {
            Measure::Label | Measure::Ordinal | Measure::Ratio => false,
            Measure::Count => !self.spelled || self.value >= 13.0,
            Measure::Multiple => !self.spelled || self.value >= 2.0,
            Measure::Date(date) => date.year.is_some() || date.month.is_some(),
            _ => true,
        }
    }

    /// Whether it is written with what it is measured in, so that its figures say nothing else: `5%`, `$5`, `5 km`.
    pub fn has_unit(&self) -> bool {
        matches!(self.measure, Measure::Percent | Measure::Points | Measure::Money(_) | Measure::Physical(_))
    }

    /// Whether it is a year, a date or a time of day: evidence of when, and weaker than a measured amount.
    pub fn is_temporal(&self) -> bool {
        matches!(self.measure, Measure::Date(_) | Measure::Time)
    }

    /// The year of a date.
    pub fn year(&self) -> Option<i32> {
        if let Measure::Date(date) = self.measure { date.year } else { None }
    }

    /// What is compared of it: of a date its year.
    pub fn year_or_value(&self) -> f64 {
        self.year().map_or(self.value, f64::from)
    }

    /// Whether it is part of a name or a reference and says nothing by itself.
    pub fn is_label(&self) -> bool {
        matches!(self.measure, Measure::Label)
    }
}
