//! The members of a citation as written: numbers, ranges and what parts them.

use super::label::Label;
use super::nearby::parts_members;
use crate::pattern::Pattern;

/// One member of a citation as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Member {
    One(Label),
    /// From, to: as written, not yet checked.
    Range(u32, u32),
}

/// Members that a group may have: longer ones are data.
pub(super) const MOST_MEMBERS: usize = 400;

/// A number or a range, with white space round its parts.
static MEMBER: Pattern = Pattern::made(|| {
    let spaced = r"[ \t\n\r\x{a0}\x{3000}\x{2009}\x{202f}]*(\p{Nd}{1,5})[ \t\n\r\x{a0}\x{3000}\x{2009}\x{202f}]*";
    format!("^{spaced}(?:[{DASHES}]{spaced})?")
});

/// `1, 3-5`: the members and where they end, white space after them included. What is no member behind a comma is not read.
pub fn numbers(text: &str, from: usize, limit: usize) -> Option<(Vec<Member>, usize)> {
    let (mut members, mut at, mut end) = (Vec::new(), from, from);
    while members.len() < MOST_MEMBERS
        && let Some(found) = MEMBER.captures(&text[at..limit])
    {
        let number = |group| Label::parse(found.get(group)?.as_str())?.number();
        let first = number(1)?;
        members.push(number(2).map_or(Member::One(Label::Number(first)), |last| Member::Range(first, last)));
        end = at + found[0].len();
        let Some(sign) = text[end..limit].chars().next().filter(|sign| parts_members(*sign)) else { break };
        at = end + sign.len_utf8();
    }
    (!members.is_empty()).then_some((members, end))
}

/// The numbers that are all of a text.
pub(super) fn all_numbers(text: &str) -> Option<Vec<Member>> {
    numbers(text, 0, text.len()).filter(|(_, end)| *end == text.len()).map(|(members, _)| members)
}

/// The numbers of members, of a range its ends; none where one is a name.
pub(super) fn values(members: Vec<Member>) -> Option<Vec<u32>> {
    let numbers = |member| match member {
        Member::One(Label::Number(number)) => vec![Some(number)],
        Member::Range(from, to) => vec![Some(from), Some(to)],
        Member::One(Label::Name(_)) => vec![None],
    };
    members.into_iter().flat_map(numbers).collect()
}

/// The dashes of ranges, as a class of a pattern has them.
pub(super) const DASHES: &str = "-‐‑‒–—−~～〜－";
