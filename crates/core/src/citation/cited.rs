//! The numbers that a text cites, as far as they are told without its list.

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;

use super::label::Label;
use super::members::{self, Member};

/// Longer brackets hold no labels.
const LONGEST_GROUP: usize = 64;

/// A 1 that is raised as a citation is: `<sup>1</sup>`, `^1^`, `so.¹`. Nothing is raised to the first power.
static RAISED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"<sup>\[?1\b|\^1[,^]|[\p{L}.,%)"”。，]¹(?:[^⁰¹²³⁴⁵⁶⁷⁸⁹]|$)"#).expect("a fixed pattern")
});

/// Whether a text has numbers in brackets, or raised, as they cite a list of so many entries: the first one, or several.
pub(super) fn is_cited(text: &str, entries: usize) -> bool {
    let is_listed = |number: &u32| (1..=entries as u32).contains(number);
    let cited: HashSet<u32> = numbers_in(text).filter(is_listed).collect();
    cited.contains(&1) || cited.len() > 1 || RAISED.is_match(text)
}

/// The numbers in brackets of a text: those that it may cite.
fn numbers_in(text: &str) -> impl Iterator<Item = u32> + '_ {
    memchr::memchr_iter(b'[', text.as_bytes())
        .filter_map(|at| {
            let (members, end) = members::numbers(text, at + 1, text.floor_char_boundary(at + LONGEST_GROUP))?;
            text[end..].starts_with(']').then_some(members)
        })
        .flatten()
        .filter_map(|member| match member {
            Member::One(Label::Number(number)) => Some(number..=number),
            Member::Range(from, to) => Some(from..=to.min(from.saturating_add(LONGEST_GROUP as u32))),
            Member::One(Label::Name(_)) => None,
        })
        .flatten()
}
