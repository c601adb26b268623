//! What a page says whatever the claim, read once for all claims on it: each of them would read the whole page for it.

use std::sync::OnceLock;

use super::given::Given;
use crate::quantity::Quantity;

/// Read on first use, by who needs it.
#[derive(Debug, Default)]
pub(super) struct Once {
    /// By what its heads multiply the figures below them.
    pub(super) scales: OnceLock<Vec<f64>>,
    /// The numbers of which it says *one of so many*.
    pub(super) ones: OnceLock<Vec<f64>>,
    /// The key of what each of its quantities counts.
    pub(super) counted: OnceLock<Vec<Option<u64>>>,
    /// The rows of its tables.
    pub(super) rows: OnceLock<Vec<Row>>,
    /// Its quantities by their kind.
    pub(super) kinds: OnceLock<Keyed>,
    /// Those behind a name, by its last word.
    pub(super) names: OnceLock<Keyed>,
    /// Those of a name, before it or behind it.
    pub(super) named: OnceLock<Keyed>,
    /// Those behind a word that they may number, by that word.
    pub(super) labels: OnceLock<Keyed>,
    /// Amounts by their figures.
    pub(super) figures: OnceLock<Keyed>,
    /// The figures of its quantities, whatever their magnitude, with where they begin; ascending.
    pub(super) leading: OnceLock<Vec<(f64, usize)>>,
    /// The pairs of its quantities from one of which to the other something goes.
    pub(super) changes: OnceLock<Vec<(usize, usize)>>,
    /// What its sentences give by a step of arithmetic.
    pub(super) given: OnceLock<Given>,
    /// Its first years, with their sentences.
    pub(super) years: OnceLock<Vec<(i32, usize)>>,
    /// Its text in small letters.
    pub(super) lower: OnceLock<String>,
    /// Where its numbers begin, sorted by what stands there.
    pub(super) numbers: OnceLock<Vec<usize>>,
    /// Its dates by their days and months.
    pub(super) days: OnceLock<Keyed>,
    /// Its numbers behind letters, as parts of names, by the figures.
    pub(super) abbreviated: OnceLock<Keyed>,
    /// Its periods of years, in order.
    pub(super) periods: OnceLock<Vec<Period>>,
    /// Whether it may have a word that is denied by its first syllable.
    pub(super) prefixed: OnceLock<bool>,
}

/// Places among the quantities of a page, by a key. Different things may have one key.
#[derive(Debug)]
pub(super) struct Keyed(Vec<(u64, usize)>);

impl Keyed {
    /// Of the keys of all quantities, in their order.
    pub(super) fn new(keys: impl Iterator<Item = Option<u64>>) -> Keyed {
        let mut keyed: Vec<_> = keys.enumerate().filter_map(|(place, key)| Some((key?, place))).collect();
        keyed.sort_unstable();
        Keyed(keyed)
    }

    /// The quantities that have a key, in their order.
    pub(super) fn of<'q>(&self, key: u64, all: &'q [Quantity]) -> impl Iterator<Item = &'q Quantity> {
        let from = self.0.partition_point(|(other, _)| *other < key);
        let alike = self.0.get(from..).unwrap_or_default().iter().take_while(move |(other, _)| *other == key);
        alike.filter_map(|(_, place)| all.get(*place))
    }
}

/// A row of a table and its counts.
#[derive(Debug)]
pub(super) struct Row {
    /// Where its line begins.
    pub(super) start: usize,
    /// Its first cell.
    pub(super) label: String,
    /// Its counts without their signs, in order.
    pub(super) counts: Vec<f64>,
}

/// Two years between which something was so, and the places of the quantities that have them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Period {
    pub(super) years: (i32, i32),
    pub(super) first: usize,
    pub(super) last: usize,
}
