//! Small numbers in words and places in a row: *six yellow cards* are not four of them, and *the 87th minute* is not
//! everybody's.
//!
//! They measure too little to be looked up like other numbers: *two* and *third* are in every text. But where the page has
//! the thing that is counted with another number, and nowhere with the claim's, or with the claim's only for others whom it
//! names, the claim's words are no support. A sign, and no proof.

use crate::judge::case::{Case, counted};
use crate::judge::polarity::{Clash, ClashKind};
use crate::judge::segments::is_of_another_segment;
use crate::judge::spot::Spot;
use crate::judge::whose::{is_all_that_there_is, is_of_another_named, is_of_the_whole, things};
use crate::judge::{cues, designated, subject};
use crate::quantity::{Agreement, Bound, Measure, Quantity, compare};
use crate::text::words::words;

/// Another number of the thing says something in a sentence with this part of the claim's words …
const RECALL: f64 = 0.4;
/// … and this part of what the best passage has.
const SHARE: f64 = 0.8;

/// The sentence that has another number of what the claim counts in words, or has the claim's number for others.
pub(super) fn counted_otherwise(case: &Case<'_, '_, '_>) -> Option<usize> {
    case.quantities.iter().filter(|q| is_small(q)).find_map(|q| differs(case, q))
}

/// Whether a quantity is a number in words that is not looked up otherwise, or a place in a row.
fn is_small(q: &Quantity) -> bool {
    let counts = q.measure == Measure::Count && q.spelled && q.value >= 2.0 && !q.is_measured();
    (counts || q.measure == Measure::Ordinal) && q.upper.is_none() && q.bound == Bound::Exact
}

fn differs(case: &Case<'_, '_, '_>, q: &Quantity) -> Option<usize> {
    let text = case.index.text();
    let mine = things(case.claim, q);
    if mine.is_empty() {
        return None;
    }
    let behind = case.claim.get(q.span.end..).unwrap_or_default();
    let of_part = words(behind).next().is_some_and(|word| cues::is_of(&word));
    let kin = |value: &&Quantity| value.measure == q.measure && value.upper.is_none();
    let (mut own, mut others) = (0, None);
    for place in case.index.between(q.value.abs(), q.value.abs()).into_iter().filter(kin) {
        if (place.value - q.value).abs() > f64::EPSILON {
            continue;
        }
        let theirs = things(text, place);
        // *Four of them* is a part of what was counted.
        let rest = text.get(place.span.end..).unwrap_or_default();
        let is_part = words(rest).next().is_some_and(|word| cues::is_of(&word));
        if is_part && !of_part || !theirs.is_empty() && !theirs.iter().any(|thing| mine.contains(thing)) {
            continue;
        }
        let sentence = case.index.sentence_at(place.span.start);
        let spot = Spot::new(case, q, place, sentence);
        let of_others = is_of_another_named(&spot)
            || subject::is_of_the_clauses_own_name(&spot)
            || designated::is_of_another(&spot);
        if of_others
            || is_all_that_there_is(&spot)
            || !of_part && (is_of_the_whole(&spot) || is_of_another_segment(&spot))
        {
            others = others.or(Some(sentence));
        } else {
            own += 1;
        }
    }
    if own > 0 {
        return None;
    }
    let another = |sentence: &usize| {
        case.lookup.recall(*sentence, *sentence) >= RECALL.max(SHARE * case.best)
            && case.index.quantities_of(*sentence, *sentence).iter().filter(kin).any(|value| {
                let counts = !value.spelled || value.value >= 2.0;
                counts
                    && compare(q, value) == Agreement::Different
                    && !case.has_value(value)
                    && things(text, value).first().is_some_and(|thing| mine.first() == Some(thing))
            })
    };
    others.or_else(|| case.windows.iter().flat_map(|window| window.first..=window.last).find(another))
}

/// Whether the two speak of another number of things: *seven of the twelve are members*, *five are not*.
pub(super) fn counts_others(case: &Case<'_, '_, '_>, (clash, sentence): &(Clash, usize)) -> bool {
    let there = case.index.quantities_of(*sentence, *sentence);
    // *Fewer than 50* are other ones than *50 or more*.
    let away = |own: &Quantity, other: &Quantity| {
        matches!((own.bound, other.bound), (Bound::AtLeast, Bound::AtMost) | (Bound::AtMost, Bound::AtLeast))
    };
    // *Three of the twelve are not* is not said of *nine of the twelve, in three months*.
    let thing = |text, q: &Quantity| counted(text, q).filter(|_| q.measure == Measure::Count);
    let of_others = |own: &Quantity, other: &Quantity| {
        let things = thing(case.claim, own).zip(thing(case.index.text(), other));
        other.has_unit() != own.has_unit() || things.is_some_and(|(mine, theirs)| mine != theirs)
    };
    let is_there = |own: &Quantity| {
        let mut alike = there.iter().filter(|other| compare(own, other) >= Agreement::Compatible);
        alike.any(|other| !away(own, other) && !of_others(own, other))
    };
    let counts = |q: &&Quantity| matches!(q.measure, Measure::Count | Measure::Percent);
    matches!(clash.kind, ClashKind::Negation | ClashKind::Opposite)
        && !case.quantities.iter().filter(counts).all(is_there)
}

#[cfg(test)]
mod tests {
    use crate::claim::ClaimKind;
    use crate::judge::{ClaimText, Settings, SourceText, Standing, judge};

    const PAGE: &str = "The game was refereed by Carla Meyer, who had Leo Adeyemi booked. Pavel Dvorak headed in a corner, but \
         Leo Adeyemi equalised with his 14th goal of the season. Referee Carla Meyer showed six yellow cards, four of them to \
         Northfield. The court ruled by five votes to two that the goal of Adeyemi counts.";

    fn check(claim: &str, supported: bool) {
        let (claim, page) = (ClaimText::new(claim, ClaimKind::Plain), SourceText::new(PAGE, ""));
        let verdict = judge(&claim, &page, &Settings::default());
        assert_eq!(verdict.standing == Standing::Supported, supported, "{}: {verdict:?}", claim.text);
        assert_ne!(verdict.standing, Standing::Contradicted, "{}: {verdict:?}", claim.text);
    }

    #[test]
    fn a_thing_has_the_number_beside_it() {
        check("Referee Carla Meyer showed six yellow cards.", true);
        check("Referee Carla Meyer showed four yellow cards.", false);
        check("The court ruled by five votes to two.", true);
        check("The court ruled by seven votes to two.", false);
    }

    #[test]
    fn a_place_in_a_row_is_of_whom_its_clause_names() {
        check("Leo Adeyemi equalised with his 14th goal of the season.", true);
        check("Pavel Dvorak scored his 14th goal of the season.", false);
    }
}
