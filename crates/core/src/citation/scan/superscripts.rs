//! Citations that are raised: `^1^`, `<sup>1</sup>`, `so.¹`.

use super::{Candidate, Scanner};
use crate::citation::form::Token;
use crate::citation::label::{Label, raised_digit, raised_number};
use crate::citation::marker::{MarkerForm, Shape, Target};
use crate::citation::members::{self, Member};
use crate::citation::nearby::{UNITS, near_end, word_at_end};
use crate::citation::shown::address_of_tag;
use crate::markdown::Document;
use crate::pattern::Pattern;
use cited_text::Span;
use cited_text::lexicon::Classes;

impl Scanner<'_> {
    /// `^3^`: a superscript to Pandoc.
    pub(super) fn caret(&mut self, at: usize, span: Span) -> Option<usize> {
        let (members, end) = members::numbers(self.text, at + 1, span.end)?;
        let span = Span::new(at, end + 1);
        // `^1^^2^`: a caret right behind a citation of the same form.
        let follows = |last: &Candidate| last.span.end == at && last.form == MarkerForm::Superscript;
        if !self.text[end..].starts_with('^')
            || self.text[at + 1..].starts_with(' ')
            || is_no_citation(self.text, span, &members) && !self.found.last().is_some_and(follows)
        {
            return None;
        }
        self.push_superscript(span, members);
        Some(span.end)
    }

    /// `so.¹`, `so²,³`: raised digits behind a word or a stop.
    pub(super) fn raised(&mut self, at: usize, span: Span) -> Option<usize> {
        let run = RAISED.find(&self.text[at..span.end])?.as_str();
        let span = Span::new(at, at + run.len());
        let runs = run.split([',', '˒', '⸴']);
        // A number in a circle before words counts what they name: *三点：①成本；②价格*.
        let counts =
            run.starts_with(|c| ('①'..='⑳').contains(&c)) && span.after(self.text).starts_with(char::is_alphanumeric);
        // What is raised behind an address is part of it.
        let in_address = self.text[..at].rsplit(char::is_whitespace).next().is_some_and(|token| token.contains("://"));
        let members = |values: Vec<u32>| values.into_iter().map(Label::Number).map(Member::One).collect::<Vec<_>>();
        let whole = members(runs.clone().map(raised_number).collect());
        if counts
            || in_address
            || runs.clone().any(|run| run.chars().count() > 4)
            || is_no_citation(self.text, span, &whole)
        {
            return Some(span.end);
        }
        let found = self.found.len();
        self.push_superscript(span, whole);
        if self.found.len() == found {
            // `¹²` of a list with eight entries is 1 and 2.
            self.push_superscript(span, members(run.chars().filter_map(raised_digit).collect()));
        }
        // Only a list of the document's own tells them from exponents; whether it is there does not change when citations go.
        if self.found[found..].iter().any(|c| c.targets.iter().any(|target| !matches!(target, Target::Entry(_)))) {
            self.found.truncate(found);
        }
        Some(span.end)
    }

    /// `<sup>3</sup>`, also as a link, `<sup><a href="…">3</a></sup>`, whose opening tag is at `at`.
    pub(super) fn superscript(&mut self, at: usize) -> Option<usize> {
        let found = TAGS.captures(&self.text[at..])?;
        let (link, inner) = (found.get(1).or(found.get(2)).map(|tag| tag.as_str()), &found[3]);
        let span = Span::new(at, at + found[0].len());
        let members = members::all_numbers(inner)?;
        let address = link.and_then(address_of_tag);
        let no_citation = || link.is_some_and(|tag| !tag.contains('#')) || is_no_citation(self.text, span, &members);
        if address.is_none() && no_citation() {
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
        let is_known = |targets: &Vec<Target>| !targets.is_empty() && self.vocabulary.missing(targets).is_empty();
        if let Some(targets) = self.resolve(&token).filter(is_known) {
            self.keep(span, token.form, Shape::Group, targets);
        }
    }
}

/// Raised digits, of several citations with commas between them.
static RAISED: Pattern = Pattern::new("^[¹²³⁰⁴-⁹①-⑳]+(?:[,˒⸴][¹²³⁰⁴-⁹①-⑳]+)*");

/// What tags raise, and the tag of a link round it or in it.
static TAGS: Pattern = Pattern::new("^(?i:(<a [^<>]*>)?<sup>(<a [^<>]*>)?([^<>]{1,160})(?:</a>)?</sup>(?:</a>)?)");

/// The names of quantities that formulas raise to a power: *length*, 长度.
static QUANTITIES: Classes = Classes::new(include_str!("../data/powers.tsv"));
/// Characters of the longest one that is written without spaces.
const LONGEST_UNSPACED: usize = 3;

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
            && word_at_end(before, LONGEST_UNSPACED, |word| QUANTITIES.has("raised", word)).is_some()
            && (is_inside(c) || in_formula())
    };
    let others = || candidates.iter().filter(|c| c.missing.is_empty() && !is_power(c));
    if others().next().is_some() && !others().any(is_inside) {
        candidates.retain(|c| !(c.form == MarkerForm::Superscript && is_power(c)));
    }
}

/// A year at the end of a text: nobody raises it to a power.
static YEAR: Pattern = Pattern::new(r"[ (](?:1[5-9]|20)[0-9]{2}$");
/// Lengths are raised to the second and third power, and no further.
const HIGHEST_POWER: u32 = 3;

/// Signs before which and behind which letters are variables: *E = mc*.
const SIGNS_OF_FORMULAS: [char; 9] = ['=', '+', '−', '*', '×', '·', '/', '(', '≈'];

/// Whether raised numbers may be an exponent or the mass of an isotope, `<sup>14</sup>C`. Several are none; nor is one on a year, a 1 on a
/// number or unit, or more than 3 on a unit.
fn is_no_citation(text: &str, raised: Span, members: &[Member]) -> bool {
    let before = raised.before(text);
    let opens = before.is_empty() || before.ends_with(|c: char| c.is_whitespace() || matches!(c, '(' | '[' | '/'));
    if opens && raised.after(text).starts_with(|c: char| c.is_ascii_uppercase()) {
        return true;
    }
    let [Member::One(Label::Number(number))] = members else { return false };
    let is_unit = UNITS.contains(&word_before(before));
    let is_power = if is_unit { (2..=HIGHEST_POWER).contains(number) } else { *number > 1 || !ends_in_a_digit(before) };
    is_power && (is_base(before) || is_variable(before)) && !YEAR.is_match(near_end(before))
}

/// The letters that a text ends with.
fn word_before(text: &str) -> &str {
    &text[text.trim_end_matches(char::is_alphabetic).len()..]
}

fn ends_in_a_digit(text: &str) -> bool {
    text.ends_with(|c: char| c.is_ascii_digit())
}

/// Whether a text ends with what is raised to a power: a digit, a unit, a symbol of one letter, a bracket.
fn is_base(before: &str) -> bool {
    let Some(last) = before.chars().next_back() else { return true };
    if last.is_numeric() || matches!(last, ')' | ']' | '}' | '\\' | '^' | '_' | '·' | '×' | '/' | '米' | '⁻') {
        // After a parenthesis with a word in it, `(Smith)^3^`, a citation; after one with a formula, an exponent.
        let word = before.trim_end_matches(')');
        return last != ')' || word.chars().rev().take(3).filter(|c| c.is_alphabetic()).count() < 3;
    }
    let word = word_before(before);
    let is_han = word.chars().any(|c| c >= '\u{2e80}');
    !is_han && (word.chars().count() == 1 || UNITS.contains(&word))
}

/// Whether a number raised right behind `before`, which was not read, may be meant for a citation all the same: *1.21<sup>2</sup>*, *115 km⁶*.
/// Those of ten are powers.
pub(in crate::citation) fn may_be_meant(before: &str, number: u32) -> bool {
    let base = before.rsplit(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ',')).next().unwrap_or_default();
    ends_in_a_digit(base) && base != "10" || UNITS.contains(&word_before(before)) && number > HIGHEST_POWER
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
