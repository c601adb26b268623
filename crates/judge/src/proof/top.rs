//! The superlatives of a claim.

use crate::case::Case;
use crate::cues::{self, Class};
use cited_text::Span;
use cited_text::quantity::{Bound, Measure, Quantity};
use cited_text::words::Word;

/// An end of a column of values; of years, the last two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Greatest,
    Least,
    Earliest,
    Latest,
}

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
    pub(super) end: Option<End>,
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
    (0..case.words.len()).filter_map(|at| top(case, at)).collect()
}

fn top<'c>(case: &'c Case<'_>, at: usize) -> Option<Top<'c>> {
    let word = &case.words[at];
    // Romance languages make it of two words, before or behind what it is said of: *el segundo modelo más caro*, *le modèle le plus cher*.
    let compares = case.words.get(at + 2).is_some_and(cues::is(Class::Than));
    let second = case.words.get(at + 1).filter(|_| cues::has(word, Class::Extreme) && !compares);
    let second = second.map(|second| (second, cues::qualities_behind(second))).filter(|(_, of)| !of.is_empty());
    let within = cues::rank_within(case.claim, word);
    let form = within.map_or(word.form, |(_, form)| form);
    let qualities = cues::qualities(form, word.spoken);
    if second.is_none() && within.is_none() && qualities.is_empty() && !cues::is_top(case.claim, word) {
        return None;
    }
    let whole = &case.words[..at];
    let article = whole.last().is_some_and(cues::is(Class::Article));
    let rest = &whole[..at - usize::from(article)];
    let nouns = rest.iter().rev().take(MOST_NOUNS).take_while(|word| is_noun(case, word)).count();
    let behind_nouns = second.as_ref().filter(|_| nouns > 0).map(|_| &rest[..rest.len() - nouns]);
    let within = within.map(|(place, _)| place);
    let places = behind_nouns.into_iter().chain([whole]);
    let (rank, of_itself, begins) = places.into_iter().find_map(|before| rank(case, before, within))?;
    let ends = second.as_ref().map_or(word.span.end, |(second, _)| second.span.end);
    let (end, qualities) = match second {
        None => (end_of(cues::ends_of(form, word.spoken)), qualities),
        Some((_, qualities)) => {
            // *Menos caro*.
            let lessens = cues::has(word, Class::Least);
            (None, qualities.into_iter().map(|(head, greatest)| (head, greatest != lessens)).collect())
        }
    };
    Some(Top { word, end, qualities, rank, of_itself, span: Span::new(begins, ends) })
}

/// The rank that the words before a superlative give it, whether it is compared with itself, and where it begins; none without an article.
fn rank(case: &Case<'_>, before: &[Word], within: Option<usize>) -> Option<(Rank, bool, usize)> {
    // *The third largest*, *the three largest*.
    let next = case.words.get(before.len())?;
    let right_before =
        |end: usize| case.claim.get(end..next.span.start).is_some_and(|gap| gap.trim() == "" || gap == "-");
    let value = case.quantities.iter().find(|q| right_before(q.span.end) && q.bound == Bound::Exact);
    let whole = |q: &Quantity| (q.value.fract() == 0.0 && q.value >= 1.0).then_some(q.value as usize);
    let number = value.filter(|q| q.measure == Measure::Count).and_then(whole);
    let ordinal = value.filter(|q| q.measure == Measure::Ordinal).and_then(whole);
    let said = before.last().filter(|before| right_before(before.span.end)).and_then(cues::rank);
    let told = match value.filter(|_| number.or(ordinal).is_some()) {
        Some(q) => before.partition_point(|word| word.span.end <= q.span.start),
        None => before.len() - usize::from(said.is_some()),
    };
    let begins = case.words[told].span.start;
    let (article, before) = before[..told].split_last()?;
    let of_itself = cues::has(article, Class::Pronoun);
    if !of_itself && !cues::has(article, Class::Article) {
        return None;
    }
    let is_one_of = |word: &&Word| cues::has(word, Class::OneOf);
    let mut small = before.iter().rev().take(MOST_SMALL).take_while(|word| word.stop || is_one_of(word));
    let one = small.find(is_one_of);
    let rank = match (within.or(ordinal).or(said), number) {
        (Some(place), _) => Rank::At(place),
        (None, Some(first)) => Rank::Within(first),
        (None, None) if one.is_some() => Rank::Near,
        (None, None) => Rank::At(1),
    };
    Some((rank, of_itself, one.map_or(begins, |one| one.span.start)))
}

/// So many words stand between an article and the superlative behind them.
const MOST_NOUNS: usize = 2;

/// Whether a word may be what a superlative is said of.
fn is_noun(case: &Case<'_>, word: &Word) -> bool {
    !word.stop && cues::rank(word).is_none() && !case.quantities.iter().any(|q| q.span.overlaps(word.span))
}

/// So many small words stand between *one* and the greatest: *one of the*.
const MOST_SMALL: usize = 2;

/// Which end of a column a superlative of these classes is.
fn end_of(classes: u64) -> Option<End> {
    let of = [
        (Class::Greatest, End::Greatest),
        (Class::Least, End::Least),
        (Class::Earliest, End::Earliest),
        (Class::Latest, End::Latest),
    ];
    crate::only::only(of.into_iter().filter(|(class, _)| classes & *class as u64 != 0).map(|(_, end)| end))
}
