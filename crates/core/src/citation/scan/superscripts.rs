//! Citations that are raised: `^1^`, `<sup>1</sup>`, `so.¹`.

use super::{Candidate, Scanner, is_exponent};
use crate::citation::form::Token;
use crate::citation::label::{Label, raised_digit, raised_number};
use crate::citation::marker::{MarkerForm, Shape, Target};
use crate::citation::members::{self, Member};
use crate::citation::nearby::{UNITS, word_at_end};
use crate::citation::shown::address_of_tag;
use crate::markdown::Document;
use cited_text::Span;
use cited_text::lexicon::table;
use cited_text::script::is_cjk;
use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;

impl Scanner<'_> {
    /// `^3^`: a superscript to Pandoc.
    pub(super) fn caret(&mut self, at: usize, span: Span) -> Option<usize> {
        let (members, end) = members::numbers(self.text, at + 1, span.end)?;
        if !self.text[end..span.end].starts_with('^')
            || self.text[at + 1..].starts_with(' ')
            || (is_no_citation(self.text, at, end + 1, &members) && !self.follows_superscript(at))
        {
            return None;
        }
        let span = Span::new(at, end + 1);
        self.push_superscript(span, members);
        Some(span.end)
    }

    /// `so.¹`, `so²,³`: raised digits behind a word or a stop. `km²` has a short word before it, `10²` a number.
    pub(super) fn raised(&mut self, at: usize, span: Span) -> Option<usize> {
        /// Shorter words behind a number are units: *5 km²*.
        const SHORTEST_WORD: usize = 3;
        let run = RAISED.find(&self.text[at..span.end])?;
        let (runs, end) = (run.as_str().split([',', '˒', '⸴']), at + run.end());
        let before = &self.text[..at];
        let word = before.rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
        let measured = before[..before.len() - word.len()].trim_end().ends_with(|c: char| c.is_ascii_digit());
        let letters = word.chars().count();
        let word = letters >= SHORTEST_WORD || letters == 2 && !measured && !word.starts_with(char::is_uppercase);
        // Nobody raises money to a power.
        let signs = |c: char| is_cjk(c) || ".,;:!?)”\"’»。，%€$£¥".contains(c);
        // *29% in 2024 ¹.*
        let spaced =
            || before.strip_suffix(' ').is_some_and(|head| head.ends_with(|c: char| c.is_alphanumeric() || c == '%'));
        let stop = before.ends_with(signs) || ends_in_a_year(before) || spaced();
        // A number in a circle before words counts what they name: *三点：①成本；②价格*.
        let counts = self.text[at..].starts_with(|c| ('①'..='⑳').contains(&c))
            && self.text[end..].starts_with(char::is_alphanumeric);
        // What is raised behind an address is part of it.
        let in_address = before.rsplit(char::is_whitespace).next().is_some_and(|token| token.contains("://"));
        if !(word || stop)
            || in_address
            || counts
            || is_variable(before)
            || runs.clone().any(|run| run.chars().count() > 4)
        {
            return Some(end);
        }
        let each = run.as_str().chars().filter_map(raised_digit).collect();
        let found = self.found.len();
        // `¹²` of a list with eight entries is 1 and 2.
        for values in [runs.map(raised_number).collect::<Vec<u32>>(), each] {
            if self.found.len() == found {
                let members = values.into_iter().map(|value| Member::One(Label::Number(value))).collect();
                self.push_superscript(Span::new(at, end), members);
            }
        }
        // Only a list of the document's own tells them from exponents; whether it is there does not change when citations go.
        if self.found[found..].iter().any(|c| c.targets.iter().any(|target| !matches!(target, Target::Entry(_)))) {
            self.found.truncate(found);
        }
        Some(end)
    }

    /// `^1^^2^`: a caret right behind a citation of the same form.
    fn follows_superscript(&self, at: usize) -> bool {
        self.found.last().is_some_and(|last| last.span.end == at && last.form == MarkerForm::Superscript)
    }

    /// `<sup>3</sup>`, also as a link, `<sup><a href="…">3</a></sup>`, whose opening tag is at `at`.
    pub(super) fn superscript(&mut self, at: usize) -> Option<usize> {
        let found = TAGS.captures(&self.text[at..])?;
        let (link, inner) = (found.get(1).or(found.get(4)), found.get(2).or(found.get(3)).or(found.get(5))?);
        let span = Span::new(at, at + found[0].len());
        let (members, end) = members::numbers(inner.as_str(), 0, inner.len())?;
        let address = link.and_then(|tag| address_of_tag(tag.as_str()));
        if end != inner.len()
            || address.is_none()
                && (link.is_some_and(|tag| !tag.as_str().contains('#'))
                    || is_no_citation(self.text, span.start, span.end, &members))
        {
            return None;
        }
        match address {
            // The address says which work is meant, whatever the number.
            Some(address) => {
                self.keep_address(span, MarkerForm::NumberLink, Shape::Known, &address);
            }
            // The link to the entry in the page goes with the number that it is of.
            None => self.push_superscript(span, members),
        }
        Some(span.end)
    }

    /// Superscript numbers are citations only when all of them are labels.
    fn push_superscript(&mut self, span: Span, members: Vec<Member>) {
        let token = Token::new(span, MarkerForm::Superscript, members);
        if let Some((targets, missing, false)) = self.resolve(&token)
            && missing.is_empty()
        {
            self.keep(span, token.form, Shape::Group, targets, missing);
        }
    }
}

/// Raised digits, of several citations with commas between them.
static RAISED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new("^[¹²³⁰⁴-⁹①-⑳]+(?:[,˒⸴][¹²³⁰⁴-⁹①-⑳]+)*").expect("a fixed pattern"));

/// What tags raise, and the tag of a link round it or in it.
static TAGS: LazyLock<Regex> = LazyLock::new(|| {
    let (link, inner) = ("(<a [^<>]*>)", "([^<>]{1,160})");
    let tags = format!("^(?i:<sup>(?:{link}{inner}</a>|{inner})</sup>|{link}<sup>{inner}</sup></a>)");
    Regex::new(&tags).expect("a fixed pattern")
});

static QUANTITIES: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| table::words(include_str!("../data/powers.tsv"), "raised").collect());

/// Drops the 2 and 3 raised on the name of a quantity in a formula or inside of a sentence, *area is length² for squares*, where no citation of
/// the document is raised on another word so.
pub(in crate::citation) fn drop_powers(document: &Document, candidates: &mut Vec<Candidate>) {
    let text = document.text();
    let is_inside = |c: &Candidate| {
        let behind = text[c.span.end..].trim_start_matches(' ');
        c.form == MarkerForm::Superscript
            && text[..c.span.start].ends_with(char::is_alphabetic)
            && behind.starts_with(|c: char| c.is_alphanumeric() || SIGNS_OF_FORMULAS.contains(&c))
    };
    let is_power = |c: &Candidate| {
        let before = &text[..c.span.start];
        let in_formula = || before.trim_end_matches(char::is_alphabetic).trim_end().ends_with(SIGNS_OF_FORMULAS);
        let mut digits = c.span.slice(text).chars().filter_map(|c| raised_digit(c).or(c.to_digit(10)));
        matches!((digits.next(), digits.next()), (Some(2 | 3), None))
            && is_of_a_quantity(before)
            && (is_inside(c) || in_formula())
    };
    let others = || candidates.iter().filter(|c| c.missing.is_empty() && !is_power(c));
    if others().next().is_some() && !others().any(is_inside) {
        candidates.retain(|c| !(c.form == MarkerForm::Superscript && is_power(c)));
    }
}

/// Whether a text ends with the name of a quantity that formulas raise to a power: *length*, 长度.
fn is_of_a_quantity(before: &str) -> bool {
    /// Characters of the longest one that is written without spaces.
    const LONGEST_UNSPACED: usize = 3;
    word_at_end(before, LONGEST_UNSPACED, |word| QUANTITIES.contains(word)).is_some()
}

/// A year at the end of a text: nobody raises it to a power.
static YEAR: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"[ (](?:1[5-9]|20)[0-9]{2}$").expect("a fixed pattern"));
/// Lengths are raised to the second and third power, and no further.
const HIGHEST_POWER: u32 = 3;

/// Signs before which and behind which letters are variables: *E = mc*.
const SIGNS_OF_FORMULAS: [char; 9] = ['=', '+', '−', '*', '×', '·', '/', '(', '≈'];

/// Whether raised numbers from `start` to `end` may be an exponent or the mass of an isotope, `<sup>14</sup>C`.
fn is_no_citation(text: &str, start: usize, end: usize, members: &[Member]) -> bool {
    let before = &text[..start];
    let opens = before.is_empty() || before.ends_with(|c: char| c.is_whitespace() || matches!(c, '(' | '[' | '/'));
    may_be_exponent(before, members) || opens && text[end..].starts_with(|c: char| c.is_ascii_uppercase())
}

/// Whether raised numbers right behind `before` may be an exponent. Several are none; nor is one on a year, a 1 on a number or unit, or
/// more than 3 on a unit.
fn may_be_exponent(before: &str, members: &[Member]) -> bool {
    let [Member::One(Label::Number(number))] = members else { return false };
    let word = before.rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let unit = UNITS.contains(&word);
    let raised = *number > 1 || !before.ends_with(|c: char| c.is_ascii_digit()) && !unit;
    (is_exponent(before) || is_variable(before))
        && !ends_in_a_year(before)
        && raised
        && !(unit && *number > HIGHEST_POWER)
}

/// Whether a text ends in a year.
fn ends_in_a_year(text: &str) -> bool {
    YEAR.is_match(&text[text.floor_char_boundary(text.len().saturating_sub("(2000".len()))..])
}

/// Whether a number raised right behind `before`, which was not read, may be meant for a citation all the same: *1.21<sup>2</sup>*, *115 km⁶*.
pub(in crate::citation) fn may_be_meant(before: &str, number: u32) -> bool {
    let word = before.rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    ends_in_a_base(before) || UNITS.contains(&word) && number > HIGHEST_POWER
}

/// Whether a text ends in a number that may be raised to a power, or cited for. Those of ten are powers.
fn ends_in_a_base(text: &str) -> bool {
    let number = text.rsplit(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ',')).next().unwrap_or_default();
    number.ends_with(|c: char| c.is_ascii_digit()) && number != "10"
}

/// Whether a text ends in variables: one or two letters behind a sign, *E = mc*, or Greek letters beside others, *½ρAv*.
fn is_variable(before: &str) -> bool {
    let bare = before.trim_end_matches(char::is_alphabetic);
    let word = &before[bare.len()..];
    let greek = |c: char| ('\u{370}'..='\u{3ff}').contains(&c);
    let bare = bare.trim_end_matches(|c: char| c.is_whitespace() || c.is_numeric());
    (1..=2).contains(&word.chars().count()) && bare.ends_with(SIGNS_OF_FORMULAS)
        || word.contains(greek) && !word.chars().all(greek)
}
