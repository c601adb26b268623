//! What the part of a sentence that says the claim asserts beside its words: that it is denied, possible or planned, goes up or down, holds
//! for all. The claim has to assert the same; where it does not, the page says less, or something else.
//!
//! All are signs, and prove nothing.

use super::case::Case;
use super::cues::{self, Class};
use super::neighbours::is_content;
use super::polarity::{self, Stance};
use crate::text::Span;
use crate::text::language::Spoken;
use crate::text::script::is_cjk;
use crate::text::words::Word;

/// A sentence says the claim with this share of its words, and a part of it with this share of those that the sentence has.
const MOST: f64 = 0.6;
/// What parts a sentence; before a space, or in writing without spaces.
const PARTS: [char; 11] = [',', ';', ':', '—', '–', '(', ')', '，', '；', '、', '\n'];

/// So many words behind a word of planning stands its *to*.
const REACH: usize = 3;

/// How sure it is that something is so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    /// It may be.
    Possible,
    /// It is to be.
    Planned,
    /// It is, or was.
    Fact,
}

/// The part of the best sentence that has most of the claim, with the words in it up to the last that the claim has, too.
struct Part<'i> {
    sentence: usize,
    span: Span,
    words: &'i [Word],
}

impl<'i> Part<'i> {
    fn of(case: &Case<'_, 'i, '_>) -> Option<Self> {
        let sentence = case.best_sentence()?;
        let page = case.index.words_of(sentence, sentence);
        let whole = case.index.span_of(sentence, sentence);
        let claimed = |word: &Word| is_content(word) && case.words.iter().any(|own| own.key == word.key);
        let found = page.iter().filter(|word| claimed(word)).count();
        let own = case.words.iter().filter(|word| is_content(word)).count();
        if (found as f64) < MOST * own as f64 {
            return None;
        }
        let count = |span: &Span| page.iter().filter(|word| span.contains(word.span) && claimed(word)).count();
        let span = parts(case.index.text(), whole, page).into_iter().max_by_key(count)?;
        if (count(&span) as f64) < MOST * found as f64 {
            return None;
        }
        let first = page.iter().position(|word| span.contains(word.span))?;
        let last = page.iter().rposition(|word| span.contains(word.span) && claimed(word))?;
        let words = page.get(first..=last)?;
        Some(Part { sentence, span, words })
    }

    fn stance(&self, case: &Case<'_, '_, '_>) -> Stance {
        let languages = case.index.languages_of(self.sentence, self.sentence).narrowed(case.languages);
        // Where words are not spaced, the verb stands last.
        let said = self.words.first().zip(self.words.last()).map(|(first, last)| first.span.cover(last.span));
        let said = said.filter(|_| !case.claim.contains(is_cjk));
        polarity::stance_in(Spoken { text: said.unwrap_or(self.span).of(case.index.text()), languages })
    }
}

/// The parts of a sentence: between its marks, and before words that set what follows off.
fn parts(text: &str, whole: Span, page: &[Word]) -> Vec<Span> {
    let inside = whole.of(text);
    let marks = inside.match_indices(PARTS).filter(|(at, mark)| {
        // A comma inside a number parts nothing.
        mark.len() > 1
            || inside.get(at + mark.len()..).is_none_or(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()))
    });
    let marks = marks.map(|(at, mark)| whole.start + at + mark.len());
    let words = page.iter().filter(|word| cues::sets_off(word)).map(|word| word.span.start);
    let mut cuts: Vec<usize> = marks.chain(words).chain([whole.end]).collect();
    cuts.sort_unstable();
    let mut from = whole.start;
    let mut parts = Vec::with_capacity(cuts.len());
    for cut in cuts {
        if cut > from {
            parts.push(Span::new(from, cut));
        }
        from = cut;
    }
    parts
}

/// What a claim asserts.
fn claimed(case: &Case<'_, '_, '_>) -> Stance {
    polarity::stance_in(Spoken { text: case.claim, languages: case.languages })
}

/// Whether a claim is one statement: what is said of one part of it is said of all.
fn is_one_statement(case: &Case<'_, '_, '_>) -> bool {
    parts(case.claim, Span::new(0, case.claim.len()), case.words).len() == 1 && !case.words.iter().any(cues::joins)
}

/// How sure some words are of what they say. Verbs with a meaning of their own (*suggests*, *plans*) may be of something else.
fn level(words: &[Word], text: &str) -> Level {
    // *Expected to*, and *expect prices to*.
    let to = |word: &Word| words.iter().filter(|next| next.span.start > word.span.end).take(REACH).any(cues::is_level);
    let expected = || words.iter().any(|word| !word.capital && cues::is_planned(word) && to(word));
    // *May no longer* forbids.
    let denied = |at: usize| words.get(at + 1).is_some_and(|next| cues::has(next, Class::Negator));
    let possible =
        |(at, word): (usize, &Word)| word.stop && cues::hedges(word) && !denied(at) || cues::has(word, Class::Possible);
    if words.iter().enumerate().any(possible) {
        Level::Possible
    } else if words.iter().any(|word| word.stop && cues::is_planned(word))
        || cues::foresees_in_a_phrase(text)
        || cues::leaves_open(text)
        || expected()
    {
        Level::Planned
    } else {
        Level::Fact
    }
}

/// Whether a claim says in any way that it is only foreseen.
fn foresees(case: &Case<'_, '_, '_>) -> bool {
    case.words.iter().any(cues::foresees) || cues::foresees_in_a_phrase(case.claim) || cues::leaves_open(case.claim)
}

/// The sentence whose part is less sure than the claim: *may open* for *has opened*, *could follow* for *will follow*.
pub(super) fn said_less_surely(case: &Case<'_, '_, '_>) -> Option<usize> {
    let own = if foresees(case) { level(case.words, case.claim).min(Level::Planned) } else { Level::Fact };
    if own == Level::Possible || !is_one_statement(case) {
        return None;
    }
    let part = Part::of(case)?;
    let text = case.index.text();
    let (first, last) = (part.words.first()?, part.words.last()?);
    let end = if last.span.end < part.span.end { part.span.end } else { last.span.end };
    let read = text.get(first.span.start..end).unwrap_or_default();
    (level(part.words, read) < own).then_some(part.sentence)
}

/// The sentence whose part denies where the claim does not, or the other way round.
pub(super) fn said_with_another_sign(case: &Case<'_, '_, '_>) -> Option<usize> {
    if !is_one_statement(case) {
        return None;
    }
    let part = Part::of(case)?;
    let (own, theirs) = (claimed(case), part.stance(case));
    let page = case.index.words_of(part.sentence, part.sentence);
    // A denial may stand in the part before, but not before a *but*.
    let apart = page.iter().any(cues::sets_off)
        || polarity::stance_in(case.index.spoken(part.sentence, part.sentence)).negators == 0;
    let differs = own.negators % 2 != theirs.negators % 2;
    (differs && (own.negators == 0 || apart)).then_some(part.sentence)
}

/// The sentence whose part only goes up where the claim only goes down, or the other way round.
pub(super) fn said_to_go_the_other_way(case: &Case<'_, '_, '_>) -> Option<usize> {
    let own = claimed(case);
    if own.up == own.down {
        return None;
    }
    let part = Part::of(case)?;
    let theirs = part.stance(case);
    (theirs.up != theirs.down && theirs.up != own.up).then_some(part.sentence)
}

/// The sentence that does not say of all what the claim does.
pub(super) fn not_said_of_all(case: &Case<'_, '_, '_>) -> Option<usize> {
    let all = |words: &[Word]| words.iter().any(|word| cues::has(word, Class::All));
    // *All 86* may be *the 86* on the page, and *with 412 seats each* is of each of them.
    let all_beside = |pair: &[Word]| cues::has(&pair[0], Class::All) && pair[1].number;
    let each = |three: &[Word]| three[0].number && cues::has(&three[2], Class::All);
    let counted = case.words.windows(2).any(all_beside) || case.words.windows(3).any(each);
    if !all(case.words) || counted {
        return None;
    }
    let sentence = case.best_sentence()?;
    (!all(case.index.words_of(sentence, sentence))).then_some(sentence)
}

#[cfg(test)]
mod tests {
    use crate::judge::tests::check_support as check;

    #[test]
    fn what_is_possible_or_planned_is_no_fact() {
        check(
            "Version 2, planned for the autumn, may bring tags to the editor.",
            "Version 2 has brought tags to the editor.",
            false,
        );
        check("The station at Holm is due to open in spring.", "The station at Holm has opened in spring.", false);
        check("The station could follow in Holm in 2034.", "The station will follow in Holm in 2034.", false);
        check("The station will open in Holm in 2034.", "The station will open in Holm in 2034.", true);
        check("Lorries may no longer use the harbour road.", "Lorries may no longer use the harbour road.", true);
        check(
            "The plant, which may be closed in 2030, makes 12 tonnes a day.",
            "The plant makes 12 tonnes a day.",
            true,
        );
    }

    #[test]
    fn a_denial_counts_in_the_part_that_says_the_claim() {
        let page = "A strike does not stop the trains but it does stop the ferries of the company.";
        check(page, "A strike does not stop the ferries of the company.", false);
        check(page, "A strike does not stop the trains.", true);
        let late = "In Mill Hill 312 postal ballots arrived after the deadline and were not counted.";
        check(late, "In Mill Hill 312 postal ballots arrived after the deadline.", true);
    }

    #[test]
    fn what_is_said_of_so_many_is_not_said_of_all() {
        let page = "Ida Storm inspected 40 bridges and reported that 31 of them had room for a cycle path.";
        check(page, "Ida Storm reported that all of the inspected bridges had room for a cycle path.", false);
        check(page, "Ida Storm reported that 31 bridges had room for a cycle path.", true);
    }
}
