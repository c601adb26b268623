//! Two values of a sentence that have changed owners: *producers (60%) and retailers (40%)* for *retailers own 60% and producers 40%*.
//!
//! What each value is of stands before it or behind it, in the same way for all of them; the last one tells in which. A sign, and no
//! proof.

use super::case::Case;
use super::cues;
use super::neighbours::{Neighbours, parted};
use crate::quantity::{Agreement, Measure, Quantity, compare};
use crate::text::Span;
use crate::text::words::Word;

/// The values of a text that may be of one thing or another.
fn owned(values: &[Quantity]) -> impl Iterator<Item = &Quantity> {
    let is_one = |value: &Quantity| value.spelled && value.value < 2.0;
    values.iter().filter(move |value| {
        !(value.is_label() || value.is_temporal() || value.measure == Measure::Ordinal || is_one(value))
    })
}

/// The words that say what each value is of, in the order of the text, each with its value.
fn owners<'w>(values: Vec<&'w Quantity>, text: &'w str, words: &'w [Word], whole: Span) -> Vec<(u64, usize)> {
    let count = values.len();
    let near = Neighbours::among(values, 0, text, words, whole);
    let before = count.checked_sub(1).is_some_and(|last| !near.before(last).is_empty());
    (0..count)
        .flat_map(|i| {
            let words = if before { near.before(i) } else { near.after(i) };
            words.into_iter().map(move |key| (key, i))
        })
        .collect()
}

/// Whether some values are of one sort, a unit may be said once only, and a mark or a word that joins stands between each two.
fn are_side_by_side(values: &[&Quantity], text: &str, words: &[Word]) -> bool {
    let sort = |value: &Quantity| std::mem::discriminant(&value.measure);
    let alike = |a: &Quantity, b: &Quantity| sort(a) == sort(b) || [a, b].iter().any(|q| q.measure == Measure::Count);
    values.windows(2).all(|pair| {
        let (from, to) = (pair[0].span.end, pair[1].span.start);
        let mut between = words.iter().filter(|word| word.span.start >= from && word.span.end <= to);
        alike(pair[0], pair[1]) && (between.any(cues::joins) || parted(text, from, to).is_some())
    })
}

/// The value of the only one of some owners that has a key.
fn only(owners: &[(u64, usize)], key: u64) -> Option<usize> {
    let mut same = owners.iter().filter(|(other, _)| *other == key);
    same.next().filter(|_| same.next().is_none()).map(|(_, value)| *value)
}

/// The sentence of the best passage that has the claim's values, each with what the claim says of another one.
pub(super) fn said_of_each_other(case: &Case<'_, '_, '_>) -> Option<usize> {
    let window = case.windows.first()?;
    (window.first..=window.last).find(|sentence| are_exchanged(case, *sentence))
}

fn are_exchanged(case: &Case<'_, '_, '_>, sentence: usize) -> bool {
    let there = case.index.quantities_of(sentence, sentence);
    // Each of the claim's values that the sentence has once, with the place of the sentence's.
    let pairs: Vec<(&Quantity, usize)> = owned(case.quantities)
        .filter_map(|own| {
            let mut same = (0..there.len()).filter(|i| compare(own, &there[*i]) == Agreement::Same);
            let at = same.next()?;
            same.next().is_none().then_some((own, at))
        })
        .collect();
    let mut places: Vec<usize> = pairs.iter().map(|(_, at)| *at).collect();
    places.sort_unstable();
    places.dedup();
    if places.len() < 2 || places.len() != pairs.len() {
        return false;
    }
    let (page, span) = (case.index.words_of(sentence, sentence), case.index.span_of(sentence, sentence));
    let claimed: Vec<&Quantity> = pairs.iter().map(|(own, _)| *own).collect();
    let said: Vec<&Quantity> = places.iter().map(|at| &there[*at]).collect();
    if !(are_side_by_side(&claimed, case.claim, case.words) && are_side_by_side(&said, case.index.text(), page)) {
        return false;
    }
    let whole = Span::new(0, case.claim.len());
    let mine = owners(claimed, case.claim, case.words, whole);
    let theirs = owners(said, case.index.text(), page, span);
    // Which value of the sentence, in its order, is which of the claim.
    let of_claim = |at: usize| pairs.iter().position(|(_, place)| *place == places[at]);
    let told: Vec<(usize, usize, bool)> = mine
        .iter()
        .filter_map(|(key, own)| {
            let (own, at) = (only(&mine, *key).filter(|only| only == own)?, only(&theirs, *key)?);
            // What stands beside the first value may be said of all of them.
            Some((own, of_claim(at)?, own > 0 || at > 0))
        })
        .collect();
    let mut telling = told.iter().filter(|(.., tells)| *tells).peekable();
    let turned = |own: usize, other: usize| told.iter().any(|(a, b, _)| (*a, *b) == (other, own));
    telling.peek().is_some() && telling.all(|(own, other, _)| own != other && turned(*own, *other))
}

#[cfg(test)]
mod tests {
    use crate::judge::tests::check_support as check;

    #[test]
    fn values_stay_with_what_they_are_of() {
        let page = "The firm is owned by producers (60%) and retailers (40%).";
        check(page, "Retailers own 60% and producers 40% of the firm.", false);
        check(page, "Producers own 60% and retailers 40% of the firm.", true);
        let page = "Sales were 12 million in Asia and 30 million in Europe.";
        check(page, "Sales were 30 million in Asia and 12 million in Europe.", false);
        check(page, "Sales were 30 million in Europe and 12 million in Asia.", true);
        check("60% of the men chose tea and 40% coffee.", "40% of the men chose coffee and 60% tea.", true);
        let page = "Producers hold 60% and retailers 40% of the firm.";
        check(page, "Retailers hold 60% and producers 40% of the firm.", false);
        check(page, "Retailers hold 40% and producers 60% of the firm.", true);
        let page = "Las chicas ganaron 41 minutos de sueño y los chicos 33.";
        check(page, "Los chicos ganaron 41 minutos de sueño y las chicas 33.", false);
        let page = "Die Mädchen gewannen 41 Minuten Schlaf und die Jungen 33.";
        check(page, "Die Jungen gewannen 41 Minuten Schlaf und die Mädchen 33.", false);
        check(page, page, true);
        let page = "Los ingresos fueron de 12 millones en Asia y de 30 millones en Europa.";
        check(page, "Los ingresos fueron de 30 millones en Asia y de 12 millones en Europa.", false);
    }
}
