//! The superlatives of a claim.

use crate::judge::case::Case;
use crate::judge::cues::{self, Class};
use crate::judge::undone;
use crate::text::words::Word;

/// An end of a column of values; of years, the last two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Greatest,
    Least,
    Earliest,
    Latest,
}

/// A word by which a claim says that nothing goes further: *the largest*.
pub(super) struct Top<'c> {
    pub(super) word: &'c Word,
    /// `None` where the word does not tell: *the fastest* has the least time, or the greatest speed.
    pub(super) end: Option<End>,
    /// Whether it is compared with itself: *its largest*.
    pub(super) of_itself: bool,
}

/// The superlatives of a claim, with what makes them such: *most mills* is none.
pub(super) fn tops<'c>(case: &'c Case<'_, '_, '_>) -> Vec<Top<'c>> {
    let top = |(at, word): (usize, &'c Word)| {
        let before = case.words.get(at.checked_sub(1)?)?;
        let of_itself = cues::has(before, Class::Pronoun);
        let made = undone::is_top(case.claim, word) && (of_itself || cues::is_article(before));
        made.then(|| Top { word, end: end_of(word), of_itself })
    };
    case.words.iter().enumerate().filter_map(top).collect()
}

/// Which end of a column a superlative is.
fn end_of(word: &Word) -> Option<End> {
    let of = [
        (Class::Greatest, End::Greatest),
        (Class::Least, End::Least),
        (Class::Earliest, End::Earliest),
        (Class::Latest, End::Latest),
    ];
    let mut ends = of.into_iter().filter(|(class, _)| cues::has(word, *class)).map(|(_, end)| end);
    ends.next().filter(|_| ends.next().is_none())
}
