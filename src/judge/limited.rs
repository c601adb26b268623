//! What a passage says only under a limit that the claim leaves out: it may be so, it was so until a year, it is so on a condition.
//!
//! All are signs that the passage says less than the claim, and prove nothing.

use super::case::Case;
use super::cues::{self, Class};
use super::neighbours::is_content;
use super::whose::best_sentence;
use crate::quantity::Measure;
use crate::text::words::Word;

/// So many small words between *may* and what may be: *may have been closed*.
const MOST_SMALL: usize = 2;
/// The year stands so close behind *until*, in bytes: *until the end of 2004*.
const NEAR: usize = 24;
/// How English makes participles: *when taken with food*.
const PARTICIPLES: [&str; 2] = ["ed", "en"];

/// The words of the best sentence, and which of them say something that the claim says too.
fn best<'i>(case: &Case<'_, 'i, '_>) -> Option<(usize, &'i [Word], Vec<bool>)> {
    let sentence = best_sentence(case)?;
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

/// The sentence of the best passage that says until when it was so, where the claim says that it is: *head of the library until 2004*.
pub(super) fn said_to_have_ended(case: &Case<'_, '_, '_>) -> Option<usize> {
    if !claims(case, Class::Present) || claims(case, Class::Until) {
        return None;
    }
    let (sentence, page, _) = best(case)?;
    let dates =
        || case.index.quantities_of(sentence, sentence).iter().filter(|q| matches!(q.measure, Measure::Date(_)));
    let dated = |word: &Word| {
        let end = word.span.end;
        dates().any(|date| date.span.start > end && date.span.start - end <= NEAR && !case.has_value(date))
    };
    let ended = page.iter().any(|word| cues::has(word, Class::Until) && dated(word));
    (ended && !page.iter().any(|word| cues::has(word, Class::Present))).then_some(sentence)
}

/// The sentence of the best passage that says it on a condition which the claim leaves out: *safe when taken with food*.
pub(super) fn said_on_a_condition(case: &Case<'_, '_, '_>) -> Option<usize> {
    if claims(case, Class::Condition) || claims(case, Class::When) {
        return None;
    }
    let (sentence, page, claimed) = best(case)?;
    let text = case.index.text();
    let participle = |word: &Word| {
        let form = word.span.of(text);
        !word.stop && !word.capital && PARTICIPLES.iter().any(|ending| form.ends_with(ending))
    };
    let begins = |at: usize| {
        let asks = at.checked_sub(1).is_some_and(|before| cues::has(&page[before], Class::Asking));
        let when = || claims(case, Class::Present) && page.get(at + 1).is_some_and(participle);
        cues::has(&page[at], Class::Condition) && !asks || cues::has(&page[at], Class::When) && when()
    };
    let conditional = (0..page.len()).filter(|at| begins(*at)).any(|at| {
        // Behind what the claim says, or before it and a comma.
        let end = (at + 1..page.len())
            .find(|i| text.get(page[i - 1].span.end..page[*i].span.start).is_some_and(|gap| gap.contains([',', ';'])));
        // *It runs for a year and is renewed unless …*: that is a condition of what stands behind the *and*.
        let said = claimed[..at].iter().rposition(|said| *said);
        let parted = said.is_some_and(|last| {
            let between = text.get(page[last].span.end..page[at].span.start);
            page[last + 1..at].iter().any(cues::joins) || between.is_some_and(|gap| gap.contains([';', ':', ',']))
        });
        let stretch = at..if at == 0 { end.unwrap_or(page.len()) } else { page.len() };
        let own = page[stretch.clone()].iter().any(is_content);
        own && !parted && claimed.iter().any(|said| *said) && !claimed[stretch].iter().any(|said| *said)
    });
    conditional.then_some(sentence)
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

    #[test]
    fn what_was_until_a_year_is_no_more() {
        let page = "Anna Berg, head of the library until 2004, wrote the book.";
        check(page, "Anna Berg is head of the library.", false);
        check(page, "Anna Berg wrote the book.", true);
        let page = "The bridge was the longest in the country until 2004.";
        check(page, "The bridge is still the longest in the country.", false);
        check(page, "The bridge was the longest in the country until 2004.", true);
        check("The museum is open on Sundays until 6 pm.", "The museum is open on Sundays.", true);
    }

    #[test]
    fn a_condition_belongs_to_what_is_said() {
        for page in ["The drug is safe when taken with food.", "The drug is safe if it is taken with food."] {
            check(page, "The drug is safe.", false);
            check(page, page, true);
        }
        let page = "The plant in Holm stopped work in May when a pump failed.";
        check(page, "The plant in Holm stopped work in May.", true);
        let page = "The policy runs for one year and is renewed unless it is cancelled.";
        check(page, "The policy runs for one year.", true);
        let page = "The tax is due if a house is sold, and the town collects it in March.";
        check(page, "The town collects the tax in March.", true);
    }
}
