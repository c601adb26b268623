//! Entries that each begin with a date of their own, as those of a timeline: what one of them says did not happen on the date of another.

use super::case::Case;
use super::neighbours::is_content;
use super::spot::Spot;
use crate::quantity::{Agreement, Measure, Quantity, compare};
use crate::text::words::Word;

/// So many sentences behind its date an entry may go on.
const GOES_ON: usize = 4;

/// The date that a sentence begins with, when a mark parts it from what happened: *June 2022 – Norvik agrees to pay*.
fn date_of<'i>(case: &Case<'_, 'i, '_>, sentence: usize) -> Option<&'i Quantity> {
    let date = case.index.quantities_of(sentence, sentence).first()?;
    let (text, whole) = (case.index.text(), case.index.span_of(sentence, sentence));
    let before = text.get(whole.start..date.span.start)?;
    let behind = text.get(date.span.end..whole.end)?.trim_start_matches([' ', '*', '\u{a0}']);
    let marked = behind.starts_with([':', '–', '—', '-', '|', '\t', '：', '\n']);
    let begins = !before.contains(char::is_alphanumeric) && marked;
    (begins && matches!(date.measure, Measure::Date(_))).then_some(date)
}

/// Whether the page's date begins an entry, and more of what the claim says stands only in another one.
pub(super) fn is_of_another_entry(spot: &Spot<'_, '_>) -> bool {
    let case = spot.case;
    if date_of(case, spot.sentence).is_none_or(|date| date.span != spot.place.span) {
        return false;
    }
    // Up to the date of the next one.
    let last = case.index.len().saturating_sub(1);
    let end_of = |first: usize| {
        let behind = (first + 1..=(first + GOES_ON).min(last)).take_while(|at| date_of(case, *at).is_none());
        behind.last().unwrap_or(first)
    };
    let has =
        |first: usize, word: &Word| case.index.words_of(first, end_of(first)).iter().any(|there| there.key == word.key);
    let telling = |first: usize, not: usize| {
        let in_a_value = |word: &Word| case.quantities.iter().any(|value| value.span.contains(word.span));
        let own = case.words.iter().filter(|word| is_content(word) && !in_a_value(word));
        own.filter(|word| has(first, word) && !has(not, word)).count()
    };
    let another = |sentence: usize| {
        let other = date_of(case, sentence).filter(|date| compare(spot.place, date) < Agreement::Compatible);
        other.is_some() && telling(sentence, spot.sentence) > telling(spot.sentence, sentence)
    };
    case.near_sentences(spot.sentence).any(another)
}

#[cfg(test)]
mod tests {
    use crate::judge::tests::check_support as check;

    #[test]
    fn an_entry_has_its_own_date() {
        let page = "February 2011 – Aurelia applies for a licence.\n\nSeptember 2012 – The court grants the licence.";
        check(page, "Aurelia applied for a licence in February 2011.", true);
        check(page, "The court granted the licence in September 2012.", true);
        check(page, "The licence was granted in February 2011.", false);
        let page = "2015: Northgate opens.\n\n2018: Harbourside opens.";
        check(page, "Northgate opened in 2015.", true);
        check(page, "Harbourside opened in 2018.", true);
        check(page, "Harbourside opened in 2015.", false);
        let page = "June 2022 – Norvik agrees to pay.\n\n1 March 2023 – The mine closes for good.";
        check(page, "The mine closed for good on 1 March 2023.", true);
        check(page, "The mine closed for good in June 2022.", false);
        // No entries: two sentences of one story.
        let page = "In February 2011 the court sat in Holm. It granted the licence to Aurelia.";
        check(page, "The court granted the licence to Aurelia in February 2011.", true);
    }
}
