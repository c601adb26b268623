//! Whether a text cites a list that nothing but its shape tells.

use std::collections::HashSet;

use super::label::{Label, raised_digit};
use super::members::{self, Member};
use super::nearby::is_stop;

/// Longer brackets hold no labels.
const LONGEST_GROUP: usize = 64;

/// Whether a text has numbers in brackets, or raised, as they cite a list of so many entries: the first one, or several.
pub(super) fn is_cited(text: &str, entries: usize) -> bool {
    let mut cited = HashSet::new();
    for at in memchr::memchr_iter(b'[', text.as_bytes()) {
        let first = first_numbers(text, at + 1, &["]", "\\]"]);
        cited.extend(first);
        if cited.contains(&1) || cited.iter().filter(|label| (1..=entries as u32).contains(label)).count() > 1 {
            return true;
        }
    }
    // Two raised numbers may both be exponents: *m²*, *m³*. Nothing is raised to the first power.
    raises_the_first(text) || ["1", "2"].iter().all(|number| stands_behind_a_stop(text, number))
}

/// Whether a number stands right behind the stop of a sentence, as pasting from some products leaves it: `… a day.2 A toll`.
fn stands_behind_a_stop(text: &str, number: &str) -> bool {
    text.match_indices(number).any(|(at, _)| {
        let sentence = text[..at].strip_suffix(is_stop);
        sentence.is_some_and(|before| before.ends_with(char::is_alphabetic))
            && text[at + number.len()..].chars().next().is_none_or(char::is_whitespace)
    })
}

/// The numbers that a group from `at` on begins its members with, when `close` ends it.
fn first_numbers(text: &str, at: usize, close: &[&str]) -> Vec<u32> {
    let Some((members, end)) = members::numbers(text, at, text.floor_char_boundary(at + LONGEST_GROUP)) else {
        return Vec::new();
    };
    if !close.iter().any(|close| text[end..].starts_with(close)) {
        return Vec::new();
    }
    let first = |member| match member {
        Member::One(Label::Number(first)) | Member::Range(first, _) => Some(first),
        Member::One(Label::Name(_)) => None,
    };
    members.into_iter().filter_map(first).collect()
}

/// Whether a 1 is raised as a citation is: `<sup>1</sup>`, `^1^`, `so.¹`.
fn raises_the_first(text: &str) -> bool {
    let tag = "<sup>";
    let tagged = memchr::memmem::find_iter(text.as_bytes(), tag)
        .any(|at| first_numbers(text, at + tag.len(), &["</sup>"]).contains(&1));
    let careted =
        || memchr::memchr_iter(b'^', text.as_bytes()).any(|at| first_numbers(text, at + 1, &["^"]).contains(&1));
    let sign = || {
        text.match_indices('¹').any(|(at, sign)| {
            let alone = !text[at + sign.len()..].starts_with(|c| raised_digit(c).is_some());
            let behind = |c: char| c.is_alphabetic() || matches!(c, '.' | ',' | '%' | ')' | '"' | '”' | '。' | '，');
            alone && text[..at].ends_with(behind)
        })
    };
    tagged || careted() || sign()
}
