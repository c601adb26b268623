//! Sentences of one form that say different numbers of different things: *Chile exported 40 tonnes of silver. Peru exported 25 tonnes of
//! silver.* Where the claim is the second one with the number of the first, the page has another number for it.

use super::case::{Case, same_kind};
use super::designated;
use super::difference::differs;
use super::neighbours::is_content;
use super::spot::Spot;
use crate::quantity::Quantity;
use crate::text::Span;
use crate::text::words::Word;

/// The two sentences are no further apart.
const NEAR: usize = 2;
/// A claim with fewer words than this, beside its number, has no form.
const FORM: usize = 2;
/// In so many sentences the claim's number is looked for.
const MOST_PLACES: usize = 12;

/// What says of what a number is: the content words of a sentence and its other numbers, in order.
fn form(words: &[Word], number: Span) -> Vec<&Word> {
    words.iter().filter(|word| (word.number || is_content(word)) && !number.overlaps(word.span)).collect()
}

/// The one word in which two forms differ, each with its own.
fn differing<'w>(mine: &[&'w Word], theirs: &[&'w Word]) -> Option<(&'w Word, &'w Word)> {
    if mine.len() != theirs.len() {
        return None;
    }
    let mut pairs = mine.iter().zip(theirs).filter(|(own, other)| own.key != other.key);
    let (own, other) = pairs.next()?;
    pairs.next().is_none().then_some((*own, *other))
}

/// The sentence that is the claim with another number, and that number, where the claim's own number stands, near it, only in sentences
/// of the same form with another word in one place. `places` are the sentences and values of the claim's number.
pub(super) fn said_with_another_number<'i>(
    case: &Case<'_, 'i, '_>,
    q: &Quantity,
    places: &[(usize, Span)],
) -> Option<(usize, &'i Quantity)> {
    if places.is_empty() || places.len() > MOST_PLACES || q.is_temporal() {
        return None;
    }
    let own = form(case.words, q.span);
    if own.len() < FORM {
        return None;
    }
    let others = |(sentence, number): &(usize, Span)| {
        let theirs = form(case.index.words_of(*sentence, *sentence), *number);
        differing(&own, &theirs).is_some_and(|(mine, other)| {
            // A name and a word for it may be one thing: *Peru*, *the country*. *iPhone 8* and *iPhone X* are two.
            let told_apart = designated::is_sign(case.claim, mine) && designated::is_sign(case.index.text(), other);
            (mine.capital, mine.number) == (other.capital, other.number) || told_apart
        })
    };
    if !places.iter().all(others) {
        return None;
    }
    let first = places.iter().map(|(sentence, _)| *sentence).min()?;
    let last = places.iter().map(|(sentence, _)| *sentence).max()?;
    let end = (last + NEAR).min(case.index.len().saturating_sub(1));
    (first.saturating_sub(NEAR)..=end).find_map(|sentence| {
        let mut like = case.index.quantities_of(sentence, sentence).iter().filter(|other| same_kind(case, q, other));
        let (Some(other), None) = (like.next(), like.next()) else { return None };
        let theirs = form(case.index.words_of(sentence, sentence), other.span);
        let same = own.len() == theirs.len() && own.iter().zip(&theirs).all(|(mine, other)| mine.key == other.key);
        (same && differs(&Spot::new(case, q, other, sentence))).then_some((sentence, other))
    })
}

#[cfg(test)]
mod tests {
    use crate::claim::ClaimKind;
    use crate::judge::{ClaimText, Settings, SourceText, Standing, judge};

    /// Pages, claims, and whether the page says that the number is another one.
    const TABLE: [(&str, &str, bool); 12] = [
        (
            "Chile exported 40 tonnes of silver. Peru exported 25 tonnes of silver.",
            "Peru exported 40 tonnes of silver.",
            true,
        ),
        (
            "Chile exported 40 tonnes of silver. Peru exported 25 tonnes of silver.",
            "Chile exported 40 tonnes of silver.",
            false,
        ),
        ("Google owns 14 cables. Meta owns 3 cables.", "Meta owns 14 cables.", true),
        (
            "The south mine employs 320 people. The north mine employs 110 people.",
            "The north mine employs 320 people.",
            true,
        ),
        ("In 2020 sales were $5 million. In 2021 sales were $7 million.", "In 2021 sales were $5 million.", true),
        (
            "The average salary was 18,420 euros. The median salary was 15,950 euros.",
            "The median salary was 18,420 euros.",
            true,
        ),
        // The country is Peru.
        (
            "Peru exported 25 tonnes of silver. The country exported 40 tonnes of silver.",
            "Peru exported 40 tonnes of silver.",
            false,
        ),
        (
            "Peru exported 25 tonnes of silver in May. In June it exported 40 tonnes.",
            "Peru exported 40 tonnes of silver.",
            false,
        ),
        ("The 2020 plan cost $5 million. The plan cost $7 million.", "The plan cost $5 million.", false),
        (
            "Chile exported 40 tonnes of silver. Peru exported 25 tonnes of gold.",
            "Peru exported 40 tonnes of silver.",
            false,
        ),
        (
            "Chile and Peru exported 40 tonnes of silver. Peru exported 25 tonnes of silver.",
            "Peru exported 40 tonnes of silver.",
            false,
        ),
        (
            "Chile exported 40 tonnes of silver. Peru exported 25 tonnes of silver. Later Peru said that it was 40 tonnes.",
            "Peru exported 40 tonnes of silver.",
            false,
        ),
    ];

    #[test]
    fn the_sentence_itself_has_another_number() {
        for (page, claim, other) in TABLE {
            let source = SourceText::new(page, "");
            let verdict = judge(&ClaimText::new(claim, ClaimKind::Quantitative), &source, &Settings::default());
            assert_eq!(verdict.standing == Standing::Contradicted, other, "{claim:?} by {page:?}: {verdict:?}");
        }
    }
}
