//! What a part of a sentence is about: *Northfield had 58% of possession to Harbour City's 42* gives Harbour City no 58%.
//!
//! Told by order alone: what stands first in a clause or in a part of a sentence is what it is about, and the word right before a
//! value says what is said of it. All are signs, and prove nothing.

use crate::judge::case::Case;
use crate::judge::neighbours::{clause, is_content};
use crate::judge::spot::Spot;
use crate::judge::{cues, parts, polarity};
use crate::quantity::{Agreement, Quantity, compare, month};
use crate::text::Span;
use crate::text::words::Word;

/// So many words of any kind before a value the word that leads to it is looked for.
const LEAD: usize = 5;
/// What follows a name within so many bytes is the name's own value: *Harbour City's 11*.
const OWN_VALUE: usize = 12;
/// So many words of the claim have to be said in a part of a sentence that is about something else.
const SAID: usize = 2;

/// Whether a word is a name by its writing.
fn is_name(text: &str, word: &Word) -> bool {
    word.capital && is_content(word) && month(word.span.of(text)).is_none()
}

/// Whether the clause of the page's value, or the part of the sentence that is set off, begins with a name that the claim does not
/// have, and the name that the claim begins with stands in another one, or behind the value with one of its own.
pub(super) fn is_of_the_clauses_own_name(spot: &Spot<'_, '_>) -> bool {
    let case = spot.case;
    let begins =
        |word: &&Word| word.span.end <= spot.q.span.start && is_name(case.claim, word) && is_named_inside(case, word);
    let mine: Vec<&Word> = case.words.iter().filter(begins).collect();
    if mine.is_empty() || mine.iter().any(|name| spot.words().iter().all(|word| word.key != name.key)) {
        return false;
    }
    let clause = clause(spot.text(), spot.place.span);
    is_of_the_name_before(spot, clause, &mine)
        || is_of_the_name_before(spot, set_off(spot), &mine)
        || is_of_a_name_before(spot, clause, &mine)
        || is_of_the_sentences_own_name(spot, clause, &mine)
}

/// Whether the sentence begins with a name that the claim does not have, and those that the claim begins with only stand behind a
/// preposition in a clause before the value's: *Karel Novak lost again, this time to Omar Haddad, and is last with 2 points*.
fn is_of_the_sentences_own_name(spot: &Spot<'_, '_>, clause: Span, mine: &[&Word]) -> bool {
    let (case, page) = (spot.case, spot.words());
    let claimed = |word: &Word| case.words.iter().any(|own| own.key == word.key);
    let Some(head) = page.first() else { return false };
    let begins = is_name(spot.text(), head) && is_named_inside(case, head) && !claimed(head);
    let relative = page.iter().find(|word| clause.contains(word.span)).is_some_and(cues::is_relative);
    let behind_a_preposition = |at: usize| {
        let own = |word: &Word| mine.iter().any(|name| name.key == word.key);
        let before = page[..at].iter().rev().find(|word| !own(word));
        page[at].span.end <= clause.start && before.is_some_and(cues::is_preposition)
    };
    begins
        && !relative
        && (0..page.len()).filter(|at| mine.iter().any(|name| name.key == page[*at].key)).all(behind_a_preposition)
}

/// Whether a name that the claim does not have stands in the clause before the value, and those that the claim begins with only
/// behind the clause: *won by Daniel Kiprop in 2:07:41, 33 seconds ahead of Abel Tesfaye*.
fn is_of_a_name_before(spot: &Spot<'_, '_>, clause: Span, mine: &[&Word]) -> bool {
    let (case, text) = (spot.case, spot.text());
    let claimed = |word: &Word| case.words.iter().any(|own| own.key == word.key);
    let before = |word: &&Word| clause.contains(word.span) && word.span.end <= spot.place.span.start;
    let mut names = spot.words().iter().filter(before).filter(|word| is_name(text, word)).peekable();
    let behind = |word: &Word| mine.iter().all(|name| name.key != word.key) || word.span.start >= clause.end;
    names.peek().is_some_and(|first| {
        spot.words().first().is_some_and(|word| word.span != first.span) || is_named_inside(case, first)
    }) && names.all(|word| !claimed(word))
        && spot.words().iter().all(behind)
}

/// The same for one stretch of the sentence and the names that the claim begins with.
fn is_of_the_name_before(spot: &Spot<'_, '_>, stretch: Span, mine: &[&Word]) -> bool {
    let (case, text) = (spot.case, spot.text());
    let inside = || spot.words().iter().filter(|word| stretch.contains(word.span));
    // A word that joins may come first, and nothing else: *to United* is no subject.
    let Some(head) = inside().find(|word| !(cues::joins(word) || cues::sets_off(word))) else { return false };
    let claimed = |word: &Word| case.words.iter().any(|own| own.key == word.key);
    let before = || inside().filter(|word| word.span.end <= spot.place.span.start && is_name(text, word));
    let is_first = spot.words().first().is_some_and(|first| first.span == head.span);
    is_name(text, head)
        && head.span.end <= spot.place.span.start
        && (!is_first || is_named_inside(case, head))
        && !before().any(claimed)
        && !goes_on_a_row_of_names(spot, stretch)
        && mine.iter().all(|name| {
            let mut places = spot.words().iter().filter(|word| word.key == name.key);
            places.all(|word| !stretch.contains(word.span) || has_a_value_of_its_own(spot, word))
        })
}

/// The part of the sentence with the page's value, from the last mark or word that sets it off.
fn set_off(spot: &Spot<'_, '_>) -> Span {
    let part = parts::part_round(spot);
    let before = |word: &&Word| part.contains(word.span) && word.span.end <= spot.place.span.start;
    let start = spot
        .words()
        .iter()
        .filter(before)
        .rfind(|word| cues::sets_off(word))
        .map_or(part.start, |word| word.span.start);
    Span::new(start, part.end.max(spot.place.span.end))
}

/// Whether a name of the claim or the page stands somewhere on the page inside a sentence, with a capital: the first word of a
/// sentence has one in any case.
fn is_named_inside(case: &Case<'_, '_, '_>, name: &Word) -> bool {
    let last = case.index.len().saturating_sub(1);
    let windows = case.windows.iter().flat_map(|window| window.first.saturating_sub(1)..=(window.last + 1).min(last));
    let mut sentences = windows.chain([0]);
    sentences.any(|sentence| {
        let rest = case.index.words_of(sentence, sentence).get(1..).unwrap_or_default();
        rest.iter().any(|word| word.capital && word.key == name.key)
    })
}

/// Whether a clause only continues a row of names: *Apple, Google and Microsoft had …* is of Apple too.
fn goes_on_a_row_of_names(spot: &Spot<'_, '_>, clause: Span) -> bool {
    let text = spot.text();
    let before = spot.words().iter().rev().skip_while(|word| word.span.start >= clause.start);
    let mut edge = clause.start;
    let mut names = 0;
    for word in before {
        let gap = text.get(word.span.end..edge).unwrap_or_default();
        if names > 0 && gap.contains([',', ';', '、', '，']) {
            break;
        }
        if !word.stop && !is_name(text, word) {
            return false;
        }
        names += usize::from(!word.stop);
        edge = word.span.start;
    }
    names > 0
}

/// Whether a name is followed by a value of its own.
fn has_a_value_of_its_own(spot: &Spot<'_, '_>, name: &Word) -> bool {
    let next = spot.values().iter().find(|value| value.span.start >= name.span.end);
    name.span.start >= spot.place.span.end && next.is_some_and(|value| value.span.start - name.span.end <= OWN_VALUE)
}

/// Whether the word that leads to the claim's value stands in the sentence once, behind the clause of the page's value or
/// before it when that is a relative one, and another word leads to the page's value: *Vesta, which had paid 1.8 million, may
/// recover half of it*.
pub(super) fn has_its_lead_elsewhere(spot: &Spot<'_, '_>) -> bool {
    let (case, text) = (spot.case, spot.text());
    let lead_before = |text: &str, words: &[Word], of: Span, within: Span| {
        let before = words.iter().rev().filter(|word| word.span.end <= of.start && within.start <= word.span.start);
        before.take(LEAD).find(|word| is_content(word) && !is_name(text, word)).copied()
    };
    let own_clause = clause(case.claim, spot.q.span);
    let Some(lead) = lead_before(case.claim, case.words, spot.q.span, own_clause) else { return false };
    let clause = clause(text, spot.place.span);
    let claimed = |word: &Word| case.words.iter().any(|own| own.key == word.key);
    let Some(theirs) = lead_before(text, spot.words(), spot.place.span, clause).filter(|word| !claimed(word)) else {
        return false;
    };
    let mut places = spot.words().iter().filter(|word| word.key == lead.key);
    let (Some(once), None) = (places.next(), places.next()) else { return false };
    let relative = spot.words().iter().find(|word| clause.contains(word.span)).is_some_and(cues::is_relative);
    // What a relative clause is said of stands right before it.
    let antecedent = spot.words().iter().rfind(|word| word.span.end <= clause.start && is_content(word));
    once.key != theirs.key
        && (once.span.start >= clause.end
            || relative && once.span.end <= clause.start && antecedent.is_some_and(|word| word.span != once.span))
}

/// Whether a word of the claim has a value of its own in brackets right behind it: *34% speak another language, most often Polish
/// (9%)*.
pub(super) fn names_what_has_a_value_in_brackets(spot: &Spot<'_, '_>) -> bool {
    let (case, text) = (spot.case, spot.text());
    let other = |value: &&Quantity| {
        value.span != spot.place.span
            && value.measure == spot.place.measure
            && compare(spot.place, value) == Agreement::Different
            && !case.has_value(value)
    };
    let mut values = spot.values().iter().filter(other);
    values.any(|value| {
        let before = text.get(spot.whole().start..value.span.start).unwrap_or_default();
        let Some(head) = before.strip_suffix('(').map(str::trim_end) else { return false };
        let end = spot.whole().start + head.len();
        let named = spot.words().iter().find(|word| word.span.end == end && is_content(word));
        named.is_some_and(|word| case.words.iter().any(|own| own.key == word.key) && is_name(text, word))
    })
}

/// Whether words of the claim are only said of the rest of those that the page's value counts: *2,300 were taken ashore, the
/// others stayed on board*.
pub(super) fn is_said_of_the_rest(spot: &Spot<'_, '_>) -> bool {
    let (case, page) = (spot.case, spot.words());
    let part = parts::part_round(spot);
    let after = |word: &&Word| part.contains(word.span) && word.span.start >= spot.place.span.end;
    let Some(rest) = page.iter().filter(after).find(|word| cues::is_rest(word)) else { return false };
    let claimed = |word: &Word| case.words.iter().any(|own| own.key == word.key);
    let before = |key: u64| page.iter().any(|word| word.key == key && word.span.end <= rest.span.start);
    let said =
        |word: &&Word| word.span.start >= rest.span.end && is_content(word) && claimed(word) && !before(word.key);
    // The others have to be what the next clause is about.
    let begins = text_between(spot, rest).is_some_and(|gap| gap.contains([',', ';']));
    begins && !case.words.iter().any(cues::is_rest) && page.iter().filter(after).any(|word| said(&word))
}

/// What stands between the page's value and a word behind it.
fn text_between<'t>(spot: &Spot<'_, 't>, word: &Word) -> Option<&'t str> {
    spot.text().get(spot.place.span.end..word.span.start)
}

/// The sentence of the best passage that says it in a part that is about something else, while what the claim is about is what
/// another part is about: *the first court awarded damages; the court of appeal dismissed the claim*.
pub(super) fn said_in_anothers_part(case: &Case<'_, '_, '_>) -> Option<usize> {
    let sentence = case.best_sentence()?;
    let (page, text) = (case.index.words_of(sentence, sentence), case.index.text());
    let cuts = page.windows(2).filter(|pair| {
        cues::sets_off(&pair[1])
            || text.get(pair[0].span.end..pair[1].span.start).is_some_and(|gap| gap.contains([';', '；']))
    });
    let start = case.index.span_of(sentence, sentence).start;
    // What stands in brackets is no part of the sentence.
    let is_open = |at: usize| {
        let head = text.get(start..at).unwrap_or_default();
        head.matches('(').count() > head.matches(')').count() || head.contains("-LRB-")
    };
    let cuts = cuts.filter(|pair| !is_open(pair[1].span.start));
    let mut cuts = cuts.map(|pair| page.partition_point(|word| word.span.start < pair[1].span.start));
    cuts.any(|cut| {
        let (first, second) = page.split_at(cut);
        let crossed = |said: &[Word], other: &[Word]| is_about_another(case, text, said, other);
        crossed(second, first) || crossed(first, second)
    })
    .then_some(sentence)
}

/// Whether the claim's words are said in one part, which is about something that the claim does not name, and what the claim
/// begins with is what the other part is about.
fn is_about_another(case: &Case<'_, '_, '_>, text: &str, said: &[Word], other: &[Word]) -> bool {
    let has = |part: &[Word], word: &Word| part.iter().any(|there| there.key == word.key);
    let claimed = |word: &Word| case.words.iter().any(|own| own.key == word.key);
    let telling = |word: &&Word| !word.stop || cues::is_ordinal(word);
    let only_said = |word: &&Word| claimed(word) && telling(word) && !has(other, word);
    let Some(first) = said.iter().find(only_said) else { return false };
    let its_subject = said.iter().filter(|word| word.span.end <= first.span.start && is_content(word));
    let head: Vec<&Word> = other.iter().filter(telling).take_while(|word| claimed(word)).collect();
    let beyond = other.iter().filter(telling).skip(head.len()).any(|word| claimed(word) && !has(said, word));
    let verb = case.words.iter().position(|word| word.key == first.key).unwrap_or(0);
    let subject = &case.words[..verb];
    said.iter().filter(only_said).count() >= SAID
        && its_subject.clone().any(|word| !claimed(word))
        && !said.iter().any(|word| polarity::denies(text, word))
        && !beyond
        && head.into_iter().filter(|word| !has(said, word)).any(|word| has(subject, word))
}

#[cfg(test)]
mod tests {
    use crate::judge::tests::check_support as check;

    #[test]
    fn a_clause_that_begins_with_a_name_is_of_it() {
        let page = "The guests from Northfield came to Harbour City. Northfield had 58% of possession and 17 shots to Harbour \
             City's 11.";
        check(page, "Northfield had 58% of possession.", true);
        check(page, "Harbour City had 58% of possession.", false);
        check(page, "Harbour City had 17 shots.", false);
    }

    #[test]
    fn the_word_before_a_value_says_what_is_said_of_it() {
        let page = "The insurer Vesta, which had paid 1.8 million crowns to home owners, may recover half of that sum from the city.";
        check(page, "The insurer Vesta had paid 1.8 million crowns to home owners.", true);
        check(page, "Vesta may recover 1.8 million crowns from the city.", false);
    }

    #[test]
    fn each_part_of_a_sentence_is_about_what_it_begins_with() {
        let page = "The court of first instance had awarded 5.1 million crowns; the court of appeal had dismissed the claim \
             altogether in 2020.";
        check(page, "The court of appeal dismissed the claim in 2020.", true);
        check(page, "The court of first instance dismissed the claim in 2020.", false);
    }

    #[test]
    fn a_name_with_a_value_in_brackets_has_that_value() {
        let page = "Of the pupils 34% speak another language at home, most often Polish (9%) and Arabic (7%).";
        check(page, "34% of the pupils speak another language at home.", true);
        check(page, "34% of the pupils speak Polish at home.", false);
    }

    #[test]
    fn the_rest_is_not_what_was_counted() {
        let page = "After the fire 2,300 passengers were taken ashore in Bergen, the others stayed on board.";
        check(page, "After the fire 2,300 passengers were taken ashore in Bergen.", true);
        check(page, "After the fire 2,300 passengers stayed on board.", false);
    }
}
