//! Members of vectors, sets and arguments, which are written in brackets as citations are: `w = [1, 2, 3]`, `{[1], [2]}`, `f([2])`.

use std::sync::LazyLock;

use regex::Regex;

use super::nearby::{UNITS, is_stop, near_end, near_start};
use crate::pattern::{Pattern, build};
use cited_text::Span;

/// What stands before a value, with the brackets that end there, of members that are vectors themselves, and what stands behind it: a sign that
/// takes a value, a set, the arguments of a function of one letter. `==marked==[1]` is formatting with a citation behind it, `the study([2])`
/// cites.
static VALUES: LazyLock<[(Regex, &str); 3]> = LazyLock::new(|| {
    let (assigned, function) = (r"(?:^|[^=])[=∈∉⊂⊆←]", r"(?:^|[^\p{Alphabetic}\p{N}])[A-Za-z]");
    let before = |signs: &str| {
        let brackets = r"\s*(?:\[(?:[^\[]*\]\s*,?)?\s*)*$";
        build(&format!("(?:{signs}){brackets}"))
    };
    [(before(assigned), ""), (before(r"\{"), "}"), (before(&format!(r"(?:{function}|{assigned}\s*)\(")), ")")]
});
/// Brackets that begin a text, and those that end there.
static BEGINNING: Pattern = Pattern::new(r"^\s*(?:(?:\]|,?\s*\[[^\]]*\])\s*)*");

/// What stands on the line before and behind brackets.
fn line_around(text: &str, brackets: Span) -> (&str, &str) {
    let (before, after) = (near_end(&text[..brackets.start]), near_start(&text[brackets.end..]));
    (before.rsplit('\n').next().unwrap_or(before), after.split(['\r', '\n']).next().unwrap_or(after))
}

/// Whether brackets are a value, or the index of a variable, and no citation.
pub(super) fn is_value(text: &str, brackets: Span) -> bool {
    let (line, behind) = line_around(text, brackets);
    let after = &behind[BEGINNING.find(behind).map_or(0, |found| found.end())..];
    VALUES.iter().any(|(before, close)| after.starts_with(close) && before.is_match(line))
        || is_index(line, behind)
        || has_another_member(line, behind)
        || is_row(line, brackets.slice(text), behind)
}

/// Whether brackets are a row of a matrix: `[[1, 2], [3, 4]]`.
fn is_row(before: &str, brackets: &str, behind: &str) -> bool {
    let is_first = before.ends_with('[') && behind.starts_with(", [");
    let follows = before.ends_with("], ") && behind.starts_with([']', ',']);
    brackets.contains(',') && (is_first || follows)
}

/// Whether nobody takes brackets for a citation: they are assigned, or another member of the same variable stands beside them.
pub(super) fn is_plainly_a_value(text: &str, brackets: Span) -> bool {
    let (before, after) = line_around(text, brackets);
    VALUES[0].0.is_match(before) || has_another_member(before, after)
}

/// The name that a text ends with, and what stands before it.
fn name_at_end(text: &str) -> (&str, &str) {
    let before = text.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    (&text[before.len()..], before)
}

/// Whether brackets are glued to a letter in lower case that stands for itself inside of a sentence: *the entry a\[1\] is*. That of a unit
/// may have a citation behind it, *5 m\[1\]*, and so has a letter that ends its sentence.
fn is_index(before: &str, after: &str) -> bool {
    let (name, rest) = name_at_end(before);
    let stands = rest.ends_with(|c: char| c.is_whitespace() || matches!(c, '(' | '=' | '+') || !c.is_ascii());
    let goes_on =
        after.trim_start().starts_with(|c: char| c.is_alphanumeric() || matches!(c, '=' | '+' | '*' | '<' | '>'));
    let is_letter = name.len() == 1 && name.starts_with(|c: char| c.is_ascii_lowercase());
    let is_measured = UNITS.contains(&name) || rest.trim_end().ends_with(char::is_numeric);
    is_letter && (stands || rest.is_empty()) && goes_on && !is_measured
}

/// Whether brackets are glued to a name of which another member stands beside it: *row\[1\] and row\[2\]*.
fn has_another_member(before: &str, after: &str) -> bool {
    /// The letters of a word between two members.
    const LONGEST_JOINT: usize = 4;
    let (name, rest) = name_at_end(before);
    let joins = |gap: &str| {
        gap.chars().filter(|c| c.is_alphanumeric()).count() <= LONGEST_JOINT
            && !gap.ends_with(|c: char| c.is_ascii_alphanumeric())
            && !gap.contains(|c| is_stop(c) || matches!(c, '[' | ']'))
    };
    let opened = [name, "["].concat();
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic());
    let follows = || after.split_once(&opened).is_some_and(|(gap, _)| joins(gap));
    let precedes = || {
        let member = rest.rsplit_once(&opened).filter(|(head, _)| !head.ends_with(|c: char| c.is_ascii_alphanumeric()));
        member.and_then(|(_, member)| member.split_once(']')).is_some_and(|(_, gap)| joins(gap))
    };
    is_name && (follows() || precedes())
}

#[cfg(test)]
mod tests {
    use super::is_value;
    use cited_text::Span;

    #[test]
    fn values_are_told_by_what_stands_round_them() {
        let check = |text: &str, expected: bool| {
            let start = text.find('^').unwrap();
            let text = text.replacen('^', "", 1);
            let end = start + text[start..].find(']').unwrap() + 1;
            assert_eq!(is_value(&text, Span::new(start, end)), expected, "{text}");
        };
        for value in [
            "w = ^[1, 2, 3] is long",
            "y=^[2, 1]",
            "{^[1], [2]}",
            "{[1], ^[2]} holds",
            "f(^[2]) = 3",
            "(u, v) = (^[3], [4])",
            "(u, v) = ([3], ^[4])",
            "A = [[1, 2], ^[3, 4]]",
            "the matrix [[1, 2], ^[3, 4]] is",
            "the matrix [^[1, 2], [3, 4]] is",
            "The entries a^[1] and a[2] are",
            "The entries a[1] and a^[2] are",
            "the pairs A[1], A[2], and A^[3].",
            "数组a^[1]和a[2]表示",
            "数组a[1]和a^[2]表示",
            "so x^[2] holds",
            "we swap row^[1] with row[2].",
            "total_cost^[2], total_cost[3]",
        ] {
            check(value, true);
        }
        for citation in [
            "Sales rose ^[1].",
            "Sales rose (^[1]).",
            "the study(^[2])",
            "at n = 120 ^[1]",
            "==marked==^[1]",
            "with a = b, ^[2]",
            "Sales rose [1], ^[2]",
            "Sales rose [1] ^[2]",
            "and training^[1].",
            "vitamin C^[1] and vitamin C[2] help",
            "5 m^[2] high",
            "the land that he lives i^[1].",
            "of AI^[1]. The AI[2] is",
            "cars in China^[1] and cars outside of China[2]",
            "R&d^[1] costs",
            "采用人工智能^[1]和机器人[2]",
        ] {
            check(citation, false);
        }
    }
}
