//! The superlatives of a claim.

use crate::case::Case;
use crate::cues::{self, Class};
use cited_text::Span;
use cited_text::quantity::{Bound, Measure, Quantity};
use cited_text::words::Word;

/// How near to the end a claim puts its thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rank {
    /// At this place, counted from 1: *the largest*, *the third largest*.
    At(usize),
    /// Among the first so many: *the two oldest*, *one of the three oldest*.
    Within(usize),
    /// It does not say how near: *one of the largest*.
    Near,
}

/// A word by which a claim says that nothing goes further: *the largest*, or how much does: *the second largest*.
pub(super) struct Top<'c> {
    pub(super) word: &'c Word,
    /// Which end of a column is meant; `None` where the word does not tell: *the fastest* has the least time, or the greatest speed.
    pub(super) end: Option<Class>,
    /// What such columns are called, and whether the greatest of their values are meant: *depth*, for *the deepest*.
    pub(super) qualities: Vec<(&'static str, bool)>,
    pub(super) rank: Rank,
    /// Whether it is compared with itself: *its largest*.
    pub(super) of_itself: bool,
    /// All that says so: *one of the three largest*.
    pub(super) span: Span,
}

/// The superlatives of a claim, with what makes them such: *most mills* is none.
pub(super) fn tops<'c>(case: &'c Case<'_>) -> Vec<Top<'c>> {
    (0..case.claim.words.len()).filter_map(|at| top(case, at)).collect()
}

fn top<'c>(case: &'c Case<'_>, at: usize) -> Option<Top<'c>> {
    let word = &case.claim.words[at];
    if let Some(top) = top_of_two_words(case, at) {
        return Some(top);
    }
    let within = cues::rank_within(case.claim.text, word);
    let known = within.is_some() || !cues::qualities(word.form, word.spoken).is_empty();
    if !known && !cues::is_top(case.claim.text, word) {
        return None;
    }
    let form = within.map_or(word.form, |(_, form)| form);
    // *The third largest*, *the three largest*.
    let right_before =
        |end: usize| case.claim.text.get(end..word.span.start).is_some_and(|gap| gap.trim() == "" || gap == "-");
    let value = case.claim.quantities.iter().find(|q| right_before(q.span.end) && q.bound == Bound::Exact);
    let whole = |q: &Quantity| (q.value.fract() == 0.0 && q.value >= 1.0).then_some(q.value as usize);
    let number = value.filter(|q| q.measure == Measure::Count).and_then(whole);
    let ordinal = value.filter(|q| q.measure == Measure::Ordinal).and_then(whole);
    let last = at.checked_sub(1).and_then(|before| case.claim.words.get(before));
    let said = last.filter(|before| right_before(before.span.end)).and_then(cues::rank);
    let ranked = within.map(|(place, _)| place).or(ordinal).or(said);
    let begins = match (value, last) {
        (Some(q), _) if number.or(ordinal).is_some() => q.span.start,
        (_, Some(before)) if said.is_some() => before.span.start,
        _ => word.span.start,
    };
    let before: Vec<&Word> = case.claim.words.iter().filter(|word| word.span.end <= begins).collect();
    let article = before.last()?;
    let of_itself = cues::has(article, Class::Pronoun);
    if !of_itself && !cues::has(article, Class::Article) {
        return None;
    }
    let one = before.iter().rev().skip(1).take(MOST_SMALL).find(|word| cues::has(word, Class::OneOf));
    let between = |one: &&&Word| before.iter().filter(|word| word.span.start > one.span.start).all(|word| word.stop);
    let one = one.filter(between);
    let rank = rank(ranked, number, one.is_some());
    let span = Span::new(one.map_or(begins, |one| one.span.start), word.span.end);
    let end = crate::only::only(cues::ends_of(form, word.spoken));
    let qualities = cues::qualities(form, word.spoken);
    Some(Top { word, end, qualities, rank, of_itself, span })
}

/// A superlative of two words, as Romance languages make them, before or behind what it is said of: *el segundo modelo más caro*, *le modèle le
/// plus cher*.
fn top_of_two_words<'c>(case: &'c Case<'_>, at: usize) -> Option<Top<'c>> {
    let (word, next) = (case.claim.words.get(at)?, case.claim.words.get(at + 1)?);
    let qualities = cues::qualities_behind(next);
    let compares = case.claim.words.get(at + 2).is_some_and(cues::is(Class::Than));
    if !cues::has(word, Class::Extreme) || qualities.is_empty() || compares {
        return None;
    }
    // *Menos caro*.
    let lessens = cues::has(word, Class::Least);
    let qualities = qualities.into_iter().map(|(head, greatest)| (head, greatest != lessens)).collect();
    let before = &case.claim.words[..at];
    let behind_the_noun = before.last().is_some_and(cues::is(Class::Article));
    let before = &before[..before.len() - usize::from(behind_the_noun)];
    // What a superlative is said of.
    let is_value = |word: &Word| case.claim.quantities.iter().any(|q| q.span.overlaps(word.span));
    let is_noun = |word: &&Word| !word.stop && cues::rank(word).is_none() && !is_value(word);
    let nouns = before.iter().rev().take(MOST_NOUNS).take_while(is_noun).count();
    let before = &before[..before.len() - nouns];
    let number = before.last().and_then(|last| case.claim.quantities.iter().find(|q| q.span.overlaps(last.span)));
    let number = number.filter(|q| q.measure == Measure::Count && q.value >= 1.0).map(|q| q.value as usize);
    let said = before.last().and_then(cues::rank);
    let before = &before[..before.len() - usize::from(number.or(said).is_some())];
    let article = before.last().filter(|word| cues::has(word, Class::Article));
    let begins = article.filter(|_| nouns > 0 || number.or(said).is_some());
    // *Le plus cher* alone.
    let begins = begins.or_else(|| case.claim.words[..at].last().filter(|word| cues::has(word, Class::Article)))?;
    let one = before.iter().rev().skip(1).take(MOST_SMALL).find(|word| cues::has(word, Class::OneOf));
    let rank = rank(said, number, one.is_some());
    let span = Span::new(one.map_or(begins.span.start, |one| one.span.start), next.span.end);
    Some(Top { word, end: None, qualities, rank, of_itself: false, span })
}

/// The rank that a place, a number of the first, or *one of* gives.
fn rank(place: Option<usize>, first: Option<usize>, is_one_of: bool) -> Rank {
    match (place, first) {
        (Some(place), _) => Rank::At(place),
        (None, Some(first)) => Rank::Within(first),
        (None, None) if is_one_of => Rank::Near,
        (None, None) => Rank::At(1),
    }
}

/// So many words stand between an article and the superlative behind them.
const MOST_NOUNS: usize = 2;

/// So many small words stand between *one* and the greatest: *one of the*.
const MOST_SMALL: usize = 2;
