//! What a passage only calls possible: a sign that it says less than the claim, and no proof.

use super::case::Case;
use super::cues::{self, Class};
use super::neighbours::is_content;
use crate::text::words::Word;

/// So many small words between *may* and what may be: *may have been closed*.
const MOST_SMALL: usize = 2;

/// The words of the best sentence, and which of them say something that the claim says too.
fn best<'i>(case: &Case<'_, 'i, '_>) -> Option<(usize, &'i [Word], Vec<bool>)> {
    let sentence = case.best_sentence()?;
    let page = case.index.words_of(sentence, sentence);
    let claimed = |word: &Word| is_content(word) && case.words.iter().any(|own| own.key == word.key);
    Some((sentence, page, page.iter().map(claimed).collect()))
}

/// Whether a claim has a word of a class.
fn claims(case: &Case<'_, '_, '_>, class: Class) -> bool {
    case.words.iter().any(|word| cues::has(word, class))
}

/// The sentence of the best passage that calls possible what the claim says is so: *could last for months*, *may be added*, *is thought
/// to date from 1200*.
pub(super) fn said_to_be_possible(case: &Case<'_, '_, '_>) -> Option<usize> {
    if case.words.iter().any(cues::hedges) || claims(case, Class::Possible) {
        return None;
    }
    let (sentence, page, claimed) = best(case)?;
    let text = case.index.text();
    let leads_to_it = |from: usize| {
        let small = page[from..].iter().take(MOST_SMALL).take_while(|word| word.stop).count();
        claimed.get(from + small) == Some(&true)
    };
    let possible = (0..page.len()).any(|at| {
        let thought = page.get(at + 1).is_some_and(cues::is_level) && leads_to_it(at + 2);
        cues::hedges(&page[at]) && (thought || page[at].stop && leads_to_it(at + 1))
    });
    // In other languages what may be stands at the end of the clause: *könnte 2027 geschlossen werden*.
    let in_its_clause = |at: usize| {
        let behind = (at + 1..page.len()).take_while(|i| {
            text.get(page[at].span.end..page[*i].span.start).is_some_and(|gap| !gap.contains([',', ';', ':', '\n']))
        });
        behind.into_iter().any(|i| claimed[i])
    };
    let elsewhere = || (0..page.len()).any(|at| cues::has(&page[at], Class::Possible) && in_its_clause(at));
    (possible || elsewhere()).then_some(sentence)
}

#[cfg(test)]
mod tests {
    use crate::judge::tests::check_support as check;

    #[test]
    fn what_may_be_is_not_what_is() {
        check("Wine may be added in 2027.", "Wine will be added in 2027.", false);
        check("Wine might be added in 2027.", "Wine might be added in 2027.", true);
        check("The storm may have killed 40 people.", "The storm killed 40 people.", false);
        check("The circle is thought to date from 1200.", "The circle dates from 1200.", false);
        check("The tax is believed to have cost 40 million euros.", "The tax cost 40 million euros.", false);
        check("Wein könnte 2027 hinzugefügt werden.", "Wein wird 2027 hinzugefügt.", false);
        check(
            "The plant, which may be closed in 2030, makes 12 tonnes a day.",
            "The plant makes 12 tonnes a day.",
            true,
        );
        check("Wine will be added in 2027.", "Wine will be added in 2027.", true);
    }
}
