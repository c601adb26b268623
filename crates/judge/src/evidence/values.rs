//! Values by their sizes: a value of a claim is held against those of a page that can agree with it, and not against all; or one of a page
//! against those of all claims.

use cited_text::quantity::{Dimension, Measure, Quantity, Sizes, sizes};

/// Places among values, by what is asked for. Bounds and ranges have many sizes, and are found by each of them.
#[derive(Debug, Default)]
pub struct Values {
    /// By their widths as powers of two, and from the least on.
    sizes: Vec<Size>,
    /// The widths that there are, and which of the sizes have them.
    widths: Vec<Width>,
    times: Vec<u32>,
    durations: Vec<u32>,
    dates: Vec<u32>,
    undated: Vec<u32>,
}

/// A span of sizes that a value has.
#[derive(Debug, Clone, Copy)]
struct Size {
    power: i32,
    sizes: Sizes,
    place: u32,
}

/// The sizes that are no wider than this.
#[derive(Debug)]
struct Width {
    most: f64,
    from: usize,
    to: usize,
}

impl Values {
    /// Places these values, which may be those of a page.
    pub fn of<'q>(all: impl IntoIterator<Item = &'q Quantity>) -> Values {
        let mut values = Values::default();
        for (place, q) in (0u32..).zip(all) {
            let all = widest(q).into_iter();
            values.sizes.extend(all.map(|sizes| Size { power: power(sizes.high - sizes.low), sizes, place }));
            match q.measure {
                Measure::Time => values.times.push(place),
                Measure::Physical(Dimension::Duration) => values.durations.push(place),
                Measure::Date(date) => {
                    values.dates.push(place);
                    values.undated.extend(date.year.is_none().then_some(place));
                }
                _ => {}
            }
        }
        values.sizes.sort_by(|a, b| a.power.cmp(&b.power).then(a.sizes.low.total_cmp(&b.sizes.low)));
        let mut from = 0;
        for alike in values.sizes.chunk_by(|a, b| a.power == b.power) {
            let to = from + alike.len();
            values.widths.push(Width {
                most: alike.iter().map(|size| size.sizes.high - size.sizes.low).fold(0.0, f64::max),
                from,
                to,
            });
            from = to;
        }
        values
    }

    /// The places of the values that can agree with a quantity, ascending.
    pub fn agreeing(&self, q: &Quantity) -> Vec<u32> {
        let mut found = Vec::new();
        widest(q).iter().for_each(|sizes| self.add_meeting(sizes, &mut found));
        match q.measure {
            Measure::Time => found.extend(self.times.iter().chain(&self.durations)),
            Measure::Physical(Dimension::Duration) => found.extend(&self.times),
            Measure::Date(date) => found.extend(if date.year.is_none() { &self.dates } else { &self.undated }),
            _ => {}
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn add_meeting(&self, asked: &Sizes, found: &mut Vec<u32>) {
        for width in &self.widths {
            let all = self.sizes.get(width.from..width.to).unwrap_or_default();
            let from = all.partition_point(|size| size.sizes.low < asked.low - width.most);
            let rest = all.get(from..).unwrap_or_default().iter().take_while(|size| size.sizes.low <= asked.high);
            found.extend(rest.filter(|size| size.sizes.meet(asked)).map(|size| size.place));
        }
    }
}

/// The sizes of a quantity but for those that lie in others of it: what meets them meets the others.
fn widest(q: &Quantity) -> Vec<Sizes> {
    let mut widest: Vec<Sizes> = Vec::new();
    let is_in = |one: &Sizes, other: &Sizes| !other.alternative && other.low <= one.low && one.high <= other.high;
    sizes(q, |sizes| {
        if !widest.iter().any(|other| is_in(&sizes, other)) {
            widest.retain(|other| !is_in(other, &sizes));
            widest.push(sizes);
        }
    });
    widest
}

/// The power of two that a width is just below.
fn power(width: f64) -> i32 {
    if width > 0.0 { width.log2().clamp(-64.0, 1024.0).ceil() as i32 } else { i32::MIN }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Values;
    use crate::evidence::SourceIndex;
    use cited_text::quantity::{Agreement, compare, quantities};

    #[test]
    fn of_many_values_those_of_a_size_are_visited() {
        let towns = (0..4_000).map(|n| format!("Town {n} has {} people. ", 10_007 + n * 13));
        let page = towns.collect::<Vec<_>>().concat();
        let index = SourceIndex::new(&page);
        for claimed in [10_007, 10_007 + 13 * 1_999, 40_001] {
            let claim = format!("The town has {claimed} people.");
            let found = index.agreeing(&quantities(&claim)[0]);
            assert!(found.len() < 10, "{claim} {}", found.len());
        }
    }

    proptest! {
        #[test]
        fn the_values_of_a_size_are_those_that_a_scan_finds(
            amounts in proptest::collection::vec((1u32..60_000, 0usize..9), 1..60),
            (claimed, kind) in (1u32..60_000, 0usize..9),
        ) {
            let write = |(amount, kind): (u32, usize)| match kind {
                0 => format!("It has {amount} people. "),
                1 => format!("It has {amount}.5 kg. "),
                2 => format!("It costs ${amount} million. "),
                3 => format!("It was {}% of them. ", amount % 100),
                4 => format!("It has more than {amount} km. "),
                5 => format!("It has {amount} to {} km. ", amount + 40),
                6 => format!("It was in {}. ", 1900 + amount % 130),
                7 => format!("It was about {amount} people at {}:{:02}. ", amount % 24, amount % 60),
                _ => format!("It was on {} May. ", 1 + amount % 28),
            };
            let page: String = amounts.iter().copied().chain([(claimed, kind)]).map(write).collect();
            let all = quantities(&page);
            let values = Values::of(&all);
            for q in quantities(&write((claimed, kind))) {
                let found = values.agreeing(&q);
                prop_assert!(found.is_sorted());
                for (place, other) in (0u32..).zip(&all) {
                    let agrees = compare(&q, other) >= Agreement::Compatible;
                    prop_assert!(!agrees || found.contains(&place), "{q:?} {other:?}");
                    let turned = Values::of([&q]).agreeing(other);
                    prop_assert!(!agrees || turned == [0], "{q:?} {other:?}");
                }
            }
        }
    }
}
