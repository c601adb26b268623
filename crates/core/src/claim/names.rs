//! Numbers that are part of a name and measure nothing: *Python 3*, *Claude 3.5 Sonnet*, *the S&P 500*.

use cited_text::lexicon::Classes;
use cited_text::quantity::{Bound, Measure, Quantity, quantities};
use cited_text::words::words;

static TABLE: Classes = Classes::new(include_str!("data/named_numbers.tsv"));

/// The largest number of a name where no verb tells that a sentence speaks of it: *Smith 45, Jones 30* are votes.
const LARGEST_ALONE: f64 = 20.0;
/// The largest number of a name at all.
const LARGEST: f64 = 9999.0;

/// Whether a text has measured values, and all of them are numbers of names.
pub(super) fn has_only_names(text: &str) -> bool {
    let measured: Vec<Quantity> = quantities(text).into_iter().filter(Quantity::is_measured).collect();
    let alone = measured.len() == 1;
    let phrases = || TABLE.of("whole").iter().flat_map(|name| text.match_indices(name));
    let is_in_one = |q: &Quantity| phrases().any(|(at, phrase)| (at..at + phrase.len()).contains(&q.span.start));
    !measured.is_empty() && measured.iter().all(|quantity| is_in_one(quantity) || is_of_a_name(text, quantity, alone))
}

/// Whether a bare number stands right behind a name, and counts nothing behind it.
fn is_of_a_name(text: &str, quantity: &Quantity, alone: bool) -> bool {
    let bare = matches!(quantity.measure, Measure::Count | Measure::Version(..))
        && quantity.upper.is_none()
        && !quantity.spelled
        && quantity.bound == Bound::Exact
        && quantity.value.abs() <= LARGEST
        && !quantity.span.slice(text).contains([' ', ',', '$', '€', '£', '%', '+', '-', '−']);
    let Some(before) = quantity.span.before(text).strip_suffix([' ', '\u{A0}']).filter(|_| bare) else { return false };
    let token = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let start = before.len() - token.len();
    let name = token.trim_start_matches(['(', '"', '“', '*', '_']);
    let Some(word) = words(name).last().filter(|word| word.span.end == name.len()) else { return false };
    let inside = name[name.chars().next().map_or(0, char::len_utf8)..].contains(char::is_uppercase);
    if !inside && (!word.capital || word.stop) {
        return false;
    }
    let after = quantity.span.after(text);
    // A part of an inch is a measure: *a rugged 10.1” tablet*.
    if quantity.value.fract() != 0.0 && after.starts_with(['"', '”', '″']) {
        return false;
    }
    let next: String = after.trim_start().chars().take_while(|c| c.is_alphabetic()).collect();
    let single = TABLE.has("single", &next);
    let opens = before[..start].trim_end().is_empty() && !inside;
    let goes_on_as_a_name = after.starts_with(' ') && next.starts_with(char::is_uppercase);
    // *Ubuntu 22.04*, *HTTP 404*.
    let small = quantity.value <= LARGEST_ALONE || quantity.value.fract() != 0.0;
    let acronym = name.len() >= 2 && name.bytes().all(|byte| byte.is_ascii_uppercase());
    let ends = !after.starts_with([' ', '-', '/']) && next.is_empty()
        || after.starts_with(['.', ',', ';', ':', ')', '’', '\'']);
    let is_named = || TABLE.has("after", &next) || ends && alone && (small || acronym);
    single || goes_on_as_a_name || !opens && is_named()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::has_only_names;
    use crate::claim::imperative::is_imperative;

    fn check(text: &str, expected: bool) {
        assert_eq!(has_only_names(text), expected, "{text}");
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "[A-Za-z0-9 .,:;()；。\u{3000}第九Å%$-]{0,60}", other in "\\PC{0,40}") {
            for text in [&text, &other] {
                has_only_names(text);
                is_imperative(text);
            }
        }
    }

    #[test]
    fn a_number_of_a_name_measures_nothing() {
        for text in [
            "The iPhone 15 is popular.",
            "Python 3 is used for it.",
            "Claude 3.5 Sonnet is a model.",
            "It supports Wi-Fi 6 and HDMI.",
            "World War 2 ended.",
            "The Russell 2000 is an index.",
            "Many Fortune 500 firms use it.",
            "They moved to Industry 4.0.",
            "It was built with Unity 6.",
            "A 360-degree review was done.",
            "Tested on Ubuntu 22.04.",
            "It follows DO 178.",
        ] {
            check(text, true);
        }
        for text in [
            "In Germany 40 people died.",
            "Votes: Smith 45, Jones 30.",
            "The iPhone 15 sold 5 million units.",
            "Python 3 is 20% faster.",
            "Brazil beat Germany 7 to 1.",
            "Approximately 40 were hurt.",
            "Population 500.",
            "Elo M100: Rugged 10.1” tablet.",
            "Total 40 is the figure, not 50.",
            "Tesla delivered 5 cars.",
            "He scored for Arsenal 3 times.",
            "The firm was founded in March 2020.",
            "It is so.",
        ] {
            check(text, false);
        }
    }
}
