//! Which of several values of a sentence the words of a claim belong to: *14 plants in 9 countries* says nothing of 9 plants.

use crate::judge::case::same_kind;
use crate::judge::neighbours::{clause, fit_better, names};
use crate::judge::slots::Slot;
use crate::judge::spot::Spot;
use crate::judge::whose;
use crate::judge::{designated, entries, labels, parts, segments, setting, subject, years};
use crate::quantity::{Agreement, Measure, Quantity, Role, compare};
use crate::text::words::{Word, words};

/// So many more words right round another value that are the same make it the one that is meant.
const SLOT_CONTENT: usize = 2;
/// A row with this part of the claim's words may be the one that is meant.
const ROW_RECALL: f64 = 0.3;
/// So many words that tell the claim stand in another part of the sentence than the page's value.
const PARTED_WORDS: usize = 2;

/// A test of a place of the page.
type Test = fn(&Spot<'_, '_>) -> bool;

/// Whether what stands round a value of the page says that it is of something else than the claim's. A sign, and no proof.
pub(super) fn is_of_something_else(spot: &Spot<'_, '_>) -> bool {
    if spot.q.is_temporal() {
        return has_words_of_another(spot)
            || whose::is_of_another_named(spot)
            || setting::is_the_other_end_of_a_life(spot)
            || subject::is_of_the_clauses_own_name(spot)
            || labels::is_of_another(spot)
            || designated::is_of_another(spot)
            || entries::is_of_another_entry(spot)
            || !is_of_this(spot) && segments::is_of_another_segment(spot);
    }
    is_said_of_something_else(spot) || setting::goes_the_other_way(spot)
}

/// The same but for the direction.
pub(super) fn is_said_of_something_else(spot: &Spot<'_, '_>) -> bool {
    let foreign: [Test; 12] = [
        setting::is_only_foreseen,
        setting::is_of_another_year,
        setting::is_of_another_month,
        setting::is_a_difference,
        setting::is_compared_with_that_year,
        setting::is_the_end_of_a_range,
        labels::is_of_another,
        designated::is_of_another,
        setting::is_a_rate,
        setting::is_a_change_and_no_level,
        setting::goes_nowhere,
        setting::is_what_was_before,
    ];
    let misplaced: [Test; 10] = [
        |spot| words_stand_elsewhere(spot, Tail::Last),
        another_stands_in_its_slot,
        counts_other_things,
        counts_what_stands_elsewhere,
        has_words_of_another,
        is_of_another_part,
        is_of_another_row,
        whose::is_of_another,
        setting::is_the_former_value,
        segments::is_of_another_segment,
    ];
    foreign.iter().any(|test| test(spot)) || !is_of_this(spot) && misplaced.iter().any(|test| test(spot))
}

/// Whether the page's value stands in a sentence or row with none of the claim's words, and one that has some of them has
/// another value of the kind.
fn is_of_another_row(spot: &Spot<'_, '_>) -> bool {
    let case = spot.case;
    let other = |value: &Quantity| same_kind(case, spot.q, value) && compare(spot.place, value) == Agreement::Different;
    let another =
        |row: usize| case.lookup.recall(row, row) >= ROW_RECALL && case.index.quantities_of(row, row).iter().any(other);
    case.lookup.recall(spot.sentence, spot.sentence) <= f64::EPSILON
        && case.windows.iter().flat_map(|window| window.first..=window.last).any(another)
}

/// Whether, in a sentence with several values of one measure, the claim's telling words stand beside another value.
///
/// A word after the claim's value is looked for after the page's value and before the next one; a word before it, before
/// the page's value and after the one before.
pub(super) fn words_belong_elsewhere(spot: &Spot<'_, '_>) -> bool {
    words_stand_elsewhere(spot, Tail::All)
}

/// What the words behind the last value of a sentence are of.
#[derive(Clone, Copy, PartialEq)]
enum Tail {
    All,
    Last,
}

fn words_stand_elsewhere(spot: &Spot<'_, '_>, tail: Tail) -> bool {
    let (case, q) = (spot.case, spot.q);
    let values = values_like(spot);
    let others = case.quantities.iter().filter(|other| other.measure == q.measure).count();
    if values.len() < 2 || others > 1 || q.is_temporal() || has_its_year(spot) {
        return false;
    }
    let Some(at) = values.iter().position(|value| value.span == spot.place.span) else { return false };
    let clause = clause(case.claim, q.span);
    let (mut here, mut there) = (0, 0);
    for word in words(clause.of(case.claim)).filter(|word| !word.stop && !word.number) {
        let start = word.span.start + clause.start;
        if q.span.has(start) {
            continue;
        }
        let after = start >= q.span.end;
        let mut same = spot.words().iter().filter(|other| other.key == word.key);
        // A word that stands once in the sentence tells the values apart.
        let (Some(once), None) = (same.next(), same.next()) else { continue };
        let owner = if after {
            values.iter().rposition(|value| value.span.start <= once.span.start)
        } else {
            values.iter().position(|value| value.span.end > once.span.start)
        };
        match owner {
            // What stands before the first value is the subject of all of them.
            Some(0) if !after => {}
            Some(owner) if owner == at => here += 1,
            // What stands between two values may be of either.
            Some(owner) if tail == Tail::Last && !after && owner == at + 1 => here += 1,
            Some(_) => there += 1,
            None if !after && tail == Tail::Last && at + 1 < values.len() => there += 1,
            None => {}
        }
    }
    there > 0 && here == 0
}

/// Whether another value of the sentence stands between more of the words that the claim's value stands between: *the cost
/// was 98,000 kroner, of which 30,000 kroner was covered*.
fn another_stands_in_its_slot(spot: &Spot<'_, '_>) -> bool {
    let (case, place) = (spot.case, spot.place);
    let values: Vec<&Quantity> = spot.values().iter().filter(|value| same_kind(case, spot.q, value)).collect();
    if values.len() < 2 {
        return false;
    }
    let mine = Slot::of(case.words, case.claim, spot.q.span);
    let shared = |value: &Quantity| mine.shared(&Slot::of(spot.words(), spot.text(), value.span)).1;
    let own = shared(place);
    // What stands before *from 512 to 340* is said of both.
    let changes = |other: &Quantity| (other.role, place.role) == (Role::From, Role::To);
    values.iter().any(|other| {
        compare(place, other) == Agreement::Different && !changes(other) && shared(other) >= own + SLOT_CONTENT
    })
}

/// The values of a sentence that are of the sort of the page's, in order.
fn values_like<'i>(spot: &Spot<'_, 'i>) -> Vec<&'i Quantity> {
    let sort = std::mem::discriminant(&spot.place.measure);
    spot.values().iter().filter(|other| std::mem::discriminant(&other.measure) == sort).collect()
}

/// Whether the page's number counts one thing and another number of the sentence counts what the claim's does.
fn counts_other_things(spot: &Spot<'_, '_>) -> bool {
    let (q, place) = (spot.q, spot.place);
    if (q.measure, place.measure) != (Measure::Count, Measure::Count) {
        return false;
    }
    let Some(mine) = thing_after(spot.case.claim, q) else { return false };
    let theirs = thing_after(spot.text(), place);
    theirs != Some(mine)
        && values_like(spot).iter().any(|other| {
            // Where nothing is said of what the page's number counts, the two have to have changed places.
            let mut others = spot.case.quantities.iter().filter(|own| *own != q);
            let mut changed = || others.any(|own| compare(own, other) == Agreement::Same);
            compare(q, other) == Agreement::Different
                && thing_after(spot.text(), other) == Some(mine)
                && (theirs.is_some() || changed())
        })
}

/// Whether what the claim counts stands in the sentence away from the page's number, which counts something that the claim does
/// not name: *148 houses and a school*.
fn counts_what_stands_elsewhere(spot: &Spot<'_, '_>) -> bool {
    if (spot.q.measure, spot.place.measure) != (Measure::Count, Measure::Count) {
        return false;
    }
    let Some(mine) = thing_after(spot.case.claim, spot.q) else { return false };
    let theirs = whose::things(spot.text(), spot.place);
    let claimed = |key: &u64| spot.case.words.iter().any(|word| word.key == *key);
    let clause = clause(spot.text(), spot.place.span);
    let mut same = spot.words().iter().filter(|word| word.key == mine);
    thing_after(spot.text(), spot.place).is_some_and(|thing| theirs.first() == Some(&thing))
        && !theirs.iter().any(claimed)
        && same.next().is_some_and(|word| {
            // Another number may count it: *20 items, of which at most five may be films*.
            let is_between = |value: &&Quantity| {
                value.span.start > spot.place.span.end
                    && value.span.end <= word.span.start
                    && value.measure == Measure::Count
            };
            let counted_otherwise =
                || parts::part_round(spot).contains(word.span) && spot.values().iter().any(|value| is_between(&value));
            word.span.start > spot.place.span.end && (clause.contains(word.span) || counted_otherwise())
        })
}

/// The key of the word right after a number.
pub(super) fn thing_after(text: &str, q: &Quantity) -> Option<u64> {
    let rest = text.get(q.span.end..)?;
    let next = words(rest).next().filter(|word| !word.stop && !word.number)?;
    next.span.before(rest).trim().is_empty().then_some(next.key)
}

/// Whether each value of the sentence has words of its own beside it, all on the same side, and those of the claim stand
/// beside another one than the page's: *60% come from Europe, 25% from North America*.
fn has_words_of_another(spot: &Spot<'_, '_>) -> bool {
    let Some(near) = spot.neighbours() else { return false };
    let (mine, named) = (keys_of(spot), names_of(spot));
    let other = |i: usize| {
        let value = near.values[i];
        i != near.at && compare(value, spot.place) == Agreement::Different && !keeps_its_turn(spot, value)
    };
    let fits_another = |side: &dyn Fn(usize) -> Vec<u64>, mine: &[u64]| {
        let all: Vec<Vec<u64>> = (0..near.values.len()).map(side).collect();
        all.iter().all(|words| !words.is_empty())
            && (0..all.len()).any(|i| other(i) && fit_better(&all[i], &all[near.at], mine))
    };
    fits_another(&|i| near.after(i), &mine)
        || fits_another(&|i| near.before(i), &mine)
        || fits_another(&|i| near.round(i), &mine)
        || fits_another(&|i| near.names_round(i), &named)
}

/// Whether another value of the page is in the claim too, and the two follow each other there as they do on the page.
fn keeps_its_turn(spot: &Spot<'_, '_>, other: &Quantity) -> bool {
    let (q, place) = (spot.q, spot.place);
    let mut taken = spot.case.quantities.iter().filter(|own| *own != q && compare(own, other) >= Agreement::Compatible);
    taken.any(|own| (own.span.start < q.span.start) == (other.span.start < place.span.start))
}

/// The keys of the claim's words.
fn keys_of(spot: &Spot<'_, '_>) -> Vec<u64> {
    spot.case.words.iter().map(|word| word.key).collect()
}

/// The keys of the claim's names.
fn names_of(spot: &Spot<'_, '_>) -> Vec<u64> {
    names(spot.case.claim, spot.case.words.iter().copied())
}

/// Whether the words on one side of the page's value, or the names round it, are the claim's rather than those of any
/// other value of the sentence.
pub(super) fn is_of_this(spot: &Spot<'_, '_>) -> bool {
    let Some(near) = spot.neighbours() else { return false };
    let mine = keys_of(spot);
    let fits = |side: &dyn Fn(usize) -> Vec<u64>| {
        let all: Vec<Vec<u64>> = (0..near.values.len()).map(side).collect();
        (0..all.len()).filter(|i| *i != near.at).all(|i| fit_better(&all[near.at], &all[i], &mine))
    };
    has_its_name(spot) || has_its_year(spot) || fits(&|i| near.after(i)) || fits(&|i| near.before(i))
}

/// Whether each value of the sentence has a year of its own beside it, and the page's value that of the claim: *310 hectares en 2018, 365 en
/// 2020*. What stands round the first of them is said of all.
fn has_its_year(spot: &Spot<'_, '_>) -> bool {
    let Some(claimed) = years::only_year(spot.case).filter(|_| !spot.q.is_temporal()) else { return false };
    let values = values_like(spot);
    let years: Vec<&Quantity> = spot.values().iter().filter(|value| years::year_of(value).is_some()).collect();
    if values.len() < 2 || values.len() != years.len() || spot.values().len() != 2 * values.len() {
        return false;
    }
    let behind = values[0].span.start < years[0].span.start;
    let mut turns = values.iter().zip(&years);
    let alternate = turns.all(|(value, year)| (value.span.start < year.span.start) == behind)
        && values.iter().skip(1).zip(&years).all(|(next, year)| year.span.start < next.span.start);
    let mut same = years.iter().zip(&values).filter(|(year, _)| years::year_of(year) == Some(claimed));
    let own = same.next().is_some_and(|(_, value)| value.span == spot.place.span);
    alternate && own && same.next().is_none()
}

/// Whether only names of the claim stand round the page's value, and one of them round no other value of the sentence:
/// *86.4% for GPT-4, 70.0% for GPT-3.5*.
pub(super) fn has_its_name(spot: &Spot<'_, '_>) -> bool {
    let Some(near) = spot.neighbours() else { return false };
    let mine = names_of(spot);
    let own = near.names_round(near.at);
    let mut others = (0..near.values.len()).filter(|i| *i != near.at).map(|i| near.names_round(i));
    // Each has its own: what stands before the first value is otherwise said of all.
    own.iter().all(|name| mine.contains(name))
        && !own.is_empty()
        && others.all(|names| names.iter().any(|name| !mine.contains(name)))
}

/// Whether the sentence has parts, and the part with the page's value has its own words and few of those that tell the
/// claim, which stand in another part.
fn is_of_another_part(spot: &Spot<'_, '_>) -> bool {
    let (page, part) = (spot.words(), parts::part_round(spot));
    if part == spot.whole() {
        return false;
    }
    let once = |word: &Word| page.iter().filter(|other| other.key == word.key).count() == 1;
    let telling = spot.case.words.iter().filter(|word| !word.stop && !word.number);
    let told: Vec<&Word> =
        telling.filter_map(|word| page.iter().find(|other| other.key == word.key)).filter(|word| once(word)).collect();
    let inside = told.iter().filter(|word| part.contains(word.span)).count();
    inside == 0 && told.len() >= PARTED_WORDS
}

#[cfg(test)]
mod tests {
    use crate::claim::ClaimKind;
    use crate::judge::{CheckKind, CheckResult, ClaimText, Settings, SourceText, Standing, judge};

    const PAGES: [&str; 3] = [
        "In 2023 Acme had revenue of $1.2 billion and net income of $140 million. Acme operates 14 plants in 9 countries. \
         About 60% of sales come from Europe, 25% from North America and 15% from Asia. In 2022 revenue was $1.11 billion \
         and net income was $152 million.",
        "The mean seasonal performance factor was 2.9 for air-source units and 3.6 for ground-source units. The average \
         installation cost was 98,000 kroner, of which 30,000 kroner was covered by a grant.",
        "The Ministry said on Tuesday that exports rose 4.1% in March from a year earlier, the slowest pace since October. \
         Imports fell 2.3%. The trade surplus widened to $82.6 billion from $68.4 billion in February. Economists polled by \
         the agency had expected exports to grow 5% and imports to rise 1%.",
    ];

    /// Whether the pages, as one text, have the claim's number for the same thing.
    fn check(claim: &str, agrees: bool) {
        let text = PAGES.join(" ");
        let (claim, page) = (ClaimText::new(claim, ClaimKind::Plain), SourceText::new(&text, ""));
        let verdict = judge(&claim, &page, &Settings::default());
        let mut numbers = verdict.checks.iter().filter(|check| check.kind == CheckKind::Quantity);
        assert_eq!(numbers.all(|check| check.result == CheckResult::Agrees), agrees, "{verdict:?}");
        assert!(agrees || verdict.standing != Standing::Supported, "{}: {verdict:?}", claim.text);
        assert!(!agrees || verdict.standing != Standing::Contradicted, "{}: {verdict:?}", claim.text);
    }

    #[test]
    fn a_value_of_another_year_is_no_support() {
        check("Acme's revenue was $1.11 billion in 2022.", true);
        check("Acme's revenue was $1.11 billion in 2023.", false);
        check("Acme's net income rose to $152 million in 2023.", false);
    }

    #[test]
    fn the_words_right_round_a_value_say_what_it_is_of() {
        check("The average installation cost was 98,000 kroner.", true);
        check("The average installation cost was 30,000 kroner.", false);
        check("The grant covered 98,000 kroner.", false);
        check("Ground-source units reached a seasonal performance factor of 2.9.", false);
    }

    #[test]
    fn what_is_expected_has_not_happened() {
        check("Imports fell 2.3% in March.", true);
        check("Imports rose 1% in March.", false);
        check("The trade surplus is $68.4 billion.", false);
        check("Economists had expected imports to rise 1%.", true);
        check("Exports grew 5% in March.", false);
    }

    #[test]
    fn a_value_reached_by_going_up_is_not_reached_by_going_down() {
        check("Exports rose 4.1% in March from a year earlier.", true);
        check("Exports fell 4.1% in March from a year earlier.", false);
        check("The trade surplus widened to $82.6 billion in March.", true);
        check("The trade surplus narrowed to $68.4 billion in March.", false);
    }

    #[test]
    fn of_several_values_with_years_each_is_of_its_own() {
        for (page, right, wrong) in [
            (
                "La commune a replanté 310 hectares en 2018, 365 en 2020 et 402 en 2022.",
                "En 2022, la commune a replanté 402 hectares.",
                "En 2022, la commune a replanté 365 hectares.",
            ),
            (
                "The river carried 140 tonnes of silt in 2015, 165 in 2017 and 190 in 2019.",
                "In 2019 the river carried 190 tonnes of silt.",
                "In 2019 the river carried 165 tonnes of silt.",
            ),
            (
                "In 2015 the harbour took 140 boats, in 2017 it took 165 boats.",
                "The harbour took 165 boats in 2017.",
                "The harbour took 140 boats in 2017.",
            ),
        ] {
            let page = SourceText::new(page, "");
            let standing =
                |claim| judge(&ClaimText::new(claim, ClaimKind::Plain), &page, &Settings::default()).standing;
            assert_eq!(standing(right), Standing::Supported, "{right}");
            assert_ne!(standing(wrong), Standing::Supported, "{wrong}");
        }
    }

    #[test]
    fn numbers_that_change_places_count_other_things() {
        check("Acme operates 14 plants in 9 countries.", true);
        check("Acme operates 9 plants in 14 countries.", false);
    }

    #[test]
    fn each_name_has_the_value_beside_it() {
        check("Europe accounts for 60% of Acme's sales.", true);
        check("North America accounts for 60% of Acme's sales.", false);
        check("About 25% of sales come from Asia.", false);
    }

    #[test]
    fn a_number_counts_what_stands_beside_it() {
        let page = SourceText::new("The lava flow has covered the valley and destroyed 148 houses and a school.", "");
        let standing = |claim| judge(&ClaimText::new(claim, ClaimKind::Plain), &page, &Settings::default()).standing;
        assert_eq!(standing("The lava flow has destroyed 148 houses."), Standing::Supported);
        assert_ne!(standing("The lava flow has destroyed 148 schools."), Standing::Supported);
    }
}
