//! For which span of time a value is given: 23,000 *a day* is no other value of eight million *a year*.

use std::sync::LazyLock;

use super::neighbours::clause;
use super::spot::Spot;
use crate::lexicon::table;
use crate::quantity::Quantity;
use crate::text::Span;
use crate::text::words::{self, ByForm, Word};

/// The spans of time, in the order of their bits.
const SPANS: [&str; 6] = ["hour", "day", "week", "month", "quarter", "year"];
/// The days of each.
const DAYS: [f64; 6] = [1.0 / 24.0, 1.0, 7.0, 365.0 / 12.0, 365.0 / 4.0, 365.0];

/// What a word says of spans of time.
#[derive(Debug, Clone, Copy, Default)]
struct Meaning {
    /// The spans that it names by itself, as bits.
    spans: u8,
    /// Those that it names behind *per*.
    ones: u8,
    per: bool,
    a: bool,
    time: bool,
}

static MEANINGS: LazyLock<ByForm<Meaning>> = LazyLock::new(|| {
    let mut meanings: ByForm<Meaning> = ByForm::default();
    for (class, forms) in table::read(include_str!("data/rates.tsv")) {
        for form in forms {
            let meaning = meanings.entry(words::form(form)).or_default();
            let bit = |name: &str| SPANS.iter().position(|span| *span == name).map_or(0, |at| 1 << at);
            match (class, class.strip_suffix(".one")) {
                (_, Some(span)) => meaning.ones |= bit(span),
                ("per", _) => meaning.per = true,
                ("a", _) => meaning.a = true,
                ("time", _) => meaning.time = true,
                (span, _) => meaning.spans |= bit(span),
            }
        }
    }
    meanings
});

/// What is written without spaces is looked for as it stands.
static UNSPACED: LazyLock<Vec<(&'static str, u8)>> = LazyLock::new(|| {
    let rates = table::read(include_str!("data/rates.tsv"));
    let of = |(at, name): (usize, &&'static str)| {
        let forms = rates
            .get(*name)
            .into_iter()
            .flatten()
            .filter(|form| form.starts_with(|c| ('\u{3400}'..='\u{9FFF}').contains(&c)));
        forms.map(move |form| (*form, 1 << at)).collect::<Vec<_>>()
    };
    SPANS.iter().enumerate().flat_map(of).collect()
});

/// Whether the claim's value and the page's are both given for a span of time, and not for the same one.
pub(super) fn is_for_another_span(spot: &Spot<'_, '_>) -> bool {
    let (case, text) = (spot.case, spot.text());
    if spot.q.is_temporal() {
        return false;
    }
    let mine = named(case.claim, case.words, clause(case.claim, spot.q.span));
    mine != 0 && {
        let theirs = named(text, spot.words(), clause(text, spot.place.span));
        theirs != 0 && mine & theirs == 0
    }
}

/// The days of the span of time that a value is given for; none without one, or with several.
pub(super) fn days_of(text: &str, words: &[Word], q: &Quantity) -> Option<f64> {
    let spans = named(text, words, clause(text, q.span));
    DAYS.get(spans.trailing_zeros() as usize).copied().filter(|_| spans.is_power_of_two())
}

/// The spans of time that a part of a text gives its values for, as bits.
fn named(text: &str, words: &[Word], part: Span) -> u8 {
    let meaning = |word: &Word| MEANINGS.get(&word.form).copied().unwrap_or_default();
    let mut found = 0;
    let (mut second, mut last) = (Meaning::default(), Meaning::default());
    let mut within = words.iter().filter(|word| part.contains(word.span)).peekable();
    while let Some(word) = within.next() {
        // *30 mg/day*
        last.per |= word.span.before(text).ends_with('/');
        let word = meaning(word);
        if word.ones != 0 {
            let mut alone = || !second.time && !within.peek().is_some_and(|next| meaning(next).time);
            if last.per || last.a && alone() {
                found |= word.ones;
            }
        }
        found |= word.spans;
        (second, last) = (last, word);
    }
    let written = part.of(text);
    if !written.is_ascii() {
        found |= UNSPACED.iter().filter(|(form, _)| written.contains(form)).fold(0, |all, (_, bit)| all | bit);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::named;
    use crate::text::{Span, words::words};

    #[test]
    fn the_span_that_a_value_is_for_is_read() {
        for (text, expected) in [
            ("Some 23,000 vehicles cross it every day.", 0b10),
            ("Some 23,000 vehicles a day cross it.", 0b10),
            ("More than 8 million vehicles cross it each year.", 0b10_0000),
            ("It has 40 users per hour.", 0b1),
            ("The dose is 30 mg/day.", 0b10),
            ("The annual cost is $5 million.", 0b10_0000),
            ("每天有23000辆车通过。", 0b10),
            ("A year later 300 were left.", 0),
            ("It lasted for a year and cost 300.", 0),
            ("About 300 were built in a day.", 0),
            ("They sold 300.", 0),
        ] {
            let all: Vec<_> = words(text).collect();
            assert_eq!(named(text, &all, Span::new(0, text.len())), expected, "{text}");
        }
    }
}
