//! The members of a citation as written: numbers, ranges and what parts them.

use super::label::Label;
use super::nearby::parts_members;
use cited_text::quantity::digit;

/// One member of a citation as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Member {
    One(Label),
    /// From, to: as written, not yet checked.
    Range(u32, u32),
}

/// Members that a group may have: longer ones are data.
pub(super) const MOST_MEMBERS: usize = 400;

/// `1, 3-5`: the members and where they end, white space after them included. What is no member behind a comma is not read.
pub fn numbers(text: &str, from: usize, limit: usize) -> Option<(Vec<Member>, usize)> {
    let (first, mut at) = member(text, from, limit)?;
    let mut members = vec![first];
    while let Some(sign) = text[at..limit].chars().next().filter(|sign| parts_members(*sign))
        && members.len() < MOST_MEMBERS
        && let Some((next, end)) = member(text, at + sign.len_utf8(), limit)
    {
        members.push(next);
        at = end;
    }
    Some((members, at))
}

/// A number or a range, and where it ends with the white space after it.
fn member(text: &str, from: usize, limit: usize) -> Option<(Member, usize)> {
    let spaced =
        |at| number(text, skip_space(text, at, limit), limit).map(|(value, end)| (value, skip_space(text, end, limit)));
    let (first, at) = spaced(from)?;
    let Some(dash) = text[at..limit].chars().next().filter(|c| is_dash(*c)) else {
        return Some((Member::One(Label::Number(first)), at));
    };
    spaced(at + dash.len_utf8()).map(|(last, end)| (Member::Range(first, last), end))
}

/// The numbers of members, of a range its ends; none where one is a name.
pub(super) fn values(members: Vec<Member>) -> Option<Vec<u32>> {
    let numbers = members.into_iter().flat_map(|member| match member {
        Member::One(Label::Number(number)) => vec![Some(number)],
        Member::Range(from, to) => vec![Some(from), Some(to)],
        Member::One(Label::Name(_)) => vec![None],
    });
    numbers.collect()
}

fn skip_space(text: &str, at: usize, limit: usize) -> usize {
    let rest = &text[at..limit];
    limit - rest.trim_start_matches([' ', '\t', '\n', '\r', '\u{a0}', '\u{3000}', '\u{2009}', '\u{202f}']).len()
}

pub(super) fn number(text: &str, at: usize, limit: usize) -> Option<(u32, usize)> {
    let mut value = 0u32;
    let mut end = at;
    for c in text[at..limit].chars().take(7) {
        let Some(digit) = digit(c) else { break };
        value = value * 10 + digit;
        end += c.len_utf8();
    }
    (end > at && value < 100_000).then_some((value, end))
}

/// The dashes of ranges.
pub(crate) fn is_dash(c: char) -> bool {
    matches!(c, '-' | '‐' | '‑' | '‒' | '–' | '—' | '−' | '~' | '～' | '〜' | '－')
}
