//! The superlative of a claim.

use crate::judge::case::Case;
use crate::judge::cues::{self, Class};
use crate::judge::undone;
use crate::text::words::Word;

/// The word by which a claim says that nothing goes further: *the largest*.
pub(super) struct Top<'c> {
    pub(super) word: &'c Word,
    /// Whether it has the greatest value or the least; `None` where the word does not tell: *the oldest*.
    pub(super) greatest: Option<bool>,
}

/// The one superlative of a claim, with its article: *its largest* compares it with itself, *most mills* is no superlative.
pub(super) fn top<'c>(case: &'c Case<'_, '_, '_>) -> Option<Top<'c>> {
    let before = |at: usize| at.checked_sub(1).and_then(|at| case.words.get(at));
    let after_article = |at: usize| before(at).is_some_and(cues::is_article);
    let mut tops = case
        .words
        .iter()
        .enumerate()
        .filter(|(at, word)| (undone::is_top(case.claim, word) || direction(word).is_some()) && after_article(*at))
        .map(|(_, word)| Top { word, greatest: direction(word) });
    let top = tops.next()?;
    tops.next().is_none().then_some(top)
}

fn direction(word: &Word) -> Option<bool> {
    match (cues::has(word, Class::Greatest), cues::has(word, Class::Least)) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}
