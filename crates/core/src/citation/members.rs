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

/// `1, 3-5`: the members and where they end, white space after them included.
pub fn numbers(text: &str, from: usize, limit: usize) -> Option<(Vec<Member>, usize)> {
    let mut members = Vec::with_capacity(1);
    let mut at = from;
    loop {
        at = skip_space(text, at, limit);
        let (first, end) = number(text, at, limit)?;
        at = skip_space(text, end, limit);
        let dash = text[at..limit].chars().next().filter(|c| is_dash(*c));
        if let Some(dash) = dash {
            let after = skip_space(text, at + dash.len_utf8(), limit);
            let (last, end) = number(text, after, limit)?;
            members.push(Member::Range(first, last));
            at = skip_space(text, end, limit);
        } else {
            members.push(Member::One(Label::Number(first)));
        }
        match text[at..limit].chars().next() {
            Some(sign) if parts_members(sign) && members.len() < MOST_MEMBERS => at += sign.len_utf8(),
            _ => return Some((members, at)),
        }
    }
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
