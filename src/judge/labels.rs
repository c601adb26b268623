//! Numbers that only name: *type 2 diabetes*, *Figure 3*, *IL-10*.
//!
//! They measure nothing, so that their absence says little. But where the page writes the same word with another number
//! and never with the claim's, it is not that thing that the claim speaks of.

use crate::citation::author_year;
use crate::judge::case::Case;
use crate::judge::finding::Finding;
use crate::judge::once::Keyed;
use crate::judge::parts;
use crate::judge::spot::Spot;
use crate::judge::verdict::CheckResult;
use crate::quantity::{Date, Measure, Quantity};
use crate::text::Span;
use crate::text::words::{key, words};

/// The most labels of a claim that are looked at.
const MOST: usize = 8;

/// Whether a year is that of a work which the claim cites by author and year: it is nothing that the claim says.
pub(super) fn names_a_work(claim: &str, q: &Quantity) -> bool {
    if !matches!(q.measure, Measure::Date(Date { month: None, .. })) || q.upper.is_some() {
        return false;
    }
    let inside =
        |(open, close): (usize, usize)| claim.get(open + 1..q.span.end + close).is_some_and(author_year::is_one);
    q.span.before(claim).rfind(['(', ')']).zip(q.span.after(claim).find(['(', ')'])).is_some_and(inside)
}

/// A finding for each label of the claim that the page has with another number only.
pub(super) fn check(case: &Case<'_, '_, '_>) -> Vec<Finding> {
    if !case.complete {
        return Vec::new();
    }
    let labels = case.quantities.iter().filter(|q| q.is_label()).take(MOST);
    labels.filter_map(|q| differs(case, q)).collect()
}

fn differs(case: &Case<'_, '_, '_>, q: &Quantity) -> Option<Finding> {
    let mine = Label::of(case.claim, q.span)?;
    let page = case.index.text();
    let mut rival = None;
    for (other, label) in with_word(case, mine.word).filter(|(other, _)| other.is_label()) {
        if label.figures == mine.figures {
            return None;
        }
        rival = rival.or(Some(other));
    }
    let other = rival?;
    // Written in another way (*types 1 and 2*), it is there all the same.
    let sentence = case.index.sentence_at(other.span.start);
    let near = case.index.span_of(sentence, sentence).of(page);
    let one_of_several = || words(near).any(|word| word.number && word.span.of(near) == mine.figures);
    if case.index.has(mine.joined()) || one_of_several() {
        return None;
    }
    let result = CheckResult::Differs {
        claimed: mine.written.to_owned(),
        found: Label::of(page, other.span)?.written.to_owned(),
    };
    let quantity = q.clone();
    Some(Finding {
        quantity,
        result,
        hard: false,
        sentence: Some(sentence),
        on_page: false,
        working: None,
        binding: None,
        named: false,
    })
}

/// The values of the page that are labels with this word, in their order.
fn with_word<'i>(case: &Case<'_, 'i, '_>, word: u64) -> impl Iterator<Item = (&'i Quantity, Label<'i>)> + use<'i> {
    let (page, all) = (case.index.text(), case.index.quantities());
    let read = || Keyed::new(all.iter().map(|value| Label::of(page, value.span).map(|label| label.word)));
    let alike = case.once.labels.get_or_init(read).of(word, all);
    alike.filter_map(|value| Some((value, Label::of(page, value.span)?)))
}

/// Whether the part of the sentence with the page's value has a number of the claim that only names with another number: what is
/// of *week 21* is not of *week 14*.
pub(super) fn is_of_another(spot: &Spot<'_, '_>) -> bool {
    let case = spot.case;
    let names =
        |q: &&Quantity| matches!(q.measure, Measure::Label | Measure::Count) && q.span != spot.q.span && !q.spelled;
    let mut mine = case.quantities.iter().filter(names).filter_map(|q| Label::of(case.claim, q.span)).peekable();
    if mine.peek().is_none() {
        return false;
    }
    let part = parts::part_round(spot);
    let here = |q: &&Quantity| part.contains(q.span) && q.span != spot.place.span;
    let values = || spot.values().iter().filter(here).filter(names);
    mine.any(|own| {
        let mut theirs =
            values().filter_map(|q| Label::of(spot.text(), q.span)).filter(|label| label.word == own.word).peekable();
        theirs.peek().is_some() && theirs.all(|label| label.figures != own.figures)
    })
}

/// Whether the page has a number as part of a name that is short for the words before it: *fibroblast growth factor 21* is
/// *FGF21*, *interleukin 6* is *IL-6*. Then it only names, and is not missing.
pub(super) fn is_in_an_abbreviation(case: &Case<'_, '_, '_>, q: &Quantity) -> bool {
    let figures = q.span.of(case.claim);
    if !is_number(figures) {
        return false;
    }
    let before = case.claim.get(..q.span.start).unwrap_or_default();
    let names: Vec<&str> = before
        .rsplit(|c: char| c.is_whitespace() || c == '-')
        .skip_while(|word| word.is_empty())
        .take(LONGEST_NAME)
        .take_while(|word| !word.is_empty() && word.chars().all(char::is_alphabetic))
        .collect();
    let page = case.index.text();
    let all = case.index.quantities();
    let behind_letters = |other: &Quantity| {
        let written = other.span.of(page).trim_start_matches(char::is_alphabetic).trim_start_matches(DASHES);
        other.is_label().then(|| key(written))
    };
    let labels = case.once.abbreviated.get_or_init(|| Keyed::new(all.iter().map(behind_letters)));
    let labels = labels.of(key(figures), all);
    labels.filter_map(|other| other.span.of(page).strip_suffix(figures)).any(|letters| {
        let letters = letters.trim_end_matches(DASHES);
        (1..=names.len()).any(|n| abbreviates(letters, &names[..n]))
    })
}

/// What may stand between letters and the number behind them.
const DASHES: [char; 3] = ['-', '\u{2011}', '–'];

/// The most words of a name that is abbreviated.
const LONGEST_NAME: usize = 5;

/// Whether letters are short for words, given last first: the initials of all of them, or, of a single word, letters of it in
/// their order that begin with its first.
fn abbreviates(letters: &str, names: &[&str]) -> bool {
    let lower = |c: char| c.to_lowercase().next();
    let letters: Vec<char> = letters.chars().filter_map(lower).collect();
    if letters.len() < 2 || !letters.iter().all(|c| c.is_alphabetic()) {
        return false;
    }
    if let [name] = names {
        let mut rest = name.chars().filter_map(lower);
        let in_order = letters.iter().all(|letter| rest.any(|c| c == *letter));
        return in_order
            && letters.len() < name.chars().count()
            && name.chars().find_map(lower) == letters.first().copied();
    }
    names.len() == letters.len()
        && names.iter().rev().zip(&letters).all(|(name, c)| name.chars().find_map(lower) == Some(*c))
}

/// A word with a number after it.
struct Label<'t> {
    word: u64,
    figures: &'t str,
    written: &'t str,
}

impl<'t> Label<'t> {
    fn of(text: &'t str, span: Span) -> Option<Label<'t>> {
        let written = span.of(text);
        if let Some((name, figures)) = written.rsplit_once(['-', '\u{2011}', '–']) {
            let named = name.starts_with(char::is_uppercase) && name.chars().all(char::is_alphabetic);
            return (named && is_number(figures)).then(|| Label { word: key(&name.to_lowercase()), figures, written });
        }
        if !is_number(written) {
            return None;
        }
        let before = text.get(..span.start)?.strip_suffix(' ')?;
        let last = before.rsplit(char::is_whitespace).next().unwrap_or_default();
        let start = before.len() - last.len();
        let word = words(last).last().filter(|word| !word.number)?;
        Some(Label { word: word.key, figures: written, written: &text[start + word.span.start..span.end] })
    }

    /// The key of the same label written as one word: *SHP2* for *SHP-2*.
    fn joined(&self) -> u64 {
        let written = self.written.chars().filter(|c| c.is_alphanumeric());
        key(&written.flat_map(char::to_lowercase).collect::<String>())
    }
}

fn is_number(figures: &str) -> bool {
    !figures.is_empty() && figures.bytes().all(|byte| byte.is_ascii_digit())
}
